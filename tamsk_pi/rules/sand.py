"""Sand in an hourglass, for each of its ends up.

Source: rules.md, "Levels", *Sand*. Turning a glass is no restart: what has fallen is what is left afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

GLASS_MS: Final = 180_000
"""What a travelling glass takes by default, either end up."""

TIMER_MS: Final = 15_000


def other_end(up: str) -> str:
    """The end that is up after a turning."""
    return "b" if up == "a" else "a"


@attrs.frozen
class Sand:
    """The sand of one glass. It runs evenly, on the board as in the hand, until `stops_at_ms`.

    `full_ms` maps the end that is up (`a`, `b`) to how long a full upper chamber runs. `stops_at_ms` is None
    while the upper chamber is empty. Values are immutable: turning gives a new one.
    """

    full_ms: Mapping[str, int]
    up: str = "a"
    stops_at_ms: int | None = None

    def left_ms(self, t_ms: int) -> int:
        """How long the sand still runs from `t_ms`, 0 when it has stopped."""
        return 0 if self.stops_at_ms is None else max(0, self.stops_at_ms - t_ms)

    def turned(self, t_ms: int) -> Sand:
        """The same glass turned over at `t_ms`: a fraction f above becomes 1 - f, to the nearest whole ms."""
        old_full = self.full_ms[self.up]
        up = other_end(self.up)
        new_full = self.full_ms[up]
        fallen = old_full - self.left_ms(t_ms)
        left = (2 * new_full * fallen + old_full) // (2 * old_full)
        return Sand(self.full_ms, up, t_ms + left if left else None)

    def emptied(self) -> Sand:
        """The same glass with its upper chamber empty."""
        return attrs.evolve(self, stops_at_ms=None)

    def filled(self, t_ms: int) -> Sand:
        """The same glass turned over at `t_ms` when it was empty, whatever the model thought was left."""
        up = other_end(self.up)
        return Sand(self.full_ms, up, t_ms + self.full_ms[up])
