"""Ctrl-C in a command that works for long: what was done until then is told, and the exit status says how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tamsk_pi.ending import INTERRUPTED

__all__ = ["INTERRUPTED", "interruptible"]


@contextmanager
def interruptible(tell: Callable[[], None]) -> Iterator[None]:
    """Within it Ctrl-C ends the command: `tell` is called to print what was done, then comes exit status 130.

    A second Ctrl-C while it prints ends the command at once.
    """
    try:
        yield
    except KeyboardInterrupt:
        tell()
        raise SystemExit(INTERRUPTED) from None
