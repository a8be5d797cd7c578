"""A journal in memory that can be cut at any byte a killed program could leave it at."""

from __future__ import annotations

import random
from typing import Final

from tamsk_pi.journal import SYNC_EVERY_S

_SYNC_EVERY_MS: Final = round(SYNC_EVERY_S * 1000)


class KeptJournal:
    """Keeps whole lines, and how many bytes of them are on the disk for certain.

    A program that is killed, or a power cut, leaves all that was synced, and of what came since any part: `cut`.
    """

    problem: str | None = None

    def __init__(self) -> None:
        self.data = bytearray()
        self.lines = 0
        self._now_ms = 0
        self._unsynced: list[tuple[int, int]] = []
        """When each append began that need not be on the disk yet, and where."""

    def pass_time(self, now_ms: int) -> None:
        """What is older than the journal's syncing time is on the disk now."""
        self._now_ms = now_ms
        self._unsynced = [(t_ms, at) for t_ms, at in self._unsynced if now_ms - t_ms < _SYNC_EVERY_MS]

    def write(self, lines: str, *, urgent: bool = False) -> None:
        """As `Journal.write`."""
        if lines:
            self._unsynced.append((self._now_ms, len(self.data)))
            self.data += lines.encode()
            self.lines += lines.count("\n")
        if urgent:
            self._unsynced.clear()

    @property
    def synced(self) -> int:
        """How many bytes are on the disk for certain."""
        return self._unsynced[0][1] if self._unsynced else len(self.data)

    def cut(self, rng: random.Random, being_written: bytes) -> bytes:
        """What is left if the program dies now, with `being_written` on its way to the disk."""
        whole = bytes(self.data) + being_written
        return whole[: rng.randint(self.synced, len(whole))]

    def close(self) -> None:
        """Nothing to close."""
