"""The calibration of the glasses: on the virtual board, and step by step by edges and presses."""

from __future__ import annotations

import random

import pytest

from tamsk_pi.calibrate.glasses import GlassCalibration, glass_findings
from tamsk_pi.calibrate.spread import tolerance_ms
from tamsk_pi.rules.board import GLASSES, TIMER
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sim.faults import Stuck
from tamsk_pi.sim.sand import drawn_glass_ms
from tests.calibrate.bench import matrix_board

TRUE_MS = drawn_glass_ms(random.Random(3))
FINGER_MS = 400
"""The hands press up to so late, and say up to so late that a glass was turned."""


@pytest.mark.parametrize("board", ["matrix", "starter"], ids=["tilt switches", "presses alone"])
def test_every_glass_is_timed_from_both_ends(board: str) -> None:
    tried = matrix_board(board=board, glass_ms=TRUE_MS)
    calibration = tried.glasses()
    assert tried.ended == "done"
    assert set(calibration.runs) == {*GLASSES, TIMER}
    for glass, ends in calibration.runs.items():
        for end, runs_ms in ends.items():
            assert len(runs_ms) >= 3
            for run_ms in runs_ms:
                assert abs(run_ms - TRUE_MS[glass][end]) <= FINGER_MS, (glass, end)
    assert glass_findings(calibration.runs, 3, calibration.unheard) == ()
    assert tried.clock.now_ms() < 75 * 60_000  # two lanes: about an hour


def test_a_glass_that_wanders_is_found_and_named() -> None:
    tried = matrix_board("wandering@R2", glass_ms=TRUE_MS)
    calibration = tried.glasses(glasses=["R2", "B1"])
    (one,) = glass_findings(calibration.runs, 3, calibration.unheard)
    assert (one.code, one.weight, one.names) == ("glass_wanders", "stops", ("R2",))
    assert "outlier" in tried.codes
    assert len(calibration.runs["R2"]["a"]) <= 7


def test_a_tilt_switch_that_is_dead_is_found_and_the_glass_timed_by_presses() -> None:
    tried = matrix_board(glass_ms=TRUE_MS)
    tried.rig.board.switch_on(Stuck(("tilt", "B2"), "a"))
    calibration = tried.glasses(glasses=["B2"])
    assert tried.ended == "done"
    (one,) = glass_findings(calibration.runs, 3, calibration.unheard)
    assert (one.code, one.names) == ("glass_unheard", ("B2",))
    assert abs(calibration.runs["B2"]["a"][0] - TRUE_MS["B2"]["a"]) <= FINGER_MS


def test_it_is_broken_off_and_taken_up_again() -> None:
    kept: list[tuple[str, str, int]] = []
    tried = matrix_board(glass_ms=TRUE_MS)
    first = tried.glasses(
        glasses=["N", "R1"],
        stopped=lambda: len(kept) == 5,
        keep=lambda glass, end, run_ms: kept.append((glass, end, run_ms)),
    )
    assert tried.ended == "broken off"
    again = matrix_board(glass_ms=TRUE_MS)
    second = again.glasses(
        glasses=["N", "R1"], runs=first.runs, keep=lambda glass, end, run_ms: kept.append((glass, end, run_ms))
    )
    assert again.ended == "done"
    assert again.codes.count("timed") + again.codes.count("outlier") == len(kept) - 5
    for glass, ends in second.runs.items():
        for end, runs_ms in ends.items():
            assert runs_ms == [run_ms for g, e, run_ms in kept if (g, e) == (glass, end)]


# -- step by step


class Steps:
    """A calibration of one glass or two."""

    def __init__(self, *glasses: str, tilt: bool = True, repeats: int = 2) -> None:
        inputs: dict[tuple[str, str], EdgeValue] = {("button", name): False for name in ("red", "black")}
        if tilt:
            inputs |= {("tilt", glass): "a" for glass in glasses}
        self.calibration = GlassCalibration(inputs, 0, glasses=glasses, repeats=repeats)
        self.said = [one.code for one in self.calibration.begin()]
        self.now_ms = 0

    def turn(self, glass: str, up: str, after_ms: int = 2000) -> None:
        self.now_ms += after_ms
        self._feed(Edge(self.now_ms, "tilt", glass, up))
        self.wait(200)

    def press(self, after_ms: int, button: str = "red") -> None:
        self.now_ms += after_ms
        self._feed(Edge(self.now_ms, "button", button, True))
        self._feed(Edge(self.now_ms + 120, "button", button, False))
        self.wait(200)

    def wait(self, ms: int) -> None:
        self.now_ms += ms
        self.said += [one.code for one in self.calibration.advance(self.now_ms)]

    def _feed(self, edge: Edge) -> None:
        self.said += [one.code for one in self.calibration.feed([edge])]

    @property
    def runs(self) -> dict[str, dict[str, list[int]]]:
        return self.calibration.runs


def test_a_run_lasts_from_the_first_edge_of_the_turning_to_the_press() -> None:
    steps = Steps("N")
    steps.turn("N", "b")
    steps.press(15_100 - 200)
    assert steps.runs["N"] == {"a": [], "b": [15_100]}


def test_a_press_that_comes_far_too_early_is_ignored_and_one_that_comes_far_too_late_is_refused() -> None:
    steps = Steps("N")
    steps.turn("N", "b")
    steps.press(1_000)
    assert steps.said[-1] == "too_early"
    steps.press(15_000 - 1_400)
    assert steps.runs["N"]["b"] == [15_000]
    steps.turn("N", "a")
    steps.press(40_000)
    assert "too_late" in steps.said
    assert steps.runs["N"]["a"] == []


def test_a_glass_that_is_turned_before_it_has_run_out_is_begun_anew() -> None:
    steps = Steps("R1")
    steps.turn("R1", "b")
    steps.turn("R1", "a", after_ms=60_000)
    assert "turned_early" in steps.said
    steps.turn("R1", "b", after_ms=200_000)
    steps.press(180_000 - 200)
    assert steps.runs["R1"] == {"a": [], "b": [180_000]}


def test_an_outlier_is_refused_and_measured_again() -> None:
    steps = Steps("N", tilt=False)
    for run_ms in (15_000, 15_000, 15_100, 15_100, 18_000, 15_050):
        steps.press(2_000)
        steps.press(run_ms - 200)
    assert steps.calibration.is_done
    steps = Steps("N", tilt=False, repeats=3)
    for run_ms in (15_000, 15_000, 18_000, 15_100, 15_100, 15_050, 15_100):
        steps.press(2_000)
        steps.press(run_ms - 200)
    assert "outlier" not in steps.said[:4]
    assert steps.runs["N"]["a"] == [15_000, 18_000, 15_100, 15_100]
    assert steps.calibration.is_done
    assert tolerance_ms(steps.runs)["timer"] < 1000


def test_two_lanes_have_a_button_each_and_a_press_at_the_terminal_must_say_which() -> None:
    steps = Steps("R1", "B1")
    steps.turn("R1", "b")
    steps.turn("B1", "b", after_ms=10_000)
    assert [one.code for one in steps.calibration.press(steps.now_ms + 100)] == ["which_glass"]
    steps.press(170_000, "red")
    steps.press(7_000, "black")
    assert (len(steps.runs["R1"]["b"]), len(steps.runs["B1"]["b"])) == (1, 1)
    assert steps.runs["R1"]["b"][0] > steps.runs["B1"]["b"][0]


def test_a_press_for_a_turning_that_no_switch_told_of_must_be_confirmed_in_time() -> None:
    steps = Steps("N")
    steps.press(2_000)
    assert steps.said[-1] == "no_turning"
    steps.wait(15_000)
    assert steps.said[-1] == "turn_glass"
    begun_ms = steps.now_ms + 1_000
    steps.press(1_000)
    steps.press(1_000)
    assert steps.calibration.unheard == ["N"]
    steps.press(15_000 - (steps.now_ms - begun_ms))
    assert [run_ms for ends in steps.runs["N"].values() for run_ms in ends] == [15_000]


def test_the_lamp_says_when_to_watch() -> None:
    steps = Steps("R1")
    assert steps.calibration.frame().panel["turn_red"]
    steps.turn("R1", "b")
    assert not steps.calibration.frame().panel["turn_red"]
    steps.wait(161_000)
    assert not steps.calibration.frame().panel["turn_red"]
    steps.wait(2_000)
    assert steps.calibration.frame().panel["turn_red"]
    assert steps.said[-1] == "watch"


def test_one_run_has_no_spread() -> None:
    with pytest.raises(ValueError, match="two runs or more"):
        GlassCalibration({}, 0, repeats=1)
