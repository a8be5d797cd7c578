"""What a position is worth to the side to move where the search ends: one ring counts 100."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

RING: Final = 100
WIN: Final = 1_000_000
"""A score beyond `WIN / 2` either way is a proven end: the winner's margin in rings counts `RING` each on top."""


class Weights:
    """The weights of the features, tuned by self-play (docs/engine.md, "Strength")."""

    def __init__(
        self,
        mobility: Sequence[int] = (-67, -39, -16, 1, 14, 24, 31),
        near: int = 6,
        far: int = 2,
        own: int = 9,
        room: int = 3,
        tempo: int = 10,
        lost: int = 260,
        late: int = 120,
        sand: int = 30,
    ) -> None:
        self.mobility: Final = [mobility[min(n, 6)] for n in range(40)]
        """By how many sockets a glass could go to; the first entry is that of a glass that is stuck."""
        self.near: Final = near
        """Each socket that can be reached with one move."""
        self.far: Final = far
        """Each socket that can be reached with two moves."""
        self.own: Final = own
        """Each socket within three moves that the other side does not reach within three."""
        self.room: Final = room
        """Each further ring that fits around a socket within two moves."""
        self.tempo: Final = tempo
        """Being to move."""
        self.lost: Final = lost
        """Levels 2, 3: a glass that has stopped for good."""
        self.late: Final = late
        """Levels 2, 3: a glass that will stop before its side's turn comes to it, in order of stopping."""
        self.sand: Final = sand
        """Levels 2, 3: a glass whose upper chamber is full; less with less sand."""


TUNED: Final = Weights()
