"""`make bench`: every figure in one run. Machines are noisy: compare ratios, not absolutes."""

from __future__ import annotations

import importlib
from typing import Final

SECTIONS: Final = (
    "perft", "engine", "core", "report", "commands", "page", "kernel_scan", "bridge", "caps", "club",
)  # fmt: skip


def main() -> None:
    """Run every section whose needs are met and print its figures."""
    for name in SECTIONS:
        module = importlib.import_module(f"tests.bench.{name}")
        for figure, value in module.run():
            print(f"{figure:<64} {value}", flush=True)


main()
