"""Headers of random traces, and edges that no hand made."""

from __future__ import annotations

from random import Random
from typing import Any

from tamsk_pi.witness.geometry import CORNERS, GLASSES, NEIGHBOURS, SOCKETS


def _tolerance(rng: Random) -> Any:
    """None three times of four: what tolerates nothing is judged to the millisecond."""
    if rng.random() < 0.75:
        return 0
    return rng.choice((500, 2_000, {"glass": 2_000, "timer": 700}, {"glass": 1_000, "timer": 0}))


def header_of(rng: Random) -> dict[str, Any]:
    """Random settings: what differs from the defaults is named."""
    level = rng.choice((1, 1, 2, 2, 3, 3, 3))
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
        "rings": rng.choice(("stack",) * 3 + ("buttons", "holder")),
        "glass_ms": glass_ms,
        "tolerance_ms": _tolerance(rng),
        "up": {glass: rng.choice("aaab") for glass in (*GLASSES, "N")},
    }
    if rng.random() < 0.3:
        header["ring_window_ms"] = rng.choice((800, 1_500, 3_000, 6_000))
        header["penalty_window_ms"] = rng.choice((2_000, 10_000, 25_000))
    if rng.random() < 0.2:
        header["flip_grace_ms"] = rng.choice((200, 400, 800))
    if rng.random() < 0.1:
        header["gap_ms"] = {"socket": rng.choice((10, 30))}
        header["settle_ms"] = {"socket": rng.choice((80, 130)), "button": 50}
    if rng.random() < 0.1:
        header["release_ms"] = rng.choice((200, 400))
    sensors = rng.random()
    if sensors < 0.12:
        header.update(sockets="hall", tilt=False)
    elif sensors < 0.22:
        header.update(sockets="hall", tilt=True)
    elif sensors < 0.34:
        header["tilt"] = False
    if rng.random() < 0.12:
        header.update(setup="free", occupied=[])
    return header


def random_edges(rng: Random, header: dict[str, Any]) -> list[dict[str, Any]]:
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
