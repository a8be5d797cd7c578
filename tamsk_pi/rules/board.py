"""The board: 37 sockets in a hexagon, who touches whom, and how many rings fit where.

Source: rules.md, "Board". A socket is named by column `A`-`G` and row, rows counted from the bottom.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, Literal, TypeGuard

Player = Literal["red", "black"]

PLAYERS: Final[tuple[Player, Player]] = ("red", "black")
COLUMNS: Final = "ABCDEFG"
COLUMN_HEIGHTS: Final[tuple[int, ...]] = (4, 5, 6, 7, 6, 5, 4)
MIDDLE_COLUMN: Final = 3

SOCKETS: Final[tuple[str, ...]] = tuple(
    f"{column}{row}" for column, height in zip(COLUMNS, COLUMN_HEIGHTS, strict=True) for row in range(1, height + 1)
)
"""All sockets in the order `A1` … `G4`: the order of the position text and of the penalty lamp."""

GLASSES: Final[tuple[str, ...]] = ("R1", "R2", "R3", "B1", "B2", "B3")
"""The six travelling hourglasses; `TIMER` is the seventh glass and stands beside the board."""

TIMER: Final = "N"
RINGS_PER_SIDE: Final = 32

START: Final = MappingProxyType({"R1": "A4", "R2": "D1", "R3": "G4", "B1": "A1", "B2": "D7", "B3": "G1"})
"""Where each glass stands at the start."""


def _neighbours_of(socket: str) -> tuple[str, ...]:
    column, row = COLUMNS.index(socket[0]), int(socket[1:])
    found = [(column, row - 1), (column, row + 1)]
    for step in (-1, 1):
        towards_middle = abs(column + step - MIDDLE_COLUMN) < abs(column - MIDDLE_COLUMN)
        rows = (row, row + 1) if towards_middle else (row - 1, row)
        found += [(column + step, r) for r in rows]
    return tuple(sorted(f"{COLUMNS[c]}{r}" for c, r in found if 0 <= c < len(COLUMNS) and 1 <= r <= COLUMN_HEIGHTS[c]))


NEIGHBOURS: Final = MappingProxyType({socket: _neighbours_of(socket) for socket in SOCKETS})
"""The sockets that touch each socket: three to six of them."""


def _ring_of(socket: str) -> int:
    """Distance from the rim: 0 on the rim to 3 in the centre."""
    column, row = COLUMNS.index(socket[0]), int(socket[1:])
    height = COLUMN_HEIGHTS[column]
    return min(column, len(COLUMNS) - 1 - column, row - 1, height - row)


CAPACITY: Final = MappingProxyType({socket: _ring_of(socket) + 1 for socket in SOCKETS})
"""How many rings fit around each socket's tube: 1 on the rim to 4 at `D4`."""


def is_socket(name: object) -> TypeGuard[str]:
    """Whether `name` names a socket."""
    return isinstance(name, str) and name in CAPACITY


def owner_of(glass: str) -> Player:
    """The side a travelling glass belongs to. The timer belongs to nobody: `ValueError`."""
    if glass not in START:
        raise ValueError(f"{glass!r} belongs to no side; the sides' glasses are {', '.join(GLASSES)}")
    return "red" if glass[0] == "R" else "black"


def glasses_of(player: Player) -> tuple[str, ...]:
    """A side's three glasses, in order."""
    return GLASSES[:3] if player == "red" else GLASSES[3:]


def player_named(name: object) -> Player:
    """The side of that name; `ValueError` where it is none."""
    for player in PLAYERS:
        if name == player:
            return player
    raise ValueError(f"{name!r} is no side")


def opponent(player: Player) -> Player:
    """The other side."""
    return "black" if player == "red" else "red"
