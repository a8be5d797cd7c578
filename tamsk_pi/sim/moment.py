"""What a player sees before it does something: the referee's picture and lamps, and the board itself."""

from __future__ import annotations

import random

import attrs

from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import CAPACITY, GLASSES, NEIGHBOURS, SOCKETS, Player, glasses_of, opponent
from tamsk_pi.sim.hands import Hands
from tamsk_pi.sim.truth import Glass, Truth

_SOON_MS = 3_000
"""A glass with less sand than this is not counted on: it may stop before the hand is there."""


@attrs.frozen
class Moment:
    """One look at the table by the player `side` at `now_ms`."""

    now_ms: int
    side: Player
    picture: Snapshot
    hands: Hands
    rng: random.Random

    @property
    def truth(self) -> Truth:
        return self.hands.board.truth

    @property
    def turns_glasses(self) -> bool:
        """Whether glasses are turned over at this level."""
        return self.picture.level > 1

    @property
    def turnings_are_seen(self) -> bool:
        fitted = self.hands.board.fitted
        return self.turns_glasses and (fitted.tilt or fitted.sockets == "hall")

    def glass(self, name: str) -> Glass:
        return self.truth.glasses[name]

    def own_standing(self) -> list[str]:
        """The side's own glasses that stand in a socket."""
        return [name for name in glasses_of(self.side) if self.glass(name).socket is not None]

    def is_full(self, socket: str) -> bool:
        """By what lies there, and by what the referee counts as lying there."""
        return max(len(self.truth.stacks[socket]), self.picture.rings[socket]) >= CAPACITY[socket]

    def is_open(self, socket: str) -> bool:
        """A glass can go there: it is vacant and not full."""
        return self.truth.is_vacant(socket) and not self.is_full(socket)

    def open_sockets(self) -> list[str]:
        return [socket for socket in SOCKETS if self.is_open(socket)]

    def open_neighbours(self, socket: str) -> list[str]:
        return [name for name in NEIGHBOURS[socket] if self.is_open(name)]

    def still_moves(self, name: str) -> bool:
        """The glass has not moved yet, or sand enough to be moved without haste."""
        return (
            not self.turns_glasses
            or not self.picture.glasses[name].moved
            or self.glass(name).sand.left_ms(self.now_ms) > _SOON_MS
        )

    def has_stopped(self, name: str) -> bool:
        """The glass has moved, and has run out well before now."""
        stops_ms = self.glass(name).sand.stops_at_ms
        return self.picture.glasses[name].moved and stops_ms is not None and stops_ms < self.now_ms - 300

    def legal_moves(self) -> list[tuple[str, str]]:
        """Glass and destination of every move the lamps offer that is no matter of a breath."""
        return [
            (name, socket)
            for name, sockets in self.picture.targets.items()
            if self.still_moves(name)
            for socket in sockets
            if self.is_open(socket)
        ]

    def someone_is_at_it(self) -> bool:
        """A hand is moving or holds a glass."""
        return any(
            self.hands.is_busy(side, self.now_ms) or self.truth.held_by(side)
            for side in (self.side, opponent(self.side))
        )

    def all_is_quiet(self) -> bool:
        """No hand at work, nothing to mend, no right open: an error done now is the only thing that happens."""
        return not (self.picture.violations or self.picture.rights or self.picture.faults or self.someone_is_at_it())

    def lamps_agree(self) -> bool:
        """The referee has noticed where every glass stands."""
        return all(self.picture.glasses[name].socket == self.glass(name).socket for name in GLASSES)
