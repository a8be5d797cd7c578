"""What costs a referee its credit, as builders and users of such boards report it: one test for each, by its number.

docs/failure-modes.md has the same list, with what happens here and what else holds it; the last test keeps it so.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import tamsk_pi
from tamsk_pi.clock import VirtualClock
from tamsk_pi.explain.chronicle import Chronicle
from tamsk_pi.explain.explanation import explanation_of
from tamsk_pi.explain.moment import Moment
from tamsk_pi.referee.life import Life, RefusedError
from tamsk_pi.runner.desk import SILENT_MS
from tamsk_pi.runner.loop import Loop
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings, Tolerance
from tamsk_pi.session import Session
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.signals.explaining import Explainer
from tamsk_pi.signals.words import Words
from tests.referee.scene import Scene, glass_ms
from tests.runner.board import FakeBoard, Paper
from tests.signals.stage import Stage, lift, place

ORIGIN_MS = 50_000
PAGE = Path(__file__).parents[2] / "docs" / "failure-modes.md"


def test_f01_a_glass_carried_low_over_a_neighbour_was_not_placed_there() -> None:
    scene = Scene(1).lift(1_000, "D1").place(1_500, "E1").lift(1_560, "E1").place(2_000, "D2")
    assert scene.says(4_000) == ["2000 move red R2 D1 D2"]


def test_f12_a_knock_at_a_standing_glass_turns_no_sand() -> None:
    scene = Scene(2).carry(1_000, "R2", "D1", "D2")
    for t_ms in (5_000, 5_040, 5_090):
        scene.turn(t_ms, "R2")
    assert scene.says(8_000)[1:] == ["5000 fault tilt_without_lift R2 D2"]
    assert scene.picture().glasses["R2"].stops_at_ms == 800 + 180_000


def test_f19_a_short_pulse_swallows_no_later_edge() -> None:
    scene = Scene(1).lift(1_000, "D1").place(1_004, "D1").lift(1_200, "D1").place(1_700, "D2")
    assert scene.says(3_000) == ["1700 move red R2 D1 D2"]


class Live:
    """A loop on a board whose pulse a test keeps up, in virtual time."""

    def __init__(self, level: int = 1) -> None:
        self.clock, self.board, self.paper = VirtualClock(ORIGIN_MS), FakeBoard(), Paper()
        self.board.alive_ms = ORIGIN_MS
        self.beats = 0
        self.loop = Loop(
            self.board,
            self.clock,
            lambda settings: Conductor("referee"),
            open_keeper=lambda settings: self.paper,
            heartbeat=self._beat,
        )
        self.loop.begin(Settings(level=level))
        self.go_to(0)

    def _beat(self) -> None:
        self.beats += 1

    def go_to(self, t_ms: int, *edges: Edge, heard: bool = True) -> None:
        posted = self.board.edges(*(edge._replace(t_ms=edge.t_ms + ORIGIN_MS) for edge in edges))
        if posted:
            self.loop.post(posted)
        while (now_ms := self.clock.now_ms()) < ORIGIN_MS + t_ms:
            self.clock.go_to(min(now_ms + 50, ORIGIN_MS + t_ms))
            if heard:
                self.board.alive_ms = self.clock.now_ms()
            self.loop.go_round()
        self.loop.go_round()

    def told(self) -> list[tuple[str, object]]:
        return [(r.kind, r.get("code")) for r in self.loop.desk.rulings]


def test_f32_a_lost_link_shows_within_a_second_and_holds_every_deadline() -> None:
    """Whatever the port raised: to the game it is a board that is not heard (tests/firmware_bridge holds that)."""
    live = Live(level=3)
    live.go_to(2_000, Edge(1_000, "tilt", "N", "b"))
    live.go_to(2_000 + SILENT_MS + 250, heard=False)
    assert live.told()[-1] == ("paused", None)
    assert not live.board.frames[-1].panel["ready"]
    live.go_to(40_000, heard=False)
    live.go_to(41_000)
    assert "timeout" not in [kind for kind, _ in live.told()]
    assert live.told()[-1] == ("resumed", None)


def test_f44_what_happened_while_the_link_was_down_is_shown_and_never_called_illegal() -> None:
    live = Live()
    live.go_to(2_000)
    live.go_to(5_000, heard=False)
    live.board.edges(Edge(0, "socket", "D1", False), Edge(0, "socket", "D4", True))
    live.go_to(6_000)
    found = live.loop.desk.differences(live.clock.now_ms())
    assert (found.opened, found.closed) == (("D1",), ("D4",))
    live.loop.call(lambda now_ms: live.loop.desk.say("accept", {}, now_ms))
    live.go_to(7_000)
    assert live.told()[-3:] == [("paused", None), ("notice", "unobserved"), ("resumed", None)]
    assert '"link": "down"' in live.paper.text, "the record marks the gap"


DECIDING = (
    "rules",
    "sensing",
    "referee",
    "signals",
    "explain",
    "devices",
    "runner",
    "session.py",
    "journal.py",
    "clock.py",
)
WALL_CLOCKS = {("time", "time"), ("time", "time_ns"), ("datetime", "now"), ("datetime", "utcnow"), ("date", "today")}


def test_f53_no_wall_clock_decides_anything() -> None:
    """A machine without a clock chip jumps by hours: only labels are taken from the wall."""
    package = Path(tamsk_pi.__file__).parent
    paths = [p for p in package.rglob("*.py") if p.relative_to(package).parts[0] in DECIDING]
    assert len(paths) > 50
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert (node.value.id, node.attr) not in WALL_CLOCKS, f"{path}: line {node.lineno}"


def test_f54_each_glass_and_each_end_has_its_own_time_and_what_is_too_close_is_not_called() -> None:
    ends = dict(glass_ms()) | {"R2": {"a": 4_000, "b": 6_000}}
    scene = Scene(2, glass_ms=ends, tolerance=Tolerance(glass_ms=2_000)).carry(1_000, "R2", "D1", "D2")
    scene.carry(1_500, "B1", "A1", "A2").carry(2_000, "R1", "A4", "A3").carry(2_500, "B2", "D7", "D6")
    scene.carry(3_000, "R3", "G4", "G3").carry(3_500, "B3", "G1", "G2").lift(8_000, "D2")
    told = scene.says(8_500)
    assert "6800 glass_stopped R2" in told, "turned at 800 ms, and this end runs 6 s"
    assert told[-1] == "8000 notice close_call R2 6800"


def test_f55_turning_a_glass_is_no_restart() -> None:
    """Turned again after 10 s it has 10 s left."""
    scene = Scene(2).carry(1_000, "R2", "D1", "D2").carry(1_500, "B1", "A1", "A2").carry(2_000, "R1", "A4", "A3")
    scene.carry(2_500, "B2", "D7", "D6").carry(3_000, "R3", "G4", "G3").carry(3_500, "B3", "G1", "G2")
    scene.carry(11_000, "R2", "D2", "D3").says(12_000)
    assert scene.picture().glasses["R2"].stops_at_ms == 10_800 + 10_000


@pytest.mark.parametrize(("placed_ms", "begins"), [(16_000, "move"), (16_001, "timeout")])
def test_f58_a_deadline_is_judged_by_when_it_happened_not_by_when_it_was_read(placed_ms: int, begins: str) -> None:
    """Read only seconds later, all in one batch; at the very instant the action wins."""
    session = Session(Settings(level=3))
    edges = [Edge(1_000, "tilt", "N", "b"), lift(15_000, "D1"), Edge(15_400, "tilt", "R2", "b"), place(placed_ms, "D2")]
    told = [*session.feed_all(edges), *session.advance(60_000)]
    assert next(r.kind for r in told if r.t_ms >= 16_000) == begins


def test_f60_the_opponent_need_not_wait_for_the_ring() -> None:
    scene = Scene(2).carry(1_000, "R2", "D1", "D2").lift(1_300, "A1").ring(1_600, "D2").turn(1_700, "B1")
    told = scene.place(2_000, "A2").says(4_000)
    assert told == ["1000 move red R2 D1 D2", "1600 ring red D2 1 move", "2000 move black B1 A1 A2"]


@pytest.mark.parametrize(
    ("edition", "owed", "origin"),
    [
        ("rulebook", ("black",), "The current rules at gipf.com"),
        ("wikipedia", (), "The rules as the encyclopaedia retells them"),
        ("schmidt1998", (), "The first edition, 1998"),
    ],
)
def test_f62_what_the_timer_costs_is_one_written_rule_and_the_ruling_tells_which(
    edition: str, owed: tuple[str, ...], origin: str
) -> None:
    found: list[Moment] = []
    of = Settings(level=3, rules=edition)
    session = Session(of, Chronicle(of, found.append))
    session.feed(Edge(1_000, "tilt", "N", "b"))
    session.advance(20_000)
    assert session.snapshot().penalty_owed == owed
    (forfeit,) = (moment for moment in found if moment.ruling.kind == "forfeit")
    rules = explanation_of(forfeit, Explainer(Words()))["rules"]
    assert isinstance(rules, list)
    assert rules[-1]["origin"] == origin


def test_f66_no_alarm_while_the_hand_is_still_adjusting_then_light_before_sound_once() -> None:
    steady = Stage(Settings(level=1), "referee", [lift(1_000, "D1"), place(2_000, "D4"), lift(2_090, "D4")])
    steady.run_to(20_000)
    assert steady.changes_of("alarm") == []
    wrong = Stage(Settings(level=1), "referee", [lift(1_000, "D1"), place(2_000, "D4")])
    wrong.run_to(60_000)
    lit_ms = wrong.changes_of("alarm")[0][0]
    assert [t_ms - lit_ms for t_ms, _ in wrong.sounds] == [700]


def test_f72_what_is_refused_or_fails_loses_nothing_that_comes_after(caplog: pytest.LogCaptureFixture) -> None:
    life = Life()
    with pytest.raises(RefusedError):
        life.go_to("carrying")
    life.go_to("to_move")
    assert life.phase == "to_move"
    live = Live()

    def fail(now_ms: int) -> None:
        raise RuntimeError("no such thing")

    live.loop.call(fail)
    live.go_to(3_000, Edge(1_000, "socket", "D1", False), Edge(1_500, "socket", "D2", True))
    assert live.told()[-1] == ("move", None)
    assert "no such thing" in caplog.text


def test_f78_a_referee_that_is_blind_shows_it_sounds_once_and_leaves_it_in_the_record() -> None:
    live = Live()
    live.go_to(2_000)
    assert live.board.frames[-1].panel["ready"]
    beats = live.beats
    live.go_to(20_000, heard=False)
    assert not live.board.frames[-1].panel["ready"]
    assert len(live.board.tones) == 1
    assert live.beats <= beats + SILENT_MS // 50 + 1, "no sign of life goes to the watchdog"
    assert '{"t": 2000, "link": "down"}' in live.paper.text


def test_each_of_them_is_in_the_documentation_with_tests_that_are_there() -> None:
    here = {int(number) for number in re.findall(r"^def test_f(\d+)_", Path(__file__).read_text(), re.MULTILINE)}
    text = PAGE.read_text(encoding="utf-8")
    assert {int(number) for number in re.findall(r"^\| F(\d+) ", text, re.MULTILINE)} == here
    for path, name in re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text):
        source = (PAGE.parents[1] / path).read_text(encoding="utf-8")
        assert f"def {name}(" in source, f"{path} has no {name}"
