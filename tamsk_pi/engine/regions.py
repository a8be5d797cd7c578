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
                bit = 1 << goal
                n4 = r4 & ~bit
                n3 = r3 if r4 & bit else r3 & ~bit
                n2 = r2 if r3 & bit else r2 & ~bit
                n1 = r1 if r2 & bit else r1 & ~bit
                then = tuple(sorted([*rest, goal]))
                best = max(best, 1 + self._most(then, n1, n2, n3, n4, others, keeps, enough - 1))
                if best >= enough or self._looked_at > self._limit:
                    break
            if best >= enough or self._looked_at > self._limit:
                break
        if self._looked_at <= self._limit:
            self._seen[key] = best
        return best

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
