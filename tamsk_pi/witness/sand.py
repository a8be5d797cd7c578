"""The sand of one glass, in whole milliseconds left in its upper chamber (rules.md, "Levels", Sand)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass
class Sand:
    """`left_ms` lay in the upper chamber at `since_ms` with `end` up. `empty`: its stop has been told."""

    full_ms: Mapping[str, int]
    end: str
    left_ms: int = 0
    since_ms: int = 0
    empty: bool = True

    def copy(self) -> Sand:
        """As it stands, to go back to."""
        return Sand(self.full_ms, self.end, self.left_ms, self.since_ms, self.empty)

    @property
    def stop_ms(self) -> int:
        """When the upper chamber is or was empty."""
        return self.since_ms + self.left_ms

    def turn(self, t: int) -> None:
        """Turn it over at `t`: "the upper chamber holds a fraction f …; turning it over makes it 1 - f"."""
        left = max(0, self.left_ms - (t - self.since_ms))
        full_before = self.full_ms[self.end]
        self.end = "b" if self.end == "a" else "a"
        # "The time left is rounded to the nearest whole ms at each turning." Halves upwards.
        self.left_ms = (2 * (full_before - left) * self.full_ms[self.end] + full_before) // (2 * full_before)
        self.since_ms = t
        self.empty = False
