"""Random traces with the rulings they must give: `python -m tests.oracle.generate --seed S --count N --out DIR`.

Each trace depends on its seed and number alone. `NAME.trace.jsonl` and `NAME.rulings.json` are written as in
`tests/cases`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tamsk_pi.witness.acts import Act
from tamsk_pi.witness.settings import settings_of
from tamsk_pi.witness.trace_reader import rulings_of
from tests.oracle.comparing import KINDS
from tests.oracle.director import Director
from tests.oracle.hands import TEMPERS
from tests.oracle.headers import header_of, random_edges
from tests.oracle.table import Table


@dataclass(frozen=True)
class Trace:
    """A trace by its lines (header first), and the acts it was made from where they are known."""

    name: str
    lines: list[dict[str, Any]]
    acts: list[Act] | None
    told_by_hands: bool = False
    """Whether everything that the edges tell was done by hands, so that the acts tell as much."""

    def text(self) -> str:
        """As JSON Lines."""
        return "".join(json.dumps(line) + "\n" for line in self.lines)


def make(seed: int, number: int) -> Trace:
    """One random trace."""
    rng = Random(f"{seed}:{number}")
    header = header_of(rng)
    if rng.random() < 0.08:
        return Trace(f"random-{seed}-{number}-edges", [header, *random_edges(rng, header)], None)
    temper = rng.choices(TEMPERS, weights=(2, 1, 2, 2, 2, 1))[0]
    table = Table(settings_of(header), rng, temper.untidy)
    Director(table, temper, rng).play(rng.choice((40_000, 120_000, 240_000, 600_000)))
    edges = table.lines()
    last = max([edge["t"] for edge in edges] + [table.now])
    end = {"t": last + rng.choice((4_000, 12_000, 30_000, 200_000)), "end": True}
    name = f"random-{seed}-{number}-level{header['level']}-{header['rules']}-{temper.name}"
    return Trace(name, [header, *edges, end], table.acts, not table.is_sly)


def traces(seed: int, count: int) -> Iterator[Trace]:
    """The first `count` traces of a seed."""
    for number in range(count):
        yield make(seed, number)


def main() -> None:
    """Write traces with their rulings."""
    parser = argparse.ArgumentParser(description="Write random traces with the rulings they must give.")
    parser.add_argument("--seed", type=int, required=True, help="what the traces are made from")
    parser.add_argument("--count", type=int, required=True, help="how many traces to write")
    parser.add_argument("--out", type=Path, required=True, help="the folder to write them to; made if missing")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for trace in traces(arguments.seed, arguments.count):
        rulings = [ruling for ruling in rulings_of(trace.lines) if ruling["ruling"] in KINDS]
        (arguments.out / f"{trace.name}.trace.jsonl").write_text(trace.text(), encoding="utf-8")
        text = json.dumps({"kinds": list(KINDS), "rulings": rulings}, indent=1) + "\n"
        (arguments.out / f"{trace.name}.rulings.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
