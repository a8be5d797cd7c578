"""Counting move sequences at level 1, to check the move rules against other programs and to measure their speed.

Counted are sequences of exactly `depth` moves in which every move drops its ring. A side that cannot move passes,
which counts as one move. A game that has ended (nobody can move, or a side has dropped its last ring) goes on with
nothing, so it adds nothing to the depths that remain (rules.md, "A turn").

Sockets are bits 0 to 36 of an int, in the order of `SOCKETS`. The last two moves of each sequence are not played but
counted from the masks of what can be reached; there is no table of positions met before, so memory stays flat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal

from tamsk_pi.rules.board import CAPACITY, NEIGHBOURS, SOCKETS, Player, opponent
from tamsk_pi.rules.notation import PASS, Move, format_move
from tamsk_pi.rules.position import Position

_INDEX: Final[Mapping[str, int]] = {socket: index for index, socket in enumerate(SOCKETS)}
_REACH: Final[tuple[int, ...]] = tuple(
    sum(1 << _INDEX[neighbour] for neighbour in NEIGHBOURS[socket]) for socket in SOCKETS
)
"""For each socket the mask of the sockets that touch it."""

BulkPlies = Literal[1, 2]
"""How many moves at the end of each sequence are counted without being played."""


def perft(position: Position, depth: int, bulk_plies: BulkPlies = 2) -> int:
    """How many sequences of `depth` moves there are from `position`.

    `bulk_plies` changes the speed, never the count. `ValueError` for a negative depth.
    """
    if depth < 0:
        raise ValueError(f"depth {depth} is negative")
    if depth == 0:
        return 1
    if not all(position.rings_left.values()):
        return 0
    if position.setup == "free" and (position.unplaced("red") or position.unplaced("black")):
        moves = position.moves(position.to_move)
        return len(moves) if moves and depth == 1 else sum(divide(position, depth, bulk_plies).values())
    return _count(position, depth, bulk_plies)


def divide(position: Position, depth: int, bulk_plies: BulkPlies = 2) -> dict[str, int]:
    """`perft` by first move: the move in notation (see `tamsk_pi.rules.notation`) to its count, sorted by move.

    Empty when the game has ended. `ValueError` for a depth below 1.
    """
    return dict(by_first_move(position, depth, bulk_plies))


def by_first_move(position: Position, depth: int, bulk_plies: BulkPlies = 2) -> Iterator[tuple[str, int]]:
    """What `divide` gives, one move after the other, each as soon as it is counted."""
    if depth < 1:
        raise ValueError(f"depth {depth} has no first move")
    player = position.to_move
    if not all(position.rings_left.values()):
        return
    moves = position.moves(player)
    if not moves and position.moves(opponent(player)):
        yield PASS, perft(position.passed(), depth - 1, bulk_plies)
    after: dict[str, Position] = {}
    for origin, to in moves:
        then = position.after(origin, to)
        after[format_move(Move(origin, to, ring="filled" if then.is_full(to) else "dropped"))] = then
    for move, then in sorted(after.items(), key=lambda pair: pair[0]):
        yield move, perft(then, depth - 1, bulk_plies)


def _count(position: Position, depth: int, bulk_plies: BulkPlies) -> int:
    """`perft` for a running game with all six glasses on the board."""
    room = [CAPACITY[socket] - position.rings[socket] for socket in SOCKETS]
    mine, theirs = (_places(position, player) for player in (position.to_move, opponent(position.to_move)))
    return _counter(room, bulk_plies)(
        depth,
        *mine,
        *theirs,
        sum(1 << place for place in (*mine, *theirs)),
        sum(1 << index for index, left in enumerate(room) if left),
        position.rings_left[position.to_move],
        position.rings_left[opponent(position.to_move)],
    )


def _places(position: Position, player: Player) -> tuple[int, int, int]:
    first, second, third = (_INDEX[position.glasses[g]] for g in position.glasses if g[0] == player[0].upper())
    return first, second, third


_Count = Callable[[int, int, int, int, int, int, int, int, int, int, int], int]


def _counter(room: list[int], bulk_plies: BulkPlies) -> _Count:
    """The recursion over `room`: how many rings still fit around each socket, changed and restored on the way."""
    reach = _REACH
    two_at_once = bulk_plies == 2

    def count(
        depth: int, m1: int, m2: int, m3: int, o1: int, o2: int, o3: int, taken: int, open_: int, left: int, other: int
    ) -> int:
        """Sequences from here. `m1`-`m3`: the mover's sockets; `o1`-`o3`: the other side's.

        `taken`: mask of the sockets with a glass; `open_`: of those that are not full; `left`, `other`: the rings
        left of the mover and of the other side, both above 0.
        """
        vacant = open_ & ~taken
        to1, to2, to3 = reach[m1] & vacant, reach[m2] & vacant, reach[m3] & vacant
        if not (to1 or to2 or to3):
            if not (reach[o1] | reach[o2] | reach[o3]) & vacant:
                return 0
            return 1 if depth == 1 else count(depth - 1, o1, o2, o3, m1, m2, m3, taken, open_, other, left)
        if depth == 1:
            return to1.bit_count() + to2.bit_count() + to3.bit_count()
        if left == 1:
            return 0
        if depth == 2 and two_at_once:
            from1, from2, from3 = reach[o1] & vacant, reach[o2] & vacant, reach[o3] & vacant
            replies = from1.bit_count() + from2.bit_count() + from3.bit_count()
            # A move takes at most three replies away: one for each glass that could have gone where it went. So with
            # more than three none of the moves leaves the other side without a reply, and the sum needs no cases.
            if replies > 3:
                others = 1 << o1 | 1 << o2 | 1 << o3
                total = 0
                for place, to in ((m1, to1), (m2, to2), (m3, to3)):
                    if to:
                        # The socket left behind becomes a destination for the glasses beside it, unless it is full;
                        # the socket moved to is none any more.
                        gained = (reach[place] & others).bit_count() if open_ >> place & 1 else 0
                        total += to.bit_count() * (replies + gained)
                        total -= (to & from1).bit_count() + (to & from2).bit_count() + (to & from3).bit_count()
                return total
        total = 0
        depth -= 1
        for place, to, second, third in ((m1, to1, m2, m3), (m2, to2, m1, m3), (m3, to3, m1, m2)):
            lifted = taken ^ (1 << place)
            while to:
                bit = to & -to
                to ^= bit
                goal = bit.bit_length() - 1
                room[goal] -= 1
                still_open = open_ if room[goal] else open_ ^ bit
                total += count(depth, o1, o2, o3, goal, second, third, lifted | bit, still_open, other, left - 1)
                room[goal] += 1
        return total

    return count
