"""How fast move sequences are counted."""

from __future__ import annotations

import time

from tamsk_pi.rules.perft import BulkPlies, perft
from tamsk_pi.rules.position import Position


def run() -> list[tuple[str, str]]:
    """Nodes a second from the start, to depths 6 and 7."""
    figures = []
    cases: tuple[tuple[int, int, BulkPlies], ...] = ((6, 1_102_410, 1), (6, 1_102_410, 2), (7, 12_688_323, 2))
    for depth, expected, bulk in cases:
        began = time.perf_counter()
        nodes = perft(Position.start(), depth, bulk)
        took_s = time.perf_counter() - began
        assert nodes == expected
        name = f"perft {depth} from the start ({nodes:,} nodes), last {bulk} plies in bulk"
        figures.append((name, f"{nodes / took_s / 1e6:.1f} M nodes/s"))
    return figures
