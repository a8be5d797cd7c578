"""Move sequences counted per second. A node is one sequence counted, as other programs' perft figures have it."""

from __future__ import annotations

import time
from typing import Final

from tamsk_pi.rules.perft import BulkPlies, perft
from tamsk_pi.rules.position import Position

DEPTH: Final = 7
NODES: Final = 12_688_323
REPEATS: Final = 3

LABELS: Final[dict[BulkPlies, str]] = {
    2: f"perft {DEPTH}, as the command counts (last two moves in bulk)",
    1: f"perft {DEPTH}, last move in bulk only",
}


def best_s(bulk_plies: BulkPlies) -> float:
    """The shortest of a few runs, in seconds; the count itself is checked."""
    start = Position.start()
    found = []
    for _ in range(REPEATS):
        began_s = time.perf_counter()
        nodes = perft(start, DEPTH, bulk_plies)
        found.append(time.perf_counter() - began_s)
        if nodes != NODES:
            raise AssertionError(f"perft {DEPTH} counted {nodes}, not {NODES}")
    return min(found)


def run() -> list[tuple[str, str]]:
    return [(label, f"{NODES / best_s(plies) / 1e6:.1f} M nodes/s") for plies, label in LABELS.items()]
