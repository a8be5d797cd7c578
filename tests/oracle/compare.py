"""Hold `tamsk-pi replay` against the second referee: `python -m tests.oracle.compare --seed S --count N`.

Prints each trace's first disagreement with what came before it and the edges around it, and exits with 1 if there is
any. With `--shrink` the trace is cut down first, and written to `--out` if that is given.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from tamsk_pi.witness.trace_reader import judged, rulings_of
from tests.oracle.comparing import KINDS, first_difference, read_lines
from tests.oracle.generate import Trace, traces

Lines = list[dict[str, Any]]
Referee = Callable[[Lines], list[dict[str, Any]]]


class RefereeFailed(Exception):
    """The referee gave no rulings: what it said instead."""


@dataclass(frozen=True)
class Disagreement:
    """The first ruling that differs: its number among those looked at, and what is different."""

    index: int
    text: str
    is_failure: bool = False
    """The referee gave no rulings at all."""


def replay(lines: Lines) -> list[dict[str, Any]]:
    """The rulings of `tamsk-pi replay --json` on a trace; `RefereeFailed` when it does not end with status 0."""
    from tamsk_pi.cli import main as tamsk_pi

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.trace.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        result = CliRunner().invoke(tamsk_pi, ["replay", "--json", str(path)])
    if result.exit_code != 0:
        raise RefereeFailed(f"exit status {result.exit_code}: {result.exception!r} {result.stderr.strip()}")
    rulings = [json.loads(line) for line in result.stdout.splitlines()]
    return [ruling for ruling in rulings if "ruling" in ruling]


def disagreement(lines: Lines, referee: Referee, kinds: Sequence[str] = KINDS) -> Disagreement | None:
    """Where the referee first rules otherwise than the second one; None where they agree.

    After a board came back that differs from the game by more than one move, the arbiter says how the game goes on:
    what is ruled then is not compared.
    """
    told, known_until = judged(lines)
    wanted = [ruling for ruling in told if ruling["ruling"] in kinds]
    try:
        got = referee(lines)
    except RefereeFailed as failure:
        return Disagreement(0, f"the referee failed: {failure}", is_failure=True)
    if known_until < lines[-1].get("t", 0):
        wanted, got = ([ruling for ruling in rulings if ruling["t"] < known_until] for rulings in (wanted, got))
    found = first_difference(in_order(wanted), in_order(got), kinds)
    return Disagreement(*found) if found else None


def in_order(rulings: Sequence[dict[str, Any]]) -> Lines:
    """Rulings of one ms in an order of their own: which of two things done in one ms is told first says nothing."""
    named = ("ruling", "code", "player", "glass", "socket", "to", "reason")
    return sorted(rulings, key=lambda ruling: (int(ruling["t"]), *(str(ruling.get(key, "")) for key in named)))


def shrink(lines: Lines, referee: Referee, kinds: Sequence[str] = KINDS) -> Lines:
    """Leave out edges, in ever smaller runs, as long as referee and oracle still disagree."""
    header, *edges = lines
    # Without its end a trace ends in the middle of something.
    last = [edges.pop()] if "end" in lines[-1] else []
    first = disagreement(lines, referee, kinds)
    fails = first is not None and first.is_failure
    run = len(edges) // 2
    while run:
        start = 0
        while start < len(edges):
            shorter = edges[:start] + edges[start + run :]
            found = disagreement([header, *shorter, *last], referee, kinds)
            if found is not None and found.is_failure == fails:
                edges = shorter
            else:
                start += run
        run //= 2
    return [header, *edges, *last]


def describe(name: str, lines: Lines, found: Disagreement, kinds: Sequence[str] = KINDS, around_ms: int = 2_500) -> str:
    """A disagreement with the rulings before it and the edges around it."""
    wanted = [ruling for ruling in rulings_of(lines) if ruling["ruling"] in kinds]
    at = wanted[min(found.index, len(wanted) - 1)]["t"] if wanted else 0
    text = [f"== {name}: ruling {found.index}: {found.text}", f"   header {json.dumps(lines[0])}"]
    text += [f"   before {json.dumps(ruling)}" for ruling in wanted[max(0, found.index - 5) : found.index]]
    text += [f"   wanted {json.dumps(ruling)}" for ruling in wanted[found.index : found.index + 3]]
    text += [f"   edge   {json.dumps(edge)}" for edge in lines[1:] if abs(edge["t"] - at) <= around_ms]
    return "\n".join(text)


def _write(folder: Path, name: str, lines: Lines) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / f"{name}.trace.jsonl").write_text(text, encoding="utf-8")
    rulings = [ruling for ruling in rulings_of(lines) if ruling["ruling"] in KINDS]
    case = json.dumps({"kinds": list(KINDS), "rulings": rulings}, indent=1) + "\n"
    (folder / f"{name}.rulings.json").write_text(case, encoding="utf-8")


def main() -> None:
    """Compare, and say where referee and oracle differ."""
    parser = argparse.ArgumentParser(description="Hold tamsk-pi replay against the oracle.")
    parser.add_argument("traces", type=Path, nargs="*", help="traces to compare on, instead of random ones")
    parser.add_argument("--seed", type=int, default=1, help="what the random traces are made from (default 1)")
    parser.add_argument("--count", type=int, default=100, help="how many random traces (default 100)")
    parser.add_argument("--show", type=int, default=10, help="how many disagreements to print (default 10)")
    parser.add_argument("--shrink", action="store_true", help="cut the traces printed down first")
    parser.add_argument("--faults", action="store_true", help="compare faults and notices too")
    parser.add_argument("--out", type=Path, help="write traces that are not agreed on to this folder, as cases")
    arguments = parser.parse_args()
    kinds = (*KINDS, "fault", "notice") if arguments.faults else KINDS
    given = [Trace(path.name.removesuffix(".trace.jsonl"), read_lines(path), None) for path in arguments.traces]
    compared = disagreed = 0
    for trace in given or traces(arguments.seed, arguments.count):
        compared += 1
        lines = trace.lines
        found = disagreement(lines, replay, kinds)
        if found is None:
            continue
        disagreed += 1
        if disagreed <= arguments.show:
            if arguments.shrink:
                lines = shrink(lines, replay, kinds)
                found = disagreement(lines, replay, kinds) or found
            sys.stdout.write(describe(trace.name, lines, found, kinds) + "\n")
        if arguments.out:
            _write(arguments.out, trace.name, lines)
    sys.stdout.write(f"{compared - disagreed}/{compared} agree\n")
    sys.exit(1 if disagreed else 0)


if __name__ == "__main__":
    main()
