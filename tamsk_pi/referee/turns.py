"""Whose turn it is: completed moves, passes, skips, forfeits, and the end of the game.

Source: rules.md, "A turn" and "The 15-second timer (level 3)".
"""

from __future__ import annotations

from tamsk_pi.referee import rights, rings, takeback, watching
from tamsk_pi.referee.game import Game
from tamsk_pi.rules.board import TIMER, Player, opponent
from tamsk_pi.rules.editions import Cost


def complete_move(
    game: Game,
    t_ms: int,
    glass: str,
    home: str | None,
    socket: str,
    *,
    home_up: str,
    mended_since_ms: int | None = None,
) -> None:
    """A legal move from `home` to `socket` has been made; the turn goes to the other side.

    `home_up`: the end that was up there.
    `mended_since_ms`: since when the glass wrongly stood there, where a mending has made the move whole.
    """
    mover = game.to_move
    takeback.note(game, t_ms, glass, home, home_up)
    if game.armed_ms is not None and t_ms > game.armed_ms:
        # Late by the model, but by less than real sand strays.
        game.say(t_ms, "notice", code="close_call", glass=TIMER, stopped_ms=game.armed_ms)
    game.verdict = None
    game.say(t_ms, "move", **{"player": mover, "glass": glass, "from": home, "to": socket})
    game.last_move = (home, socket)
    game.moved_ms = t_ms
    game.table.moved.add(glass)
    rights.on_move(game, t_ms, mover, socket)
    if game.expired:
        _charge(game, mover, game.edition.begun)
    _forget_homes(game, t_ms, glass, socket)
    rings.on_placed(game, t_ms, mover, socket, mended_since_ms)
    if game.result is None:
        begin_turn(game, t_ms, opponent(mover))


def _forget_homes(game: Game, t_ms: int, glass: str, socket: str) -> None:
    """A glass can't be put back where another one has moved meanwhile: it is accepted where it is."""
    for other, mend in list(game.mends.items()):
        if other != glass and mend.home == socket:
            del game.mends[other]
            game.say(t_ms, "resolved", code=mend.code, glass=other)


def time_out(game: Game, t_ms: int) -> None:
    """The timer armed against the side to move has run out."""
    player = game.to_move
    before = game.keep()
    game.armed_ms = None
    begun = game.holds_own_glass(player) or game.must_mend()
    game.say(t_ms, "timeout", player=player, begun=begun)
    game.note_verdict("timeout", before)
    if begun:
        game.expired = True
    else:
        game.say(t_ms, "forfeit", player=player)
        _charge(game, player, game.edition.not_begun)
        begin_turn(game, t_ms, opponent(player))


def _charge(game: Game, player: Player, cost: Cost) -> None:
    if cost == "penalty_ring":
        game.penalty_owed.add(opponent(player))
    elif cost == "skip":
        game.skip_owed.add(player)


def begin_turn(game: Game, t_ms: int, player: Player) -> None:
    """The turn comes to `player`, and goes on at once from a side that cannot move or whose turn is skipped."""
    while True:
        game.to_move = player
        game.armed_ms = None
        game.expired = False
        if not game.can_move(player):
            if not game.can_move(opponent(player)):
                _close(game, t_ms)
                return
            game.say(t_ms, "pass", player=player)
        elif player in game.skip_owed:
            game.skip_owed.discard(player)
            game.say(t_ms, "skip", player=player)
        else:
            return
        player = opponent(player)


def pass_if_stuck(game: Game, t_ms: int) -> None:
    """Pass for the side to move if it has lost its last move; held up by a glass in its hand or one to be put back."""
    if game.result is not None or game.closing_ms is not None or game.mends:
        return
    if game.can_move(game.to_move) or game.holds_own_glass(game.to_move):
        return
    begin_turn(game, t_ms, game.to_move)


def _close(game: Game, t_ms: int) -> None:
    """Neither side can move: open rights may still be used, then the rings are counted."""
    game.closing_ms = t_ms
    rights.on_closing(game, t_ms)
    end_if_closed(game, t_ms)


def end_if_closed(game: Game, t_ms: int) -> None:
    """End a closing game once no right is open any more."""
    if game.closing_ms is None or game.rights or game.result is not None or game.watched:
        return
    red, black = game.rings_left["red"], game.rings_left["black"]
    if red != black:
        rings.finish(game, t_ms, "red" if red < black else "black", "rings")
    elif game.settings.level == 1:
        rings.finish(game, t_ms, None, "rings")
    else:
        watching.break_tie(game, t_ms)
