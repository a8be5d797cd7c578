"""What the report of a game costs."""

from __future__ import annotations

import io
import time
from typing import Final

from tamsk_pi.report.gather import gather
from tamsk_pi.report.write import write_report
from tamsk_pi.rules.board import GLASSES, TIMER
from tamsk_pi.sim.match import Match
from tamsk_pi.sim.players import Pace
from tamsk_pi.trace import End, TraceReader, header_line, record_line

_REPEAT: Final = 5
_SLOW: Final = Pace(think=(8_000, 38_000))
_GLASS_MS: Final = {glass: {"a": 720_000, "b": 720_000} for glass in GLASSES} | {TIMER: {"a": 15_000, "b": 15_000}}
"""Glasses that run for twelve minutes, so that slow players have sand for some twenty."""


def _trace() -> tuple[bytes, float]:
    """A level-3 game with mistakes, as a trace, and how many minutes it lasted."""
    match = Match("report", level=3, clumsy=0.1, pace=_SLOW, glass_ms=_GLASS_MS)
    match.play()
    settings = match.session.settings
    lines = [header_line(settings), *(record_line(edge, settings) for edge in match.edges)]
    lines.append(record_line(End(match.session.now_ms), settings))
    return "".join(lines).encode(), match.session.now_ms / 60_000


def run() -> list[tuple[str, str]]:
    """Seconds from a trace in memory to a report, the best of several, and how large that is."""
    trace, minutes = _trace()
    gathered_s = written_s = float("inf")
    for _ in range(_REPEAT):
        began = time.perf_counter()
        report = gather(TraceReader(io.BytesIO(trace)))
        between = time.perf_counter()
        page = write_report(report, "en", "html")
        gathered_s = min(gathered_s, between - began)
        written_s = min(written_s, time.perf_counter() - between)
    game = f"{minutes:.1f}-minute game of {len(report.turns)} turns"
    return [
        (f"report of a {game}: gathered", f"{gathered_s * 1e3:.0f} ms"),
        ("the same: written as HTML", f"{written_s * 1e3:.0f} ms, {len(page.encode()) / 1000:.0f} kB"),
    ]
