"""The virtual board: acts go in, raw contact changes come out, in virtual time and from one seed."""

from __future__ import annotations

import bisect
import random
from collections import deque
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from tamsk_pi.rules.board import START, Player
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sim.acts import Act, Knock, TimedAct, Turn
from tamsk_pi.sim.faults import Fault
from tamsk_pi.sim.sand import GlassMs, other_end
from tamsk_pi.sim.sensors import Habits, Sensors
from tamsk_pi.sim.truth import Fitted, Input, Truth

MOST_DONE: Final = 5_000
"""So many acts that nobody has asked for are remembered: a board that is played on all day must not grow."""


class VirtualBoard:
    """A board with everything on it. Times are ms on any clock that never goes back; none is read here.

    `plan` says what hands will do and when; `run_to` lets time pass and gives the edges. Not for several threads.
    """

    def __init__(
        self,
        seed: int | str,
        *,
        fitted: Fitted | None = None,
        glass_ms: GlassMs | None = None,
        standing: Mapping[str, str] = START,
        stacks: Mapping[str, tuple[Player, ...]] = MappingProxyType({}),
        habits: Habits | None = None,
        now_ms: int = 0,
    ) -> None:
        """`standing`: glass to socket at the beginning, all with their end a up and their sand run down.

        `stacks`: whose rings lie where then, the lowest first.
        """
        self.fitted = fitted or Fitted()
        self.truth = Truth(glass_ms, standing)
        for socket, stack in stacks.items():
            self.truth.stacks[socket] = stack
            for owner in stack:
                self.truth.holders[owner] -= 1
        self._full_ms = {name: glass.sand.full_ms for name, glass in self.truth.glasses.items()}
        self._now_ms = now_ms
        self._agenda: list[tuple[int, int, Act]] = []
        self._done: deque[TimedAct] = deque(maxlen=MOST_DONE)
        self._serial = 0
        values = {which: self.truth.contact(*which, self.fitted.sockets) for which in self.fitted.inputs()}
        self._sensors = Sensors(values, random.Random(f"{seed}/contacts"), habits)
        self._wandering: dict[str, int] = {}
        self._sand_rng = random.Random(f"{seed}/sand")

    @property
    def now_ms(self) -> int:
        return self._now_ms

    @property
    def inputs(self) -> Mapping[Input, EdgeValue]:
        """What every sensor says now, bounce and faults included."""
        return self._sensors.raw

    def expected(self, which: Input) -> EdgeValue:
        """What a sensor says once it has settled."""
        return self._sensors.expected(which)

    def plan(self, acts: Iterable[TimedAct]) -> None:
        """Let these acts happen at their times. All or none: `ImpossibleAct` if, with everything planned already,
        one of them cannot be done; `ValueError` for a time gone by."""
        new = []
        for t_ms, act in acts:
            if t_ms < self._now_ms:
                raise ValueError(f"{act} cannot be done at {t_ms} ms: it is {self._now_ms} ms now")
            self._serial += 1
            new.append((t_ms, self._serial, act))
        agenda = sorted([*self._agenda, *new], key=lambda entry: entry[:2])
        rehearsal = self.truth.copy()
        for t_ms, _, act in agenda:
            rehearsal.apply(act, t_ms)
        self._agenda = agenda

    def planned(self) -> list[TimedAct]:
        """What is still to be done, in order of time."""
        return [(t_ms, act) for t_ms, _, act in self._agenda]

    def foreseen(self) -> Truth:
        """The truth as it will be when everything planned is done."""
        truth = self.truth.copy()
        for t_ms, _, act in self._agenda:
            truth.apply(act, t_ms)
        return truth

    def next_ms(self) -> int | None:
        """When something next happens by itself; None if nothing will."""
        times = [t_ms for t_ms in (self._sensors.next_ms(),) if t_ms is not None]
        if self._agenda:
            times.append(self._agenda[0][0])
        return min(times, default=None)

    def run_to(self, t_ms: int) -> list[Edge]:
        """Let time pass up to and including `t_ms`, and return the raw edges of that time in order."""
        if t_ms < self._now_ms:
            raise ValueError(f"the board is at {self._now_ms} ms and does not go back to {t_ms}")
        edges: list[Edge] = []
        ready = bisect.bisect_right(self._agenda, t_ms, key=lambda entry: entry[0])
        todo, self._agenda = self._agenda[:ready], self._agenda[ready:]
        for act_ms, _, act in todo:
            edges += self._sensors.run_to(act_ms - 1)
            self._do(act_ms, act)
        edges += self._sensors.run_to(t_ms)
        self._now_ms = t_ms
        return edges

    def wander(self, glass: str, by_ms: int) -> None:
        """From now on this glass, damp or chipped, runs up to `by_ms` shorter or longer each time it is turned."""
        self._wandering[glass] = by_ms

    def _do(self, t_ms: int, act: Act) -> None:
        if isinstance(act, Turn) and (by_ms := self._wandering.get(act.glass)):
            sand = self.truth.glasses[act.glass].sand
            strayed_ms = self._sand_rng.randint(-by_ms, by_ms)
            full_ms = self._full_ms[act.glass]
            sand.full_ms = {**sand.full_ms, other_end(sand.up): max(1, full_ms[other_end(sand.up)] + strayed_ms)}
        touched = self.truth.apply(act, t_ms)
        self._done.append((t_ms, act))
        if isinstance(act, Knock):
            self._sensors.knock(t_ms, ("tilt", act.glass))
        for which in touched:
            self._sensors.change(t_ms, which, self.truth.contact(*which, self.fitted.sockets))

    def take_done(self) -> list[TimedAct]:
        """What was really done since this was last asked, with the true times: the record to judge a referee by."""
        done = list(self._done)
        self._done.clear()
        return done

    # -- faults ------------------------------------------------------------------------------------------------------

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults that are on."""
        return self._sensors.faults

    def switch_on(self, fault: Fault) -> None:
        """Begin a fault now. `ValueError` if it is on already or names an input this board does not have."""
        self._sensors.switch_on(fault, self._now_ms)

    def switch_off(self, fault: Fault) -> None:
        """End a fault now. `ValueError` if it is not on."""
        self._sensors.switch_off(fault, self._now_ms)
