"""A glass has settled in a socket: a move, a violation, or one mended.

Source: rules.md, "Violations" and "Mending a glass violation".
"""

from __future__ import annotations

from tamsk_pi.referee import glasses, rings, turns
from tamsk_pi.referee.game import Game, Held, Mend
from tamsk_pi.rules.board import Player, opponent, owner_of
from tamsk_pi.sensing.gestures import Place


def judge(game: Game, place: Place, held: Held) -> None:
    """Rule on a placing; `held` is the handling that it ends."""
    mend = game.mends.get(place.glass)
    home, home_up = (mend.home, mend.home_up) if mend else (held.socket, held.up)
    turned = game.settings.orientation_matters and place.up != home_up
    glasses.settle_sand(game, place, held)
    if place.socket == home:
        _at_home(game, place, held, home, home_up, turned)
    else:
        _away(game, place, held, home, home_up, turned)
    game.table.standing[place.glass] = place.socket


def _at_home(game: Game, place: Place, held: Held, home: str, home_up: str, turned: bool) -> None:
    glasses.end_handling(game, place, held, moved=False)
    mend = game.mends.pop(place.glass, None)
    if mend is not None:
        _resolved(game, place, mend)
    if turned:
        _violation(game, place, "flipped_in_place", home, home_up, owner_of(place.glass))


def _away(game: Game, place: Place, held: Held, home: str | None, home_up: str, turned: bool) -> None:
    """Judge a placing on another socket than its home."""
    mend = game.mends.get(place.glass)
    code = fault_in(game, place.glass, place.socket, home, held)
    if code is None and game.settings.orientation_matters and not turned:
        code = "not_flipped"
    if code is None and game.mends.keys() - {place.glass}:
        code = "must_mend"
    elif code is not None and mend is not None and mend.stands == place.socket:
        # Set down again where it wrongly stands.
        glasses.end_handling(game, place, held, moved=False)
        return
    if code is not None:
        glasses.end_handling(game, place, held, moved=False)
        _violation(game, place, code, home, home_up, game.to_move)
        if code == "full_socket":
            rings.finish(game, place.t_ms, opponent(game.to_move), "full_socket")
        elif code == "wrong_glass":
            game.armed_ms = None
        return
    if mend is not None:
        del game.mends[place.glass]
        _resolved(game, place, mend)
    game.table.standing[place.glass] = place.socket
    glasses.end_handling(game, place, held, moved=True)
    turns.complete_move(game, place.t_ms, place.glass, home, place.socket)


def fault_in(game: Game, glass: str, socket: str, home: str | None, held: Held) -> str | None:
    """What forbids the glass to go from its home to the socket, turning over and other mending not looked at."""
    stood = game.table.standing[glass]
    game.table.standing[glass] = home
    code = game.table.fault_in_going(glass, socket, game.to_move, ran=held.ran)
    game.table.standing[glass] = stood
    return code


def _violation(game: Game, place: Place, code: str, home: str | None, home_up: str, player: Player) -> None:
    game.say(place.t_ms, "violation", code=code, player=player, glass=place.glass, to=place.socket)
    game.mends[place.glass] = Mend(home, home_up, code, place.socket, place.t_ms, player)


def _resolved(game: Game, place: Place, mend: Mend) -> None:
    game.say(place.t_ms, "resolved", code=mend.code, glass=place.glass)
