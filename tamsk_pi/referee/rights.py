"""Ring rights: what opens and closes them, and which one a ring uses.

Source: rules.md, "Ring rights".
"""

from __future__ import annotations

from typing import Final

from tamsk_pi.referee.game import Game, Right
from tamsk_pi.rules.board import CAPACITY, SOCKETS, Player, opponent, owner_of

_CREDIT_ORDER: Final = ("move", "penalty", "claim")
# At one instant: move rights, claims, penalty rights.
_CLOSING_ORDER: Final = {"move": 0, "claim": 1, "penalty": 2}


def on_lift(game: Game, t_ms: int, glass: str) -> None:
    """A lift closes the lifter's own move and penalty rights, and at level 1 anybody's move right."""
    lifter = owner_of(glass)
    for right in list(game.rights):
        own = right.player == lifter
        if (right.kind == "move" and (own or game.settings.level == 1)) or (right.kind == "penalty" and own):
            close(game, t_ms, right)


def on_move(game: Game, t_ms: int, player: Player, socket: str) -> None:
    """A completed move closes claims and opens the mover's move right, and the penalty right it is owed."""
    game.rights = [r for r in game.rights if r.kind != "claim"]
    for right in game.rights:
        right.superseded = True
    window_ms = None if game.settings.level == 1 else t_ms + game.settings.ring_window_ms
    _open(game, Right("move", player, socket, t_ms, window_ms))
    if player in game.penalty_owed:
        game.penalty_owed.discard(player)
        _open(game, Right("penalty", player, None, t_ms, t_ms + game.settings.penalty_window_ms))
        game.lamp[player] = _lamp_from(game, socket)


def on_closing(game: Game, t_ms: int) -> None:
    """Once neither side can move, rights that only a lift or a move would close get a time of their own."""
    window_ms = game.settings.ring_window_ms
    for right in game.rights:
        if right.closes_ms is None:
            right.closes_ms = t_ms + window_ms
    game.penalty_owed.clear()


def _open(game: Game, right: Right) -> None:
    game.rights.append(right)


def close(game: Game, t_ms: int, right: Right) -> None:
    """Close a right unused; a move right leaves a claim behind if its socket can take a ring and no move came since."""
    game.rights.remove(right)
    _put_lamp_out(game, right.player)
    if (
        right.kind == "move"
        and right.socket is not None
        and not right.superseded
        and not game.table.is_full(right.socket)
    ):
        closes_ms = None if game.closing_ms is None else max(game.closing_ms, t_ms) + game.settings.ring_window_ms
        _open(game, Right("claim", opponent(right.player), right.socket, t_ms, closes_ms))


def next_closing_ms(game: Game) -> int | None:
    """When the next right closes by itself."""
    return min((r.closes_ms for r in game.rights if r.closes_ms is not None), default=None)


def close_due(game: Game, t_ms: int) -> None:
    """Close what is due at `t_ms`, in the order of rules.md."""
    for right in sorted((r for r in game.rights if r.closes_ms == t_ms), key=lambda r: _CLOSING_ORDER[r.kind]):
        if right in game.rights:
            close(game, t_ms, right)


def for_socket(game: Game, socket: str) -> Right | None:
    """The right that a ring seen on `socket` uses, whoever dropped it; None where no right covers it."""
    if game.table.is_full(socket):
        return None
    fitting = [r for r in game.rights if r.socket in (socket, None)]
    # Both sides may have a penalty right: the one opened last counts. The list is in order of opening.
    return min(reversed(fitting), key=lambda r: _CREDIT_ORDER.index(r.kind), default=None)


def for_player(game: Game, player: Player) -> Right | None:
    """The right that a ring of `player` uses where its place is not sensed: move, else claim, else penalty."""
    own = [r for r in game.rights if r.player == player]
    return min(own, key=lambda r: _CLOSING_ORDER[r.kind], default=None)


def use(game: Game, right: Right, socket: str) -> None:
    """Take a used right away, and every other one that the ring on `socket` has made pointless."""
    game.rights.remove(right)
    _put_lamp_out(game, right.player)
    drop_full(game, socket)


def _put_lamp_out(game: Game, player: Player) -> None:
    # By the arbiter's word a side may have been given a second penalty while the right to the first was open.
    if not any(r.kind == "penalty" and r.player == player for r in game.rights):
        game.lamp.pop(player, None)


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
