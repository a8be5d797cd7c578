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

from tamsk_pi.witness.game import Act
from tamsk_pi.witness.geometry import CORNERS, GLASSES, NEIGHBOURS, SOCKETS
from tamsk_pi.witness.settings import settings_of
from tamsk_pi.witness.trace_reader import rulings_of
from tests.oracle.comparing import KINDS
from tests.oracle.director import TEMPERS, Director
from tests.oracle.table import Table


@dataclass(frozen=True)
class Trace:
    """A trace by its lines (header first), and the acts it was made from where they are known."""

    name: str
    lines: list[dict[str, Any]]
    acts: list[Act] | None

    def text(self) -> str:
        """As JSON Lines."""
        return "".join(json.dumps(line) + "\n" for line in self.lines)


def header_of(rng: Random) -> dict[str, Any]:
    """Random settings: what differs from the defaults is named."""
    level = rng.choice((1, 2, 2, 3, 3, 3, 3))
    low, high = rng.choice(((8_000, 40_000), (8_000, 40_000), (20_000, 90_000), (60_000, 190_000)))
    glass_ms: dict[str, Any] = {}
    alike = rng.randint(low, high) if rng.random() < 0.2 else None
    for glass in GLASSES:
        full = alike or rng.randint(low, high)
        glass_ms[glass] = full if rng.random() < 0.2 else {"a": full, "b": full + rng.randint(-full // 30, full // 30)}
    timer = rng.randint(3_000, 16_000)
    glass_ms["N"] = timer if rng.random() < 0.3 else {"a": timer, "b": timer + rng.randint(-300, 300)}
    header: dict[str, Any] = {
        "format": "tamsk-trace",
        "version": 1,
        "level": level,
        "rules": rng.choice(("rulebook", "rulebook", "wikipedia", "schmidt1998")),
        "rings": rng.choice(("stack",) * 17 + ("buttons", "buttons", "holder")),
        "glass_ms": glass_ms,
        "tolerance_ms": 0,
        "up": {glass: rng.choice("aaab") for glass in (*GLASSES, "N")},
    }
    if rng.random() < 0.3:
        header["ring_window_ms"] = rng.choice((800, 1_500, 3_000, 6_000))
        header["penalty_window_ms"] = rng.choice((2_000, 10_000, 25_000))
    if rng.random() < 0.2:
        header["flip_grace_ms"] = rng.choice((200, 400, 800))
    if rng.random() < 0.1:
        header["gap_ms"] = {"socket": rng.choice((10, 30)), "tilt": rng.choice((120, 150))}
        header["settle_ms"] = {"socket": rng.choice((80, 130)), "button": 50}
    sensors = rng.random()
    if sensors < 0.06:
        header.update(sockets="hall", tilt=False)
    elif sensors < 0.08:
        header.update(sockets="hall", tilt=True)
    elif sensors < 0.12:
        header["tilt"] = False
    if rng.random() < 0.04:
        header.update(setup="free", occupied=[])
    return header


def make(seed: int, number: int) -> Trace:
    """One random trace."""
    rng = Random(f"{seed}:{number}")
    header = header_of(rng)
    if rng.random() < 0.08:
        return Trace(f"random-{seed}-{number}-edges", [header, *_random_edges(rng, header)], None)
    temper = rng.choices(TEMPERS, weights=(2, 1, 2, 2, 2, 1))[0]
    table = Table(settings_of(header), rng, temper.untidy)
    Director(table, temper, rng).play(rng.choice((40_000, 120_000, 240_000, 600_000)))
    edges = table.lines()
    last = max([edge["t"] for edge in edges] + [table.now])
    end = {"t": last + rng.choice((4_000, 12_000, 30_000, 200_000)), "end": True}
    name = f"random-{seed}-{number}-level{header['level']}-{header['rules']}-{temper.name}"
    return Trace(name, [header, *edges, end], table.acts)


def _random_edges(rng: Random, header: dict[str, Any]) -> list[dict[str, Any]]:
    """Edges that no hand made: a few inputs take any value at any time."""
    hall = header.get("sockets") == "hall"
    corners = [] if header.get("setup") == "free" else list(CORNERS.values())
    sockets = rng.sample(SOCKETS, 3) + [at for corner in corners for at in (corner, NEIGHBOURS[corner][0])]
    values: dict[tuple[str, str], Any] = {}
    for glass, at in CORNERS.items():
        if corners:
            values["socket", at] = ("N" if header["up"][glass] == "a" else "S") if hall else True
    for glass in (*GLASSES, "N"):
        values["tilt", glass] = header["up"][glass]
    edges, t = [], 0
    for _ in range(rng.choice((30, 120, 400))):
        pause = rng.choice(
            (0, rng.randint(1, 19), rng.randint(20, 149), rng.randint(150, 700), rng.randint(700, 4_000))
        )
        if values.get(("button", "red")) or values.get(("button", "black")):
            pause = min(pause, 400)
        t += pause
        kind = rng.choice(("socket",) * 6 + ("tilt",) * 4 + ("ring", "button"))
        if kind == "socket":
            name, key = rng.choice(sockets), "field" if hall else "closed"
            choices: list[Any] = ["N", "S", None] if hall else [True, False]
            default: Any = None if hall else False
        elif kind == "tilt":
            name, key, choices, default = rng.choice((*GLASSES, "N")), "up", ["a", "b"], "a"
        elif kind == "ring":
            name, key, choices, default = rng.choice(sockets), "count", [0, 1], 0
        else:
            name, key, choices, default = rng.choice(("red", "black")), "down", [True, False], False
        if kind != "button" and (held := [side for side in ("red", "black") if values.get(("button", side))]):
            kind, name, key, choices = "button", held[0], "down", [False]
        before = values.get((kind, name), default)
        value = rng.choice([choice for choice in choices if choice != before])
        values[kind, name] = value
        edges.append({"t": t, kind: name, key: value})
    edges.append({"t": t + rng.choice((4_000, 60_000)), "end": True})
    return edges


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
