"""A glass has settled in a socket: a move, a violation, or one mended.

Source: rules.md, "Violations" and "Mending a glass violation".
"""

from __future__ import annotations

from typing import Final

from tamsk_pi.referee import glasses, rings, turns
from tamsk_pi.referee.game import Game, Held, Mend
from tamsk_pi.referee.takeback import TAKEN_BACK
from tamsk_pi.rules.board import Player, opponent, owner_of
from tamsk_pi.sensing.gestures import Place

CONFIRM_MS: Final = 5_000
"""How long the mover may confirm a turning that no sensor saw."""
NOT_SEEN: Final = "turning_not_seen"
"""The code of a glass whose mover is asked."""


def judge(game: Game, place: Place, held: Held) -> None:
    """Rule on a placing; `held` is the handling that it ends."""
    mend = game.mends.get(place.glass)
    home, home_up = (mend.home, mend.home_up) if mend else (held.socket, held.up)
    turned = game.settings.orientation_matters and place.sure and place.up != home_up
    glasses.settle_sand(game, place, held)
    if turned and place.socket == home and mend and mend.code == TAKEN_BACK and not game.senses_turning(place.glass):
        # As nobody tells, it is put back as it stood, which is what the players were asked for.
        turned = False
        glasses.turn_midway(game, place, held)
        game.turned_unseen.append(place.glass)
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
    unseen = game.settings.orientation_matters and not game.senses_turning(place.glass)
    if code is None and game.settings.orientation_matters and not turned and not unseen:
        code = "not_flipped"
    if code is None and game.must_mend(besides=place.glass):
        code = "must_mend"
    elif code is not None and mend is not None and mend.stands == place.socket:
        # Set down again where it wrongly stands.
        glasses.end_handling(game, place, held, moved=False)
        return
    if code == "not_flipped" and mend is None and game.settings.confirm_missed_turning:
        _ask_for_confirmation(game, place, home, home_up)
        return
    if code is not None:
        glasses.end_handling(game, place, held, moved=False)
        player = owner_of(place.glass) if code == "wrong_glass" else game.to_move
        _violation(game, place, code, home, home_up, player)
        if code == "full_socket":
            rings.finish(game, place.t_ms, opponent(game.to_move), "full_socket")
        return
    if mend is not None:
        del game.mends[place.glass]
        _resolved(game, place, mend)
    game.table.standing[place.glass] = place.socket
    if game.closing_ms is not None:
        # Neither side can move any more, so this is no move whatever it looks like.
        glasses.end_handling(game, place, held, moved=False)
        return
    if unseen and not turned:
        # A move is taken to have turned its glass over; nothing but a move is.
        glasses.turn_midway(game, place, held)
        game.turned_unseen.append(place.glass)
    glasses.end_handling(game, place, held, moved=True)
    since_ms = mend.stood.get(place.socket) if mend is not None else None
    if mend is not None and game.ring_since_ms.get(place.socket, 0) > mend.left_ms.get(place.socket, place.t_ms):
        # The ring came there after the glass had been wrongly set down elsewhere.
        since_ms = None
    turns.complete_move(game, place.t_ms, place.glass, home, place.socket, home_up=home_up, mended_since_ms=since_ms)


def fault_in(game: Game, glass: str, socket: str, home: str | None, held: Held) -> str | None:
    """What forbids the glass to go from its home to the socket, turning over and other mending not looked at."""
    stood = dict(game.table.standing)
    # With free placement a glass that is to be mended is not placed yet: the opening duty asks for it.
    game.table.standing |= {g: None for g, mend in game.mends.items() if mend.home is None}
    game.table.standing[glass] = home
    # A glass that has not been on the board yet was lifted nowhere.
    is_full = game.table.is_full(socket) and (held.socket is None or socket in held.full)
    code = game.table.fault_in_going(glass, socket, game.to_move, ran=held.ran, is_full=is_full)
    game.table.standing |= stood
    return code


def _violation(game: Game, place: Place, code: str, home: str | None, home_up: str, player: Player) -> None:
    before = game.keep()
    game.say(place.t_ms, "violation", code=code, player=player, glass=place.glass, to=place.socket, home=home)
    game.note_verdict("glass", before)
    known = game.mends.get(place.glass)
    stood = {place.socket: place.t_ms} | (known.stood if known else {})
    left_ms = dict(known.left_ms) | {known.stands: place.t_ms} if known else {}
    left_ms.pop(place.socket, None)
    game.mends[place.glass] = Mend(home, home_up, code, place.socket, place.t_ms, player, stood, left_ms=left_ms)


def _resolved(game: Game, place: Place, mend: Mend) -> None:
    if mend.confirm_until_ms is not None:
        # It was only asked about, so there is nothing to take back.
        return
    game.say(place.t_ms, "resolved", code=mend.code, glass=place.glass)


def _ask_for_confirmation(game: Game, place: Place, home: str | None, home_up: str) -> None:
    """All was in order but that no sensor saw the turning: the mover is asked before it is called a violation."""
    until_ms = place.t_ms + CONFIRM_MS
    game.say(place.t_ms, "notice", code="turning_not_seen", glass=place.glass, to=place.socket, player=game.to_move)
    game.mends[place.glass] = Mend(
        home,
        home_up,
        NOT_SEEN,
        place.socket,
        place.t_ms,
        game.to_move,
        {place.socket: place.t_ms},
        confirm_until_ms=until_ms,
    )


def next_confirmation_ms(game: Game) -> int | None:
    """When the next question for a turning that was not seen goes unanswered."""
    return min((m.confirm_until_ms for m in game.mends.values() if m.confirm_until_ms is not None), default=None)


def confirm(game: Game, t_ms: int, player: Player) -> bool:
    """The mover says that the glass was turned over: that makes a move of it. False where nobody was asked."""
    for glass, mend in list(game.mends.items()):
        if mend.confirm_until_ms is not None and mend.player == player and glass not in game.held:
            del game.mends[glass]
            game.say(t_ms, "notice", code="turning_confirmed", glass=glass, player=player)
            _was_turned(game, t_ms, glass, mend)
            return True
    return False


def _was_turned(game: Game, t_ms: int, glass: str, mend: Mend) -> None:
    """A glass that only lacked its turning was turned over all the same: that makes a move of it."""
    game.sand[glass] = game.sand[glass].turned(mend.since_ms)
    game.turned_unseen.append(glass)
    since_ms = mend.stood.get(mend.stands)
    turns.complete_move(game, t_ms, glass, mend.home, mend.stands, home_up=mend.home_up, mended_since_ms=since_ms)


def believe_turned(game: Game, t_ms: int, glass: str, since_ms: int) -> None:
    """Nothing has told of a glass's turnings since `since_ms`: if it was called not turned since, that is taken back.

    A move is then taken to have turned it, as ever where nothing tells.
    """
    mend = game.mends.get(glass)
    if mend is None or glass in game.held or game.senses_turning(glass) or mend.since_ms < since_ms:
        return
    if mend.code not in ("not_flipped", NOT_SEEN) or len(game.mends) > 1 or game.closing_ms is not None:
        return
    del game.mends[glass]
    if mend.confirm_until_ms is None:
        game.verdict = None
        game.say(t_ms, "resolved", code=mend.code, glass=glass)
    _was_turned(game, t_ms, glass, mend)


def unconfirmed_due(game: Game, t_ms: int) -> None:
    """Report the violation where nobody confirmed in time."""
    for glass, mend in game.mends.items():
        if mend.confirm_until_ms == t_ms:
            mend.confirm_until_ms = None
            mend.code = "not_flipped"
            before = game.keep()
            game.say(t_ms, "violation", code=mend.code, player=mend.player, glass=glass, to=mend.stands)
            game.note_verdict("glass", before)
