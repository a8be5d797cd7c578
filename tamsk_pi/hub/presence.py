"""Which boards are heard, what they play, and whether two of them go by one number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import attrs

from tamsk_pi.club.topics import Place


@attrs.define
class _Board:
    game: str | None = None
    named: bool = False
    """Whether the board itself named the game, and it was not only guessed by the lines that came."""
    told: bool = False
    speaker: str = ""
    instances: dict[str, float] = attrs.field(factory=dict)
    """The machines that go by this number, and when each was heard last (s)."""
    was_heard: bool = False


class Presence:
    """Used in the hub's thread."""

    SILENT_S: Final = 30.0
    """A board tells of itself every ten seconds; one that was silent for so long is not heard, whatever a will says."""
    SKEW_MS: Final = 60_000

    def __init__(self, mono: Callable[[], float]) -> None:
        self._mono: Final = mono
        self._boards: dict[Place, _Board] = {}

    def _board(self, place: Place) -> _Board:
        return self._boards.setdefault(place, _Board())

    def remember(self, place: Place, game: str) -> None:
        """The last game that is known of a board."""
        board = self._board(place)
        board.game, board.told = game or None, True

    def take(self, place: Place, heard: bool, instance: str, game: str | None, *, retained: bool) -> bool:
        """A board told of itself; whether two machines do so by turns under its number."""
        board = self._board(place)
        board.told = True
        if not heard:
            board.instances.pop(instance, None)
            return False
        if game is not None:
            board.game, board.named = game, True
        if retained:
            # It may be long ago; the board's own next word, or its will, tells.
            board.instances.setdefault(instance, self._mono())
            board.speaker = board.speaker or instance
            return False
        again = instance in board.instances and board.speaker not in ("", instance) and board.speaker in board.instances
        board.instances[instance] = self._mono()
        board.speaker = instance
        return again

    def is_heard(self, place: Place) -> bool:
        board = self._boards.get(place)
        return board is not None and any(self._mono() - at_s < self.SILENT_S for at_s in board.instances.values())

    def is_told(self, place: Place) -> bool:
        """Whether anything ever came from there."""
        return place in self._boards and self._boards[place].told

    def game(self, place: Place) -> str | None:
        board = self._boards.get(place)
        return None if board is None else board.game

    def names_game(self, place: Place) -> bool:
        """Whether the board itself tells which game it plays."""
        board = self._boards.get(place)
        return board is not None and board.named

    def gone_silent(self) -> set[Place]:
        """Boards that are heard, or not, otherwise than the last time this was asked."""
        changed = set()
        for place, board in self._boards.items():
            heard = self.is_heard(place)
            if heard != board.was_heard:
                board.was_heard = heard
                changed.add(place)
        return changed
