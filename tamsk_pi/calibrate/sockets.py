"""The calibration of the sockets: one glass goes into every socket, both ways up, and what answers is written down.

A person follows the lamp and the words; whatever cannot be known from contacts alone is asked for, and a press of any
button (or Enter) says "it is as you asked, and nothing more will happen".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal

import attrs

from tamsk_pi.calibrate.contacts import Changed, Contacts, Flickered, Happening, Noisy
from tamsk_pi.calibrate.saying import DARK, Say, ask, bad, good, note
from tamsk_pi.rules.board import SOCKETS
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sensing.settings import GAP_MS, SETTLE_MS, SocketSensor
from tamsk_pi.signals.frames import LampFrame

STAND_MS: Final = 2000
"""A glass stands this long before it is judged: a weak contact lets go in that time, once at least."""

REACH_MS: Final = 1500
"""Nobody has set a glass down and waited in vain sooner than this: what seems a press then is a glass carried past a
socket whose wire went where a button's should."""

End = Literal["a", "b"]
Phase = Literal["clear", "place", "over"]


@attrs.frozen
class Placement:
    """What answered to one placing: the sockets that closed (the one asked for first, if it did), the field of a hall
    sensor, and how often the contact let go while the glass stood."""

    answered: tuple[str, ...] = ()
    field: Literal["N", "S"] | None = None
    flickers: int = 0


@attrs.frozen
class Result:
    """What is known of one socket. `a` and `b`: the placings with that end up; None for one that was not asked for."""

    a: Placement | None = None
    b: Placement | None = None
    stuck: bool = False
    """Closed with nothing in it."""
    never_opens: bool = False
    """Stayed closed when the glass was lifted out."""
    noisy: bool = False


def is_clean(socket: str, result: Result) -> bool:
    """Whether a socket, and it alone, answered steadily to the glass both ways up."""
    if result.stuck or result.never_opens or result.noisy:
        return False
    fields = tuple(placement.field if placement else None for placement in (result.a, result.b))
    steady = all(p is not None and p.answered == (socket,) and not p.flickers for p in (result.a, result.b))
    return steady and fields in ((None, None), ("N", "S"))


def sensor_of(inputs: Mapping[tuple[str, str], EdgeValue]) -> SocketSensor:
    """What kind of sensor the sockets have, by what they say: a contact is closed or open, a field has a pole."""
    return "reed" if any(isinstance(value, bool) for (kind, _), value in inputs.items() if kind == "socket") else "hall"


class SocketCalibration:
    """Feed it edges and let time pass; do what `asked` says; it is over when `is_done`.

    `inputs`: the board's state at `now_ms`, as `Device.inputs` tells it. `results`: what an earlier run found; those
    sockets are not asked for again. `keep` is called with every socket's result as it is known.
    """

    def __init__(
        self,
        inputs: Mapping[tuple[str, str], EdgeValue],
        now_ms: int,
        results: Mapping[str, Result] | None = None,
        *,
        gap_ms: Mapping[str, int] = GAP_MS,
        settle_ms: Mapping[str, int] = SETTLE_MS,
        keep: Callable[[str, Result], None] = lambda socket, result: None,
    ) -> None:
        self.results: dict[str, Result] = dict(results or {})
        self.sensor: Final = sensor_of(inputs)
        self.sockets: Final = tuple(name for name in SOCKETS if ("socket", name) in inputs)
        self._contacts = Contacts(inputs, gap_ms, settle_ms)
        self._keep = keep
        self._plan = deque(name for name in self.sockets if name not in self.results)
        self._now_ms = now_ms
        self._phase: Phase = "clear"
        self._asked = note("begin")
        self._asked_at_ms = now_ms
        self._end: End = "a"
        self._first: Placement | None = None
        """What answered with end a up, once that is known."""
        self._left: frozenset[str] = frozenset()
        """Closed when this placing was asked for, and not open since: the glass still stands there, or so it seems."""
        self._stuck: set[str] = set()
        """Closed though nothing stands there."""
        self._noisy: set[str] = set()
        self._never_opens: set[str] = set()
        self._flickers = 0
        self._judged_at_ms: int | None = None
        self._question: str | None = None
        self._said: list[Say] = []
        if not self._plan:
            self._phase = "over"

    # -- what is to be done

    @property
    def is_done(self) -> bool:
        return self._phase == "over"

    @property
    def asked(self) -> Say:
        """What is to be done now."""
        return self._asked

    @property
    def target(self) -> str | None:
        """The socket that is asked for."""
        return self._plan[0] if self._phase == "place" else None

    @property
    def end(self) -> End:
        """The end that is to be up."""
        return self._end

    def frame(self) -> LampFrame:
        """The lamp of the socket asked for: green with end a up, red with end b up; the alarm lamp for a question."""
        if self.target is None:
            return attrs.evolve(DARK, panel={**DARK.panel, "alarm": self._question is not None})
        lit = frozenset({self.target})
        return LampFrame(
            panel={**DARK.panel, "alarm": self._question is not None},
            green_sockets=lit if self._end == "a" else frozenset(),
            red_sockets=lit if self._end == "b" else frozenset(),
        )

    # -- what happens

    def begin(self) -> list[Say]:
        """The first words."""
        if self._phase == "over":
            return []
        self._say(note("begin", left=len(self._plan), count=len(self.sockets)))
        self._ask_to_clear()
        return self._told()

    def feed(self, edges: Sequence[Edge]) -> list[Say]:
        """Take edges, in order of time; what is to be said about them."""
        for edge in edges:
            self._advance(edge.t_ms)
            self._take(self._contacts.feed([edge]))
        return self._told()

    def advance(self, now_ms: int) -> list[Say]:
        """Let time pass up to `now_ms`, in the order in which things fall due."""
        self._advance(now_ms)
        return self._told()

    def press(self, t_ms: int) -> list[Say]:
        """Enter at the terminal: the same as any button."""
        self._advance(t_ms)
        self._pressed()
        return self._told()

    def next_deadline_ms(self) -> int | None:
        """When something next falls due by itself."""
        times = [t for t in (self._contacts.next_deadline_ms(), self._judged_at_ms) if t is not None]
        return min(times, default=None)

    def _advance(self, now_ms: int) -> None:
        while (due_ms := self.next_deadline_ms()) is not None and due_ms <= now_ms:
            self._now_ms = max(self._now_ms, due_ms)
            self._take(self._contacts.advance(due_ms))
            if self._judged_at_ms is not None and self._judged_at_ms <= due_ms:
                self._judge()
        self._now_ms = max(self._now_ms, now_ms)

    def _take(self, happened: Iterable[Happening]) -> None:
        for event in happened:
            match event:
                case Changed(kind="socket"):
                    self._socket_changed(event)
                case Changed(kind="button", value=True):
                    self._pressed()
                case Flickered(kind="socket", name=name) if name in self._present():
                    self._flickers += 1
                case Noisy(kind="socket", name=name):
                    self._noisy.add(name)
                    if self.target == name:
                        self._finish(Result(self._first, None, noisy=True), bad("noisy", socket=name))

    def _socket_changed(self, change: Changed) -> None:
        if change.name in self._noisy:
            return
        # A field that goes from one pole to the other at once is a lift and a placing.
        self._left -= {change.name}
        if not change.value and change.name in self._stuck:
            self._stuck.discard(change.name)
            self._try_again(change.name)
        if self._phase == "clear":
            if not self._closed():
                self._ask_for_next()
            return
        self._question = None
        self._flickers = 0
        self._judged_at_ms = self._now_ms + STAND_MS if self._present() else None
        if not self._present() and self._asked.code.startswith("question_"):
            self._ask_for_placing()

    def _present(self) -> frozenset[str]:
        """The sockets that have closed since the placing was asked for."""
        return self._closed() - self._left

    def _closed(self) -> frozenset[str]:
        """The sockets that are closed, but for those that always are or cannot be believed."""
        return self._contacts.closed_sockets() - self._stuck - self._noisy

    def _pressed(self) -> None:
        if self._phase == "clear":
            self._found_stuck(self._closed())
            self._ask_for_next()
            return
        if self._phase == "over":
            return
        present, left = self._present(), self._left & self._contacts.closed_sockets()
        if self._question == "question_still_closed" or (left and not present):
            for name in left:
                self._stuck.add(name)
                self._never_opens.add(name)
            self._left = frozenset()
            if not present and self.target in left:
                # It answered with the first end, and nothing can be told of it any more.
                self._finish(Result(self._first, None, never_opens=True), bad("never_opens", socket=self.target))
                return
            for name in left:
                self.results[name] = attrs.evolve(self.results.get(name, Result()), never_opens=True)
                self._keep(name, self.results[name])
                self._say(bad("never_opens", socket=name))
            if present:
                self._judge()
            return
        if self._question is not None:
            self._accept(present)
        elif not present and self._now_ms - self._asked_at_ms >= REACH_MS:
            self._accept(frozenset())

    # -- judging

    def _judge(self) -> None:
        """The glass has stood long enough."""
        self._judged_at_ms = None
        present, left = self._present(), self._left & self._contacts.closed_sockets()
        if (rest_ms := self._contacts.at_rest_ms("socket", present)) is not None:
            self._judged_at_ms = rest_ms
            return
        target = self.target
        if target is None or not present:
            return
        if left:
            self._put_question("question_still_closed", socket=target, sockets=_in_order(left))
        elif target not in present and not self._answered_before(present):
            self._put_question("question_elsewhere", socket=target, sockets=_in_order(present))
        elif self._end == "b" and self._not_turned(target):
            self._put_question("question_not_turned", socket=target)
        else:
            self._accept(present)

    def _answered_before(self, present: frozenset[str]) -> bool:
        """Whether just these answered to the first end, and it was said that the glass stood right."""
        return self._first is not None and set(self._first.answered) == present

    def _not_turned(self, target: str) -> bool:
        first = self._first.field if self._first is not None else None
        return first is not None and first == self._contacts.settled("socket", target)

    def _put_question(self, code: str, **blanks: object) -> None:
        self._question = code
        self._asked = Say("bad", code, blanks)
        self._say(self._asked)

    def _accept(self, present: frozenset[str]) -> None:
        target = self.target
        assert target is not None
        answered = tuple(sorted(present, key=lambda name: (name != target, SOCKETS.index(name))))
        value = self._contacts.settled("socket", answered[0]) if answered else None
        field: Literal["N", "S"] | None = "N" if value == "N" else "S" if value == "S" else None
        placement = Placement(answered, field, self._flickers)
        if self._end == "a":
            self._first = placement
            self._end = "b"
            self._ask_for_placing()
            return
        result = Result(self._first, placement)
        clean = is_clean(target, result)
        self._finish(result, good("socket_done", socket=target) if clean else bad("socket_faulty", socket=target))

    def _finish(self, result: Result, said: Say) -> None:
        socket = self._plan.popleft()
        self.results[socket] = result
        self._keep(socket, result)
        self._say(said)
        self._ask_for_next()

    def _found_stuck(self, names: Iterable[str]) -> None:
        for name in _in_order(names):
            self._stuck.add(name)
            self._say(bad("stuck", socket=name))
            if name in self._plan:
                self._plan.remove(name)
            self.results[name] = Result(stuck=True)
            self._keep(name, self.results[name])

    def _try_again(self, name: str) -> None:
        """A socket that was given up as closed for ever has opened: something stood in it after all."""
        result = self.results.get(name)
        if result is not None and result.stuck and name not in self._plan:
            del self.results[name]
            self._plan.append(name)

    # -- asking

    def _ask_to_clear(self) -> None:
        closed = self._closed()
        if not closed:
            self._ask_for_next()
            return
        self._phase = "clear"
        self._asked = ask("clear", sockets=_in_order(closed))
        self._say(self._asked)

    def _ask_for_next(self) -> None:
        self._first, self._end = None, "a"
        while self._plan and self._plan[0] in self._noisy:
            socket = self._plan.popleft()
            self.results[socket] = Result(noisy=True)
            self._keep(socket, self.results[socket])
            self._say(bad("noisy", socket=socket))
        if not self._plan:
            self._phase = "over"
            self._asked = note("sockets_over", count=len(self.sockets))
            self._say(self._asked)
            return
        self._phase = "place"
        self._ask_for_placing()

    def _ask_for_placing(self) -> None:
        self._left = self._closed()
        self._asked_at_ms = self._now_ms
        self._flickers, self._question, self._judged_at_ms = 0, None, None
        code = ("place" if self._end == "a" else "turn_over") if self.sensor == "reed" else f"place_{self._end}_up"
        number = len(self.sockets) - len(self._plan) + 1
        self._asked = ask(code, socket=self._plan[0], number=number, count=len(self.sockets))
        self._say(self._asked)

    def _say(self, said: Say) -> None:
        self._said.append(said)

    def _told(self) -> list[Say]:
        said, self._said = self._said, []
        return said


def _in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Sockets in the order `A1` to `G4`."""
    return tuple(sorted(names, key=SOCKETS.index))
