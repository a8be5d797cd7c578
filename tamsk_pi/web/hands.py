"""Many may look, few may act: who has which side's hands, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tamsk_pi.rules.board import PLAYERS, Player, owner_of
from tamsk_pi.web import actions
from tamsk_pi.web.actions import Seat
from tamsk_pi.web.hub import Viewer

SIDES: Final[dict[Seat, tuple[Player, ...]]] = {"both": ("red", "black"), "red": ("red",), "black": ("black",)}


def side_of(action: actions.HandAction) -> Player | None:
    """The side whose hands do this; None for what either may do."""
    match action:
        case (
            actions.Lift(glass=glass)
            | actions.Place(glass=glass)
            | actions.PlaceBetween(glass=glass)
            | actions.PutBack(glass=glass)
            | actions.TurnInPlace(glass=glass)
        ):
            return owner_of(glass)
        case actions.DropRing(player=player):
            return player
        case actions.PressButton(button="red" | "black" as player):
            return player
        case _:
            return None


class HandsDesk:
    """Gives each side's hands to one viewer at a time, or both to one. `changed` is called after every change."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._holders: dict[Player, tuple[Viewer, str] | None] = dict.fromkeys(PLAYERS)

    def holder(self, side: Player) -> Viewer | None:
        """Who has the hands of a side."""
        held = self._holders[side]
        return None if held is None else held[0]

    def name(self, side: Player) -> str:
        """What whoever has the hands of a side calls itself; empty where it told no name, or nobody has them."""
        held = self._holders[side]
        return "" if held is None else held[1]

    def has_any(self, viewer: Viewer) -> bool:
        """Whether this viewer has the hands of a side."""
        return any(self.holder(side) is viewer for side in PLAYERS)

    def take(self, viewer: Viewer, name: str, seat: Seat = "both") -> None:
        """Take a seat, from whoever has it: a person's own choice, never done by itself. Another seat is given up."""
        mine = (viewer, name)
        self._set({s: mine if s in SIDES[seat] else self._but(viewer, s) for s in PLAYERS})

    def release(self, viewer: Viewer) -> None:
        """Give back what this viewer has."""
        self._set({side: self._but(viewer, side) for side in PLAYERS})

    def _but(self, viewer: Viewer, side: Player) -> tuple[Viewer, str] | None:
        held = self._holders[side]
        return None if held is not None and held[0] is viewer else held

    def _set(self, holders: dict[Player, tuple[Viewer, str] | None]) -> None:
        if holders != self._holders:
            self._holders = holders
            self._changed()

    def refusal(self, viewer: Viewer, side: Player | None = None) -> str | None:
        """Why this viewer may not act for a side (None: either will do), or None. Hands that nobody has go to the
        first who acts: both, where both are free.
        """
        if not self.has_any(viewer):
            free = [s for s in PLAYERS if self._holders[s] is None]
            if len(free) == len(PLAYERS):
                self.take(viewer, "")
            elif free and side in (None, *free):
                self.take(viewer, "", free[0])
        if self.has_any(viewer) if side is None else self.holder(side) is viewer:
            return None
        if side is not None and self.has_any(viewer):
            return f"this page plays {'red' if side == 'black' else 'black'} only"
        names = [self.name(s) for s in PLAYERS if self._holders[s] is not None and side in (None, s)]
        return f"the hands are with {next(filter(None, names), 'another page')}; take them over first"
