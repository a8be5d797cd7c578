"""The raw edges of the last while, kept for each input in bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from tamsk_pi.sensing.edges import Edge, InputKind

KEPT_PER_INPUT: Final = 64
"""More than the edges in a second that make an input noisy; of a busier one the oldest are forgotten."""


@attrs.frozen
class Burst:
    """Raw edges of one input with less than its settle time between one and the next. Times in ms of the game."""

    kind: InputKind
    name: str
    edges: tuple[Edge, ...]

    @property
    def first_ms(self) -> int:
        return self.edges[0].t_ms

    @property
    def last_ms(self) -> int:
        return self.edges[-1].t_ms


class EdgeLog:
    """Remembers the last edges of every input. `settle_ms`: by kind of input."""

    def __init__(self, settle_ms: Mapping[str, int]) -> None:
        self._settle_ms: Final = settle_ms
        self._edges: dict[tuple[InputKind, str], deque[Edge]] = {}

    def add(self, edge: Edge) -> None:
        """Remember one edge, no earlier than those before."""
        key = (edge.kind, edge.name)
        edges = self._edges.setdefault(key, deque(maxlen=KEPT_PER_INPUT))
        # A value that repeats the one before is no edge; every button is up at first.
        if edge.value != (edges[-1].value if edges else False if edge.kind == "button" else None):
            edges.append(edge)

    def change(self, kind: InputKind, name: str, t_ms: int) -> tuple[Burst, ...]:
        """The burst that brought a change dated `t_ms`; for an input that was noisy, the burst that ended before."""
        bursts = self._split(self._edges.get((kind, name), ()))
        later = [self._from(burst, t_ms) for burst in bursts if burst.last_ms >= t_ms]
        return tuple(later[:1] or bursts[-1:])

    def between(self, kind: InputKind, name: str, from_ms: int, until_ms: int) -> tuple[Burst, ...]:
        """The bursts of an input in a stretch of time, both ends within it."""
        edges = (e for e in self._edges.get((kind, name), ()) if from_ms <= e.t_ms <= until_ms)
        return tuple(self._split(edges))

    def at(self, t_ms: int) -> tuple[Burst, ...]:
        """The bursts of sockets and rings that have an edge at `t_ms`."""
        return tuple(
            burst
            for (kind, name), edges in sorted(self._edges.items())
            if kind in ("socket", "ring") and any(e.t_ms == t_ms for e in edges)
            for burst in self.change(kind, name, t_ms)
        )

    def _split(self, edges: Iterable[Edge]) -> list[Burst]:
        found: list[list[Edge]] = []
        for edge in edges:
            # What a radio cap tells has no settle time: each word of it stands by itself.
            if found and edge.t_ms - found[-1][-1].t_ms < self._settle_ms.get(edge.kind, 0):
                found[-1].append(edge)
            else:
                found.append([edge])
        return [Burst(edges[0].kind, edges[0].name, tuple(edges)) for edges in found]

    def _from(self, burst: Burst, t_ms: int) -> Burst:
        return attrs.evolve(burst, edges=tuple(e for e in burst.edges if e.t_ms >= t_ms))
