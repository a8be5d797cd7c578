"""A trace's header with its defaults filled in (sensing.md, "The trace format")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tamsk_pi.witness.geometry import CORNERS, GLASSES

GAP_MS = {"socket": 20, "tilt": 150, "ring": 150, "holder": 150, "button": 20}
SETTLE_MS = {"socket": 120, "tilt": 150, "ring": 150, "holder": 150, "button": 30}


@dataclass(frozen=True)
class Settings:
    """What a game is judged by. Times in ms."""

    level: int
    rules: str = "rulebook"
    rings: str = "stack"
    sockets: str = "reed"
    tilt: bool = True
    setup: str = "corners"
    glass_ms: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    up: Mapping[str, str] = field(default_factory=dict)
    gap_ms: Mapping[str, int] = field(default_factory=lambda: GAP_MS)
    settle_ms: Mapping[str, int] = field(default_factory=lambda: SETTLE_MS)
    release_ms: int = 300
    flip_grace_ms: int = 500
    ring_window_ms: int = 3000
    penalty_window_ms: int = 10_000
    glass_tolerance_ms: int = 0
    timer_tolerance_ms: int = 0

    @property
    def hall(self) -> bool:
        """Whether the sockets tell which end of a glass is up."""
        return self.sockets == "hall"

    @property
    def free(self) -> bool:
        """Whether the board starts empty."""
        return self.setup == "free"


PLAIN = (
    *("level", "rules", "rings", "sockets", "tilt", "setup"),
    *("release_ms", "flip_grace_ms", "ring_window_ms", "penalty_window_ms"),
)


def settings_of(header: Mapping[str, Any]) -> Settings:
    """The settings a trace's header names; `ValueError` for a start that this judge does not know how to judge."""
    if header.get("setup", "corners") == "corners" and set(header.get("occupied", CORNERS.values())) != set(
        CORNERS.values()
    ):
        raise ValueError("only games from the start position are judged")
    tolerance = header.get("tolerance_ms", 0)
    if not isinstance(tolerance, Mapping):
        tolerance = {"glass": tolerance, "timer": tolerance}
    given = header.get("glass_ms", {})
    glass_ms = {}
    for glass in (*GLASSES, "N"):
        one = given.get(glass, 15_000 if glass == "N" else 180_000)
        glass_ms[glass] = dict(one) if isinstance(one, Mapping) else {"a": one, "b": one}
    return Settings(
        **{key: header[key] for key in PLAIN if key in header},
        glass_ms=glass_ms,
        up={glass: header.get("up", {}).get(glass, "a") for glass in (*GLASSES, "N")},
        gap_ms={**GAP_MS, **header.get("gap_ms", {})},
        settle_ms={**SETTLE_MS, **header.get("settle_ms", {})},
        glass_tolerance_ms=tolerance.get("glass", 0),
        timer_tolerance_ms=tolerance.get("timer", 0),
    )
