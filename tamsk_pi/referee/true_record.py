"""Whether a game's record, played after, leads to the position in which the game really is.

A game that an arbiter has corrected, or of which something was not seen, need not be one that a record can tell: then
there is none, which is better than one that tells what did not stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from tamsk_pi.referee.game import Game
from tamsk_pi.rules.board import CAPACITY, GLASSES, RINGS_PER_SIDE, START, Player, opponent
from tamsk_pi.rules.notation import Move, Turn
from tamsk_pi.rules.record import Record, RecordError

NO_RECORD: Final = "it was corrected, or not seen whole, and no record leads to its position"


def check(record: Record, game: Game) -> None:
    """`RecordError`, in one line, where the record does not lead to the game's position."""
    if game.result == "full_socket":
        # The glass that lost the game stands where no move has brought it.
        return
    played = _Played(game.settings.setup == "free")
    for turn in record.turns:
        played.take(turn)
    differing = sorted({*played.differences(game)})
    if differing:
        raise RecordError(f"{NO_RECORD} ({', '.join(differing)})")


class _Played:
    """A record played after: which sockets the sides' glasses stand in, the rings, and how many are left."""

    def __init__(self, is_free: bool) -> None:
        self._standing: Counter[tuple[str, str]] = Counter()
        self._rings: Counter[str] = Counter()
        self._mover: Player = "black"
        self._left: dict[Player, int] = {"red": RINGS_PER_SIDE, "black": RINGS_PER_SIDE}
        if not is_free:
            self._standing.update((glass[0], socket) for glass, socket in START.items())

    def take(self, turn: Turn) -> None:
        if turn.claim is not None:
            # Of the side that did not make the last move, whoever's turn this is.
            self._drop(opponent(self._mover), turn.claim)
        if not isinstance(turn.action, Move):
            return
        self._mover = turn.player
        move, side = turn.action, "R" if turn.player == "red" else "B"
        if move.origin is not None:
            self._standing[side, move.origin] -= 1
        self._standing[side, move.to] += 1
        if move.ring != "none":
            self._drop(turn.player, move.to)
        if move.penalty is not None:
            self._drop(turn.player, move.penalty.socket)

    def _drop(self, player: Player, socket: str) -> None:
        self._rings[socket] += 1
        self._left[player] -= 1

    def differences(self, game: Game) -> Iterable[str]:
        """The sockets, and the sides whose rings left, that are otherwise in the game."""
        standing = Counter((glass[0], home) for glass in GLASSES if (home := _home(game, glass)) is not None)
        for side, socket in {*standing, *self._standing}:
            if standing[side, socket] != self._standing[side, socket]:
                yield socket
        yield from (s for s in CAPACITY if self._rings[s] != game.table.rings[s])
        yield from (player for player, left in self._left.items() if left != game.rings_left[player])


def _home(game: Game, glass: str) -> str | None:
    """Where a glass stands by the rules: one in hand where it was lifted, one to be put back at its home."""
    if glass in game.mends:
        return game.mends[glass].home
    if glass in game.held:
        return game.held[glass].socket
    return game.table.standing[glass]
