"""Six caps, the air and the bridge's firmware in one simulated time: what was turned, and what the host was told of
it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from firmware_bridge.build import missing_for_simavr
from firmware_bridge.events import Caps, Edges, Event
from firmware_bridge.inputs import TRAVELLING, Build
from firmware_bridge.protocol import CapHealth, Config
from firmware_bridge.simavr.air import Air, Aired, CapRan
from firmware_bridge.simavr.bench import SimavrBench
from tests.firmware_bridge.rig import Rig
from tests.tiers import lacking

BUILD: Final = Build(tilts="caps")
SECONDS: Final = 600
SETTLE_IN_US: Final = 12_000_000
STEP_US: Final = 20_000
TURNINGS_A_MINUTE: Final = 8
KNOCKS: Final = 0.2
BELONGS_US: Final = 400_000


@attrs.frozen
class Turning:
    t_us: int
    glass: str
    up: str


@attrs.frozen
class Heard:
    """A tilt that the host was told: when it was told, and what."""

    told_us: int
    t_us: int
    glass: str
    up: str
    timed: bool


class World(Rig):
    """A rig with caps, which notes when the host was told of a tilt. `edge_limit` is the highest."""

    def __init__(self, air: Air) -> None:
        missing = missing_for_simavr()
        if missing:
            lacking(missing)
        self.board = SimavrBench(BUILD, air=air)
        super().__init__(self.board, Config(edge_limit=255))
        self.heard: list[Heard] = []
        self.truth: list[Turning] = []
        self.knocks = 0
        self._up = dict.fromkeys(TRAVELLING, "a")

    def take(self, events: Iterable[Event]) -> None:
        events = list(events)
        super().take(events)
        for event in events:
            for change in event.changes if isinstance(event, Edges) else ():
                if change.name[0] == "tilt" and change.name[1] in TRAVELLING:
                    told_us = self.sent[-1].t_us
                    self.heard.append(Heard(told_us, change.t_us, change.name[1], str(change.value), change.timed))

    def begin(self) -> None:
        """Until every cap has been heard."""
        self.start()
        self.run_to(self.now_us + SETTLE_IN_US, STEP_US)
        self.heard.clear()

    def turn(self, glass: str, t_us: int) -> None:
        """A glass is turned over."""
        up = self._up[glass] = "b" if self._up[glass] == "a" else "a"
        self.board.set(("tilt", glass), up, t_us)
        self.truth.append(Turning(t_us, glass, up))

    def knock(self, glass: str, t_us: int, for_us: int) -> None:
        """A glass is knocked: its closed switch opens for a moment."""
        self.board.set_ends(TRAVELLING.index(glass), "", t_us)
        self.board.set_ends(TRAVELLING.index(glass), self._up[glass], t_us + for_us)
        self.knocks += 1

    def play(self, seconds: int, seed: int, glasses: Sequence[str] = TRAVELLING) -> None:
        """Turnings and knocks at random for so long."""
        noise = random.Random(seed)
        began_us = self.now_us
        end_us = began_us + seconds * 1_000_000
        for glass in glasses:
            t_us = began_us + noise.randrange(3_000_000)
            while True:
                t_us += round((0.3 + 1.4 * noise.random()) * 60e6 / TURNINGS_A_MINUTE)
                if t_us > end_us - 3_000_000:
                    break
                if noise.random() < KNOCKS:
                    self.knock(glass, t_us, 1_000 + noise.randrange(12_000))
                else:
                    self.turn(glass, t_us)
        self.run_to(end_us, STEP_US)

    def health(self) -> dict[str, CapHealth]:
        """What the receiver last told of the caps."""
        last = self.of(Caps)[-1]
        return dict(zip(TRAVELLING, last.health.caps, strict=True))


@attrs.frozen
class Outcome:
    """What came of the turnings. Times in ms."""

    turnings: int
    told: int
    untold: int
    twice: int
    false: int
    untimed: int
    knocks: int
    worst_ms: float
    beyond_2_ms: int
    late_mean_ms: float
    latest_ms: float
    beyond_hold: int
    """Told more than 300 ms after."""

    def line(self) -> str:
        return (
            f"{self.told} of {self.turnings} told, {self.twice} twice, {self.false} false, {self.knocks} knocks;"
            f" stamp off by {self.worst_ms:.2f} ms at most; told after {self.late_mean_ms:.0f} ms,"
            f" {self.latest_ms:.0f} at most, {self.beyond_hold} after more than 300"
        )


def outcome(truth: Sequence[Turning], heard: Sequence[Heard], knocks: int = 0) -> Outcome:
    """Hold what was told against what was done: each turning belongs to one edge of its glass, nearest in time."""
    errors: list[float] = []
    lates: list[float] = []
    open_turnings = {glass: [t for t in truth if t.glass == glass] for glass in TRAVELLING}
    taken: set[Turning] = set()
    twice = false = untimed = 0
    for one in heard:
        if not one.timed:
            untimed += 1
            continue
        fitting = [t for t in open_turnings[one.glass] if t.up == one.up and abs(t.t_us - one.t_us) < BELONGS_US]
        if not fitting:
            false += 1
            continue
        nearest = min(fitting, key=lambda t: abs(t.t_us - one.t_us))
        if nearest in taken:
            twice += 1
            continue
        taken.add(nearest)
        errors.append(abs(one.t_us - nearest.t_us) / 1000)
        lates.append((one.told_us - nearest.t_us) / 1000)
    return Outcome(
        len(truth), len(taken), len(truth) - len(taken), twice, false, untimed, knocks,
        max(errors, default=0.0), sum(error > 2 for error in errors), sum(lates) / max(1, len(lates)),
        max(lates, default=0.0), sum(late > 300 for late in lates),
    )  # fmt: skip


def run(air: Air, seconds: int = SECONDS, seed: int = 3) -> tuple[Outcome, Aired, list[CapRan]]:
    """One scenario: six caps turned and knocked at random for so long."""
    with World(air) as world:
        world.begin()
        world.play(seconds, seed)
        aired, ran = world.board.aired()
    return outcome(world.truth, world.heard, world.knocks), aired, ran
