"""The end of a game in which a side's glasses can meet no others any more: how many rings it can still drop.

Two cases: the other side is stuck for good, so that nobody can use a ring right that is left unused, and the side may
walk about without filling sockets; or both sides go on in regions of their own. The answers are bounds, which meet
where the search for them came to its end.
"""

from __future__ import annotations

from typing import Final

from tamsk_pi.engine.masks import REACH, expand, places

LOOKED_AT: Final = 300
"""How many arrangements are looked at before the bounds are left apart."""


def region(glasses: tuple[int, ...], open_: int) -> int:
    """The mask of all sockets that these glasses could ever stand in, whoever stands in them now."""
    found = 0
    for place in glasses:
        found |= (REACH[place] | 1 << place) & open_
    while True:
        wider = expand(found) & open_
        if wider == found:
            return found
        found = wider


class Walk:
    """How many rings one side can still drop where no other glass comes into its region."""

    def __init__(self, limit: int = LOOKED_AT) -> None:
        self._limit: Final = limit
        self._looked_at = 0
        self._seen: dict[tuple[tuple[int, ...], int, int, int, int], int] = {}

    def bounds(
        self, glasses: tuple[int, ...], r1: int, r2: int, r3: int, r4: int, taken: int, *, keeps: bool
    ) -> tuple[int, int]:
        """At least and at most so many rings. `keeps`: it may also move without dropping its ring.

        `taken`: the sockets with any glass. All sockets that the glasses can reach are theirs alone.
        """
        mine = region(glasses, r1)
        most = mine_room(mine, r1, r2, r3, r4)
        own = 0
        for place in glasses:
            own |= 1 << place
        self._looked_at = 0
        self._seen.clear()
        found = self._most(tuple(sorted(glasses)), r1, r2, r3, r4, taken & ~own, keeps, most)
        return found, found if self._looked_at <= self._limit and not (keeps and found < most) else most

    def _most(
        self, glasses: tuple[int, ...], r1: int, r2: int, r3: int, r4: int, others: int, keeps: bool, enough: int
    ) -> int:
        """The most rings that were found, stopping at `enough`."""
        if enough <= 0:
            return 0
        key = (glasses, r1, r2, r3, r4)
        known = self._seen.get(key)
        if known is not None:
            return known
        self._looked_at += 1
        if self._looked_at > self._limit:
            return 0
        best = 0
        own = 0
        for place in glasses:
            own |= 1 << place
        vacant = r1 & ~own & ~others
        for place in glasses:
            here = 1 << place
            rest = [other for other in glasses if other != place]
            for goal in places(self._goals(place, vacant, r1 & here, keeps)):
                rooms = _filled(goal, r1, r2, r3, r4)
                then = tuple(sorted([*rest, goal]))
                best = max(best, 1 + self._most(then, *rooms, others, keeps, enough - 1))
                if best >= enough or self._looked_at > self._limit:
                    break
            if best >= enough or self._looked_at > self._limit:
                break
        if self._looked_at <= self._limit:
            self._seen[key] = best
        return best

    def next_step(
        self, glasses: tuple[int, ...], r1: int, r2: int, r3: int, r4: int, taken: int
    ) -> tuple[int, int] | None:
        """From where to where to go without dropping a ring, on the way to the nearest ring of the longest walk.

        None where the next ring can be dropped at once, or the longest walk was not found. Each step of this kind
        comes nearer to a ring, so that there are never many in a row.
        """
        most, enough = self.bounds(glasses, r1, r2, r3, r4, taken, keeps=True)
        if not most or most != enough:
            return None
        own = 0
        for place in glasses:
            own |= 1 << place
        vacant = r1 & ~taken
        best: tuple[int, int, int, int] | None = None
        for place in glasses:
            reached, distance = REACH[place] & vacant, 1
            rest = [other for other in glasses if other != place]
            free = vacant | (r1 & 1 << place)
            seen = 0
            while reached & ~seen and (best is None or distance < best[0]):
                for goal in places(reached & ~seen):
                    rooms = _filled(goal, r1, r2, r3, r4)
                    then = tuple(sorted([*rest, goal]))
                    if 1 + self._most(then, *rooms, taken & ~own, True, most - 1) >= most:
                        best = (distance, place, goal, free)
                        break
                seen |= reached
                reached, distance = expand(reached) & free, distance + 1
        if best is None or best[0] == 1:
            return None
        distance, place, goal, free = best
        # Back from the goal: the first step lies on a shortest way to it.
        layer = 1 << goal
        for _ in range(distance - 1):
            layer = expand(layer) & free
        steps = places(layer & REACH[place] & vacant)
        return (place, steps[0]) if steps else None

    @staticmethod
    def _goals(place: int, vacant: int, own_socket: int, keeps: bool) -> int:
        """Where the glass may drop its next ring; with `keeps` after any number of moves without one."""
        near = REACH[place] & vacant
        if not keeps or not near:
            return near
        free = vacant | own_socket
        found = near
        while True:
            wider = expand(found) & free
            if wider == found:
                return found
            found = wider


def mine_room(mask: int, r1: int, r2: int, r3: int, r4: int) -> int:
    """How many rings fit around the sockets of `mask`."""
    return (mask & r1).bit_count() + (mask & r2).bit_count() + (mask & r3).bit_count() + (mask & r4).bit_count()


def is_stuck_for_good(glasses: tuple[int, ...], open_: int) -> bool:
    """Whether every socket that touches these glasses is full, so that nothing can free them."""
    return not any(REACH[place] & open_ for place in glasses)


def _filled(place: int, r1: int, r2: int, r3: int, r4: int) -> tuple[int, int, int, int]:
    bit = 1 << place
    if r4 & bit:
        return r1, r2, r3, r4 ^ bit
    if r3 & bit:
        return r1, r2, r3 ^ bit, r4
    return (r1, r2 ^ bit, r3, r4) if r2 & bit else (r1 & ~bit, r2, r3, r4)
