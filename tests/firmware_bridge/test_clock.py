"""The mapping of the board's clock: resonators that are off, answers that come late, stamps that wrap."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from firmware_bridge.clock import WRAP_US, BoardClock

HOUR_US = 3_600_000_000
EVERY_US = 100_000


class Board:
    """A board's clock that runs at `rate` (board µs per host µs) from `zero_us`."""

    def __init__(self, rate: float | Callable[[int], float], zero_us: int = 0) -> None:
        self._rate = rate if callable(rate) else lambda host_us: rate
        self._host_us = 0
        self._board = float(zero_us)

    def at(self, host_us: int) -> int:
        """The 32-bit stamp at a host time, not earlier than the last one asked for."""
        self._board += (host_us - self._host_us) * self._rate(host_us)
        self._host_us = host_us
        return int(self._board) % WRAP_US


def ask(clock: BoardClock, board: Board, at_us: int, noise: random.Random) -> int:
    """One question and its answer, with delays as on a busy host; returns when the answer came."""
    there_us = 1300 + round(noise.expovariate(1 / 400))
    back_us = 1300 + round(noise.expovariate(1 / 400))
    if noise.random() < 0.02:
        back_us += noise.randrange(400_000)  # the host was not looking
    clock.answer(at_us, at_us + there_us + back_us, board.at(at_us + there_us))
    return at_us + there_us + back_us


@pytest.mark.parametrize("rate", [0.995, 0.999, 1.0, 1.005])
def test_half_a_per_cent_off_stays_within_5_ms_over_an_hour(rate: float) -> None:
    noise = random.Random(1)
    clock, board = BoardClock(), Board(rate, zero_us=WRAP_US - 600_000_000)  # wraps after ten minutes
    now_us, worst_us = 0, 0
    for n in range(8):
        now_us = ask(clock, board, n * 15_000, noise)
    clock.begin()
    edges = 0
    while now_us < HOUR_US:
        edge_us = now_us + noise.randrange(EVERY_US // 2)
        mapped_us = clock.to_host_us(board.at(edge_us))
        worst_us = max(worst_us, abs(mapped_us - edge_us))
        edges += 1
        now_us = ask(clock, board, max(now_us + EVERY_US, edge_us), noise)
    assert edges > 25_000
    assert worst_us < 5_000
    assert clock.rate == pytest.approx(1 / rate, abs=5e-5)


def test_a_resonator_that_warms_up_is_followed() -> None:
    noise = random.Random(2)
    clock, board = BoardClock(), Board(lambda host_us: 0.997 + 0.004 * min(host_us / 600_000_000, 1.0))
    now_us, worst_us = 0, 0
    for n in range(8):
        now_us = ask(clock, board, n * 15_000, noise)
    clock.begin()
    while now_us < HOUR_US // 3:
        edge_us = now_us + noise.randrange(EVERY_US // 2)
        worst_us = max(worst_us, abs(clock.to_host_us(board.at(edge_us)) - edge_us))
        now_us = ask(clock, board, max(now_us + EVERY_US, edge_us), noise)
    assert worst_us < 5_000


def test_late_delivery_never_changes_a_stamp() -> None:
    noise = random.Random(3)
    prompt, late = BoardClock(), BoardClock()
    twins = Board(0.996), Board(0.996)
    waiting: list[tuple[int, int]] = []
    compared = 0
    now_us = 0
    for n in range(8):
        ask(prompt, twins[0], n * 5_000, random.Random(n))
        ask(late, twins[1], n * 5_000, random.Random(n))
    prompt.begin()
    late.begin()
    for n in range(8, 4000):
        answers = random.Random(n), random.Random(n)
        now_us = max(now_us, n * 60_000)
        ask(prompt, twins[0], now_us, answers[0])
        ask(late, twins[1], now_us, answers[1])
        now_us += 10_000
        stamp, twin = (board.at(now_us + 400_000 * (n % 2)) for board in twins)
        now_us += 400_000 * (n % 2)
        assert stamp == twin
        waiting.append((stamp, prompt.to_host_us(stamp)))
        if noise.random() < 0.1:  # the other's edges come seconds later, after many more answers
            for old, expected_us in waiting:
                assert late.to_host_us(old) == expected_us
                compared += 1
            waiting.clear()
    assert compared > 3000


def test_times_never_go_back() -> None:
    noise = random.Random(4)
    clock, board = BoardClock(), Board(1.004)
    last_us, now_us = -1, 0
    now_us = ask(clock, board, 0, noise)
    clock.begin()
    for _ in range(20_000):
        for _ in range(3):
            now_us += noise.randrange(8_000)
            mapped_us = clock.to_host_us(board.at(now_us))
            assert mapped_us >= last_us
            last_us = mapped_us
        if noise.random() < 0.3:
            now_us = ask(clock, board, now_us, noise)


def test_nothing_can_be_mapped_before_the_first_answer() -> None:
    clock = BoardClock()
    assert not clock.is_set
    assert clock.quickest_us is None
    with pytest.raises(RuntimeError, match="has not been asked"):
        clock.to_host_us(0)


def test_answers_that_make_no_sense_are_dropped() -> None:
    clock = BoardClock()
    clock.answer(1000, 3000, 50_000)
    before = clock.to_host_us(60_000)
    clock.answer(5000, 4000, 70_000)  # received before it was asked
    clock.answer(6000, 8000, 40_000)  # older than the last
    assert clock.to_host_us(60_000) == before == 12_000
    assert clock.quickest_us == 2000
