"""The header of a trace of a game on the virtual board (sensing.md, "The trace format"); its edges are the lines."""

from __future__ import annotations

from tamsk_pi.rules.board import GLASSES, SOCKETS, TIMER
from tamsk_pi.sim.board import VirtualBoard


def trace_header(
    board: VirtualBoard, *, level: int, rules: str = "rulebook", setup: str = "corners", tolerance_ms: int = 0
) -> dict[str, object]:
    """Line 1 of a trace of a game that begins now: what the board has, its glasses, and how they stand."""
    truth, fitted = board.truth, board.fitted
    return {
        "format": "tamsk-trace",
        "version": 1,
        "level": level,
        "rules": rules,
        "setup": setup,
        "rings": fitted.rings,
        "sockets": fitted.sockets,
        "tilt": fitted.tilt,
        "tolerance_ms": tolerance_ms,
        "glass_ms": {name: dict(truth.glasses[name].sand.full_ms) for name in (*GLASSES, TIMER)},
        "occupied": [socket for socket in SOCKETS if truth.glass_in(socket) is not None],
        "up": {name: truth.glasses[name].up for name in (*GLASSES, TIMER)},
    }
