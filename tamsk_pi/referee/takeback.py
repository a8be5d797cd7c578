"""A move that those who play agree to take back: everything is as it was before it, but sand, which no word can stop.

Rings, rights, the turn, what is owed and whether a glass has moved are as they were just before the move was
completed; rights have the time that they had left then. The glass is to be put back as it stood, and so are the rings
that came since. Its sand is followed as it runs and as it is turned back; set back on its corner it is a glass that
has not moved, so that nothing of it can count as run out. A timer that was armed before the move is armed again if its
sand still runs from then; one that was turned since arms nothing.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Final

import attrs

from tamsk_pi.referee.game import Game, Made, Mend
from tamsk_pi.rules.board import PLAYERS, SOCKETS, TIMER, Player

TAKEN_BACK: Final = "taken_back"
"""The code of a glass that is to be put back because its move was taken back: nothing about it is illegal."""

_FIELDS: Final = (
    "to_move",
    "rights",
    "rings_left",
    "penalty_owed",
    "skip_owed",
    "lamp",
    "expired",
    "closing_ms",
    "watched",
    "unwatched",
    "stops_ms",
    "opened_ms",
    "last_move",
    "moved_ms",
    "from_hand",
    "dropped",
)


def note(game: Game, t_ms: int, glass: str, home: str | None, home_up: str) -> None:
    """A move from `home` is about to be completed: remember how everything is."""
    fields = {name: deepcopy(getattr(game, name)) for name in _FIELDS}
    rings, moved = dict(game.table.rings), frozenset(game.table.moved)
    game.made.append(Made(t_ms, glass, home, home_up, game.armed_ms, fields, rings, moved))


def is_blocked(game: Game) -> bool:
    """Whether another glass stands for good where the last move came from."""
    made = game.made[-1]
    others = (g for g, socket in game.table.standing.items() if socket == made.home and g != made.glass)
    return made.home is not None and any(g not in game.mends for g in others)


def undo(game: Game, t_ms: int) -> None:
    """Take the last move back."""
    made = game.made.pop()
    later_ms = t_ms - made.t_ms
    rings = {s: n for s in SOCKETS if (n := game.table.rings[s] - made.rings[s])}
    for player in PLAYERS:
        undone = made.fields["rings_left"][player] - game.rings_left[player]  # type: ignore[index]
        if game.settings.rings == "holder" and undone:
            game.holder_debt[player] += undone
            game.ring_since_ms[player] = t_ms
    for name, value in made.fields.items():
        setattr(game, name, value)
    for right in [*game.rights, *game.from_hand.values()]:
        right.opened_ms += later_ms
        right.window_ms += later_ms
        right.closes_ms = None if right.closes_ms is None else right.closes_ms + later_ms
    game.dropped = [attrs.evolve(ring, t_ms=ring.t_ms + later_ms) for ring in game.dropped]
    game.table.rings.update(made.rings)
    game.table.moved = set(made.moved)
    game.ring_since_ms |= dict.fromkeys(rings, t_ms)
    still_runs = made.armed_ms is not None and made.armed_ms == game.sand[TIMER].stops_at_ms and made.armed_ms > t_ms
    game.armed_ms = made.armed_ms if still_runs else None
    if not still_runs:
        game.timer_turned_ms = None
    _put_back(game, t_ms, made)
    game.verdict = None
    stood = game.mends[made.glass].stands
    told = {"player": game.to_move, "glass": made.glass, "from": stood, "back_to": made.home, "rings": rings}
    game.say(t_ms, "notice", code="taken_back", **told)


def _put_back(game: Game, t_ms: int, made: Made) -> None:
    glass = made.glass
    stands = game.table.standing[glass] or ""
    game.table.standing[glass] = made.home
    game.table.out.discard(glass)
    for of_glass in (game.out_ms, game.doubted_ms):
        of_glass.pop(glass, None)
    game.mends[glass] = Mend(made.home, made.home_up, TAKEN_BACK, stands, t_ms, game.to_move)


def corrected(game: Game, socket: str, player: Player, more: int) -> None:
    """The arbiter has counted rings: they lay there before the moves made, unless where the last one ended."""
    if not game.made or game.table.standing[game.made[-1].glass] == socket:
        return
    for made in game.made:
        made.rings[socket] += more
        made.fields["rings_left"][player] -= more  # type: ignore[index]


def lifted(game: Game, t_ms: int, glass: str) -> None:
    """A glass that was placed freely is off the board again: that is all that its move taken back asks for."""
    mend = game.mends.get(glass)
    if mend is None or mend.code != TAKEN_BACK or mend.home is not None:
        return
    del game.mends[glass]
    game.say(t_ms, "resolved", code=TAKEN_BACK, glass=glass)
    game.held[glass].socket, game.held[glass].up = None, mend.home_up
