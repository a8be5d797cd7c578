"""A moment of a game at levels 2 and 3 as the search carries it along: places, room, and every glass's sand.

Source: rules.md, "Levels". What the search takes for granted: each side completes a move its pace after the other's,
but sooner where a glass would stop; a ring is dropped with its move; a glass that has moved and stopped is out.
"""

from __future__ import annotations

from typing import Final

from tamsk_pi.engine.masks import OFF, PLACE_OF, REACH
from tamsk_pi.engine.situation import PACE_MS, GlassSand, Situation
from tamsk_pi.engine.tree import KEEP, room_of
from tamsk_pi.rules.board import GLASSES, PLAYERS

HURRIED_MS: Final = 1_200
"""The least time in which a hand lifts a glass that is about to stop."""

SPARE_MS: Final = 1_000
"""A move is completed so long before the timer would run out."""

OUT: Final = -1
"""The stop of a glass that has stopped for good."""


class SandState:
    """Immutable but while it is built. Red's glasses are 0 to 2, black's 3 to 5; `color` 0 is red.

    `stops`: when each glass's sand runs out, in ms from the root; 0 for an upper chamber that is empty.
    """

    __slots__ = ("color", "left", "moved", "owed", "places", "r1", "r2", "r3", "r4", "skips", "stops", "t_ms", "up")

    def __init__(
        self, color: int, places: tuple[int, ...], r1: int, r2: int, r3: int, r4: int, left: tuple[int, int],
        t_ms: int, stops: tuple[int, ...], up: int, moved: int, owed: int, skips: int,
    ) -> None:  # fmt: skip
        self.color: int = color
        self.places: tuple[int, ...] = places
        self.r1: int = r1
        self.r2: int = r2
        self.r3: int = r3
        self.r4: int = r4
        self.left: tuple[int, int] = left
        self.t_ms: int = t_ms
        self.stops: tuple[int, ...] = stops
        self.up: int = up
        """A bit for each glass that has been turned over an odd number of times since the root."""
        self.moved: int = moved
        self.owed: int = owed
        """A bit for each side that may drop a penalty ring after its next move."""
        self.skips: int = skips

    def taken(self) -> int:
        """The mask of the sockets with a glass."""
        mask = 0
        for place in self.places:
            if place != OFF:
                mask |= 1 << place
        return mask


class Clockwork:
    """How a game goes on from one `SandState` to the next: the sand of each glass and the pace of each side."""

    def __init__(self, situation: Situation) -> None:
        self.level: Final[int] = situation.level
        self.hurries = True
        """Whether the side to move at the root saves a glass that stops within its pace."""
        self.free: Final[bool] = situation.position.setup == "free"
        sand = [situation.sand.get(g, GlassSand()) for g in GLASSES]
        self.full: Final[list[tuple[int, int]]] = [(one.full_ms, one.other_full_ms) for one in sand]
        paces = [situation.paces_ms.get(player, PACE_MS) for player in PLAYERS]
        if self.level == 3:
            paces = [min(pace, max(HURRIED_MS, situation.timer_full_ms - SPARE_MS)) for pace in paces]
        color = 0 if situation.to_move == "red" else 1
        self.paces: Final[list[int]] = paces
        self.hurried: Final[list[int]] = [min(pace, HURRIED_MS) for pace in paces]
        self.first_ms = paces[color]
        if situation.expires_ms is not None:
            self.first_ms = min(self.first_ms, max(HURRIED_MS, situation.expires_ms - SPARE_MS))
        position = situation.position
        moved = sum(1 << n for n, one in enumerate(sand) if one.moved)
        stops = tuple(OUT if one.out or (one.moved and not one.left_ms) else one.left_ms for one in sand)
        r1, r2, r3, r4 = room_of(position.rings)
        self.root: Final = SandState(
            color,
            tuple(PLACE_OF.get(position.glasses.get(g, ""), OFF) for g in GLASSES),
            r1, r2, r3, r4,
            (position.rings_left["red"], position.rings_left["black"]),
            0,
            stops,
            0,
            moved,
            sum(1 << n for n, player in enumerate(PLAYERS) if player in situation.penalty_owed),
            sum(1 << n for n, player in enumerate(PLAYERS) if player in situation.skip_owed),
        )  # fmt: skip

    def lift_ms(self, state: SandState, glass: int) -> int:
        """When the side to move could lift this glass of its own at its pace, sooner if it would stop; -1: never."""
        pace = self.first_ms if state is self.root else self.paces[state.color]
        if not state.moved >> glass & 1:
            return state.t_ms + pace
        stop = state.stops[glass]
        if stop >= state.t_ms + pace:
            return state.t_ms + pace
        if state is self.root and not self.hurries:
            return -1
        return stop if stop >= state.t_ms + min(pace, HURRIED_MS) else -1

    def is_out(self, state: SandState, glass: int) -> bool:
        """Whether the glass has moved and stopped."""
        return bool(state.moved >> glass & 1) and state.stops[glass] < state.t_ms

    def codes(self, state: SandState) -> list[int]:
        """The moves of the side to move, as `tamsk_pi.engine.tree` packs them."""
        first = 3 * state.color
        vacant = state.r1 & ~state.taken()
        fresh: list[int] = []
        other: list[int] = []
        places = state.places
        for glass in (first, first + 1, first + 2):
            place = places[glass]
            goals = REACH[place] & vacant
            if not goals or self.lift_ms(state, glass) < 0:
                continue
            found = other if state.moved >> glass & 1 else fresh
            while goals:
                bit = goals & -goals
                goals ^= bit
                found.append(place << 6 | (bit.bit_length() - 1))
        if self.free and fresh:
            placing = [code for code in fresh if code >> 6 == OFF]
            if placing:
                return placing
        return fresh or other

    def can_move(self, state: SandState, color: int) -> bool:
        """Whether that side has a glass that is not out and a socket for it to go to."""
        vacant = state.r1 & ~state.taken()
        for glass in (3 * color, 3 * color + 1, 3 * color + 2):
            if REACH[state.places[glass]] & vacant and not self.is_out(state, glass):
                return True
        return False

    def glass_of(self, state: SandState, code: int) -> int:
        """Which glass a move of the side to move is made with."""
        origin = code >> 6 & 63
        first = 3 * state.color
        if origin == OFF:
            return next(g for g in (first, first + 1, first + 2) if state.places[g] == OFF)
        return state.places.index(origin)

    def after(self, state: SandState, code: int) -> SandState:
        """The state after the move, with the other side to move."""
        to = code & 63
        color = state.color
        glass = self.glass_of(state, code)
        t_ms = self.lift_ms(state, glass)
        places = (*state.places[:glass], to, *state.places[glass + 1 :])
        up = state.up ^ (1 << glass)
        old_full = self.full[glass][state.up >> glass & 1]
        new_full = self.full[glass][up >> glass & 1]
        left_ms = max(0, state.stops[glass] - t_ms)
        stop = t_ms + new_full * (old_full - left_ms) // old_full
        stops = (*state.stops[:glass], stop, *state.stops[glass + 1 :])
        r1, r2, r3, r4, left = state.r1, state.r2, state.r3, state.r4, state.left
        if not code & KEEP:
            r1, r2, r3, r4 = filled(to, r1, r2, r3, r4)
            left = (left[0] - 1, left[1]) if color == 0 else (left[0], left[1] - 1)
        return SandState(1 - color, places, r1, r2, r3, r4, left, t_ms, stops, up, state.moved | 1 << glass,
                         state.owed & ~(1 << color), state.skips)  # fmt: skip

    def passed(self, state: SandState) -> SandState:
        """The same moment with the turn at the other side."""
        return SandState(1 - state.color, state.places, state.r1, state.r2, state.r3, state.r4, state.left,
                         state.t_ms, state.stops, state.up, state.moved, state.owed, state.skips)  # fmt: skip

    def skipped(self, state: SandState) -> SandState:
        """The same moment after the side to move has lost the turn that it owed."""
        found = self.passed(state)
        found.skips &= ~(1 << state.color)
        return found

    def with_penalty(self, state: SandState, place: int) -> SandState:
        """The state in which the side that has just moved also drops its penalty ring there."""
        r1, r2, r3, r4 = filled(place, state.r1, state.r2, state.r3, state.r4)
        left = state.left
        left = (left[0] - 1, left[1]) if state.color == 1 else (left[0], left[1] - 1)
        return SandState(state.color, state.places, r1, r2, r3, r4, left, state.t_ms, state.stops, state.up,
                         state.moved, state.owed, state.skips)  # fmt: skip

    def last_to_stop(self, state: SandState) -> int:
        """Which side's glass stops last of those that have moved: 0 red, 1 black, -1 where that cannot be told."""
        last = {0: -1, 1: -1}
        for glass in range(6):
            if state.moved >> glass & 1:
                side = glass // 3
                last[side] = max(last[side], state.stops[glass])
        if last[0] == last[1]:
            return -1
        return 0 if last[0] > last[1] else 1


def filled(place: int, r1: int, r2: int, r3: int, r4: int) -> tuple[int, int, int, int]:
    """The room after one more ring has been dropped around a socket."""
    bit = 1 << place
    if r4 & bit:
        return r1, r2, r3, r4 ^ bit
    if r3 & bit:
        return r1, r2, r3 ^ bit, r4
    if r2 & bit:
        return r1, r2 ^ bit, r3, r4
    return r1 & ~bit, r2, r3, r4
