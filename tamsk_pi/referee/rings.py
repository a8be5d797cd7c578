"""Rings dropped and taken off, in the three ways of noticing them.

Source: rules.md, "Ring rights" and "Violations"; sensing.md, "What is sensed" and "Buttons".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

import attrs

from tamsk_pi.referee import glasses, rights
from tamsk_pi.referee.game import Dropped, Game, Right
from tamsk_pi.rules.board import Player, opponent

OWN_RING_MS: Final = 5_000
"""How long after a ring was counted the other side may say that it was its own."""


def on_count(game: Game, t_ms: int, socket: str, count: int, *, at_once: bool = False) -> None:
    """Mode `stack`: `count` rings lie around a socket now; taken one ring at a time.

    `at_once`: so many came or went in one go that no hand dropped them, so none of them uses a right.
    """
    told = _Told(game, t_ms, {"socket": socket})
    while game.result is None and game.seen_rings[socket] != count:
        if count > game.seen_rings[socket]:
            game.seen_rings[socket] += 1
            _came(game, t_ms, socket, told, credited=not at_once)
        else:
            game.seen_rings[socket] -= 1
            _went(game, socket, told)
    game.seen_rings[socket] = count
    told.say(socket)


@attrs.define
class _Told:
    """Counts what one change of a count amounts to, so that each thing is said once for all of its rings."""

    game: Game
    t_ms: int
    where: Mapping[str, object]
    violated: Counter[str] = attrs.field(factory=Counter)

    def is_resolved(self, code: str) -> None:
        """A ring has put something right."""
        self.game.say(self.t_ms, "resolved", code=code, **self.where)

    def say(self, where: str) -> None:
        """Say what is wrong; `where` is the socket, or (mode `holder`) the side."""
        for code, rings in self.violated.items():
            many = {"rings": rings} if rings > 1 else {}
            self.game.ring_since_ms[where] = self.t_ms
            self.game.say(self.t_ms, "violation", code=code, **self.where, **many)
            self.game.note_verdict("ring", {})


def _uncounted(game: Game, socket: str) -> int:
    """Rings seen beyond those that count (below 0: missing), unobserved ones not looked at."""
    return game.seen_rings[socket] - game.table.rings[socket]


def misses(game: Game, socket: str) -> bool:
    """Whether a ring that was taken off is to be put back there."""
    return _uncounted(game, socket) - game.excused_rings.get(socket, 0) < 0


def _came(game: Game, t_ms: int, socket: str, told: _Told, *, credited: bool) -> None:
    excused = game.excused_rings.get(socket, 0)
    if excused < 0:
        game.excused_rings[socket] = excused + 1
    elif _uncounted(game, socket) - excused <= 0:
        told.is_resolved("ring_removed")
    else:
        right = rights.for_socket(game, socket) if credited else None
        if right is not None:
            credit(game, t_ms, right, socket)
        else:
            told.violated["ring_not_due"] += 1


def _went(game: Game, socket: str, told: _Told) -> None:
    excused = game.excused_rings.get(socket, 0)
    if _uncounted(game, socket) - excused >= 0:
        told.is_resolved("ring_not_due")
    elif excused > 0:
        game.excused_rings[socket] = excused - 1
    else:
        told.violated["ring_removed"] += 1


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


def credit(game: Game, t_ms: int, right: Right, socket: str) -> None:
    """Count a ring for the side whose right it uses; its last ring wins the game."""
    player = right.player
    game.table.rings[socket] += 1
    game.rings_left[player] -= 1
    count = game.table.rings[socket]
    if game.settings.rings == "stack" and (right.kind == "claim" or (right.kind == "move" and right.shared)):
        mover = opponent(player) if right.kind == "claim" else player
        game.dropped = [d for d in game.dropped if t_ms - d.t_ms <= OWN_RING_MS]
        game.dropped.append(Dropped(t_ms, socket, count, mover, player))
    rights.use(game, right, socket)
    game.say(t_ms, "ring", player=player, socket=socket, count=count, reason=right.kind)
    if game.rings_left[player] == 0:
        finish(game, t_ms, player, "last_ring")


def _says_own(game: Game, t_ms: int, player: Player) -> bool:
    """A side says that a ring just counted for the other was its own: it is. False where there is none such."""
    for ring in reversed(game.dropped):
        if ring.player == player or player in ring.said or t_ms - ring.t_ms > OWN_RING_MS:
            continue
        before, ring.player = ring.player, player
        ring.said.add(player)
        game.rings_left[before] += 1
        game.rings_left[player] -= 1
        reason = "move" if player == ring.mover else "claim"
        told = {"player": player, "socket": ring.socket, "count": ring.count, "reason": reason}
        game.say(t_ms, "ring", **told, instead_of=before)
        if game.rings_left[player] == 0:
            finish(game, t_ms, player, "last_ring")
        return True
    return False


def on_placed(game: Game, t_ms: int, player: Player, socket: str, mended_since_ms: int | None) -> None:
    """Count the ring that came before the move it belongs to: out of the hand, or laid on its unturned glass.

    `mended_since_ms`: since when the glass wrongly stood in the socket to which it has moved now.
    """
    right = next((r for r in game.rights if r.kind == "move" and r.player == player and r.socket == socket), None)
    if right is None:
        return
    if game.settings.rings == "holder" and player in game.ring_in_hand:
        game.ring_in_hand.discard(player)
        game.from_hand[player] = right
        credit(game, t_ms, right, socket)
    elif (
        mended_since_ms is not None
        and game.settings.rings == "stack"
        and _uncounted(game, socket) - game.excused_rings.get(socket, 0) == 1
        and game.ring_since_ms.get(socket, -1) >= mended_since_ms
    ):
        game.say(t_ms, "resolved", code="ring_not_due", socket=socket)
        credit(game, t_ms, right, socket)


def finish(game: Game, t_ms: int, winner: Player | None, reason: str) -> None:
    """The game is over."""
    before = game.keep()
    game.over_ms = t_ms
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


def on_holder(game: Game, t_ms: int, player: Player, taken: int, *, at_once: bool = False) -> None:
    """Mode `holder`: `taken` rings left a side's holder (below 0: came back to it); taken one ring at a time.

    `at_once`: so many in one go that no hand took them, so none of them uses a right.
    """
    told = _Told(game, t_ms, {"player": player})
    for _ in range(abs(taken)):
        if game.result is not None:
            return
        if taken > 0:
            _left_holder(game, t_ms, player, told, credited=not at_once)
        else:
            _back_on_holder(game, t_ms, player, told)
    told.say(player)


def _left_holder(game: Game, t_ms: int, player: Player, told: _Told, *, credited: bool) -> None:
    if game.holder_debt[player] < 0:
        game.holder_debt[player] += 1
        told.is_resolved("ring_removed")
        return
    right = rights.for_player(game, player) if credited else None
    if right is not None:
        credit(game, t_ms, right, right.socket or game.lamp[player])
    elif credited and player not in game.ring_in_hand:
        game.ring_in_hand.add(player)
    else:
        game.holder_debt[player] += 1
        told.violated["ring_not_due"] += 1


def _back_on_holder(game: Game, t_ms: int, player: Player, told: _Told) -> None:
    if game.holder_debt[player] > 0:
        game.holder_debt[player] -= 1
        told.is_resolved("ring_not_due")
    elif player in game.ring_in_hand:
        game.ring_in_hand.discard(player)
    elif not _put_back(game, t_ms, player):
        game.holder_debt[player] -= 1
        told.violated["ring_removed"] += 1


def _put_back(game: Game, t_ms: int, player: Player) -> bool:
    """Undo the ring that came out of the hand at the placing, within the move right's own window."""
    right = game.from_hand.pop(player, None)
    if right is None or right.socket is None or t_ms > right.opened_ms + game.settings.ring_window_ms:
        return False
    game.table.rings[right.socket] -= 1
    game.rings_left[player] += 1
    game.rights.append(right)
    count = game.table.rings[right.socket]
    game.say(t_ms, "notice", code="ring_undone", player=player, socket=right.socket, count=count)
    return True


def holder_changed_unseen(game: Game, t_ms: int, player: Player, more: int) -> None:
    """`more` rings came back to a holder (below 0: left it) unwatched: they mend what was wrong, or are nobody's."""
    debt = game.holder_debt[player]
    mended = min(debt, max(more, 0)) if debt > 0 else -min(-debt, max(-more, 0))
    for _ in range(abs(mended)):
        code = "ring_not_due" if mended > 0 else "ring_removed"
        game.say(t_ms, "resolved", code=code, player=player)
    game.holder_debt[player] -= mended
    if more > mended:
        # One more than was wrong: the one that was in the hand lies there again.
        game.ring_in_hand.discard(player)


def on_short_press(game: Game, t_ms: int, player: Player, *, to_move: bool, can_move: bool) -> None:
    """A side's button pressed shortly; `to_move`: it is its turn (never while the game is closing)."""
    mode = game.settings.rings
    right = rights.for_player(game, player)
    if mode == "stack" and _says_own(game, t_ms, player):
        return
    if right is not None and right.socket is not None and mode == "buttons":
        credit(game, t_ms, right, right.socket)
    elif mode != "stack" and player in game.lamp:
        rights.move_lamp_on(game, player)
    elif glasses.waive_timer(game, t_ms, player) or right is not None:
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
