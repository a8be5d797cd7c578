"""A loop that does not come round any more is seen from outside, told once, and shows all anew when it does."""

from __future__ import annotations

import threading

import pytest

from tamsk_pi.clock import MonotonicClock, VirtualClock
from tamsk_pi.devices.base import DeviceError, LampFrame
from tamsk_pi.runner import sentry
from tamsk_pi.runner.sentry import STALLED_MS, Sentry
from tamsk_pi.signals.table import SIGNALS
from tests.runner.board import FakeBoard
from tests.runner.test_desk_and_loop import ORIGIN_MS, go, loop_at


class Stuck:
    """A loop that came round once, long ago."""

    round_at_ms = 0

    def __init__(self) -> None:
        self.told = threading.Semaphore(0)

    def put_ready_out(self) -> None:
        self.told.release()


@pytest.fixture
def board() -> FakeBoard:
    return FakeBoard()


def test_ready_goes_out_once_with_one_sound_and_comes_back_with_the_loop(board: FakeBoard) -> None:
    loop, clock = loop_at(board)
    watch = Sentry(loop, clock)
    go(loop, clock, board, ORIGIN_MS + 200)
    assert board.frames[-1].panel["ready"]
    shown, sounded = len(board.frames), len(board.tones)
    watch.look(ORIGIN_MS + 200 + STALLED_MS)
    assert len(board.frames) == shown
    for later_ms in (1, 100, 5_000):
        watch.look(ORIGIN_MS + 200 + STALLED_MS + later_ms)
    assert len(board.frames) == shown + 1
    assert board.frames[-1] == LampFrame(
        {**board.frames[-2].panel, "ready": False}, board.frames[-2].red_sockets, board.frames[-2].green_sockets
    )
    assert board.tones[sounded:] == [SIGNALS["paused"].tones]
    go(loop, clock, board, ORIGIN_MS + 8_000)
    assert board.frames[-1].panel["ready"]
    watch.look(ORIGIN_MS + 8_100)
    watch.look(ORIGIN_MS + 8_000 + STALLED_MS + 1)
    assert not board.frames[-1].panel["ready"]


def test_lamps_that_fail_as_well_do_not_end_the_sentry(board: FakeBoard, caplog: pytest.LogCaptureFixture) -> None:
    loop, clock = loop_at(board)
    go(loop, clock, board, ORIGIN_MS + 200)
    board.lamps_fail = True
    Sentry(loop, clock).look(ORIGIN_MS + 200 + STALLED_MS + 1)
    assert caplog.records[-1].exc_info is not None
    assert isinstance(caplog.records[-1].exc_info[1], DeviceError)


def test_it_looks_by_itself_until_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentry, "LOOK_EVERY_S", 0.0)
    loop = Stuck()
    loop.round_at_ms = MonotonicClock().now_ms() - STALLED_MS - 1
    watch = Sentry(loop, MonotonicClock())
    watch.start()
    assert loop.told.acquire(timeout=30)
    watch.close()
    assert not loop.told.acquire(blocking=False)


def test_one_that_was_never_started_can_be_closed() -> None:
    Sentry(Stuck(), VirtualClock()).close()
