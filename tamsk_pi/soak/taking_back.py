"""A move taken back by agreement: what must be as it was, told from the rulings since and not by the referee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import PLAYERS, Player, player_named

if TYPE_CHECKING:
    from tamsk_pi.soak.game import SoakGame

ANSWERED: Final = ("taken_back", "refused")
_UNTOLD: Final = ("ring_undone", "rings_corrected")


@attrs.define
class TakeBack:
    """What was said, and what is to be as it was before the last move."""

    since: int
    """How many rulings there were when it was said."""
    player: Player
    glass: str
    back_to: str | None
    rings: Mapping[str, int]
    rings_left: Mapping[Player, int]
    before: Snapshot
    are_known: bool
    """Whether the rings are: where the arbiter counted some nobody tells how many there were before."""
    are_off: bool = False
    """Whether the rings that no sensor tells of have been taken off."""

    @classmethod
    def of(cls, game: SoakGame) -> TakeBack:
        """Of the last move, as it stands before the word is said."""
        picture, rulings = game.desk.snapshot(), game.desk.rulings
        last = max(n for n, ruling in enumerate(rulings) if ruling.kind == "move")
        move = rulings[last]
        rings = dict(picture.rings)
        rings_left = {player: picture.rings_left[player] for player in PLAYERS}
        are_known = not any(ruling.get("code") in _UNTOLD for ruling in rulings[last + 1 :])
        for ruling in rulings[last + 1 :]:
            for socket, player, more in _credited(ruling):
                rings[socket] -= more
                rings_left[player] += more
        player, home = player_named(move.get("player")), move.get("from")
        back_to = None if home is None else str(home)
        return cls(len(rulings), player, str(move.get("glass")), back_to, rings, rings_left, picture, are_known)

    def is_answered(self, game: SoakGame) -> bool:
        """Whether the players have been told what to put back."""
        return self._answer(game.desk.rulings) is not None

    def is_done(self, game: SoakGame) -> bool:
        """Whether it was answered, and the board is as it was; takes off what nobody else would."""
        answered = self._answer(game.desk.rulings)
        if answered is None:
            return False
        if game.plan.fitted.rings == "buttons" and answered == "taken_back" and not self.are_off:
            self.are_off = True
            for socket, stack in game.board.truth.stacks.items():
                for owner in list(reversed(stack))[: max(0, len(stack) - self.rings[socket])]:
                    game.hands.take_ring_off(owner, socket, game.now_ms)
        picture = game.desk.snapshot()
        quiet = not (picture.violations or game.board.planned()) and game.is_steady() and game.has_settled()
        return quiet or picture.phase == "over"

    def problem(self, game: SoakGame) -> str | None:
        """What is not as it was; None where all is, or where the next move has been made already."""
        if self._answer(game.desk.rulings) == "refused":
            return None
        picture = game.desk.snapshot()
        since = [ruling.kind for ruling in game.desk.rulings[self.since :]]
        if any(kind in ("move", "forfeit", "pass", "game_over", "ring") for kind in since):
            return None
        if picture.to_move != self.player:
            return f"after a move was taken back {picture.to_move} is to move"
        if self.are_known and (dict(picture.rings) != self.rings or dict(picture.rings_left) != self.rings_left):
            return "after a move was taken back other rings count than before it"
        if picture.glasses[self.glass].socket != self.back_to:
            return f"after a move was taken back {self.glass} is on {picture.glasses[self.glass].socket}"
        return None

    def _answer(self, rulings: Sequence[Ruling]) -> str | None:
        codes = (str(ruling.get("code")) for ruling in rulings[self.since :] if ruling.kind == "notice")
        return next((code for code in codes if code in ANSWERED), None)


def _credited(ruling: Ruling) -> list[tuple[str, Player, int]]:
    if ruling.kind != "ring":
        return []
    socket, player = str(ruling.get("socket")), player_named(ruling.get("player"))
    instead_of = ruling.get("instead_of")
    if instead_of is not None:
        return [(socket, player, 1), (socket, player_named(instead_of), -1)]
    return [(socket, player, 1)]
