"""`tamsk-pi engine`: the engine, asked by lines in the manner of chess's UCI."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from contextlib import suppress

import click

from tamsk_pi.commands.speaking import usage_error
from tamsk_pi.engine.strength import BEST
from tamsk_pi.signals.language import N_


@click.command(name="engine")
@click.option(
    "--strength",
    type=click.IntRange(1, BEST),
    default=BEST,
    show_default=True,
    help="How strong it plays: 1 is a beginner, 10 its best.",
)
@click.option("--nice", type=click.IntRange(0, 19), default=0, show_default=True, help="Leave the processor to others.")
@click.option(
    "--memory", metavar="MB", type=click.IntRange(40, 4096), help="End rather than take more memory than this."
)
def command(strength: int, nice: int, memory: int | None) -> None:
    """Think about positions that are told on standard input, and answer on standard output, one line each.

    The lines are those of UTI, which docs/engine.md describes: uti, isready, setoption, newgame, position, go, stop,
    ponderhit and quit. Another program talks to it; by hand, try "go nodes 20000".
    """
    from tamsk_pi.uti.server import Engine

    if sys.stdin is None:
        raise usage_error(N_("standard input is closed"))
    if nice:
        os.nice(nice)
    if memory is not None:
        _limit_memory(memory)
    # Ctrl-C in a terminal is for the program that asks, which then closes the pipe.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lock = threading.Lock()

    def say(line: str) -> None:
        with lock, suppress(BrokenPipeError):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()

    engine = Engine(say, lambda: time.monotonic_ns() // 1_000_000)
    engine.take(f"setoption name Strength value {strength}")
    for line in sys.stdin:
        if not engine.take(line):
            return
    # The input has ended: what was asked for is still answered.
    engine.wait()


def _limit_memory(megabytes: int) -> None:
    with suppress(ImportError):  # a system without limits, such as Windows
        import resource

        limit = megabytes << 20
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
