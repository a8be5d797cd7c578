"""What the arbiter's words do (`words.py` lists them). A word that makes no sense now is refused with a notice.

Each function returns why it refuses, or None.
"""

from __future__ import annotations

from typing import Final

from tamsk_pi.referee import glasses, rights, rings, takeback, turns
from tamsk_pi.referee.game import Game
from tamsk_pi.referee.words import Word
from tamsk_pi.rules.board import CAPACITY, RINGS_PER_SIDE, TIMER, player_named

Refusal = str | None

# Verdicts on a glass that say its placing was in order but for what the arbiter now overrules: it was a move.
_ELSE_A_MOVE: Final = ("not_flipped", "stopped_glass", "opening_order", "not_adjacent")


def obey(game: Game, word: Word) -> Refusal:
    """Do what a word says that concerns the game alone."""
    match word.what:
        case "annul":
            return annul(game, word.t_ms)
        case "accept":
            return accept(game, word.t_ms)
        case "takeback":
            return take_back(game, word.t_ms)
        case "rings":
            return _rings(game, word)
        case "glass":
            return _glass(game, word)
        case "penalty":
            return _penalty(game, word)
        case "turn":
            turns.begin_turn(game, word.t_ms, player_named(word.details["side"]))
            return None
        case "end":
            winner = word.details["winner"]
            rings.finish(game, word.t_ms, None if winner is None else player_named(winner), "arbiter")
            return None
        case _:
            return "it does not concern the game"


def annul(game: Game, t_ms: int) -> Refusal:
    """Take the last verdict back."""
    verdict = game.verdict
    if verdict is None:
        return "there is no verdict since the last move"
    game.verdict = None
    game.say(t_ms, "notice", code="annulled", verdict=verdict.ruling.as_json())
    match verdict.kind:
        case "glass":
            _annul_glass(game, t_ms, str(verdict.ruling.get("glass")))
        case "ring":
            _excuse_rings(game)
        case "timer":
            pass  # It was noted; what was armed has stood all the time.
        case "timeout" | "end":
            for name, value in verdict.before.items():
                setattr(game, name, value)
            if verdict.kind == "timeout":
                game.armed_ms = None
            else:
                game.winner = game.result = None
                for mend in game.mends.values():
                    game.say(t_ms, "resolved", code=mend.code)
                game.mends.clear()
    return None


def take_back(game: Game, t_ms: int) -> Refusal:
    """Those who play agree that the last move is taken back."""
    if not game.made:
        return "there is no move to take back"
    if takeback.is_blocked(game):
        return "another glass stands there"
    takeback.undo(game, t_ms)
    return None


def _annul_glass(game: Game, t_ms: int, glass: str) -> None:
    """A verdict on a placing is taken back: the move counts, or else the glass is right where it stands."""
    mend = game.mends.pop(glass, None)
    if mend is None:
        return
    game.say(t_ms, "resolved", code=mend.code, glass=glass)
    if mend.code in _ELSE_A_MOVE and glass not in game.held and not game.mends:
        if game.out_ms.pop(glass, None) is not None:
            game.table.out.discard(glass)
        since_ms = mend.stood.get(mend.stands)
        turns.complete_move(game, t_ms, glass, mend.home, mend.stands, home_up=mend.home_up, mended_since_ms=since_ms)


def accept(game: Game, t_ms: int) -> Refusal:
    """The position as it stands is right: nothing is left to be put back, and no ring is wrong."""
    for glass, mend in list(game.mends.items()):
        del game.mends[glass]
        game.say(t_ms, "resolved", code=mend.code, glass=glass)
    _excuse_rings(game)
    game.say(t_ms, "notice", code="accepted")
    return None


def _excuse_rings(game: Game) -> None:
    for socket, seen in game.seen_rings.items():
        game.excused_rings[socket] = seen - game.table.rings[socket]
    game.holder_debt = dict.fromkeys(game.holder_debt, 0)


def _rings(game: Game, word: Word) -> Refusal:
    socket, count = str(word.details["socket"]), word.details["count"]
    player = player_named(word.details["side"])
    assert isinstance(count, int)
    more = count - game.table.rings[socket]
    if count > CAPACITY[socket]:
        return "the socket does not hold so many rings"
    if not 0 <= game.rings_left[player] - more <= RINGS_PER_SIDE:
        return "the side does not have so many rings"
    game.table.rings[socket] = count
    game.rings_left[player] -= more
    takeback.corrected(game, socket, player, more)
    if game.settings.rings == "stack":
        game.excused_rings[socket] = game.seen_rings[socket] - count
    elif more > 0:
        # It was in the hand before, and is no longer.
        game.ring_in_hand.discard(player)
    rights.drop_full(game, socket)
    game.say(word.t_ms, "notice", code="rings_corrected", socket=socket, count=count, player=player)
    if game.rings_left[player] == 0:
        rings.finish(game, word.t_ms, player, "last_ring")
    return None


def _glass(game: Game, word: Word) -> Refusal:
    glass, t_ms = str(word.details["glass"]), word.t_ms
    left_ms = word.details.get("left_ms")
    if word.details["state"] == "stopped":
        glasses.stop_by_word(game, t_ms, glass)
    elif isinstance(left_ms, int):
        glasses.run_by_word(game, t_ms, glass, left_ms)
    else:
        return "a glass that runs needs left_ms: how long it will still run"
    if glass == TIMER and game.armed_ms is not None:
        game.armed_ms = game.sand[TIMER].stops_at_ms
    game.say(t_ms, "notice", code="glass_corrected", glass=glass, state=word.details["state"])
    return None


def _penalty(game: Game, word: Word) -> Refusal:
    player = player_named(word.details["side"])
    if word.details["given"]:
        game.penalty_owed.add(player)
    else:
        game.penalty_owed.discard(player)
        game.rights = [r for r in game.rights if not (r.kind == "penalty" and r.player == player)]
    game.say(word.t_ms, "notice", code="penalty_corrected", player=player, given=word.details["given"])
    return None
