"""The board of rules.md, "Board", worked out from coordinates on a hexagonal grid rather than from row offsets."""

from __future__ import annotations

from typing import Final

_HEIGHTS: Final = {"A": 4, "B": 5, "C": 6, "D": 7, "E": 6, "F": 5, "G": 4}
SOCKETS: Final = tuple(f"{column}{row}" for column, height in _HEIGHTS.items() for row in range(1, height + 1))
SIDES: Final = ("red", "black")
GLASSES: Final = ("R1", "R2", "R3", "B1", "B2", "B3")
CORNERS: Final = {"R1": "A4", "R2": "D1", "R3": "G4", "B1": "A1", "B2": "D7", "B3": "G1"}


def _axial(socket: str) -> tuple[int, int]:
    """Axial coordinates with `D4` at (0, 0): left of the middle column the rows count up one later each column."""
    x = "ABCDEFG".index(socket[0]) - 3
    return x, int(socket[1:]) - 4 + max(0, -x)


def distance(one: str, other: str) -> int:
    """Steps between two sockets."""
    (x1, y1), (x2, y2) = _axial(one), _axial(other)
    dx, dy = x1 - x2, y1 - y2
    return max(abs(dx), abs(dy), abs(dx + dy))


NEIGHBOURS: Final = {one: tuple(other for other in SOCKETS if distance(one, other) == 1) for one in SOCKETS}
CAPACITY: Final = {socket: 4 - distance(socket, "D4") for socket in SOCKETS}


def owner(glass: str) -> str:
    """The side a travelling glass belongs to."""
    return "red" if glass.startswith("R") else "black"


def other_side(side: str) -> str:
    """The other side."""
    return "black" if side == "red" else "red"
