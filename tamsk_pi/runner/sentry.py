"""Sees from outside that the game's loop does not come round any more: a box that does not watch must not seem to."""

from __future__ import annotations

import logging
import threading
from typing import Final, Protocol

from tamsk_pi.clock import Clock

STALLED_MS: Final = 900
"""A loop that has not come round for so long is stalled. It does so four times a second at the least."""

LOOK_EVERY_S: Final = 0.1
"""With `STALLED_MS`: `ready` is out within a second."""

_log = logging.getLogger(__name__)


class Watched(Protocol):
    """What is looked at: `Loop`."""

    round_at_ms: int

    def put_ready_out(self) -> None: ...


class Sentry:
    """Looks at a loop from a thread of its own, from `start` to `close`. One stall is told once."""

    def __init__(self, loop: Watched, clock: Clock) -> None:
        self._loop: Final = loop
        self._clock: Final = clock
        self._told = False
        self._ending: Final = threading.Event()
        self._thread: threading.Thread | None = None

    def look(self, now_ms: int) -> None:
        """Have `ready` put out if the loop has stalled and that was not told yet."""
        stalled = now_ms - self._loop.round_at_ms > STALLED_MS
        if stalled and not self._told:
            _log.warning("the game's loop has not come round for %d ms", now_ms - self._loop.round_at_ms)
            self._loop.put_ready_out()
        self._told = stalled

    def start(self) -> None:
        """Begin to look. The loop must have come round once."""
        self._thread = threading.Thread(target=self._run, name="sentry", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Look no more. Safe to call twice, and before `start`."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while not self._ending.wait(LOOK_EVERY_S):
            self.look(self._clock.now_ms())
