"""Counting move sequences: against the contract's numbers and against a second, plain count."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_pi.rules.board import SOCKETS
from tamsk_pi.rules.perft import BulkPlies, divide, perft
from tamsk_pi.rules.position import Position
from tests.rules.slow_perft import slow_perft
from tests.rules.strategies import positions

FROM_THE_START = (1, 9, 81, 858, 8_994, 100_146, 1_102_410, 12_688_323)

# Red is walled in on the left by full sockets; black is free.
RED_CANNOT_MOVE = "1r1r1r1/12220/000000/0000000/000000/00000/0b0b00b r 27 26"
# Full everywhere: 64 rings lie on the board.
NOBODY_CAN_MOVE = "1b111r/12221/123321/1r23432b1/123321/12221/1b111r r 0 0"


@pytest.mark.parametrize("depth", range(8))
def test_the_counts_of_the_contract(depth: int) -> None:
    assert perft(Position.start(), depth) == FROM_THE_START[depth]


@pytest.mark.parametrize("depth", range(5))
def test_the_second_count_agrees_from_the_start(depth: int) -> None:
    assert slow_perft(Position.start().text(), depth) == FROM_THE_START[depth]


@given(positions(free=False), st.integers(0, 3), st.sampled_from(get_args(BulkPlies)))
def test_the_second_count_agrees_everywhere(position: Position, depth: int, bulk_plies: BulkPlies) -> None:
    assert perft(position, depth, bulk_plies) == slow_perft(position.text(), depth)


@given(positions(free=False, crowded=True), st.integers(1, 7), st.sampled_from(get_args(BulkPlies)))
def test_the_second_count_agrees_where_sides_must_pass(position: Position, depth: int, bulk_plies: BulkPlies) -> None:
    assert perft(position, depth, bulk_plies) == slow_perft(position.text(), depth)


@given(positions(), st.integers(1, 3))
def test_the_first_moves_add_up(position: Position, depth: int) -> None:
    counts = divide(position, depth)
    assert sum(counts.values()) == perft(position, depth)
    assert list(counts) == sorted(counts)


def test_a_side_that_cannot_move_passes_and_that_counts() -> None:
    position = Position.parse(RED_CANNOT_MOVE)
    assert position.moves("red") == ()
    replies = len(position.moves("black"))
    assert perft(position, 1) == 1
    assert perft(position, 2) == replies > 0
    assert divide(position, 2) == {"pass": replies}


def test_a_game_that_has_ended_adds_nothing() -> None:
    full = Position.parse(NOBODY_CAN_MOVE)
    assert [perft(full, depth) for depth in range(4)] == [1, 0, 0, 0]
    assert divide(full, 3) == {}


def test_the_last_ring_ends_the_game() -> None:
    # Each inner socket is full but D4, and the sides have one ring and the rest: whoever drops its last has won.
    position = Position.parse("0b000r/02220/023320/0r23332b0/023320/02220/0b000r r 1 18")
    first_moves = len(position.moves("red"))
    assert perft(position, 1) == first_moves > 0
    assert perft(position, 2) == 0
    assert perft(position.passed(), 2) > 0
    assert perft(position.passed(), 3) == 0
    assert divide(position, 2) == dict.fromkeys(divide(position, 1), 0)


def test_first_moves_stand_in_notation_and_in_order() -> None:
    assert divide(Position.start(), 3) == {
        "A4-A3x": 89,
        "A4-B4": 108,
        "A4-B5x": 89,
        "D1-C1x": 89,
        "D1-D2": 108,
        "D1-E1x": 89,
        "G4-F4": 108,
        "G4-F5x": 89,
        "G4-G3x": 89,
    }


def test_free_placement_counts_its_placings() -> None:
    free = Position.start("free")
    assert [perft(free, depth) for depth in range(4)] == [1, 37, 37 * 36, 37 * 36 * 35]
    assert list(divide(free, 1))[:2] == ["*-A1x", "*-A2x"]
    assert len(divide(free, 1)) == len(SOCKETS)


def test_free_placement_goes_on_as_the_game_does_once_the_glasses_stand() -> None:
    nearly = Position.parse("1b001r/00000/000000/1r000001b/000000/00000/1000r b 29 30 free")
    placings = nearly.moves("black")
    assert placings[0] == (None, "A2")
    assert perft(nearly, 1) == len(placings) == 37 - 5 - 1  # five glasses stand, and one ring fills G1
    after = [nearly.after(*placing) for placing in placings]
    on_the_board = [then.text().removesuffix(" free") for then in after]
    assert perft(nearly, 3) == sum(slow_perft(text, 2) for text in on_the_board)


def test_depths_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="depth -1 is negative"):
        perft(Position.start(), -1)
    with pytest.raises(ValueError, match="depth 0 has no first move"):
        divide(Position.start(), 0)
