"""Games for the tests of reports: the kept cases, small ones written down, and a long one."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import attrs

from tamsk_pi.report.facts import Report
from tamsk_pi.report.gather import gather
from tamsk_pi.sim.match import Match
from tamsk_pi.trace import End, TraceReader, record_line

CASES: Final = Path(__file__).parents[1] / "cases"
ALL_CASES: Final = sorted(path.name.removesuffix(".trace.jsonl") for path in CASES.glob("*.trace.jsonl"))
NASTY: Final = '</title><script>alert("&")</script>\x00\u202e\ud800'
"""A name that would break out of a page that does not escape it; half a character at its end."""
LONG_NAME: Final = "Wilhelmina Mathilde von Wattenwyl-Mühlenbrock und zu Großenbrode am See"


def report_of(lines: Iterable[object], *, end: str = "\n") -> Report:
    """The report of a trace given as JSON values (or texts, taken as they are)."""
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + end
    return gather(TraceReader(io.BytesIO(text.encode("utf-8", "surrogatepass")), drop_torn_end=True))


def header(level: int = 2, **more: object) -> dict[str, object]:
    return {"format": "tamsk-trace", "version": 1, "level": level, **more}


def case_lines(name: str) -> list[str]:
    return (CASES / f"{name}.trace.jsonl").read_text(encoding="utf-8").splitlines()


def case(name: str) -> Report:
    return report_of(case_lines(name))


def move(t_ms: int, origin: str, to: str, *tilt: object) -> list[dict[str, object]]:
    """Lift at `t_ms`, place half a second later; `tilt`: the glass and its end up from a quarter of a second on."""
    lines: list[dict[str, object]] = [{"t": t_ms, "socket": origin, "closed": False}]
    if tilt:
        lines.append({"t": t_ms + 250, "tilt": tilt[0], "up": tilt[1]})
    return [*lines, {"t": t_ms + 500, "socket": to, "closed": True}]


def shuttling(turns: int) -> Report:
    """A level-1 game without rings in which R2 and B2 go to and fro: as many turns as one likes."""
    lines: list[object] = [header(1, red=LONG_NAME, black=LONG_NAME[::-1], event="Ein Abend im Verein " * 5)]
    at = {"red": ("D1", "D2"), "black": ("D7", "D6")}
    for number in range(turns):
        player = "red" if number % 2 == 0 else "black"
        here, there = at[player]
        lines += move(5_000 * (number + 1), here, there)
        at[player] = there, here
    return report_of(lines)


def clumsy_match(seed: str, level: int = 3, clumsy: float = 0.3) -> tuple[Match, Report]:
    """A game that the virtual hands play, and its report from its trace."""
    match = Match(seed, level=level, clumsy=clumsy)
    match.play()
    settings = match.session.settings
    lines = [json.dumps(match.header), *(record_line(edge, settings).strip() for edge in match.edges)]
    lines.append(record_line(End(match.session.now_ms), settings).strip())
    return match, report_of(lines)


def full(report: Report) -> Report:
    """The same report with so many violations and penalties that they cannot all find room."""
    return attrs.evolve(report, violations=report.violations * 30, penalties=report.penalties * 30)
