"""Edges to settled contacts, as the referee settles them (sensing.md), but each contact by itself.

Order between contacts does not matter here: whoever calibrates waits until everything has come to rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from tamsk_pi.sensing.edges import BUTTONS, Edge, EdgeValue, InputKind
from tamsk_pi.sensing.settings import GAP_MS, SETTLE_MS
from tamsk_pi.sensing.settle import Input

Name = tuple[InputKind, str]


@attrs.frozen
class Changed:
    """An input has settled on another value. `t_ms`: the first edge of the burst that brought it."""

    t_ms: int
    kind: InputKind
    name: str
    value: EdgeValue


@attrs.frozen
class Flickered:
    """An input let go, or closed, for less than its settle time, and is as it was."""

    t_ms: int
    kind: InputKind
    name: str


@attrs.frozen
class Noisy:
    """An input changes so often that nothing it says can be believed."""

    t_ms: int
    kind: InputKind
    name: str


Happening = Changed | Flickered | Noisy


class Contacts:
    """Every input of a board, settled. `values`: what was read of each at the beginning, keyed `(kind, name)`."""

    def __init__(
        self,
        values: Mapping[tuple[str, str], EdgeValue],
        gap_ms: Mapping[str, int] = GAP_MS,
        settle_ms: Mapping[str, int] = SETTLE_MS,
    ) -> None:
        kinds: tuple[InputKind, ...] = ("socket", "tilt", "button")
        self._inputs = {
            (kind, name): Input(kind, name, value, gap_ms[kind], settle_ms[kind])
            for kind in kinds
            for (of, name), value in values.items()
            if of == kind
        }

    def has(self, kind: InputKind, name: str) -> bool:
        """Whether the board has such an input."""
        return (kind, name) in self._inputs

    def has_buttons(self) -> bool:
        """Whether any button is fitted."""
        return any(self.has("button", name) for name in BUTTONS)

    def settled(self, kind: InputKind, name: str) -> EdgeValue:
        """The value an input has settled on."""
        return self._inputs[kind, name].settled

    def at_rest_ms(self, kind: InputKind, names: Iterable[str]) -> int | None:
        """When the last of these inputs will have settled; None if all of them have."""
        return max((due for name in names if (due := self._inputs[kind, name].due_ms) is not None), default=None)

    def closed_sockets(self) -> frozenset[str]:
        """The sockets that have settled closed, or on a field."""
        return frozenset(name for (kind, name), of in self._inputs.items() if kind == "socket" and of.settled)

    def feed(self, edges: Iterable[Edge]) -> list[Happening]:
        """Take edges, in order of time. An input that was not there at the beginning is passed over."""
        happened: list[Happening] = []
        for edge in edges:
            happened += self.advance(edge.t_ms)
            found = self._inputs.get((edge.kind, edge.name))
            if found is not None and found.edge(edge.t_ms, edge.value):
                happened.append(Noisy(edge.t_ms, edge.kind, edge.name))
        return happened

    def advance(self, now_ms: int) -> list[Happening]:
        """Let time pass: what has settled by `now_ms`, in order of when it settled."""
        due = [(of.due_ms, which, of) for which, of in self._inputs.items() if of.due_ms is not None]
        happened: list[Happening] = []
        for due_ms, (kind, name), of in sorted((d for d in due if d[0] <= now_ms), key=lambda entry: entry[:2]):
            was_noisy = of.noisy
            change = of.settle()
            if change is not None:
                happened.append(Changed(change.t_ms, kind, name, change.value))
            elif not was_noisy:
                happened.append(Flickered(due_ms, kind, name))
        return happened

    def next_deadline_ms(self) -> int | None:
        """When the next input will have settled."""
        return min((of.due_ms for of in self._inputs.values() if of.due_ms is not None), default=None)
