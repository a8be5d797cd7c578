"""The one clock: monotonic, in whole ms. Only the edge of the program reads it; the core takes times as arguments."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time. Tests and the simulator's fast games use a virtual one."""

    def now_ms(self) -> int:
        """Whole ms on a clock that never goes back; its zero means nothing."""
        ...


class MonotonicClock:
    """The host's monotonic clock."""

    def now_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000


class VirtualClock:
    """A clock that stands still until it is told to go on."""

    def __init__(self, now_ms: int = 0) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        return self._now_ms

    def go_to(self, t_ms: int) -> None:
        """Go forward to `t_ms`; never back (`ValueError`)."""
        if t_ms < self._now_ms:
            raise ValueError(f"a clock does not go back: {t_ms} is before {self._now_ms}")
        self._now_ms = t_ms
