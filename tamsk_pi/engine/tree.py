"""What the searches have in common: how moves are packed, and how a search that ran out of nodes ends.

A move is one number: the place it came from (6 bits), the place it goes to (6 bits), and `KEEP` where its ring is
kept. Places are those of `tamsk_pi.engine.masks`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tamsk_pi.engine.masks import PLACE_OF
from tamsk_pi.rules.board import CAPACITY

KEEP: Final = 1 << 12
"""The move's ring is not dropped."""

PASS_CODE: Final = -1


class OutOfNodes(Exception):
    """The search has used its nodes, or was told to stop."""


ASKED_EVERY: Final = 2_000
"""After so many nodes it is asked again whether to stop."""


class Budget:
    """How many nodes a search may look at, and whether it is to stop before."""

    def __init__(self) -> None:
        self.nodes = 1 << 60
        self.stop: Callable[[], bool] = _never

    def extended(self, used: int) -> int:
        """Up to how many nodes to go on, after `used`; `OutOfNodes` where that is all."""
        if used > self.nodes or self.stop():
            raise OutOfNodes
        return min(self.nodes, used + ASKED_EVERY)


def _never() -> bool:
    return False


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
