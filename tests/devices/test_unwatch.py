"""A column that lgpio's own thread has not let go of yet is asked for again, and named where it stays busy."""

from __future__ import annotations

import pytest
from gpiozero import PinEdgeDetectUnsupported

from tamsk_pi.devices.gpio import board


class BusyPin:
    """Refuses to be unwatched as many times as it is told."""

    def __init__(self, times: int) -> None:
        self._times = times
        self.asked = 0

    @property
    def when_changed(self) -> None:
        return None

    @when_changed.setter
    def when_changed(self, watcher: None) -> None:
        self.asked += 1
        if self.asked <= self._times:
            raise PinEdgeDetectUnsupported("GPIO busy")


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "_UNWATCH_WAIT_S", 0.0)


def test_a_line_that_is_busy_for_a_moment_is_unwatched() -> None:
    pin = BusyPin(3)
    board._unwatch(pin)
    assert pin.asked == 4


def test_one_that_stays_busy_is_told() -> None:
    with pytest.raises(PinEdgeDetectUnsupported, match="GPIO busy"):
        board._unwatch(BusyPin(10_000))
