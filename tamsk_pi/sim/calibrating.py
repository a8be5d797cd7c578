"""Hands that do what a calibration asks for, and what can be wrong with the board they do it on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Final, Protocol

import attrs

from tamsk_pi.calibrate.glasses import GlassCalibration, Lane
from tamsk_pi.calibrate.saying import Say
from tamsk_pi.calibrate.sockets import STAND_MS, SocketCalibration
from tamsk_pi.clock import VirtualClock
from tamsk_pi.config.profile import ROWS, BoardProfile
from tamsk_pi.rules.board import COLUMNS, GLASSES, TIMER, owner_of
from tamsk_pi.sensing.edges import BUTTONS
from tamsk_pi.sim.acts import LayAside, Lift, Press, Release, Turn
from tamsk_pi.sim.faults import Fault, fault_from_text
from tamsk_pi.sim.rig import Rig

PATIENCE_MS: Final = STAND_MS + 1500
"""Hands that did as they were asked press a button when nothing has come of it for so long."""
STEP_MS: Final = 200
WANDER_MS: Final = 15_000
GLASS: Final = "R2"
"""The glass that is carried from socket to socket."""


class Follower(Protocol):
    """Hands that follow a calibration."""

    def look(self, now_ms: int) -> None:
        """See what is asked for, and do it."""
        ...


class SocketFollower:
    """Carries one glass from socket to socket, as asked; presses a button where nothing comes of it, another where
    nothing comes of that."""

    def __init__(self, rig: Rig, calibration: SocketCalibration) -> None:
        self._rig = rig
        self._calibration = calibration
        self._asked: Say | None = None
        self._ready_ms = 0
        self._presses = 0

    def look(self, now_ms: int) -> None:
        asked = self._calibration.asked
        if asked is not self._asked:
            self._asked, self._presses = asked, 0
            self._ready_ms = max(now_ms, self._do(asked, now_ms)) + PATIENCE_MS
        elif now_ms >= self._ready_ms:
            button = BUTTONS[::-1][self._presses % len(BUTTONS)]
            self._presses += 1
            self._ready_ms = self._rig.hands.press("black", button, now_ms).ends_ms + PATIENCE_MS

    def _do(self, asked: Say, now_ms: int) -> int:
        """Begin what is asked for; when it will be done."""
        hands, truth = self._rig.hands, self._rig.board.foreseen()
        hand = owner_of(GLASS)
        if asked.code == "clear":
            for name in GLASSES:
                if truth.glasses[name].socket is not None:
                    hands.lift(hand, name, now_ms)
                    hands.lay_aside(hand, name, now_ms)
        elif asked.code in ("place", "turn_over", "place_a_up", "place_b_up") and self._calibration.target is not None:
            turned = truth.glasses[GLASS].up != self._calibration.end
            hands.move(hand, GLASS, self._calibration.target, now_ms, turned=turned)
        elif asked.code.startswith("question_"):
            return now_ms - PATIENCE_MS + 500  # they know that they did it right
        return hands.free_at_ms(hand)


class GlassFollower:
    """Turns each lane's glass over as asked, and presses when it has run out: a finger's time late."""

    def __init__(self, rig: Rig, calibration: GlassCalibration, seed: int | str) -> None:
        self._rig = rig
        self._calibration = calibration
        self._rng = random.Random(f"{seed}/fingers")
        self._asked: dict[str, Say] = {}
        self._turned: dict[str, int] = {}

    def look(self, now_ms: int) -> None:
        for lane in self._calibration.lanes:
            if lane.glass is not None and self._asked.get(lane.side) is not lane.asked:
                self._asked[lane.side] = lane.asked
                self._do(lane, lane.glass, now_ms)

    def _do(self, lane: Lane, glass: str, now_ms: int) -> None:
        board = self._rig.board
        sand = board.foreseen().glasses[glass].sand
        t_ms = now_ms + self._rng.randint(800, 1500)
        if lane.asked.code in ("turn_glass", "turn_and_press"):
            t_ms = max(t_ms, sand.stops_at_ms or 0)
            if lane.asked.code == "turn_and_press" and sand.up == lane.asked.blanks["end"]:
                # It is to stand the other way round first, and run down.
                board.plan([(t_ms, Lift(glass, lane.side)), (t_ms + 100, Turn(glass)), (t_ms + 200, LayAside(glass))])
                t_ms = 1000 + max(t_ms, board.foreseen().glasses[glass].sand.stops_at_ms or 0)
            board.plan([(t_ms, Lift(glass, lane.side)), (t_ms + 100, Turn(glass)), (t_ms + 200, LayAside(glass))])
            if lane.asked.code == "turn_and_press" or not self._tilt_follows(glass):
                self._press(lane.side, t_ms + 100 + self._rng.randint(0, 80))
        elif lane.asked.code == "no_turning":
            self._press(lane.side, t_ms)
        elif lane.asked.code == "running" and sand.stops_at_ms is not None:
            self._press(lane.side, max(t_ms, sand.stops_at_ms + self._rng.randint(80, 250)))

    def _tilt_follows(self, glass: str) -> bool:
        """Whether anything comes of turning it over: hands that see nothing happen press."""
        return not any(fault.input == ("tilt", glass) for fault in self._rig.board.faults)

    def _press(self, button: str, t_ms: int) -> None:
        self._rig.board.plan([(t_ms, Press(button)), (t_ms + self._rng.randint(100, 200), Release(button))])


class Clockwork(Protocol):
    """What knows when it next wants to be asked."""

    def next_deadline_ms(self) -> int | None: ...


@attrs.frozen
class Pump:
    """Lets the time of a virtual board pass, from one thing that happens to the next; nobody waits for it."""

    rig: Rig
    clock: VirtualClock
    calibration: Clockwork
    follower: Follower

    def __call__(self) -> None:
        now_ms = self.clock.now_ms()
        self.follower.look(max(now_ms, self.rig.board.now_ms))
        due = (now_ms + STEP_MS, self.rig.next_ms(), self.calibration.next_deadline_ms())
        self.clock.go_to(max(now_ms + 1, min(t for t in due if t is not None)))
        self.rig.run_to(self.clock.now_ms())


# -- what can be wrong


@attrs.frozen
class Disorder:
    """What is wrong with a virtual board. `wired`: how a matrix is wired, for a profile that says otherwise."""

    faults: tuple[Fault, ...] = ()
    wandering: tuple[str, ...] = ()
    wired: Callable[[BoardProfile], BoardProfile] = lambda profile: profile

    def begin(self, rig: Rig) -> None:
        """Let the sensors' faults begin, and the glasses wander. `ValueError` for an input that is not fitted."""
        for fault in self.faults:
            rig.board.switch_on(fault)
        for glass in self.wandering:
            rig.board.wander(glass, WANDER_MS)


def disorder_from_texts(texts: Iterable[str]) -> Disorder:
    """From texts: a sensor's fault as `fault_from_text` takes it, `wandering@R2` for a glass, `columns@A+B` and
    `rows@1+2` for wires of a matrix that are exchanged. `ValueError` says what is allowed."""
    faults: list[Fault] = []
    wandering: list[str] = []
    exchanged: list[tuple[str, str, str]] = []
    for text in texts:
        what, _, where = text.partition("@")
        if what == "wandering":
            if where not in (*GLASSES, TIMER):
                raise ValueError(f"no glass is called {where!r}; there are {', '.join((*GLASSES, TIMER))}")
            wandering.append(where)
        elif what in ("columns", "rows"):
            first, _, second = where.partition("+")
            allowed = COLUMNS if what == "columns" else "".join(ROWS)
            if len(first) != 1 or len(second) != 1 or first == second or not {first, second} <= set(allowed):
                raise ValueError(f"{where!r} is not two {what} joined by '+': {', '.join(allowed)}")
            exchanged.append((what, first, second))
        else:
            faults.append(fault_from_text(text))

    def wired(profile: BoardProfile) -> BoardProfile:
        for what, first, second in exchanged:
            lines = dict(getattr(profile.matrix, what))
            if not {first, second} <= set(lines):
                raise ValueError(f"{profile.name} has no {what} {first} and {second}; it has {', '.join(lines)}")
            lines[first], lines[second] = lines[second], lines[first]
            columns, rows = (lines, profile.matrix.rows) if what == "columns" else (profile.matrix.columns, lines)
            profile = attrs.evolve(profile, matrix=attrs.evolve(profile.matrix, columns=columns, rows=rows))
        return profile

    return Disorder(tuple(faults), tuple(wandering), wired)
