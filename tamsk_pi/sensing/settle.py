"""From raw edges of one input to its settled changes.

Source: sensing.md, "Edges, bursts, settled changes". An input remembers at most one change that is still settling
and the burst that is going on; both are forgotten as soon as it has settled.
"""

from __future__ import annotations

from collections import deque
from typing import Final, Literal, NamedTuple

from tamsk_pi.sensing.edges import EdgeValue, InputKind

NOISY_EDGES: Final = 40
NOISY_WINDOW_MS: Final = 1_000
WEAK_WINDOW_MS: Final = 60_000

LONG_BURST_MS: Final = 1_000
"""A burst that goes on for longer counts as begun anew with each of its edges."""

RATTLE_MS: Final = 3_000
"""So long a burst is worth a fault where no hand can be what makes it."""

QUIET_MS: Final = 1_000
"""An input that was noisy has come to rest after so long without an edge."""


Restlessness = Literal["noisy", "rattles", "weak"]
"""What one edge may reveal of its input: too many edges to listen to, no rest for too long, too many flickers."""


class Change(NamedTuple):
    """A settled change: `value` was kept for the settle time; `t_ms` is when the burst that brought it began."""

    t_ms: int
    kind: InputKind
    name: str
    value: EdgeValue
    before: EdgeValue


class Input:
    """One input of the board: its settled value, and what is still settling.

    While `due_ms` is not None the input is unsettled and no change of it can be earlier than `hold_ms`.
    """

    __slots__ = (
        "_burst_from",
        "_burst_ms",
        "_coming",
        "_coming_ms",
        "_flickers",
        "_gap_ms",
        "_is_long",
        "_last_ms",
        "_rattle_gap_ms",
        "_rattle_ms",
        "_recent",
        "_returns_ms",
        "_settle_ms",
        "due_ms",
        "hold_ms",
        "kind",
        "name",
        "noisy",
        "quiet_ms",
        "revealed",
        "settled",
        "value",
        "weak_after",
    )

    def __init__(
        self, kind: InputKind, name: str, value: EdgeValue, gap_ms: int, settle_ms: int, weak_after: int = 0
    ) -> None:
        self.kind: Final = kind
        self.name: Final = name
        self.value = value
        """The raw value, as the last edge told it."""
        self.settled = value
        self.noisy = False
        self.due_ms: int | None = None
        """When what is going on will have settled (or a noisy input will have been quiet long enough)."""
        self.hold_ms = 0
        self.quiet_ms: int | None = None
        """When an input that rattles will have been quiet for long enough, unless another edge comes."""
        self.revealed: Restlessness = "noisy"
        """What the last edge of which `edge` said so has revealed."""
        self._gap_ms = gap_ms
        self._settle_ms = settle_ms
        self._rattle_gap_ms = 2 * max(gap_ms, settle_ms)
        self._last_ms = -QUIET_MS
        self._burst_ms = 0
        self._burst_from = value
        self._is_long = False
        """The burst that is going on has lasted longer than `LONG_BURST_MS`."""
        self._rattle_ms = 0
        """Since when it rattles, or when that was told last."""
        self._coming: EdgeValue = value
        self._coming_ms: int | None = None
        self._recent: deque[int] = deque(maxlen=NOISY_EDGES + 1)
        self.weak_after = weak_after
        """More flickers in a minute than this make the input weak; 0: it never is, or has been named already."""
        self._flickers: deque[int] = deque(maxlen=weak_after + 1)
        self._returns_ms: list[int] = []
        """When it left its settled value again since it came to rest last: so many flickers, if it changes nothing."""

    def edge(self, t_ms: int, value: EdgeValue) -> bool:
        """Take one edge; whether it reveals something of the input besides, which `revealed` then tells.

        A value that repeats the one before is no edge.
        """
        if value == self.value:
            return False
        recent, last_ms = self._recent, self._last_ms
        recent.append(t_ms)
        self._last_ms = t_ms
        if self.noisy:
            self.value = value
            self.due_ms = self.hold_ms = t_ms + QUIET_MS
            return False
        if len(recent) > NOISY_EDGES and t_ms - recent[0] < NOISY_WINDOW_MS:
            self.noisy = True
            self.value = value
            self.due_ms = self.hold_ms = t_ms + QUIET_MS
            self.quiet_ms = self._coming_ms = None
            self.revealed = "noisy"
            return True
        told = False
        if self.due_ms is None:
            self._coming_ms = None
            self._burst_ms = self.hold_ms = t_ms
            self._burst_from = self.value
            self._is_long = False
            if t_ms - last_ms >= self._rattle_gap_ms:
                self._rattle_ms = t_ms
        elif t_ms - last_ms >= self._gap_ms:
            told = self._begin_burst(t_ms)
        elif self._is_long or t_ms - self._burst_ms > LONG_BURST_MS:
            self._is_long = True
            self._begin_anew(t_ms)
        self.value = value
        self.due_ms = t_ms + self._settle_ms
        if self.quiet_ms is not None:
            self.quiet_ms = t_ms + QUIET_MS
        if t_ms - self._rattle_ms >= RATTLE_MS:
            self._rattle_ms = t_ms
            self.quiet_ms = t_ms + QUIET_MS
            self.revealed = "rattles"
            return True
        return told

    def _begin_burst(self, t_ms: int) -> bool:
        self._end_burst()
        self._is_long = False
        if self._coming_ms is not None and t_ms - self._coming_ms > LONG_BURST_MS:
            # It flickers without a rest while its change settles: that may hold nothing back for ever either.
            self._begin_anew(t_ms)
        else:
            self._burst_ms = t_ms
            self._burst_from = self.value
            self.hold_ms = t_ms if self._coming_ms is None else self._coming_ms
        if not self.weak_after or self.value != self.settled:
            return False
        self._returns_ms.append(t_ms)
        if len(self._returns_ms) <= self.weak_after or not self._names_weak(self._take_returns()):
            return False
        self.revealed = "weak"
        return True

    def _begin_anew(self, t_ms: int) -> None:
        self._coming_ms = None
        self._burst_ms = self.hold_ms = t_ms
        self._burst_from = self.value

    def _end_burst(self) -> None:
        # A burst that ends where it began is no change and leaves alone the one that is coming.
        if self.value != self._burst_from:
            self._coming = self.value
            self._coming_ms = None if self.value == self.settled else self._burst_ms

    def settle(self) -> Change | None:
        """Called once `due_ms` has come: the change that has settled, if there is one."""
        if self.noisy:
            self.noisy = False
            self._recent.clear()
            t_ms: int | None = self.due_ms
            self._coming = self.value
            self._coming_ms = t_ms if self.value != self.settled else None
        else:
            self._end_burst()
            if self._coming_ms is None and self.value != self.settled:
                # What a long flicker ends in bears the time of the edge that brought it.
                self._coming, self._coming_ms = self.value, self._last_ms
        self.due_ms = None
        if self._coming_ms is None:
            return None
        change = Change(self._coming_ms, self.kind, self.name, self._coming, self.settled)
        self.settled = self._coming
        self._coming_ms = None
        self._returns_ms.clear()
        return change

    def flickered(self, t_ms: int) -> bool:
        """Note that the input came to rest at `t_ms` without a change; whether that makes it weak, told once."""
        return bool(self.weak_after) and self._names_weak([*self._take_returns(), t_ms])

    def _take_returns(self) -> list[int]:
        returns, self._returns_ms = self._returns_ms, []
        return returns

    def _names_weak(self, times: list[int]) -> bool:
        flickers = self._flickers
        for t_ms in times:
            flickers.append(t_ms)
            if len(flickers) > self.weak_after and t_ms - flickers[0] < WEAK_WINDOW_MS:
                self.weak_after = 0
                return True
        return False

    def forget(self) -> None:
        """Drop what has not settled: it stays unknown."""
        self.due_ms = self.quiet_ms = None
        self._coming_ms = None
        self._returns_ms.clear()

    def reset(self, value: EdgeValue) -> None:
        """Start anew from a value that was read, not inferred from edges."""
        self.forget()
        self.noisy = False
        self._recent.clear()
        self.value = self.settled = value
