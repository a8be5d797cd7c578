"""`make bench`: measures and prints every figure in one run. `python -m tests.bench perft` runs one module alone.

A module `bench_NAME.py` in this folder takes part by having `run() -> list[tuple[str, str]]`: what was measured, and
the figure with its unit. Modules run one after the other, in the order of their names.
"""

from __future__ import annotations

import importlib
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

PREFIX: Final = "bench_"

Run = Callable[[], list[tuple[str, str]]]


def names() -> list[str]:
    """The modules that take part, without their prefix."""
    return sorted(path.stem.removeprefix(PREFIX) for path in Path(__file__).parent.glob(f"{PREFIX}*.py"))


def runner(name: str) -> Run:
    """The `run` of one module. `SystemExit` with status 2 and one line when there is none of that name."""
    if name not in names():
        print(f"tests.bench: no such benchmark: {name!r} (there are: {', '.join(names())})", file=sys.stderr)
        raise SystemExit(2)
    run: Run = importlib.import_module(f"tests.bench.{PREFIX}{name}").run
    return run


def main(wanted: list[str]) -> None:
    """Run the modules named, or all of them."""
    runs = {name: runner(name) for name in wanted or names()}
    print(
        f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} CPUs, {platform.machine()}"
    )
    for name, run in runs.items():
        print(f"\n{name}")
        for label, figure in run():
            print(f"  {label:<60} {figure:>20}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
