"""What the hub knows of each board now, and which of them need the arbiter first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import attrs

from tamsk_pi.club.topics import Place
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.sensing.settings import Settings

Need = Literal["violation", "dispute", "recheck", "fault", "alarm", "not_heard", "clock", ""]

NEEDS: Final[tuple[Need, ...]] = ("violation", "dispute", "recheck", "fault", "alarm", "not_heard", "clock", "")
"""What may be wanted of the arbiter, the most urgent first."""


@attrs.frozen(kw_only=True)
class BoardPicture:
    """One board, as it is shown. Immutable."""

    place: Place
    heard: bool = False
    told: bool = False
    """Whether anything ever came from it."""
    game: str = ""
    game_id: int | None = None
    settings: Settings | None = None
    snapshot: Snapshot | None = None
    rulings: Sequence[Ruling] = ()
    taken_at_ms: int = 0
    """The hub's monotonic time at which the last line came."""
    over: bool = False
    problem: str | None = None
    alarms: tuple[Mapping[str, object], ...] = ()

    def now_ms(self, mono_ms: int) -> int:
        """The game's clock, as far as it can be known here: it goes on between lines while the board plays."""
        snapshot = self.snapshot
        if snapshot is None:
            return 0
        stands = self.over or not self.heard or snapshot.phase in ("setting_up", "paused", "over")
        return snapshot.now_ms if stands else snapshot.now_ms + max(0, mono_ms - self.taken_at_ms)

    def need(self) -> Need:
        """What is wanted of the arbiter first."""
        snapshot = self.snapshot
        if snapshot is not None and not self.over:
            if snapshot.violations:
                return "violation"
            if snapshot.waits or snapshot.differing:
                return "dispute"
            if _is_rechecked(self.rulings):
                return "recheck"
            if snapshot.faults or snapshot.suspects:
                return "fault"
        if self.alarms or self.problem:
            return "alarm"
        if self.told and not self.heard and not self.over:
            return "not_heard"
        if snapshot is not None and not self.over and _stands_still(snapshot):
            return "clock"
        return ""


def _is_rechecked(rulings: Sequence[Ruling]) -> bool:
    for ruling in reversed(rulings):
        if ruling.kind == "notice" and ruling.get("code") == "recheck":
            return True
        if ruling.kind in ("move", "started", "game_over"):
            return False
    return False


def _stands_still(snapshot: Snapshot) -> bool:
    """Whether a game that has begun is not going on: paused, or at levels 2 and 3 no sand runs after the first move."""
    if snapshot.phase == "paused":
        return True
    if snapshot.level == 1 or snapshot.phase != "to_move" or snapshot.last_move is None:
        return False
    return not any(
        glass.stops_at_ms is not None and glass.stops_at_ms > snapshot.now_ms for glass in snapshot.glasses.values()
    )


def by_need(pictures: Sequence[BoardPicture]) -> list[BoardPicture]:
    """The boards that need the arbiter first, first; among equals by number."""
    return sorted(pictures, key=lambda picture: (NEEDS.index(picture.need()), picture.place.board))
