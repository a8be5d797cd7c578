"""From perfect contacts to real ones: bounce, rattle and faults. Raw edges come out, in order of time."""

from __future__ import annotations

import heapq
import random
from collections.abc import Mapping

import attrs

from tamsk_pi.sensing.edges import Edge, EdgeValue, InputKind
from tamsk_pi.sim.faults import (
    Bouncy,
    Exchanged,
    FaceDown,
    Fault,
    MissedTurning,
    Noisy,
    OnePole,
    Rattling,
    StrongMagnet,
    Stuck,
    Weak,
)
from tamsk_pi.sim.sand import other_end
from tamsk_pi.sim.truth import Input


@attrs.frozen
class Bounce:
    """How contacts of one kind change: up to `pairs` extra pairs of edges, each edge 1 to `step_ms` after the last."""

    pairs: int
    step_ms: int


@attrs.frozen
class Habits:
    """How the contacts of a board behave when nothing is wrong with them."""

    socket: Bounce = Bounce(2, 4)
    tilt: Bounce = Bounce(3, 50)
    ring: Bounce = Bounce(1, 6)
    holder: Bounce = Bounce(1, 6)
    button: Bounce = Bounce(2, 3)
    knock_ms: int = 25
    """How long a jolt holds a tilt ball off at most."""

    def bounce_of(self, kind: InputKind) -> Bounce:
        bounce: Bounce = getattr(self, kind)
        return bounce


QUIET = Habits(Bounce(0, 1), Bounce(0, 1), Bounce(0, 1), Bounce(0, 1), Bounce(0, 1))
"""Contacts that change once and stay, for tests and for a board that is only looked at."""


class Sensors:
    """All inputs of a board. `change` is told what a perfect contact says; `run_to` gives what the real ones say.

    Everything is drawn from `rng`, so the same changes at the same times give the same edges.
    """

    def __init__(self, values: Mapping[Input, EdgeValue], rng: random.Random, habits: Habits | None = None) -> None:
        self._perfect = dict(values)
        self._raw = dict(values)
        self._rng = rng
        self._habits = habits or Habits()
        self._due: list[tuple[int, int, Input, EdgeValue, int]] = []
        self._ticks: list[tuple[int, int, Fault]] = []
        self._burst = dict.fromkeys(values, 0)
        self._waiting = dict.fromkeys(values, 0)
        self._serial = 0
        self._faults: list[Fault] = []
        self._hanging: dict[Input, MissedTurning] = {}
        """Tilt balls that missed a turning and hang the wrong way."""

    @property
    def raw(self) -> Mapping[Input, EdgeValue]:
        """What every input says now. Changes as time goes on; copy it to keep it."""
        return self._raw

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults that are on, a tilt ball that hangs included."""
        return (*self._faults, *self._hanging.values())

    def expected(self, which: Input) -> EdgeValue:
        """What an input says once it has settled: the truth, or what its faults make of it."""
        for fault in self._faults:
            if isinstance(fault, Stuck) and fault.input == which:
                return fault.value
        if which in self._hanging:
            return self._raw[which]
        value = self._perfect[self._speaks_for(which)]
        if which[0] != "socket":
            return value
        if not value:
            for fault in self._faults:
                if isinstance(fault, StrongMagnet) and fault.also == which[1]:
                    value = self._perfect["socket", fault.socket]
        return self._field(which[1], value)

    def _field(self, socket: str, value: EdgeValue) -> EdgeValue:
        """What the poles' faults make of what is there: first which pole it is, then whether it is seen."""
        for fault in self._faults:
            if isinstance(fault, FaceDown) and fault.socket in (None, socket) and isinstance(value, str):
                value = _opposite_pole(value)
        if any(isinstance(f, OnePole) and f.socket == socket and f.field != value for f in self._faults):
            return None
        return value

    def _speaks_for(self, which: Input) -> Input:
        """The input whose place a sensor is wired to: its own, unless two are exchanged."""
        for fault in self._faults:
            if isinstance(fault, Exchanged) and which[0] == "socket" and which[1] in (fault.socket, fault.other):
                return ("socket", fault.other if which[1] == fault.socket else fault.socket)
        return which

    # -- what happens to the board -----------------------------------------------------------------------------------

    def change(self, t_ms: int, which: Input, value: EdgeValue) -> None:
        """A perfect contact says `value` from `t_ms` on. Inputs the board does not have are nothing."""
        if which not in self._perfect or self._perfect[which] == value:
            return
        self._perfect[which] = value
        if self._faults or self._hanging:
            self._misses_turning(t_ms, which)
            for fault in self._faults:
                if isinstance(fault, StrongMagnet) and ("socket", fault.socket) == which:
                    self._follow(t_ms, fault.input)
        self._follow(t_ms, self._speaks_for(which))

    def knock(self, t_ms: int, which: Input) -> None:
        """Shake a tilt ball; nothing if it is rolling anyhow or hangs."""
        value = self._raw.get(which)
        if value is None or self._waiting[which] or value != self._perfect[which] or self._is_stuck(which):
            return
        self._plan(t_ms, which, _opposite(which, value))
        self._plan(t_ms + self._rng.randint(2, max(2, self._habits.knock_ms)), which, value)

    # -- faults ------------------------------------------------------------------------------------------------------

    def switch_on(self, fault: Fault, t_ms: int) -> None:
        """Begin a fault. `ValueError` if it is on already or the board has no such input."""
        if fault in self.faults:
            raise ValueError(f"{fault} is on already")
        if fault.input not in self._perfect:
            raise ValueError(f"this board has no {fault.input[0]} {fault.input[1]}")
        if isinstance(fault, FaceDown | OnePole) and isinstance(self._perfect[fault.input], bool):
            raise ValueError(f"{fault.input[1]} has a reed, and a reed knows no poles: such a fault needs hall sensors")
        self._faults.append(fault)
        match fault:
            case Weak() | Noisy() | Rattling():
                self._schedule_tick(fault, t_ms)
            case Stuck() | StrongMagnet() | Exchanged() | FaceDown() | OnePole():
                self._follow_all(t_ms, fault)
            case Bouncy() | MissedTurning():
                return

    def switch_off(self, fault: Fault, t_ms: int) -> None:
        """End a fault: the input says what is so again. `ValueError` if it is not on."""
        if fault not in self.faults:
            raise ValueError(f"{fault} is not on")
        if fault in self._faults:
            self._faults.remove(fault)
        elif isinstance(fault, MissedTurning):
            del self._hanging[fault.input]
        self._ticks = [tick for tick in self._ticks if tick[2] != fault]
        heapq.heapify(self._ticks)
        self._follow_all(t_ms, fault)

    def _follow_all(self, t_ms: int, fault: Fault) -> None:
        """Let every input that a fault concerns go to what it says now."""
        match fault:
            case Exchanged(socket, other):
                self._follow(t_ms, ("socket", socket))
                self._follow(t_ms, ("socket", other))
            case FaceDown(None):
                for which in self._perfect:
                    if which[0] == "socket":
                        self._follow(t_ms, which)
            case _:
                self._follow(t_ms, fault.input)

    def _misses_turning(self, t_ms: int, which: Input) -> None:
        if which in self._hanging:
            del self._hanging[which]
            return
        for fault in self._faults:
            if isinstance(fault, MissedTurning) and fault.input == which:
                self._faults.remove(fault)
                self._hanging[which] = fault
                if fault.frees_after_ms is not None:
                    self._push_tick(t_ms + fault.frees_after_ms, fault)
                return

    def _tick(self, t_ms: int, fault: Fault) -> None:
        which = fault.input
        if isinstance(fault, MissedTurning):
            if self._hanging.pop(which, None) is not None:
                self._follow(t_ms, which)
            return
        value = self._raw[which]
        settled = not self._waiting[which] and value == self.expected(which) and not self._is_stuck(which)
        match fault:
            case Weak() if settled and value:
                self._plan(t_ms, which, _opposite(which, value))
                self._plan(t_ms + self._rng.randint(5, fault.longest_ms), which, value)
            case Noisy() if settled:
                self._plan(t_ms, which, _opposite(which, value))
                self._plan(t_ms + self._rng.randint(1, 5), which, value)
            case Rattling():
                right = self.expected(which)
                self._plan(t_ms, which, right if value != right else _opposite(which, value))
        self._schedule_tick(fault, t_ms)

    def _schedule_tick(self, fault: Fault, t_ms: int) -> None:
        match fault:
            case Weak():
                pause_ms = self._rng.expovariate(fault.per_minute / 60_000)
                self._push_tick(t_ms + fault.longest_ms + round(pause_ms), fault)
            case Noisy():
                # One tick gives two edges.
                self._push_tick(t_ms + 1 + round(self._rng.uniform(0, 4_000 / fault.per_second)), fault)
            case Rattling():
                self._push_tick(t_ms + self._rng.randint(*fault.step_ms), fault)

    def _push_tick(self, t_ms: int, fault: Fault) -> None:
        self._serial += 1
        heapq.heappush(self._ticks, (t_ms, self._serial, fault))

    def _is_stuck(self, which: Input) -> bool:
        return any(isinstance(fault, Stuck) and fault.input == which for fault in self._faults)

    # -- edges -------------------------------------------------------------------------------------------------------

    def _follow(self, t_ms: int, which: Input) -> None:
        """Let an input go to what it is expected to say, bouncing as its kind does."""
        value = self.expected(which)
        if self._waiting[which]:
            self._burst[which] += 1
            self._waiting[which] = 0
        if self._raw[which] == value:
            return
        before = self._raw[which]
        bounce = self._habits.bounce_of(which[0])
        pairs = self._rng.randint(0, bounce.pairs)
        step_ms = bounce.step_ms
        if self._faults:
            for fault in self._faults:
                if isinstance(fault, Bouncy) and fault.input == which:
                    pairs, step_ms = fault.pairs, fault.step_ms
        self._plan(t_ms, which, value)
        for _ in range(pairs):
            t_ms += self._rng.randint(1, step_ms)
            self._plan(t_ms, which, before)
            t_ms += self._rng.randint(1, step_ms)
            self._plan(t_ms, which, value)

    def _plan(self, t_ms: int, which: Input, value: EdgeValue) -> None:
        self._serial += 1
        self._waiting[which] += 1
        heapq.heappush(self._due, (t_ms, self._serial, which, value, self._burst[which]))

    def next_ms(self) -> int | None:
        """When the next edge may come; None if none will by itself."""
        times = [queue[0][0] for queue in (self._due, self._ticks) if queue]
        return min(times, default=None)

    def run_to(self, t_ms: int) -> list[Edge]:
        """All edges up to and including `t_ms`."""
        edges: list[Edge] = []
        while True:
            if self._ticks and self._ticks[0][0] <= t_ms and (not self._due or self._ticks[0][0] <= self._due[0][0]):
                tick_ms, _, fault = heapq.heappop(self._ticks)
                self._tick(tick_ms, fault)
            elif self._due and self._due[0][0] <= t_ms:
                due_ms, _, which, value, burst = heapq.heappop(self._due)
                if burst != self._burst[which]:
                    continue
                self._waiting[which] -= 1
                if self._raw[which] != value:
                    self._raw[which] = value
                    edges.append(Edge(due_ms, which[0], which[1], value))
            else:
                return edges


def _opposite_pole(field: str) -> str:
    return "S" if field == "N" else "N"


def _opposite(which: Input, value: EdgeValue) -> EdgeValue:
    """What an input says when it errs for a moment."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value - 1 if value else 1
    if which[0] == "tilt":
        return other_end(str(value))
    return None if value else "N"
