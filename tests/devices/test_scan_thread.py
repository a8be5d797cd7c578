"""The scan thread: posts edges by itself, and its end is seen. Waits are for real events, each with a bound."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import pytest

from tamsk_pi.config.profile import BoardProfile
from tamsk_pi.devices.gpio.board import MatrixBoard
from tamsk_pi.devices.gpio.mock import ForgetfulPin
from tamsk_pi.sensing.edges import Edge
from tests.devices.switchboard import Switchboard

BOUND_S = 20.0


class Inbox:
    """Where a board posts to."""

    def __init__(self) -> None:
        self.edges: list[Edge] = []
        self.threads: set[str] = set()
        self._came = threading.Condition()

    def post(self, edges: Sequence[Edge]) -> None:
        with self._came:
            self.edges += edges
            self.threads.add(threading.current_thread().name)
            self._came.notify_all()

    def wait_for(self, count: int) -> bool:
        with self._came:
            return self._came.wait_for(lambda: len(self.edges) >= count, BOUND_S)


class BrokenPin(ForgetfulPin):
    """A line whose reading fails once it is told to."""

    broken = False

    def _get_state(self) -> float:
        if self.broken:
            raise OSError(5, "Input/output error")
        return self._state


def until(condition: Callable[[], bool]) -> bool:
    """Whether the condition came true within the bound."""
    end_s = time.monotonic() + BOUND_S
    pause = threading.Event()
    while not condition():
        if time.monotonic() > end_s:
            return False
        pause.wait(0.002)
    return True


def scanning() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "matrix-scan"]


def test_edges_come_from_one_thread_stamped_as_they_are_read(profile: BoardProfile, switches: Switchboard) -> None:
    switches.close("A1")
    inbox = Inbox()
    board = MatrixBoard(profile, pin_factory=switches.factory)
    board.open()
    assert board.inputs()["socket", "A1"] is True
    board.start(inbox.post)
    before_ms = time.monotonic_ns() // 1_000_000
    switches.close("D4")
    assert inbox.wait_for(1)
    after_ms = time.monotonic_ns() // 1_000_000
    switches.open("A1")
    assert inbox.wait_for(2)
    assert len(scanning()) == 1
    board.close()
    assert [edge[1:] for edge in inbox.edges] == [("socket", "D4", True), ("socket", "A1", False)]
    assert before_ms <= inbox.edges[0].t_ms <= after_ms
    assert inbox.threads == {"matrix-scan"}
    assert not scanning()


def test_after_closing_nothing_is_posted_and_the_board_can_be_opened_again(
    profile: BoardProfile, switches: Switchboard
) -> None:
    inbox = Inbox()
    board = MatrixBoard(profile, pin_factory=switches.factory)
    board.open()
    board.start(inbox.post)
    board.close()
    switches.close("D4")
    board.open()
    assert board.inputs()["socket", "D4"] is True
    board.start(inbox.post)
    switches.open("D4")
    assert inbox.wait_for(1)
    board.close()
    assert [edge[1:] for edge in inbox.edges] == [("socket", "D4", False)]


def test_a_scan_that_fails_is_seen(profile: BoardProfile, caplog: pytest.LogCaptureFixture) -> None:
    switches = Switchboard(profile)
    column = profile.matrix.columns["D"]
    switches.factory.pins.pop(switches.columns["D"].info)
    broken = switches.factory.pin(column, pin_class=BrokenPin)
    switches.columns["D"] = broken
    board = MatrixBoard(profile, pin_factory=switches.factory)
    board.open()
    board.start(lambda edges: None)
    assert until(lambda: board.scans > 3)
    broken.broken = True
    assert until(lambda: not scanning())
    stood_still_ms = board.alive_at_ms()
    assert board.failure == "the matrix can no longer be read: [Errno 5] Input/output error"
    assert board.failure in caplog.text
    assert until(lambda: time.monotonic_ns() // 1_000_000 > stood_still_ms + 20)
    assert board.alive_at_ms() == stood_still_ms
    assert switches.factory.pin(profile.lamps.ready).state == 0
    broken.broken = False
    board.close()
    board.open()
    assert board.failure is None
    board.close()


def test_alive_goes_on_while_nothing_moves(profile: BoardProfile, switches: Switchboard) -> None:
    board = MatrixBoard(profile, pin_factory=switches.factory)
    board.open()
    board.start(lambda edges: None)
    begun_ms = board.alive_at_ms()
    assert until(lambda: board.alive_at_ms() > begun_ms + 10)
    board.close()
