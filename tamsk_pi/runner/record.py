"""The record of the game that is going on, for whoever tells of it only what is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tamsk_pi.journal import Journal

PATIENCE_S: Final = 5.0
"""A ruling is told after so long though it is not kept: a store that hangs must not silence the referee."""


class Record:
    """Knows the newest journal. Keep first, tell then: see docs/traces.md."""

    def __init__(self) -> None:
        self._journal: Journal | None = None

    def take(self, journal: Journal) -> Journal:
        """The journal of the game that begins or goes on."""
        self._journal = journal
        return journal

    def wait_for_now(self) -> Callable[[], object]:
        """Called in the loop's thread; what it gives waits, in any thread, until all that is written now is kept.

        It waits no longer while the store fails, which is told by its own line.
        """
        journal = self._journal
        if journal is None:
            return lambda: None
        mark = journal.mark()
        return lambda: journal.wait(mark, PATIENCE_S)
