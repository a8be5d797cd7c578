"""Scenes that together bring about every ruling there is."""

from __future__ import annotations

from typing import Any

from tamsk_pi.explain.chronicle import Chronicle
from tamsk_pi.explain.moment import Moment
from tamsk_pi.rules.editions import EDITIONS
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Tolerance
from tamsk_pi.session import Session
from tamsk_pi.trace import LinkUp
from tests.referee import scene
from tests.referee.scene import glass_ms
from tests.referee.test_timer_and_turns import fill

CORNERS = ("A1", "A4", "D1", "D7", "G1", "G4")
END_MS = 60_000


class Scene(scene.Scene):
    """A scene that keeps what each ruling rests on."""

    def __init__(self, level: int = 2, **settings: Any) -> None:
        super().__init__(level, **settings)
        self.moments: list[Moment] = []
        self.session = Session(self.settings, Chronicle(self.settings, self.moments.append))


def _wrong(level: int = 2) -> Scene:
    return Scene(level).carry(1_000, "R2", "D1", "D3")


def _moved(level: int = 2, **settings: object) -> Scene:
    return Scene(level, **settings).carry(1_000, "R2", "D1", "D2", turned=level > 1)


def _stopped() -> Scene:
    scene = Scene(2, glass_ms=glass_ms(5_000), tolerance=Tolerance(glass_ms=1_000)).carry(1_000, "R2", "D1", "D2")
    scene.carry(2_000, "B2", "D7", "D6").carry(3_000, "R1", "A4", "A3").carry(4_000, "B1", "A1", "A2")
    scene.carry(5_000, "R3", "G4", "G3").carry(5_500, "B3", "G1", "G2")
    return scene.carry(9_000, "R2", "D2", "D3")


def _close() -> Scene:
    scene = Scene(2, glass_ms=glass_ms(5_000), tolerance=Tolerance(glass_ms=3_000)).carry(1_000, "R2", "D1", "D2")
    scene.carry(2_000, "B2", "D7", "D6").carry(3_000, "R1", "A4", "A3").carry(4_000, "B1", "A1", "A2")
    scene.carry(4_700, "R3", "G4", "G3").carry(5_200, "B3", "G1", "G2")
    return scene.carry(7_000, "R2", "D2", "D3")


def _flickers(times: int, gap_ms: int, pulse_ms: int) -> Scene:
    scene = Scene()
    for n in range(times):
        scene.records += [
            Edge(1_000 + n * gap_ms, "socket", "D4", True),
            Edge(1_000 + n * gap_ms + pulse_ms, "socket", "D4", False),
        ]
    return scene


def _expired(rules: str, *, begun: bool) -> Scene:
    scene = Scene(3, rules=rules, glass_ms=glass_ms(timer_ms=2_000)).turn(1_000, "N")
    if begun:
        scene.lift(2_500, "D1").turn(4_000, "R2").place(4_500, "D2")
    else:
        scene.carry(5_000, "B1", "A1", "A2")
    return scene.carry(7_000, "B2", "D7", "D6") if begun else scene.carry(7_000, "R1", "A4", "A3")


def _full(level: int = 1) -> Scene:
    return fill(Scene(level), "D2").carry(1_000, "R2", "D1", "D2", turned=level > 1)


def _penalty_ring() -> Scene:
    return _expired("rulebook", begun=False).ring(5_400, "A2").ring(6_000, "D4")


def _watched() -> Scene:
    scene = fill(Scene(2, tolerance=Tolerance(glass_ms=2_000)), "D2", "D6")
    return scene.carry(1_000, "R2", "D1", "D2").carry(2_000, "B2", "D7", "D6").lift(20_000, "D6")


def all_scenes() -> list[Scene]:
    """Fresh scenes, not yet played."""
    moved = (*CORNERS[:2], "D4", *CORNERS[3:])
    scenes = [
        # Violations, and what mends them.
        Scene().carry(1_000, "B1", "A1", "A2").carry(2_000, "B1", "A2", "A1"),
        Scene().word(500, "rings", socket="D2", count=2, side="red").carry(1_000, "R2", "D1", "D2"),
        _stopped(),
        _moved().carry(2_000, "B2", "D7", "D6").carry(3_000, "R2", "D2", "D3"),
        _wrong().carry(2_000, "R1", "A4", "A3").carry(3_000, "R1", "A3", "A4").carry(4_000, "R2", "D3", "D1"),
        Scene().carry(1_000, "R2", "D1", "D2", turned=False).carry(2_000, "R2", "D2", "D2"),
        Scene().carry(1_000, "R2", "D1", "D1").carry(2_000, "R2", "D1", "D1"),
        _moved().ring(1_500, "D2").ring(2_000, "D2", 0).ring(3_000, "D2").ring(4_000, "D4").ring(5_000, "D4", 0),
        Scene(rings="holder").holder(1_000, "red", 31).holder(2_000, "red", 32).holder(3_000, "black", 31),
        Scene(rings="buttons").press(1_000, "black").carry(3_000, "R2", "D1", "D2").press(3_500, "red"),
        Scene(3).turn(1_000, "N").turn(2_000, "N"),
        Scene().press(1_000, "red"),
        # The timer and the end.
        *(_expired(rules, begun=begun) for rules in EDITIONS for begun in (True, False)),
        _penalty_ring(),
        _moved().ring(4_500, "D2"),
        _full(),
        _full(2),
        _full().ring(1_500, "D2"),
        fill(Scene(1), "D2", "D6", "A2", "G2").carry(1_000, "R2", "D1", "D2", turned=False),
        _watched(),
        _moved().word(2_000, "rings", socket="D4", count=3, side="red").word(3_000, "end", winner="red"),
        Scene().word(1_000, "end", winner=None).word(2_000, "annul"),
        Scene().press(1_000, "red", for_ms=3_500),
        Scene().press(1_000, "red", for_ms=4_500).press(1_500, "black", for_ms=4_000),
        _last_ring(),
        # What the sensors told.
        Scene(1).lift(1_000, "A4").lift(1_200, "D1").place(2_000, "D4"),
        _close(),
        Scene().lift(1_000, "D1"),
        _flickers(12, gap_ms=1_000, pulse_ms=30),
        _flickers(30, gap_ms=20, pulse_ms=10),
        Scene(confirm_missed_turning=True).carry(1_000, "R2", "D1", "D2", turned=False).press(3_000, "red"),
        Scene(confirm_missed_turning=True).carry(1_000, "R2", "D1", "D2", turned=False),
        _moved().link_down(2_000).link_up(9_000, *moved, up={"R2": "a"}, A1=1),
        Scene().turn(1_000, "R2").carry(5_000, "R2", "D1", "D2"),
        Scene(1).place(1_000, "D4").lift(3_000, "D4"),
        Scene(1).lift(1_000, "D1").place(2_000, "D2").place(2_100, "E1").lift(4_000, "E1"),
        Scene(sockets="hall", tilt=False).word(1_000, "dead", socket="D1", dead=True),
        Scene(setup="free", occupied=()).turn(500, "R1").place(1_000, "D4"),
        Scene(occupied=("A1", "A4", "D1", "D7", "G1")).place(2_000, "G4"),
        Scene(1).ring(1_000, "D4", 4).ring(1_500, "D4", 0),
        Scene(1).press(0, "red", 4_000),
        Scene(1).lift(1_000, "A1").lift(1_000, "A4").place(2_000, "A1").place(2_000, "A4"),
        Scene(1, rings="holder")
        .holder(500, "red", 31)
        .carry(1_000, "R2", "D1", "D2", turned=False)
        .holder(2_000, "red", 32),
        Scene(3).turn(1_000, "N").press(2_000, "black"),
        _moved().word(2_000, "pause").ring(2_500, "D2").word(4_000, "resume"),
        # The arbiter.
        _wrong().word(2_000, "recheck").word(3_000, "annul").word(4_000, "annul"),
        _wrong().press(2_000, "arbiter", for_ms=900).press(4_000, "arbiter", for_ms=3_500),
        _wrong().ring(1_500, "D4").word(2_500, "accept"),
        _moved().ring(1_500, "D2").word(4_000, "takeback").carry(6_000, "R2", "D2", "D1"),
        _moved().press(3_000, "red").press(3_050, "black").press(3_600, "red").press(3_650, "black"),
        _moved()
        .word(2_000, "glass", glass="R2", state="stopped")
        .word(3_000, "glass", glass="R2", state="running", left_ms=500),
        Scene().word(1_000, "place", glass="R2", socket="D2", turned=True),
        Scene().word(1_000, "dead", socket="D4", dead=True).word(2_000, "dead", socket="D4", dead=False),
        Scene().word(1_000, "penalty", side="red", given=True).word(2_000, "turn", side="black"),
        Scene().word(1_000, "pause").lift(1_500, "D1").place(2_000, "D4").word(3_000, "resume"),
        Scene().press(1_000, "arbiter").press(2_000, "arbiter"),
        Scene().word(1_000, "names", red="Ada"),
        _silent_cap(),
    ]
    return [*scenes, _unknown_gap()]


def _silent_cap() -> Scene:
    scene = Scene()
    scene.records += [Edge(1_000, "cap", "R2", False), Edge(9_000, "cap", "R2", "a")]
    return scene


def _last_ring() -> Scene:
    scene = Scene(1)
    at_ms = 100
    for socket, count in (("D4", 4), ("D3", 3), ("D5", 3), ("C3", 3), ("C4", 3), ("E3", 3), ("E4", 3), ("C2", 2)):
        scene.word(at_ms, "rings", socket=socket, count=count, side="red")
        at_ms += 10
    for socket in ("D2", "D6", "F4"):
        scene.word(at_ms, "rings", socket=socket, count=2, side="red")
        at_ms += 10
    scene.word(at_ms, "rings", socket="A2", count=1, side="red")
    scene.records.append(Edge(at_ms, "ring", "B4", 0))
    return scene.carry(2_000, "R1", "A4", "B4", turned=False).ring(2_500, "B4")


def _unknown_gap() -> Scene:
    scene = _moved().link_down(2_000)
    scene.records.append(LinkUp(9_000, gap_known=False))
    return scene
