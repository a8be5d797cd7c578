"""Ten strengths, from a beginner's to the engine's best. The figures are those of docs/engine.md, "Strength"."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs


@attrs.frozen
class Strength:
    """How far a strength looks, and how much it errs."""

    nodes: int
    """How many positions it looks at for a turn."""
    depth: int | None = None
    """How many moves it looks ahead at most."""
    error: int = 0
    """By how much, in hundredths of a ring, what it thinks of a move may be wrong."""


STRENGTHS: Final[Mapping[int, Strength]] = MappingProxyType(
    {
        1: Strength(1_000, 1, 400),
        2: Strength(1_000, 1, 220),
        3: Strength(1_000, 1, 120),
        4: Strength(1_000, 1, 60),
        5: Strength(1_000, 2, 25),
        6: Strength(200),
        7: Strength(480),
        8: Strength(1_100),
        9: Strength(2_500),
        10: Strength(6_000),
    }
)

BEST: Final = max(STRENGTHS)

USES_TIMER_FROM: Final = 3
"""The weakest strength that turns the 15-second timer."""
