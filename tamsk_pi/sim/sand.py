"""The sand in one hourglass of the virtual board: what really runs, whatever the referee's model believes."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

import attrs

from tamsk_pi.rules.board import GLASSES, TIMER

GlassMs = Mapping[str, Mapping[str, int]]
"""Per glass (`N` included) and end up (`a`, `b`): how long a full upper chamber runs, in ms."""

TRAVELLING_MS: Final = 180_000
TIMER_MS: Final = 15_000


def other_end(end: str) -> str:
    """The end opposite to `a` or `b`."""
    return "b" if end == "a" else "a"


def nominal_glass_ms() -> GlassMs:
    """Every glass exactly as long as its name says, either way up."""
    return {name: dict.fromkeys("ab", TIMER_MS if name == TIMER else TRAVELLING_MS) for name in (*GLASSES, TIMER)}


def drawn_glass_ms(rng: random.Random) -> GlassMs:
    """Glasses as they are sold: each differs from its nominal time, and one end from the other, by a few per cent."""
    drawn = {}
    for name, ends in nominal_glass_ms().items():
        own = rng.uniform(0.95, 1.05)
        drawn[name] = {end: round(full_ms * own * rng.uniform(0.985, 1.015)) for end, full_ms in ends.items()}
    return drawn


@attrs.define
class Sand:
    """Sand that runs evenly from the upper chamber into the lower one, in hand or standing.

    `full_ms`: how long a full upper chamber runs with each end up. `up`: the end that is up. `stops_at_ms`: when the
    upper chamber is empty, or was; a glass that never ran has long stopped. The time left is a whole number of ms
    after each turning (rules.md, "Sand").
    """

    full_ms: Mapping[str, int]
    up: str = "a"
    stops_at_ms: int | None = None

    def left_ms(self, now_ms: int) -> int:
        """How long the upper chamber still runs."""
        return 0 if self.stops_at_ms is None else max(0, self.stops_at_ms - now_ms)

    def upper(self, now_ms: int) -> float:
        """The part of all its sand that is in the upper chamber, 0 to 1."""
        return self.left_ms(now_ms) / self.full_ms[self.up]

    def turn_over(self, now_ms: int) -> None:
        """Turn the glass over: what had run down is on top now."""
        full_ms, left_ms = self.full_ms[self.up], self.left_ms(now_ms)
        self.up = other_end(self.up)
        run_down = full_ms - left_ms
        # Whole numbers throughout: half a ms is rounded up, and no float decides it.
        self.stops_at_ms = now_ms + (2 * run_down * self.full_ms[self.up] + full_ms) // (2 * full_ms)

    def copy(self) -> Sand:
        return Sand(self.full_ms, self.up, self.stops_at_ms)
