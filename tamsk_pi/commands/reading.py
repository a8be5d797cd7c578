"""Files that a command reads, and standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """The file at `path`, or standard input for `-`. `OSError` where it cannot be opened."""
    if path == "-":
        yield sys.stdin.buffer
    else:
        with open(path, "rb") as stream:
            yield stream
