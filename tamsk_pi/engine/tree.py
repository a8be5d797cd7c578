"""What the searches have in common: how moves are packed, and how a search that ran out of nodes ends.

A move is one number: the place it came from (6 bits), the place it goes to (6 bits), and `KEEP` where its ring is
kept. Places are those of `tamsk_pi.engine.masks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tamsk_pi.engine.masks import PLACE_OF
from tamsk_pi.rules.board import CAPACITY

KEEP: Final = 1 << 12
"""The move's ring is not dropped."""

PASS_CODE: Final = -1


class OutOfNodes(Exception):  # noqa: N818 (it ends a search as asked; nothing has gone wrong)
    """The search has used its nodes, or was told to stop."""


def packed(origin: int, to: int, *, keep: bool = False) -> int:
    """The number of a move between two places."""
    return (KEEP if keep else 0) | origin << 6 | to


def unpacked(code: int) -> tuple[int, int, bool]:
    """Where a move came from, where it goes, and whether its ring is kept."""
    return code >> 6 & 63, code & 63, bool(code & KEEP)


def room_of(rings: Mapping[str, int]) -> tuple[int, int, int, int]:
    """The masks of the sockets in which at least one, two, three and four further rings fit."""
    masks = [0, 0, 0, 0]
    for socket, place in PLACE_OF.items():
        for plane in range(CAPACITY[socket] - rings.get(socket, 0)):
            masks[plane] |= 1 << place
    return masks[0], masks[1], masks[2], masks[3]
