"""Rings dropped and taken off, in the three ways of noticing them.

Source: rules.md, "Ring rights" and "Violations"; sensing.md, "What is sensed" and "Buttons".
"""

from __future__ import annotations

from tamsk_pi.referee import rights
from tamsk_pi.referee.game import Game, Right
from tamsk_pi.rules.board import Player


def on_count(game: Game, t_ms: int, socket: str, count: int) -> None:
    """Mode `stack`: `count` rings lie around a socket now; taken one ring at a time."""
    while game.result is None and game.seen_rings[socket] != count:
        if count > game.seen_rings[socket]:
            game.seen_rings[socket] += 1
            _came(game, t_ms, socket)
        else:
            game.seen_rings[socket] -= 1
            _went(game, t_ms, socket)
    game.seen_rings[socket] = count


def _uncounted(game: Game, socket: str) -> int:
    """Rings seen beyond those that count (below 0: missing), unobserved ones not looked at."""
    return game.seen_rings[socket] - game.table.rings[socket]


def _came(game: Game, t_ms: int, socket: str) -> None:
    excused = game.excused_rings.get(socket, 0)
    if excused < 0:
        game.excused_rings[socket] = excused + 1
    elif _uncounted(game, socket) - excused <= 0:
        game.say(t_ms, "resolved", code="ring_removed", socket=socket)
    else:
        right = rights.for_socket(game, socket)
        if right is not None:
            credit(game, t_ms, right, socket)
            return
        _violation(game, t_ms, socket, code="ring_not_due", socket=socket)


def _went(game: Game, t_ms: int, socket: str) -> None:
    excused = game.excused_rings.get(socket, 0)
    if _uncounted(game, socket) - excused >= 0:
        game.say(t_ms, "resolved", code="ring_not_due", socket=socket)
    elif excused > 0:
        game.excused_rings[socket] = excused - 1
    else:
        _violation(game, t_ms, socket, code="ring_removed", socket=socket)


def changed_unseen(game: Game, t_ms: int, socket: str, more: int) -> None:
    """`more` rings came (below 0: went) while nothing was watched: they mend what was wrong, or else are nobody's."""
    excused = game.excused_rings.get(socket, 0)
    wrong = _uncounted(game, socket) - excused
    mended = min(wrong, max(-more, 0)) if wrong > 0 else -min(-wrong, max(more, 0))
    for _ in range(abs(mended)):
        code = "ring_not_due" if mended > 0 else "ring_removed"
        game.say(t_ms, "resolved", code=code, socket=socket)
    game.excused_rings[socket] = excused + more + mended
    game.seen_rings[socket] += more


def _violation(game: Game, t_ms: int, where: str, **details: object) -> None:
    """A ring violation at a socket, or (mode `holder`) at a side's holder."""
    game.ring_since_ms[where] = t_ms
    game.say(t_ms, "violation", **details)
    game.note_verdict("ring", {})


def credit(game: Game, t_ms: int, right: Right, socket: str) -> None:
    """Count a ring for the side whose right it uses; its last ring wins the game."""
    player = right.player
    game.table.rings[socket] += 1
    game.rings_left[player] -= 1
    rights.use(game, right, socket)
    game.say(t_ms, "ring", player=player, socket=socket, count=game.table.rings[socket], reason=right.kind)
    if game.rings_left[player] == 0:
        finish(game, t_ms, player, "last_ring")


def finish(game: Game, t_ms: int, winner: Player | None, reason: str) -> None:
    """The game is over."""
    before = game.keep()
    game.winner, game.result = winner, reason
    game.rights.clear()
    game.armed_ms = None
    game.say(
        t_ms,
        "game_over",
        winner=winner,
        reason=reason,
        red=game.rings_left["red"],
        black=game.rings_left["black"],
    )
    game.note_verdict("end", before)


def on_holder(game: Game, t_ms: int, player: Player, taken: int) -> None:
    """Mode `holder`: `taken` rings left a side's holder (below 0: came back to it); taken one ring at a time."""
    for _ in range(abs(taken)):
        if game.result is not None:
            return
        if taken > 0:
            _left_holder(game, t_ms, player)
        else:
            _back_on_holder(game, t_ms, player)


def _left_holder(game: Game, t_ms: int, player: Player) -> None:
    if game.holder_debt[player] < 0:
        game.holder_debt[player] += 1
        game.say(t_ms, "resolved", code="ring_removed", player=player)
        return
    right = rights.for_player(game, player)
    if right is None:
        game.holder_debt[player] += 1
        _violation(game, t_ms, player, code="ring_not_due", player=player)
    else:
        credit(game, t_ms, right, right.socket or game.lamp[player])


def _back_on_holder(game: Game, t_ms: int, player: Player) -> None:
    if game.holder_debt[player] > 0:
        game.holder_debt[player] -= 1
        game.say(t_ms, "resolved", code="ring_not_due", player=player)
    else:
        game.holder_debt[player] -= 1
        _violation(game, t_ms, player, code="ring_removed", player=player)


def holder_changed_unseen(game: Game, t_ms: int, player: Player, more: int) -> None:
    """`more` rings came back to a holder (below 0: left it) unwatched: they mend what was wrong, or are nobody's."""
    debt = game.holder_debt[player]
    mended = min(debt, max(more, 0)) if debt > 0 else -min(-debt, max(-more, 0))
    for _ in range(abs(mended)):
        code = "ring_not_due" if mended > 0 else "ring_removed"
        game.say(t_ms, "resolved", code=code, player=player)
    game.holder_debt[player] -= mended


def on_short_press(game: Game, t_ms: int, player: Player, *, to_move: bool, can_move: bool) -> None:
    """A side's button pressed shortly; `to_move`: it is its turn (never while the game is closing)."""
    mode = game.settings.rings
    right = rights.for_player(game, player)
    if right is not None and right.socket is not None and mode == "buttons":
        credit(game, t_ms, right, right.socket)
    elif mode != "stack" and player in game.lamp:
        rights.move_lamp_on(game, player)
    elif right is not None:
        return
    elif to_move:
        if can_move:
            game.say(t_ms, "violation", code="must_move", player=player)
    elif mode == "buttons":
        game.say(t_ms, "violation", code="ring_not_due", player=player)


def on_long_press(game: Game, t_ms: int, player: Player) -> None:
    """A side's button pressed long: in mode `buttons` it sets that side's penalty ring at the lamp.

    In mode `holder` a ring that leaves the holder does that.
    """
    penalty = next((r for r in game.rights if r.kind == "penalty" and r.player == player), None)
    if penalty is not None and game.settings.rings == "buttons":
        credit(game, t_ms, penalty, game.lamp[player])
