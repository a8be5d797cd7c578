"""The slow way to the same answers: ends of level-1 games played out in full, from `Position` alone."""

from __future__ import annotations

import random
from functools import cache

from tamsk_pi.rules.board import CAPACITY, NEIGHBOURS, Player, opponent
from tamsk_pi.rules.position import Position


def late_position(seed: int, open_sockets: int) -> Position | None:
    """A position with at most so many sockets open, in which the side to move can move; None if the game ended."""
    rng = random.Random(seed)
    position = Position.start()
    while sum(not position.is_full(s) for s in position.rings) > open_sockets:
        moves = position.moves(position.to_move)
        if not moves:
            if not position.moves(opponent(position.to_move)):
                return None
            position = position.passed()
        elif not all(position.rings_left.values()):
            return None
        else:
            position = position.after(*rng.choice(moves))
    playable = all(position.rings_left.values()) and position.moves(position.to_move)
    return position if playable else None


@cache
def outcome(position: Position) -> int:
    """1 if the side to move wins with best play, -1 if it loses, 0 for a draw.

    Every move drops its ring, but those of a side whose opponent is stuck for good, which nobody can claim from.
    """
    side = position.to_move
    moves = position.moves(side)
    if moves and is_stuck(position, opponent(side)):
        left = position.rings_left[side] - free_walk(position)
        theirs = position.rings_left[opponent(side)]
        return 1 if not left else (left < theirs) - (left > theirs)
    if not moves:
        if not position.moves(opponent(side)):
            mine, theirs = position.rings_left[side], position.rings_left[opponent(side)]
            return (mine < theirs) - (mine > theirs)
        return -outcome(position.passed())
    best = -1
    for move in moves:
        then = position.after(*move)
        best = max(best, 1 if not then.rings_left[side] else -outcome(then))
        if best == 1:
            break
    return best


def is_stuck(position: Position, side: Player) -> bool:
    """Whether all sockets beside a side's glasses are full."""
    places = [s for g, s in position.glasses.items() if g[0] == side[0].upper()]
    return all(position.rings[n] >= CAPACITY[n] for place in places for n in NEIGHBOURS[place])


def longest_walk(position: Position, side: Player) -> int:
    """The most rings that `side` can drop in a row while the other does nothing."""
    if not position.rings_left[side]:
        return 0
    alone = position if position.to_move == side else position.passed()
    return max(
        (1 + longest_walk(alone.after(*move).passed(), side) for move in alone.moves(side)), default=0
    )  # fmt: skip


@cache
def free_walk(position: Position) -> int:
    """The most rings that the side to move can drop while the other is stuck, moving without a ring as it likes."""
    side = position.to_move
    if not position.rings_left[side]:
        return 0
    best, seen, todo = 0, {position}, [position]
    while todo:
        here = todo.pop()
        for origin, to in here.moves(side):
            best = max(best, 1 + free_walk(here.after(origin, to).passed()))
            glass = next(g for g, s in here.glasses.items() if s == origin)
            kept = Position({**here.glasses, glass: to}, here.rings, side, here.rings_left)
            if kept not in seen:
                seen.add(kept)
                todo.append(kept)
    return best
