"""How far the hub has a file of a game, and what it is to be told next. No I/O but reading that file, and no clock.

One batch is under way at a time; the next is sent when the hub says that it has kept that one. So lines cannot
overtake each other, nothing but that batch is held in memory, and a hub that has it already says so.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import attrs

from tamsk_pi.club.chain import START, carried_on, count_lines
from tamsk_pi.club.kept import ShrunkError, read_end, read_lines

BATCH_BYTES: Final = 48_000
RETRY_FIRST_S: Final = 2.0
RETRY_MOST_S: Final = 20.0


@attrs.frozen
class Batch:
    """Lines to be sent: `first` is the number of the first of them, from 0. Without data it asks how far the hub is."""

    first: int
    data: bytes


class CopyError(Exception):
    """The hub's copy differs from the file."""


class Cursor:
    """One file that the hub is to have."""

    def __init__(self, path: Callable[[], Path]) -> None:
        """`path` tells where the file is now; a game that is set aside is renamed."""
        self._path: Final = path
        self._asked = False
        """Whether the hub has said how far it is."""
        self.count = 0
        self.offset = 0
        self._chain = START
        self._under_way: Batch | None = None
        self._sent_at_s = 0.0
        self._retry_s = RETRY_FIRST_S

    def next_batch(self, now_s: float) -> Batch | None:
        """What is to be sent now, or nothing.

        `OSError` where the file cannot be read, `CopyError` where it has lost lines that the hub has.
        """
        if self._under_way is not None:
            if now_s - self._sent_at_s < self._retry_s:
                return None
            self._retry_s = min(self._retry_s * 2, RETRY_MOST_S)
        elif not self._asked:
            self._under_way = Batch(0, b"")
        else:
            try:
                data = read_lines(self._path(), self.offset, BATCH_BYTES)
            except ShrunkError as error:
                raise CopyError(str(error)) from None
            if not data:
                return None
            self._under_way = Batch(self.count, data)
        self._sent_at_s = now_s
        return self._under_way

    def send_again(self) -> None:
        """The connection is another one: whatever was under way may have been lost with the old one."""
        self._asked = False
        self._under_way = None
        self._retry_s = RETRY_FIRST_S

    def take_answer(self, count: int, chain: str) -> None:
        """The hub says that it has `count` lines with this sum. `CopyError`: those are others than the file's.

        An answer that cannot be (of a broker or hub that lies, or one that has lost what it had kept) makes no line
        go missing: the file is read again from where the hub really is.
        """
        batch = self._under_way
        if self._asked and batch is not None and (count, chain) == (self.count, self._chain):
            # What is under way has not been kept, or not yet: it is sent again, but not at once and for ever.
            return
        self._under_way = None
        self._retry_s = RETRY_FIRST_S
        if self._asked and batch is not None and count == self.count + count_lines(batch.data) and count > self.count:
            after = carried_on(self._chain, batch.data)
            if after == chain:
                self.count, self._chain, self.offset = count, after, self.offset + len(batch.data)
                return
        self._go_to(count, chain)

    def _go_to(self, count: int, chain: str) -> None:
        """Read the file from its beginning up to where the hub is, and see whether it has the same."""
        here, offset, found = 0, 0, START
        while here < count:
            data = read_lines(self._path(), offset, BATCH_BYTES)
            surplus = here + count_lines(data) - count
            if surplus > 0:
                data = b"".join(line + b"\n" for line in data.split(b"\n")[: count - here])
            if not data:
                data = read_end(self._path(), offset) if here == count - 1 else b""
            if not data:
                break
            here, offset, found = here + count_lines(data), offset + len(data), carried_on(found, data)
        if here == count and found == chain:
            self._asked = True
            self.count, self.offset, self._chain = count, offset, found
            return
        raise CopyError("the hub has other lines of this game than the board")

    def has_all(self) -> bool:
        """Whether the hub has every whole line that the file has now."""
        return self._asked and self._under_way is None and not read_lines(self._path(), self.offset, 1)
