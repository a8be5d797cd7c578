"""Takes the immutable picture of a game that lamps and pages get."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from tamsk_pi.referee.game import Game
from tamsk_pi.referee.glasses import expiry_ms
from tamsk_pi.referee.snapshot import GlassView, Phase, RightView, SetupProblem, Snapshot, ViolationView
from tamsk_pi.rules.board import GLASSES, PLAYERS, TIMER


def take_picture(
    game: Game,
    now_ms: int,
    phase: Phase,
    *,
    up: Mapping[str, str],
    faults: Iterable[str],
    setup_problems: Iterable[SetupProblem],
) -> Snapshot:
    """The game at `now_ms`. `up`: the end of each travelling glass that is up, as the hands follow it."""
    playing = phase in ("to_move", "carrying", "mending")
    return Snapshot(
        now_ms=now_ms,
        phase=phase,
        level=game.settings.level,
        rules=game.settings.rules,
        names=MappingProxyType({"red": game.settings.red, "black": game.settings.black}),
        to_move=game.to_move if playing else None,
        glasses=MappingProxyType({g: _glass(game, g, up) for g in (*GLASSES, TIMER)}),
        rings=MappingProxyType(dict(game.table.rings)),
        seen_rings=MappingProxyType(dict(game.seen_rings)),
        rings_left=MappingProxyType({p: game.rings_left[p] for p in PLAYERS}),
        rights=tuple(RightView(r.kind, r.player, r.socket, r.closes_ms) for r in game.rights),
        violations=tuple(_violations(game)),
        targets=MappingProxyType(game.table.targets(game.to_move) if playing and not game.must_mend() else {}),
        timer_armed_against=game.to_move if game.armed_ms is not None else None,
        timer_expires_at_ms=expiry_ms(game),
        penalty_owed=tuple(sorted(game.penalty_owed)),
        skip_owed=tuple(sorted(game.skip_owed)),
        penalty_lamp=_lamp(game),
        last_move=game.last_move,
        faults=tuple(sorted(faults)),
        setup_problems=tuple(setup_problems),
        winner=game.winner,
        result=game.result,
    )


def _glass(game: Game, glass: str, up: Mapping[str, str]) -> GlassView:
    sand, held = game.sand[glass], game.held.get(glass)
    return GlassView(
        name=glass,
        socket=None if glass == TIMER or held else game.table.standing[glass],
        in_hand=held is not None,
        lifted_from=held.socket if held else None,
        up=up.get(glass, sand.up),
        stops_at_ms=sand.stops_at_ms,
        full_ms=sand.full_ms[sand.up],
        moved=glass in game.table.moved,
        out=glass in game.table.out,
    )


def _violations(game: Game) -> Iterable[ViolationView]:
    for glass, mend in game.mends.items():
        stands = None if glass in game.held else mend.stands
        yield ViolationView(mend.code, mend.player, glass, mend.home, stands, mend.since_ms)
    for socket, seen in game.seen_rings.items() if game.settings.rings == "stack" else ():
        counted = game.table.rings[socket] + game.excused_rings.get(socket, 0)
        if seen != counted:
            code = "ring_not_due" if seen > counted else "ring_removed"
            yield ViolationView(code, None, None, None, socket, game.ring_since_ms.get(socket, 0))
    for player, debt in game.holder_debt.items():
        if debt:
            code = "ring_not_due" if debt > 0 else "ring_removed"
            yield ViolationView(code, player, None, None, None, game.ring_since_ms.get(player, 0))


def _lamp(game: Game) -> str | None:
    """The lamp of the penalty right opened last, where its place is not sensed."""
    if game.settings.rings == "stack":
        return None
    return next((game.lamp[r.player] for r in reversed(game.rights) if r.kind == "penalty"), None)
