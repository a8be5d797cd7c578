"""Everything that decides a game besides its edges: what a trace's header carries (sensing.md, "The trace format")."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, Self

import attrs

from tamsk_pi.rules.board import GLASSES, START, TIMER
from tamsk_pi.rules.position import Position
from tamsk_pi.rules.sand import GLASS_MS, TIMER_MS

RingMode = Literal["stack", "holder", "buttons"]
SocketSensor = Literal["reed", "hall"]
Setup = Literal["corners", "free"]

GAP_MS: Final = MappingProxyType({"socket": 20, "tilt": 150, "ring": 150, "holder": 150, "button": 20})
"""Successive edges of one input closer together than this form a burst."""

SETTLE_MS: Final = MappingProxyType({"socket": 120, "tilt": 150, "ring": 150, "holder": 150, "button": 30})
"""An input that keeps one value this long has settled."""


def default_glass_ms() -> dict[str, Mapping[str, int]]:
    """Three minutes for each travelling glass and 15 s for the timer, either end up."""
    times = {g: GLASS_MS for g in GLASSES} | {TIMER: TIMER_MS}
    return {g: {"a": ms, "b": ms} for g, ms in times.items()}


def default_up() -> dict[str, str]:
    """Every glass with its end a up."""
    return dict.fromkeys((*GLASSES, TIMER), "a")


@attrs.frozen(kw_only=True)
class Tolerance:
    """How far real sand may stray from the model before a judgement rests on it, in ms."""

    glass_ms: int = 0
    timer_ms: int = 0


@attrs.frozen(kw_only=True)
class Settings:
    """One game's settings. The defaults are those of a trace's header; ranges are checked where texts are read."""

    level: int
    rules: str = "rulebook"
    rings: RingMode = "stack"
    sockets: SocketSensor = "reed"
    tilt: bool = True
    setup: Setup = "corners"
    tolerance: Tolerance = Tolerance()
    glass_ms: Mapping[str, Mapping[str, int]] = attrs.field(factory=default_glass_ms)
    """Per glass and per end up, ms for a full upper chamber."""
    occupied: tuple[str, ...] = tuple(sorted(START.values()))
    """The sockets that are closed at t = 0."""
    up: Mapping[str, str] = attrs.field(factory=default_up)
    gap_ms: Mapping[str, int] = GAP_MS
    settle_ms: Mapping[str, int] = SETTLE_MS
    release_ms: int = 300
    """A glass that has stood in its socket for so long has been released: it was placed there."""
    flip_grace_ms: int = 500
    ring_window_ms: int = 3_000
    penalty_window_ms: int = 10_000
    confirm_missed_turning: bool = False
    """A turning that no sensor saw may be confirmed by a press before it is called a violation."""
    weak_flickers: int = 10
    """An input that flickers under its settle time more often than this in a minute is named, once; 0: never."""
    position: str = ""
    """The position that the game begins from, in the text form of `tamsk_pi.rules.position`; empty: as `setup` says."""
    red: str = ""
    black: str = ""
    event: str = ""
    started_at: str = ""
    boot: str = ""
    """Which run of the machine the game began in; with `origin_ms` it tells how long a cut lasted."""
    origin_ms: int = 0
    """The machine's monotonic time at t = 0."""

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @property
    def begins_with(self) -> Position:
        """The position that the game begins from."""
        return Position.parse(self.position) if self.position else Position.start(self.setup)

    @property
    def orientation_matters(self) -> bool:
        """Levels 2 and 3 turn glasses over; level 1 ignores which end is up."""
        return self.level > 1

    @property
    def senses_turning(self) -> bool:
        """Whether anything tells that a glass was turned over; else every move is taken to have done it."""
        return self.tilt or self.sockets == "hall"

    @property
    def senses_tilt(self) -> bool:
        """Whether tilt sensors tell of turnings that matter."""
        return self.tilt and self.orientation_matters
