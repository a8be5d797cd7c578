"""What the engine is given: a position with the sand of every glass, and what else decides which turn is best."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from tamsk_pi.rules.board import GLASSES, PLAYERS, Player, owner_of
from tamsk_pi.rules.editions import RULEBOOK
from tamsk_pi.rules.position import Position
from tamsk_pi.rules.sand import GLASS_MS, TIMER_MS

PACE_MS: Final = 8_000
"""How long a side takes for a turn while nothing has been measured."""

RELEASE_MS: Final = 300
"""The other side may move once a glass has stood for so long (rules.md, "A turn")."""


@attrs.frozen
class GlassSand:
    """The sand of one glass, as it is now."""

    left_ms: int = 0
    """How long its sand still runs; 0 when the upper chamber is empty."""
    full_ms: int = GLASS_MS
    """How long a full upper chamber runs with the end up that is up now."""
    other_full_ms: int = GLASS_MS
    """The same with the other end up."""
    moved: bool = False
    out: bool = False
    """It has stopped for good after having moved: it is not moved again."""


def _fresh() -> Mapping[str, GlassSand]:
    return MappingProxyType({glass: GlassSand() for glass in GLASSES})


def _paces() -> Mapping[Player, int]:
    return MappingProxyType(dict.fromkeys(PLAYERS, PACE_MS))


@attrs.frozen(kw_only=True)
class Situation:
    """A moment of a game at which a side is to decide. Times are ms from now.

    `ValueError` where level, times or names are not possible; the position itself has been checked by `Position`.
    """

    position: Position
    level: int = 1
    rules: str = RULEBOOK.name
    """The name of the edition."""
    sand: Mapping[str, GlassSand] = attrs.field(factory=_fresh)
    """Each travelling glass's sand. Not looked at at level 1."""
    paces_ms: Mapping[Player, int] = attrs.field(factory=_paces)
    """How long each side takes from one completed move to the next, as measured in this game."""
    claim: str | None = None
    """The socket on which the side to move may still drop a ring for a right that the other side left unused."""
    penalty_owed: frozenset[Player] = frozenset()
    """The sides that may drop a penalty ring once they have completed their next move."""
    skip_owed: frozenset[Player] = frozenset()
    """The sides whose next turn is skipped."""
    timer_left_ms: int = 0
    """How long the 15-second timer's sand still runs; 0 when it can be turned."""
    timer_full_ms: int = TIMER_MS
    expires_ms: int | None = None
    """When the timer that is armed against the side to move runs out."""

    def __attrs_post_init__(self) -> None:
        if self.level not in (1, 2, 3):
            raise ValueError(f"level {self.level} (allowed: 1, 2 or 3)")
        strange = sorted(set(self.sand) - set(GLASSES))
        if strange:
            raise ValueError(f"no such glass: {', '.join(strange)}")
        for glass in GLASSES:
            sand = self.sand.get(glass, GlassSand())
            if sand.full_ms < 1 or sand.other_full_ms < 1 or not 0 <= sand.left_ms <= sand.full_ms:
                raise ValueError(f"{glass}: {sand.left_ms} ms left of {sand.full_ms} ms is not possible")
        for player, pace_ms in self.paces_ms.items():
            if pace_ms < 1:
                raise ValueError(f"{player}'s pace: {pace_ms} ms (must be above 0)")

    @property
    def to_move(self) -> Player:
        """The side that decides."""
        return self.position.to_move

    def may_still_move(self, glass: str) -> bool:
        """Whether the glass is not out: at level 1 none ever is."""
        return self.level == 1 or not self.sand.get(glass, GlassSand()).out

    def running(self, player: Player) -> tuple[str, ...]:
        """A side's glasses that may still be moved."""
        return tuple(g for g in GLASSES if owner_of(g) == player and self.may_still_move(g))
