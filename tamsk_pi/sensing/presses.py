"""Button changes to presses: short, long, held.

Source: sensing.md, "Buttons". Short and long take effect with the time of their down edge, so a press holds the order
back while it lasts; held takes effect at its third second.
"""

from __future__ import annotations

from typing import Final

from tamsk_pi.sensing.edges import HOLDERS
from tamsk_pi.sensing.gestures import Blocked, Press
from tamsk_pi.sensing.order import Order
from tamsk_pi.sensing.settle import Change

LONG_MS: Final = 800
HELD_MS: Final = 3_000


TOGETHER_MS: Final = 300
"""Short presses of both players that begin within this time of each other are one press together."""
TWICE_MS: Final = 2_000
"""Two presses together within this time take the last move back."""


class TwiceTogether:
    """Notices both players pressing their buttons together, twice: no other press, nor any two, can be taken for it."""

    def __init__(self) -> None:
        self._pressed_ms: dict[str, int] = {}
        self._together_ms: int | None = None

    def take(self, press: Press) -> bool:
        """Take a press, in order of time; whether it completes the second one together."""
        if press.who not in HOLDERS or press.length != "short":
            return False
        other = HOLDERS[1 - HOLDERS.index(press.who)]
        other_ms = self._pressed_ms.pop(other, None)
        if other_ms is None or press.t_ms - other_ms > TOGETHER_MS:
            self._pressed_ms[press.who] = press.t_ms
            return False
        before_ms, self._together_ms = self._together_ms, press.t_ms
        if before_ms is None or press.t_ms - before_ms > TWICE_MS:
            return False
        self._together_ms = None
        return True


class Presses:
    """Tells each press's length once it is known."""

    def __init__(self) -> None:
        self._held: dict[str, int] = {}
        """Buttons whose press counts as held, to the time of its third second."""
        self._both: Press | None = None

    def take(self, change: Change, order: Order) -> Press | Blocked | None:
        """What a settled button change amounts to; None for a release, and for a hold that `pop_held` will tell."""
        if not change.value:
            return None
        third_second_ms = change.t_ms + HELD_MS
        for later in order.ahead("button", third_second_ms - 1):
            if later.name == change.name and not later.value:
                length = later.t_ms - change.t_ms
                return Press(change.t_ms, change.name, "short" if length < LONG_MS else "long")
        if not order.is_certain(third_second_ms - 1, "button", change.name):
            return Blocked(third_second_ms - 1)
        self._held[change.name] = third_second_ms
        return None

    def next_held_ms(self) -> int | None:
        """When the next hold takes effect."""
        times = [*self._held.values()] + ([self._both.t_ms] if self._both else [])
        return min(times, default=None)

    def pop_held(self) -> Press | None:
        """The hold whose time has come.

        Where the other side's button was already down and goes on to be held as well, the first hold is swallowed
        (None) and the second comes as `both_held`.
        """
        t_ms, who = min((t, name) for name, t in self._held.items()) if self._held else (0, "")
        if self._both is not None and (not who or self._both.t_ms <= t_ms):
            both, self._both = self._both, None
            return both
        del self._held[who]
        if who in HOLDERS:
            other = HOLDERS[1 - HOLDERS.index(who)]
            if other in self._held:
                self._both = Press(self._held.pop(other), other, "both_held")
                return None
        return Press(t_ms, who, "held")

    def forget(self) -> None:
        """Drop every press that is going on."""
        self._held.clear()
        self._both = None
