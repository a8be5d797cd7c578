"""What the sensors told, in the words of a trace (sensing.md, "The trace format")."""

from __future__ import annotations

from typing import Final

from tamsk_pi.rules.board import GLASSES, SOCKETS, TIMER
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sim.board import VirtualBoard
from tamsk_pi.sim.link import LinkUp

_VALUE_KEYS: Final = {"tilt": "up", "ring": "count", "holder": "count", "button": "down"}


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


def trace_entry(edge: Edge, sockets: str = "reed") -> dict[str, object]:
    """One raw edge as a line of a trace. `sockets`: `reed` or `hall`."""
    value_key = _VALUE_KEYS.get(edge.kind) or ("closed" if sockets == "reed" else "field")
    return {"t": edge.t_ms, edge.kind: edge.name, value_key: edge.value}


def link_entries(t_ms: int, back: LinkUp) -> list[dict[str, object]]:
    """The two lines for a link that was cut at `t_ms` and came `back`."""
    up = {"t": back.t_ms, "link": "up", "occupied": list(back.occupied), "up": dict(back.up)}
    return [{"t": t_ms, "link": "down"}, up]
