"""The situation after a turn, to think ahead in the other side's time and to follow a game that is told in turns."""

from __future__ import annotations

import attrs

from tamsk_pi.engine.situation import GlassSand, Situation
from tamsk_pi.rules.board import CAPACITY, GLASSES, Player, glasses_of, opponent
from tamsk_pi.rules.moves import Table
from tamsk_pi.rules.notation import Move, Turn, format_turn
from tamsk_pi.rules.position import Position
from tamsk_pi.rules.sand import Sand

_A, _B = "a", "b"


class IllegalTurn(ValueError):
    """A turn that the rules do not allow in this situation; the text says which and why."""


def after(situation: Situation, turn: Turn, took_ms: int | None = None) -> Situation:
    """The situation once the turn has been taken, `took_ms` later (by default the side's pace), the other to move.

    `IllegalTurn` where a glass may not go there or a ring is not due. Whether a ring filled its socket is not checked:
    that follows from the position.
    """
    text = format_turn(turn)
    if turn.player != situation.to_move:
        raise IllegalTurn(f"{text}: it is {situation.to_move}'s turn")
    if turn.claim is not None:
        situation = _claimed(situation, turn.claim, text)
    side = situation.to_move
    if not isinstance(turn.action, Move):
        if turn.action == "skip" and side not in situation.skip_owed:
            raise IllegalTurn(f"{text}: {side} owes no turn")
        skips = situation.skip_owed - {side} if turn.action == "skip" else situation.skip_owed
        return attrs.evolve(situation, position=situation.position.passed(), skip_owed=skips, claim=None,
                            expires_ms=None)  # fmt: skip
    took_ms = situation.paces_ms[side] if took_ms is None else took_ms
    return _moved(situation, turn.action, took_ms, text)


def _moved(situation: Situation, move: Move, took_ms: int, text: str) -> Situation:
    position, side = situation.position, situation.to_move
    glass = _glass_of(situation, move, text)
    rings, left = dict(position.rings), dict(position.rings_left)
    if move.ring != "none":
        _drop(rings, left, side, move.to, text)
    owed = situation.penalty_owed
    if move.penalty is not None:
        if side not in owed:
            raise IllegalTurn(f"{text}: no penalty ring is due to {side}")
        _drop(rings, left, side, move.penalty.socket, text)
    then = Position({**position.glasses, glass: move.to}, rings, opponent(side), left, position.setup)
    claim = move.to if move.ring == "none" and rings[move.to] < CAPACITY[move.to] else None
    return attrs.evolve(
        situation,
        position=then,
        sand={g: _later(situation.sand[g], took_ms, turned=g == glass) for g in GLASSES},
        claim=claim,
        penalty_owed=owed - {side},
        timer_left_ms=max(0, situation.timer_left_ms - took_ms),
        expires_ms=None,
    )


def _glass_of(situation: Situation, move: Move, text: str) -> str:
    position, side = situation.position, situation.to_move
    standing: dict[str, str | None] = {g: position.glasses.get(g) for g in GLASSES}
    out = {g for g in glasses_of(side) if situation.level > 1 and _has_stopped(situation.sand[g])}
    table = Table(
        level=situation.level,
        free=position.setup == "free",
        standing=standing,
        rings=dict(position.rings),
        moved={g for g in GLASSES if situation.sand[g].moved},
        out=out | {g for g in GLASSES if not situation.may_still_move(g)},
    )
    found = [g for g, to in table.targets(side).items() if standing[g] == move.origin and move.to in to]
    if not found:
        raise IllegalTurn(f"{text}: {side} has no glass that may go from {move.origin or 'off the board'} to {move.to}")
    return found[0]


def _has_stopped(sand: GlassSand) -> bool:
    # One that would stop at the side's pace is lifted sooner: it only has to run now.
    return sand.out or (sand.moved and sand.left_ms == 0)


def _later(sand: GlassSand, ms: int, *, turned: bool) -> GlassSand:
    left_ms = max(0, sand.left_ms - ms)
    if not turned:
        return attrs.evolve(sand, left_ms=left_ms, out=sand.out or (sand.moved and left_ms == 0))
    lying = Sand({_A: sand.full_ms, _B: sand.other_full_ms}, _A, left_ms or None).turned(0)
    return GlassSand(lying.left_ms(0), sand.other_full_ms, sand.full_ms, moved=True)


def _drop(rings: dict[str, int], left: dict[Player, int], side: Player, socket: str, text: str) -> None:
    if rings[socket] >= CAPACITY[socket] or not left[side]:
        raise IllegalTurn(f"{text}: {side} cannot drop a ring on {socket}")
    rings[socket] += 1
    left[side] -= 1


def _claimed(situation: Situation, socket: str, text: str) -> Situation:
    position = situation.position
    if situation.claim != socket:
        raise IllegalTurn(f"{text}: {situation.to_move} may not claim {socket}")
    rings, left = dict(position.rings), dict(position.rings_left)
    _drop(rings, left, situation.to_move, socket, text)
    then = Position(position.glasses, rings, position.to_move, left, position.setup)
    return attrs.evolve(situation, position=then, claim=None)
