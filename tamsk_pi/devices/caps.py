"""Radio caps as part of a board: edges that come late put in order, and which caps are heard.

Source: sensing.md, "What is sensed"; docs/caps.md. A cap tells of a turning once its switches have settled and it has
been
answered, with the time of the turning: the rest of the board is held back for as long, so that what is posted is in
order. Lamps need not wait: `Held` is what there is to see already.
"""

from __future__ import annotations

import heapq
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol, runtime_checkable

import attrs

from firmware_bridge.inputs import TRAVELLING
from firmware_bridge.protocol import CapHealth
from tamsk_pi.sensing.edges import Edge

HOLD_MS: Final = 300
"""A turning is told within so long, also where two packets of five are lost."""
UNHEARD_MS: Final = 25_000
"""Three signs of life that did not come."""


class Merge:
    """Holds every edge until it is `HOLD_MS` old. Times are those of the edges; nothing here reads a clock."""

    def __init__(self, hold_ms: int = HOLD_MS) -> None:
        self.hold_ms: Final = hold_ms
        self._held: list[tuple[int, int, Edge]] = []
        self._count = 0
        self.told_ms = 0
        """Everything before this has been let go."""
        self.late: dict[str, int] = {}
        """How many turnings of each glass came too late for their place, and were moved up."""

    def push(self, edge: Edge) -> None:
        """Take an edge; one that comes too late is moved up as little as can be, and counted."""
        if edge.t_ms < self.told_ms:
            if edge.kind in ("tilt", "cap"):
                self.late[edge.name] = self.late.get(edge.name, 0) + 1
            edge = edge._replace(t_ms=self.told_ms)
        self._count += 1
        heapq.heappush(self._held, (edge.t_ms, self._count, edge))

    def pop(self, alive_ms: int) -> list[Edge]:
        """What is certain once the board has been read up to `alive_ms`, in order."""
        self.told_ms = max(self.told_ms, alive_ms - self.hold_ms)
        out = []
        while self._held and self._held[0][0] < self.told_ms:
            out.append(heapq.heappop(self._held)[2])
        return out

    def drop(self) -> None:
        """Forget what is held."""
        self._held.clear()

    def held(self) -> list[tuple[int, Edge]]:
        """What has not been let go, in order, each with a number of its own."""
        return [(number, edge) for _, number, edge in sorted(self._held)]


@attrs.frozen
class Held:
    """What a board has told already, though something older may still come: enough for lamps, not for a ruling."""

    edges: Sequence[tuple[int, Edge]]
    """In order of time, each with a number of its own."""
    read_ms: int
    """Up to when the board has been read; what `alive_at_ms` tells lags behind it."""
    hold_ms: int


@runtime_checkable
class HoldsBack(Protocol):
    """A board that may hold its edges back; `None` where it does not."""

    def held(self) -> Held | None: ...

    def release(self) -> Sequence[Edge]:
        """Everything that is held, in order: somebody's word comes now, and what was done before it counts as such.

        What is told later of before is moved up to here.
        """
        ...


class LateEdges:
    """A merge between a device's own thread, which brings edges, and whoever asks up to when the board has been read.

    Edges are posted one question before the time that they are certain for is told: whoever asks has taken them by
    then.
    """

    def __init__(self, hold_ms: int = HOLD_MS) -> None:
        self._merge: Final = Merge(hold_ms)
        self._lock: Final = threading.Lock()
        self._certain_ms = 0

    def push(self, edges: Sequence[Edge]) -> None:
        with self._lock:
            for edge in edges:
                self._merge.push(edge)

    def ask(self, alive_ms: int, post: Callable[[Sequence[Edge]], None]) -> int:
        """Post what has become certain; up to when everything has been posted and could be taken."""
        with self._lock:
            told = self._merge.pop(alive_ms)
            if told:
                post(told)
            else:
                self._certain_ms = self._merge.told_ms
            return self._certain_ms

    def drop(self) -> None:
        with self._lock:
            self._merge.drop()

    def release(self, read_ms: int) -> Sequence[Edge]:
        """Let go what is held of a board that has been read up to `read_ms`, to whoever asks."""
        with self._lock:
            return self._merge.pop(read_ms + self._merge.hold_ms)

    def held(self, read_ms: int) -> Held:
        """What is held of a board that has been read up to `read_ms`."""
        with self._lock:
            return Held(self._merge.held(), read_ms, self._merge.hold_ms)

    @property
    def late(self) -> Mapping[str, int]:
        """Turnings of each glass that came too late for their place."""
        with self._lock:
            return dict(self._merge.late)


@attrs.frozen
class CapState:
    """A cap as it is told to people: what its receiver said of it, and whether it is trusted."""

    health: CapHealth
    heard: bool
    late: int = 0

    def told(self) -> dict[str, object]:
        """As it is told to the page: times in seconds, the share without an answer in percent."""
        health, heard_ago_ms = self.health, self.health.heard_ago_ms
        return {
            "state": "twins" if health.twins else "silent" if not self.heard else "low" if health.low else "fine",
            "heard_ago_s": None if heard_ago_ms is None else heard_ago_ms // 1000,
            "volts": f"{health.cell_mv / 1000:.2f}",
            "unanswered": round(100 * health.lost / max(1, health.packets + health.lost)),
            "tries": health.tries,
            "late": self.late,
        }


@runtime_checkable
class HasCaps(Protocol):
    """A board that may have radio caps; without them `caps` is empty."""

    def caps(self) -> Mapping[str, CapState]: ...


@attrs.define
class CapWatch:
    """Which caps are heard, and what that means as edges of kind `cap`: `False` unheard, `a` or `b` taken over."""

    heard: dict[str, bool] = attrs.Factory(lambda: dict.fromkeys(TRAVELLING, True))
    """Trusted, until the receiver has told otherwise."""
    health: dict[str, CapHealth] = attrs.Factory(dict)
    radio_answers: bool | None = None

    def take_health(self, t_ms: int, caps: Sequence[CapHealth], up: Mapping[str, str]) -> list[Edge]:
        """The receiver told how its caps are; `up`: the end of each glass that is up as far as is known."""
        edges = []
        for glass, cap in zip(TRAVELLING, caps, strict=True):
            self.health[glass] = cap
            is_heard = cap.heard_ago_ms is not None and cap.heard_ago_ms < UNHEARD_MS and not cap.twins
            if self.heard[glass] and not is_heard:
                self.heard[glass] = False
                edges.append(Edge(t_ms, "cap", glass, False))
            elif is_heard and cap.ends in ("a", "b") and (not self.heard[glass] or cap.ends != up.get(glass)):
                edges.append(self.take_over(t_ms, glass, cap.ends))
        return edges

    def take_over(self, t_ms: int, glass: str, up: str) -> Edge:
        """A cap told its end, and nobody knows when it was turned."""
        self.heard[glass] = True
        return Edge(t_ms, "cap", glass, up)

    def silent(self) -> list[str]:
        """The glasses whose caps are not heard."""
        return [glass for glass, heard in self.heard.items() if not heard]
