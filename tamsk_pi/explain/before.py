"""The game as it was just before something was ruled on: what the ruling was judged by."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from tamsk_pi.referee.game import Game, Held, Mend, Right
from tamsk_pi.referee.glasses import expiry_ms
from tamsk_pi.rules.board import Player
from tamsk_pi.rules.sand import Sand


@attrs.frozen
class Before:
    """What an explanation tells of the game. Times are ms since its start."""

    to_move: Player | None
    """None once nobody is to move any more."""
    sand: Mapping[str, Sand]
    standing: Mapping[str, str | None]
    held: Mapping[str, Held]
    moved: frozenset[str]
    out: frozenset[str]
    mends: Mapping[str, Mend]
    rights: tuple[Right, ...]
    rings_left: Mapping[Player, int]
    armed_ms: int | None
    expires_ms: int | None
    """When the armed timer is ruled to have run out."""


def as_it_is(game: Game) -> Before:
    """A copy of the game as it is now that later events leave alone."""
    ended = game.result is not None or game.closing_ms is not None
    return Before(
        to_move=None if ended else game.to_move,
        sand=dict(game.sand),
        standing=dict(game.table.standing),
        held={glass: attrs.evolve(held) for glass, held in game.held.items()},
        moved=frozenset(game.table.moved),
        out=frozenset(game.table.out),
        mends={glass: attrs.evolve(mend) for glass, mend in game.mends.items()},
        rights=tuple(attrs.evolve(right) for right in game.rights),
        rings_left=dict(game.rings_left),
        armed_ms=game.armed_ms,
        expires_ms=expiry_ms(game),
    )
