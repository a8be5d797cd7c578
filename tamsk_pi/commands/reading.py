"""Files that a command reads, and standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import BinaryIO


class UnreadableError(Exception):
    """A file that cannot be opened; the text says why, in one line."""


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """The file at `path`, or standard input for `-`. `UnreadableError` where it cannot be opened.

    What goes wrong while it is in use is none of that: least of all what a command cannot write.
    """
    if path == "-":
        if sys.stdin is None:
            raise UnreadableError("standard input is closed")
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(open(path, "rb"))
        except OSError as error:
            raise UnreadableError(error.strerror or str(error)) from None
        yield stream
