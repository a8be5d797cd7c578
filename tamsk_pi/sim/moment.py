"""What a player sees before it does something: the referee's picture and lamps, and the board itself."""

from __future__ import annotations

import random
from collections import Counter
from functools import cached_property

import attrs

from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import CAPACITY, GLASSES, NEIGHBOURS, SOCKETS, TIMER, Player, glasses_of, opponent
from tamsk_pi.sim.acts import DropRing, Turn
from tamsk_pi.sim.hands import Hands
from tamsk_pi.sim.truth import Glass, Truth

_SOON_MS = 3_000
"""A glass with less sand than this is not counted on: it may stop before the hand is there."""
_STRAY_MS = 10_000
"""Where turnings are not sensed the referee guesses when they were, so its sand strays from the true one by as much."""


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

    @property
    def _stray_ms(self) -> int:
        return 300 if self.hands.board.fitted.tilt else _STRAY_MS

    def own_standing(self) -> list[str]:
        """The side's own glasses that stand in a socket."""
        return [name for name in glasses_of(self.side) if self.glass(name).socket is not None]

    def is_full(self, socket: str) -> bool:
        """By what lies there, by what the referee counts as lying there, and by the rings a hand is bringing there."""
        return self.room_for_rings(socket) <= 0

    def room_for_rings(self, socket: str) -> int:
        """How many more rings fit around a socket, looked at as in `is_full`."""
        lying = len(self.truth.stacks[socket]) + self._rings_on_their_way[socket]
        return CAPACITY[socket] - max(lying, self.picture.rings[socket])

    @cached_property
    def _rings_on_their_way(self) -> Counter[str]:
        return Counter(act.socket for _, act in self.hands.board.planned() if isinstance(act, DropRing))

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
            or self.glass(name).sand.left_ms(self.now_ms) > _SOON_MS + self._stray_ms
        )

    def has_stopped(self, name: str) -> bool:
        """The glass has moved, and has run out well before now."""
        stops_ms = self.glass(name).sand.stops_at_ms
        return self.picture.glasses[name].moved and stops_ms is not None and stops_ms < self.now_ms - self._stray_ms

    def legal_moves(self) -> list[tuple[str, str]]:
        """Glass and destination of every move the lamps offer that is no matter of a breath.

        Of glasses that were never on the board only the first is taken: nobody could tell which one it is.
        """
        fresh = [name for name in self.picture.targets if self.glass(name).socket is None]
        return [
            (name, socket)
            for name, sockets in self.picture.targets.items()
            if self.still_moves(name) and name not in fresh[1:]
            for socket in sockets
            if self.is_open(socket)
        ]

    def someone_is_at_it(self) -> bool:
        """A hand is moving or holds a glass."""
        return any(
            self.hands.is_busy(side, self.now_ms) or self.truth.held_by(side)
            for side in (self.side, opponent(self.side))
        )

    def other_side_claims(self) -> bool:
        """The other hand is on its way with the ring of a claim, which the next move would void."""
        other = opponent(self.side)
        claims = {right.socket for right in self.picture.rights if right.kind == "claim" and right.player == other}
        return bool(claims) and any(
            isinstance(act, DropRing) and act.hand == other and act.socket in claims
            for _, act in self.hands.board.planned()
        )

    def timer_is_turned_wrongly(self) -> bool:
        """A hand is at the timer while its sand runs; a game that ended under it would leave that unjudged."""
        turning = any(isinstance(act, Turn) and act.glass == TIMER for _, act in self.hands.board.planned())
        return turning and self.glass(TIMER).sand.left_ms(self.now_ms) > 0

    def is_placing_freely(self) -> bool:
        """Some glass has not been on the board yet."""
        glasses = [self.picture.glasses[name] for name in GLASSES]
        return any(glass.socket is None and glass.lifted_from is None and not glass.moved for glass in glasses)

    def all_is_quiet(self) -> bool:
        """No hand at work, nothing to mend, no right open: an error done now is the only thing that happens."""
        picture = self.picture
        return self.lamps_agree() and not (
            picture.violations or picture.rights or picture.faults or self.someone_is_at_it()
        )

    def lamps_agree(self) -> bool:
        """The referee has noticed where every glass stands."""
        return all(self.picture.glasses[name].socket == self.glass(name).socket for name in GLASSES)
