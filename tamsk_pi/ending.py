"""How a program that runs until it is told to end is told so: Ctrl-C, systemd, and a terminal that goes.

SIGHUP that was ignored when the program began stays so, as under `nohup`: who started it wanted it to outlive the
terminal.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Final

ENDINGS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""SIGHUP comes when an SSH session drops or a terminal's window is closed."""

INTERRUPTED: Final = 130
"""The exit status after Ctrl-C, as a shell counts it (128 and the number of SIGINT). No command gives it of its own
will, so it cannot be taken for a verdict."""


def on_ending(end: Callable[[], object]) -> None:
    """Have `end` called, in the main thread and perhaps several times, instead of dying of a signal.

    To be called before anything is switched on that a death would leave on. Only from the main thread.
    """
    for number in ENDINGS:
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: end())
