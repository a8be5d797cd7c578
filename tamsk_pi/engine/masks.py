"""The board as bits of one number, so that reach and territory are a few operations on whole masks.

A socket's bit is `8 * column + row`, with the rows of columns E to G shifted up by one, two and three. So laid out
all six neighbours lie at the same distances everywhere: 1, 8 and 9 to either side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tamsk_pi.rules.board import CAPACITY, COLUMNS, MIDDLE_COLUMN, NEIGHBOURS, SOCKETS


def _place(socket: str) -> int:
    column = COLUMNS.index(socket[0])
    return 8 * column + int(socket[1:]) - 1 + max(0, column - MIDDLE_COLUMN)


PLACE_OF: Final[Mapping[str, int]] = {socket: _place(socket) for socket in SOCKETS}
"""Socket to the number of its bit."""

SOCKET_AT: Final[Mapping[int, str]] = {place: socket for socket, place in PLACE_OF.items()}
"""The number of a bit to its socket."""

BOARD: Final[int] = sum(1 << place for place in PLACE_OF.values())
"""The mask of all sockets."""

OFF: Final = 55
"""Where a glass is that is still to be placed (free placement): no socket's bit, and every socket can be reached."""

PLACES: Final = 56


def _reach() -> list[int]:
    found = [0] * PLACES
    for socket, place in PLACE_OF.items():
        found[place] = sum(1 << PLACE_OF[neighbour] for neighbour in NEIGHBOURS[socket])
    found[OFF] = BOARD
    return found


REACH: Final[list[int]] = _reach()
"""For each place the mask of the sockets that touch it."""

ROOM: Final[tuple[int, int, int, int]] = (
    sum(1 << PLACE_OF[s] for s in SOCKETS if CAPACITY[s] >= 1),
    sum(1 << PLACE_OF[s] for s in SOCKETS if CAPACITY[s] >= 2),
    sum(1 << PLACE_OF[s] for s in SOCKETS if CAPACITY[s] >= 3),
    sum(1 << PLACE_OF[s] for s in SOCKETS if CAPACITY[s] >= 4),
)
"""An empty board's room: the masks of the sockets in which at least one, two, three and four rings still fit."""


def expand(mask: int) -> int:
    """`mask` and every socket that touches one of its sockets."""
    across = mask << 8 | mask << 9 | mask >> 8 | mask >> 9
    return (mask | mask << 1 | mask >> 1 | across) & BOARD


def places(mask: int) -> list[int]:
    """The numbers of the bits in `mask`, from the lowest."""
    found = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        found.append(bit.bit_length() - 1)
    return found


def mixed(number: int) -> int:
    """A number of 60 bits that looks random and is the same on every machine (the finaliser of splitmix64)."""
    number = (number + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    number = ((number ^ number >> 30) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    number = ((number ^ number >> 27) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return (number ^ number >> 31) >> 4
