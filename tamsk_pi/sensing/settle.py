"""From raw edges of one input to its settled changes.

Source: sensing.md, "Edges, bursts, settled changes". An input remembers at most one change that is still settling
and the burst that is going on; both are forgotten as soon as it has settled.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from tamsk_pi.sensing.edges import EdgeValue, InputKind

NOISY_EDGES: Final = 40
NOISY_WINDOW_MS: Final = 1_000
WEAK_WINDOW_MS: Final = 60_000


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
        "_last_ms",
        "_recent",
        "_settle_ms",
        "due_ms",
        "hold_ms",
        "kind",
        "name",
        "noisy",
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
        self._gap_ms = gap_ms
        self._settle_ms = settle_ms
        self._last_ms = 0
        self._burst_ms = 0
        self._burst_from = value
        self._coming: EdgeValue = value
        self._coming_ms: int | None = None
        self._recent: deque[int] = deque(maxlen=NOISY_EDGES + 1)
        self.weak_after = weak_after
        """More flickers in a minute than this make the input weak; 0: it never is, or has been named already."""
        self._flickers: deque[int] = deque(maxlen=weak_after + 1)

    def edge(self, t_ms: int, value: EdgeValue) -> bool:
        """Take one edge; whether it is the one that makes the input too noisy to be listened to.

        A value that repeats the one before is no edge.
        """
        if value == self.value:
            return False
        recent = self._recent
        recent.append(t_ms)
        if self.noisy:
            self.value = value
            self.due_ms = t_ms + NOISY_WINDOW_MS
            self.hold_ms = self.due_ms
            return False
        if len(recent) > NOISY_EDGES and t_ms - recent[0] < NOISY_WINDOW_MS:
            self.noisy = True
            self.value = value
            self.due_ms = self.hold_ms = t_ms + NOISY_WINDOW_MS
            self._coming_ms = None
            return True
        if self.due_ms is None:
            self._coming_ms = None
            self._burst_ms = self.hold_ms = t_ms
            self._burst_from = self.value
        elif t_ms - self._last_ms >= self._gap_ms:
            self._end_burst()
            self._burst_ms = t_ms
            self._burst_from = self.value
            self.hold_ms = t_ms if self._coming_ms is None else self._coming_ms
        self.value = value
        self._last_ms = t_ms
        self.due_ms = t_ms + self._settle_ms
        return False

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
        self.due_ms = None
        if self._coming_ms is None:
            return None
        change = Change(self._coming_ms, self.kind, self.name, self._coming, self.settled)
        self.settled = self._coming
        self._coming_ms = None
        return change

    def flickered(self, t_ms: int) -> bool:
        """Note that the input came to rest at `t_ms` without a change; whether that makes it weak, told once."""
        if not self.weak_after:
            return False
        flickers = self._flickers
        flickers.append(t_ms)
        if len(flickers) <= self.weak_after or t_ms - flickers[0] >= WEAK_WINDOW_MS:
            return False
        self.weak_after = 0
        return True

    def forget(self) -> None:
        """Drop what has not settled: it stays unknown."""
        self.due_ms = None
        self._coming_ms = None

    def reset(self, value: EdgeValue) -> None:
        """Start anew from a value that was read, not inferred from edges."""
        self.forget()
        self.noisy = False
        self._recent.clear()
        self.value = self.settled = value
