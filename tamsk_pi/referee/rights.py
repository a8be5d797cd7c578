"""Ring rights: what opens and closes them, and which one a ring uses.

Source: rules.md, "Ring rights".
"""

from __future__ import annotations

from typing import Final

from tamsk_pi.referee.game import Game, Right
from tamsk_pi.rules.board import CAPACITY, SOCKETS, Player, opponent

_CREDIT_ORDER: Final = ("move", "penalty", "claim")
# At one instant: move rights, claims, penalty rights.
_CLOSING_ORDER: Final = {"move": 0, "claim": 1, "penalty": 2}


def on_move(game: Game, t_ms: int, player: Player, socket: str) -> None:
    """A completed move closes claims and what the mover had open, and opens its move right and the penalty owed."""
    game.rights = [r for r in game.rights if r.kind != "claim" and r.player != player]
    game.from_hand.pop(player, None)
    for right in (*game.rights, *game.from_hand.values()):
        right.superseded = True
        if right.kind == "move" and right.closes_ms is None:
            # Level 1: a quick reply leaves the mover its whole window.
            right.closes_ms = right.window_ms
    # Level 1: it is the move that closes it. At levels 2 and 3 it is time, and a ring at that very instant beats it.
    last_ms = t_ms if game.settings.level == 1 else t_ms - 1
    game.rights = [r for r in game.rights if r.kind != "move" or r.closes_ms is None or r.closes_ms > last_ms]
    put_lamps_out(game)
    if not game.table.is_full(socket):
        window_ms = t_ms + game.settings.ring_window_ms
        closes_ms = None if game.settings.level == 1 else window_ms
        game.rights.append(Right("move", player, socket, t_ms, closes_ms, window_ms))
    if player in game.penalty_owed:
        game.penalty_owed.discard(player)
        window_ms = t_ms + game.settings.penalty_window_ms
        game.rights.append(Right("penalty", player, None, t_ms, window_ms, window_ms))
        game.lamp[player] = _lamp_from(game, socket)


def on_closing(game: Game, t_ms: int) -> None:
    """Once neither side can move, rights that only a move would close get a time of their own."""
    window_ms = game.settings.ring_window_ms
    for right in game.rights:
        if right.closes_ms is None:
            right.closes_ms = t_ms + window_ms
    game.penalty_owed.clear()


def _close(game: Game, t_ms: int, right: Right) -> None:
    """Close a right unused. At levels 2 and 3 a claim follows a move right."""
    if right.kind == "move" and game.settings.level > 1:
        _open_claim(game, t_ms, right)
    game.rights.remove(right)
    put_lamps_out(game)


def _open_claim(game: Game, t_ms: int, right: Right) -> None:
    """The claim on the socket of a move right, if that can take a ring and no move was completed since."""
    if right.socket is None or right.superseded or game.table.is_full(right.socket):
        return
    window_ms = game.settings.ring_window_ms
    closes_ms = None if game.closing_ms is None else max(game.closing_ms, t_ms) + window_ms
    game.rights.append(Right("claim", opponent(right.player), right.socket, t_ms, closes_ms, t_ms + window_ms))


def _awaits_claim(game: Game, right: Right) -> bool:
    """Whether, at level 1, the claim beside this move right is still to open."""
    return game.settings.level == 1 and right.kind == "move" and not right.superseded and not right.shared


def next_closing_ms(game: Game) -> int | None:
    """When the next right closes by itself, or (level 1) the next claim opens."""
    times = [r.closes_ms for r in game.rights if r.closes_ms is not None]
    times += [r.window_ms for r in game.rights if _awaits_claim(game, r)]
    return min(times, default=None)


def close_due(game: Game, t_ms: int) -> None:
    """Open and close what is due at `t_ms`, in the order of rules.md."""
    for right in list(game.rights):
        if right.window_ms == t_ms and _awaits_claim(game, right):
            right.shared = True
            _open_claim(game, t_ms, right)
    for right in sorted((r for r in game.rights if r.closes_ms == t_ms), key=lambda r: _CLOSING_ORDER[r.kind]):
        if right in game.rights:
            _close(game, t_ms, right)


def for_socket(game: Game, socket: str) -> Right | None:
    """The right that a ring seen on `socket` uses, whoever dropped it; None where no right covers it."""
    if game.table.is_full(socket):
        return None
    fitting = [r for r in game.rights if r.socket in (socket, None)]
    claim = next((r for r in fitting if r.kind == "claim"), None)
    if claim is not None and game.settings.level == 1 and game.holds_own_glass(claim.player):
        # The other side drops a ring there and then moves, with the glass in its hand.
        return claim
    # Both sides may have a penalty right: the one opened last counts. The list is in order of opening.
    return min(reversed(fitting), key=lambda r: _CREDIT_ORDER.index(r.kind), default=None)


def for_player(game: Game, player: Player) -> Right | None:
    """The right that a ring of `player` uses where its place is not sensed: move, else claim, else penalty."""
    own = [r for r in game.rights if r.player == player]
    return min(own, key=lambda r: _CLOSING_ORDER[r.kind], default=None)


def use(game: Game, right: Right, socket: str) -> None:
    """Take a used right away, and every other one that the ring on `socket` has made pointless."""
    game.rights.remove(right)
    if right.kind != "penalty":
        # Level 1: of the move right and the claim beside it one ends the other.
        game.rights = [r for r in game.rights if r.socket != socket]
    put_lamps_out(game)
    drop_full(game, socket)


def put_lamps_out(game: Game) -> None:
    """Put the lamp out of every side that has no penalty right open."""
    # By the arbiter's word a side may have been given a second penalty while the right to the first was open.
    lit = {r.player for r in game.rights if r.kind == "penalty"}
    for player in game.lamp.keys() - lit:
        del game.lamp[player]


def drop_full(game: Game, socket: str) -> None:
    """Where `socket` is full now, the rights that were for it lapse and lamps move on."""
    if game.table.is_full(socket):
        game.rights = [r for r in game.rights if r.socket != socket]
        for player, lamp in game.lamp.items():
            if lamp == socket:
                game.lamp[player] = _lamp_from(game, socket)


def move_lamp_on(game: Game, player: Player) -> None:
    """Move a side's penalty lamp to the next socket that is not full."""
    here = SOCKETS.index(game.lamp[player])
    game.lamp[player] = _lamp_from(game, SOCKETS[(here + 1) % len(SOCKETS)])


def _lamp_from(game: Game, socket: str) -> str:
    """`socket`, or the next one in the order `A1` to `G4` that is not full."""
    start = SOCKETS.index(socket)
    for candidate in (*SOCKETS[start:], *SOCKETS[:start]):
        if game.table.rings[candidate] < CAPACITY[candidate]:
            return candidate
    return socket
