"""The way from raw edges to rulings and lamps."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Final

from tamsk_pi.rules.board import SOCKETS
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.sim.match import Match

_REPEAT: Final = 5


def _fed(settings: Settings, edges: Sequence[Edge]) -> float:
    """Seconds for feeding these edges to a new session, the best of several."""
    best = float("inf")
    for _ in range(_REPEAT):
        session = Session(settings)
        began = time.perf_counter()
        for edge in edges:
            session.feed(edge)
        best = min(best, time.perf_counter() - began)
    return best


def _bouncing() -> list[Edge]:
    """37 sockets that open or close at once, with five edges each, again and again."""
    edges = []
    t_ms = 1_000
    closed = set(Settings(level=1).occupied)
    for _ in range(40):
        for step in range(5):
            for socket in SOCKETS:
                edges.append(Edge(t_ms + 3 * step, "socket", socket, (socket not in closed) ^ bool(step % 2)))
        closed = set(SOCKETS) - closed
        t_ms += 1_000
    return edges


def _latencies_us(match: Match) -> list[float]:
    """From the call that settles a change to the lamp frame that follows from it, in µs, for each ruling's call."""
    session, conductor = Session(match.session.settings), Conductor("play")
    found = []
    for edge in match.edges:
        while (wake_ms := session.next_deadline()) is not None and wake_ms <= edge.t_ms:
            began = time.perf_counter()
            rulings = session.advance(wake_ms)
            if rulings:
                conductor.tell(rulings)
                conductor.look(session.snapshot())
                conductor.frame(wake_ms, ready=True)
                found.append((time.perf_counter() - began) * 1e6)
        session.feed(edge)
    return found


def run() -> list[tuple[str, str]]:
    """Edges a second, µs a ruling, and a whole game's replay."""
    match = Match("bench", level=3, clumsy=0.1)
    match.play()
    game_s = _fed(match.session.settings, match.edges)
    bouncing = _bouncing()
    bouncing_s = _fed(Settings(level=1), bouncing)
    latencies = _latencies_us(match)
    percentiles = statistics.quantiles(latencies, n=100)
    minutes = match.board.now_ms / 60_000
    return [
        ("raw edges through settle, order and referee: a random game", f"{len(match.edges) / game_s:,.0f} edges/s"),
        ("the same: 37 sockets bouncing, five edges each", f"{len(bouncing) / bouncing_s:,.0f} edges/s"),
        ("a settled change to its rulings and lamps, p50", f"{percentiles[49]:.0f} µs"),
        ("the same, p99", f"{percentiles[98]:.0f} µs"),
        (f"replay of a {minutes:.1f}-minute game ({len(match.edges)} edges)", f"{game_s * 1e3:.1f} ms"),
        ("the same, scaled to 20 minutes", f"{game_s * 1e3 * 20 / minutes:.1f} ms"),
    ]
