"""Settled changes in the order in which they happened.

Source: sensing.md, "Order". Changes become known in another order than they happened, so each is held back while any
input has an unsettled burst that began no later. Whoever handles changes may also look ahead, at what is known to
follow: the answer is the same however late it is asked for, or it is "not known yet".
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple

from tamsk_pi.sensing.edges import Edge, EdgeValue, InputKind
from tamsk_pi.sensing.gestures import Gesture, Oddity
from tamsk_pi.sensing.settle import Change, Input

# At equal times: tilt, then socket opened, socket closed, ring, holder, button; then by name.
_RANKS: Final[Mapping[InputKind, int]] = {"tilt": 0, "socket": 2, "ring": 3, "holder": 4, "button": 5}
_OPENED_RANK: Final = 1
_UNSTEADY_RANK: Final = 6
_TOLD_RANK: Final = 7
_LATE_RANK: Final = 3
"""What was held back comes after the placing at its time and before the presses; a fault's end after all of them."""

FOREVER_MS: Final = 1 << 62


class Unsteady(NamedTuple):
    """An input has become too noisy to be listened to, has been quiet for a second again, flickers too often, or has
    not come to rest for three seconds (`rattles`: a fault where no hand can be what makes it)."""

    t_ms: int
    kind: InputKind
    name: str
    what: Literal["noisy", "quiet", "weak", "rattles"]


class Late(NamedTuple):
    """A gesture that could only be understood by what followed it, at the time that it counts from."""

    t_ms: int
    what: Gesture


class Told(NamedTuple):
    """Something that is not sensed but said, at its place in the order; what was said is for others to know."""

    t_ms: int
    what: object


class CapNews(NamedTuple):
    """A glass's radio cap is not heard any more (`up` None), or it is, and tells which end is up."""

    t_ms: int
    glass: str
    up: str | None


Event = Change | Unsteady | Told | Late | CapNews


class _Entry(NamedTuple):
    t_ms: int
    rank: int
    name: str
    event: Event


def _rank(change: Change) -> int:
    if change.kind == "socket" and not change.value:
        return _OPENED_RANK
    return _RANKS[change.kind]


class Order:
    """All inputs of a board, and the settled changes that wait for their turn.

    `known_before_ms`: every edge stamped earlier than this has been taken.
    """

    def __init__(self, inputs: Iterable[Input]) -> None:
        self._inputs: Final = {(i.kind, i.name): i for i in inputs}
        self._active: dict[Input, None] = {}
        self._rattling: dict[Input, None] = {}
        """Inputs that are to be told of once they are quiet."""
        self._heap: list[_Entry] = []
        self._told = 0
        self._deaf: set[Input] = set()
        self.known_before_ms = 0

    def input(self, kind: InputKind, name: str) -> Input:
        """The input of that kind and name; `KeyError` where the board has none."""
        return self._inputs[kind, name]

    def inputs(self) -> Iterable[Input]:
        """All inputs."""
        return self._inputs.values()

    def edge(self, edge: Edge) -> int | None:
        """Take one edge, no earlier than `known_before_ms`; when it will have settled, None if it was none."""
        t_ms, kind, name, value = edge
        source = self._inputs[kind, name]
        if self._deaf and source in self._deaf:
            source.value = value
            return None
        if source.edge(t_ms, value) and ((told := source.revealed) != "rattles" or kind != "socket"):
            self._push(_Entry(t_ms, _UNSTEADY_RANK, name, Unsteady(t_ms, kind, name, told)))
            if told == "rattles":
                self._rattling[source] = None
            elif told == "noisy":
                self._rattling.pop(source, None)
        if source.due_ms is not None:
            self._active[source] = None
        return source.due_ms

    def settle(self) -> None:
        """Move on everything that has settled by `known_before_ms`."""
        now_ms = self.known_before_ms
        for source in [i for i in self._active if i.due_ms is not None and i.due_ms <= now_ms]:
            due_ms, noisy = source.due_ms, source.noisy
            assert due_ms is not None
            change = source.settle()
            del self._active[source]
            if change is not None:
                self._push(_Entry(change.t_ms, _rank(change), change.name, change))
            if noisy:
                self._push(
                    _Entry(due_ms, _UNSTEADY_RANK, source.name, Unsteady(due_ms, source.kind, source.name, "quiet"))
                )
            elif change is None and source.flickered(due_ms):
                self._push(
                    _Entry(due_ms, _UNSTEADY_RANK, source.name, Unsteady(due_ms, source.kind, source.name, "weak"))
                )

        for source in [i for i in self._rattling if i.quiet_ms is not None and i.quiet_ms <= now_ms]:
            assert source.quiet_ms is not None
            quiet = Unsteady(source.quiet_ms, source.kind, source.name, "quiet")
            self._push(_Entry(source.quiet_ms, _UNSTEADY_RANK, source.name, quiet))
            source.quiet_ms = None
            del self._rattling[source]

    def put(self, change: Change) -> None:
        """Put a change into the order that no edge has brought at its time."""
        self._push(_Entry(change.t_ms, _rank(change), change.name, change))

    def delay(self, t_ms: int, what: Gesture) -> None:
        """Let a gesture count from `t_ms`, no earlier than anything that has been handled."""
        rank = _UNSTEADY_RANK if isinstance(what, Oddity) else _LATE_RANK
        self._told += 1
        self._push(_Entry(t_ms, rank, f"{self._told:09d}", Late(t_ms, what)))

    def _push(self, entry: _Entry) -> None:
        heapq.heappush(self._heap, entry)

    def horizon_ms(self) -> int:
        """Everything earlier than this is known and settled."""
        horizon = self.known_before_ms
        for source in self._active:
            if source.hold_ms < horizon:
                horizon = source.hold_ms
        return horizon

    def tell(self, t_ms: int, what: object) -> None:
        """Put something that was said at `t_ms` into the order, after everything that was sensed at that time."""
        self._told += 1
        self._push(_Entry(t_ms, _TOLD_RANK, f"{self._told:09d}", Told(t_ms, what)))

    def hear(self, news: CapNews) -> None:
        """Put what is known of a cap into the order, after everything that was sensed at that time."""
        self._told += 1
        self._push(_Entry(news.t_ms, _TOLD_RANK, f"{self._told:09d}", news))

    def is_told(self) -> bool:
        """Whether something that was said waits for its turn."""
        return any(isinstance(e.event, Told) for e in self._heap)

    def first_told_ms(self) -> int | None:
        """When the first thing that was said and waits for its turn was said."""
        return min((e.t_ms for e in self._heap if isinstance(e.event, Told)), default=None)

    def listen(self, kind: InputKind, name: str, *, on: bool) -> None:
        """Stop listening to an input, or listen to it again."""
        source = self._inputs[kind, name]
        (self._deaf.discard if on else self._deaf.add)(source)
        source.reset(source.value)
        self._active.pop(source, None)
        self._rattling.pop(source, None)

    def note(self, kind: InputKind, name: str, value: EdgeValue) -> None:
        """An input that is not listened to tells this."""
        self._inputs[kind, name].value = value

    def take_over(self, kind: InputKind, name: str, value: EdgeValue) -> None:
        """Listen to an input again, beginning with a value that is no change."""
        source = self._inputs[kind, name]
        source.reset(value)
        self.listen(kind, name, on=True)

    def peek(self) -> Event | None:
        """The earliest change that waits, whether its turn has come or not."""
        return self._heap[0].event if self._heap else None

    def at_once_with(self, change: Change) -> list[Change]:
        """All changes that wait at the time of the earliest one, that one among them."""
        at_once = [e.event for e in self._heap if e.t_ms == change.t_ms]
        return [event for event in at_once if isinstance(event, Change)]

    def drop(self, changes: Iterable[Change]) -> None:
        """Take changes away that are not believed."""
        gone = {id(change) for change in changes}
        self._heap = [e for e in self._heap if id(e.event) not in gone]
        heapq.heapify(self._heap)

    def pop(self) -> None:
        """Take the earliest change away."""
        heapq.heappop(self._heap)

    def next_due_ms(self) -> int:
        """The earliest time at which something may settle or a waiting change come up; `FOREVER_MS` if none."""
        due = min((i.due_ms for i in self._active if i.due_ms is not None), default=FOREVER_MS)
        if self._rattling:
            due = min(due, *(i.quiet_ms for i in self._rattling if i.quiet_ms is not None))
        if self._heap and self.known_before_ms <= self._heap[0].t_ms < due:
            due = self._heap[0].t_ms + 1
        return due

    def ahead(self, kind: InputKind, until_ms: int) -> list[Change]:
        """The changes of a kind that wait, up to and with `until_ms`, in order."""
        return [
            e.event
            for e in sorted(self._heap)
            if e.t_ms <= until_ms and isinstance(e.event, Change) and e.event.kind == kind
        ]

    def tells_of_others(self, since_ms: int, until_ms: int, glass: str) -> bool:
        """Whether anything but the tilt of that glass happened after `since_ms` and before `until_ms`.

        A button that is let go is no act of its own.
        """
        return any(
            since_ms < e.t_ms < until_ms
            and not (
                isinstance(e.event, Change)
                and (
                    (e.event.kind == "tilt" and e.event.name == glass)
                    or (e.event.kind == "button" and not e.event.value)
                )
            )
            for e in self._heap
        )

    def is_certain(self, until_ms: int, kind: InputKind, name: str | None = None) -> bool:
        """Whether `ahead` already tells all that there will be of that input (or kind) up to and with `until_ms`."""
        return self.known_before_ms > until_ms and not any(
            i.hold_ms <= until_ms and i.kind == kind and (name is None or i.name == name) for i in self._active
        )

    def forget_unsettled(self) -> None:
        """Drop what has not settled: it stays unknown."""
        for source in self._active:
            source.forget()
        self._active.clear()

    def unsettled(self) -> Iterable[Input]:
        """The inputs of which it is not known yet what is going on."""
        return self._active

    def reset(self, values: Mapping[tuple[InputKind, str], EdgeValue]) -> None:
        """Start anew from values that were read; inputs that are not named keep what they had settled to."""
        self._active.clear()
        self._rattling.clear()
        self._heap.clear()
        for key, source in self._inputs.items():
            source.reset(values.get(key, source.settled))
