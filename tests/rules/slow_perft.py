"""A second, plain count of move sequences, to hold against `tamsk_pi.rules.perft`.

Written from rules.md alone and sharing nothing with the package: it reads the position's text by itself, takes the
board as points in the plane, and plays every move of every sequence.
"""

from __future__ import annotations

HEIGHTS = (4, 5, 6, 7, 6, 5, 4)

Point = tuple[int, int]
"""Column 0 to 6, and twice the height above the board's lowest edge: neighbours in a column are 2 apart, those in
adjacent columns 1."""


def board() -> dict[Point, int]:
    """Every socket's point and how many rings fit around it: one more than its distance from the rim."""
    points = {(c, abs(c - 3) + 2 * r) for c, height in enumerate(HEIGHTS) for r in range(height)}
    room: dict[Point, int] = {}
    layer = 0
    while points:
        layer += 1
        rim = {p for p in points if len(around(p) & points) < 6}
        room |= dict.fromkeys(rim, layer)
        points -= rim
    return room


def around(point: Point) -> set[Point]:
    """The six points that touch a point, on the board or off it."""
    x, y = point
    return {(x, y - 2), (x, y + 2), (x - 1, y - 1), (x - 1, y + 1), (x + 1, y - 1), (x + 1, y + 1)}


def read(text: str) -> tuple[dict[str, set[Point]], dict[Point, int], str, dict[str, int]]:
    """Glasses by colour, room left by point, side to move and rings left, of a legal position's text."""
    columns, side, red, black = text.split(" ")
    room = board()
    glasses: dict[str, set[Point]] = {"r": set(), "b": set()}
    for column, sockets in enumerate(columns.split("/")):
        y = abs(column - 3) - 2
        for character in sockets:
            if character.isdigit():
                y += 2
                room[column, y] -= int(character)
            else:
                glasses[character].add((column, y))
    return glasses, room, side, {"r": int(red), "b": int(black)}


def slow_perft(text: str, depth: int) -> int:
    """How many level-1 sequences of `depth` moves there are in which every move drops its ring."""
    glasses, room, side, left = read(text)
    return _play(glasses, room, side, left, depth)


def _moves(glasses: dict[str, set[Point]], room: dict[Point, int], side: str) -> list[tuple[Point, Point]]:
    taken = glasses["r"] | glasses["b"]
    return [(a, b) for a in glasses[side] for b in around(a) if room.get(b, 0) > 0 and b not in taken]


def _play(glasses: dict[str, set[Point]], room: dict[Point, int], side: str, left: dict[str, int], depth: int) -> int:
    if depth == 0:
        return 1
    if 0 in left.values():
        return 0
    other = "b" if side == "r" else "r"
    moves = _moves(glasses, room, side)
    if not moves:
        return _play(glasses, room, other, left, depth - 1) if _moves(glasses, room, other) else 0
    return sum(
        _play(
            {**glasses, side: glasses[side] - {a} | {b}},
            {**room, b: room[b] - 1},
            other,
            {**left, side: left[side] - 1},
            depth - 1,
        )
        for a, b in moves
    )
