"""The calibration of the sockets step by step: what hands may do between two questions, by edges alone."""

from __future__ import annotations

import pytest

from tamsk_pi.calibrate.sockets import REACH_MS, STAND_MS, SocketCalibration
from tamsk_pi.sensing.edges import Edge, EdgeValue

SEVEN = ("C3", "C4", "D3")


class Steps:
    """A calibration of three sockets, reed or hall."""

    def __init__(self, *, field: bool = False, closed: tuple[str, ...] = ()) -> None:
        open_: EdgeValue = None if field else False
        inputs: dict[tuple[str, str], EdgeValue] = {("socket", name): open_ for name in SEVEN}
        inputs |= {("socket", name): True for name in closed} | {("button", "arbiter"): False}
        self.calibration = SocketCalibration(inputs, 0)
        self.said = self.calibration.begin()
        self.now_ms = 0

    def edge(self, socket: str, value: EdgeValue, after_ms: int = 500) -> None:
        self.now_ms += after_ms
        self.said += self.calibration.feed([Edge(self.now_ms, "socket", socket, value)])

    def wait(self, ms: int = STAND_MS + 500) -> None:
        self.now_ms += ms
        self.said += self.calibration.advance(self.now_ms)

    def press(self, after_ms: int = REACH_MS) -> None:
        self.now_ms += after_ms
        for down in (True, False):
            self.said += self.calibration.feed([Edge(self.now_ms, "button", "arbiter", down)])
            self.now_ms += 200
        self.wait(100)

    @property
    def asked(self) -> tuple[str, object]:
        return self.calibration.asked.code, self.calibration.target


def test_both_ways_up_then_the_next_socket() -> None:
    steps = Steps()
    assert steps.asked == ("place", "C3")
    steps.edge("C3", True)
    steps.wait()
    assert steps.asked == ("turn_over", "C3")
    steps.edge("C3", False)
    steps.edge("C3", True)
    steps.wait()
    assert steps.asked == ("place", "C4")
    assert not steps.calibration.results["C3"].stuck


def test_a_glass_must_stand_for_a_while() -> None:
    steps = Steps()
    steps.edge("C3", True)
    steps.edge("C3", False, after_ms=STAND_MS // 2)
    steps.wait()
    assert steps.asked == ("place", "C3")
    steps.edge("C3", True)
    steps.wait(STAND_MS // 2)
    assert steps.asked == ("place", "C3")
    steps.wait()
    assert steps.asked == ("turn_over", "C3")


def test_turning_it_over_without_lifting_it_counts_for_nothing() -> None:
    steps = Steps()
    steps.edge("C3", True)
    steps.wait()
    steps.wait(60_000)
    assert steps.asked == ("turn_over", "C3")


def test_a_glass_in_the_wrong_socket_is_asked_about_and_mended_without_a_finding() -> None:
    steps = Steps()
    steps.edge("D3", True)
    steps.wait()
    assert steps.asked == ("question_elsewhere", "C3")
    assert steps.calibration.frame().panel["alarm"]
    steps.edge("D3", False)
    steps.wait(500)
    assert steps.asked == ("place", "C3")
    steps.edge("C3", True)
    steps.wait()
    steps.edge("C3", False)
    steps.edge("C3", True)
    steps.wait()
    first = steps.calibration.results["C3"].a
    assert first is not None
    assert first.answered == ("C3",)


def test_an_answer_from_elsewhere_is_confirmed_once_and_believed_the_second_time() -> None:
    steps = Steps()
    steps.edge("D3", True)
    steps.wait()
    steps.press()
    assert steps.asked == ("turn_over", "C3")
    steps.edge("D3", False)
    steps.edge("D3", True)
    steps.wait()
    assert steps.asked == ("place", "C4")
    result = steps.calibration.results["C3"]
    assert [placement.answered for placement in (result.a, result.b) if placement] == [("D3",), ("D3",)]


def test_a_press_says_that_nothing_answers_but_not_before_anyone_could_know() -> None:
    steps = Steps()
    steps.press(after_ms=REACH_MS // 2)
    assert steps.asked == ("place", "C3")
    steps.press()
    assert steps.asked == ("turn_over", "C3")
    steps.press()
    result = steps.calibration.results["C3"]
    assert [placement.answered for placement in (result.a, result.b) if placement] == [(), ()]


def test_a_second_glass_left_behind_is_asked_about_and_no_fault_once_it_is_taken_out() -> None:
    steps = Steps()
    for value in (True, False, True):
        steps.edge("C3", value)
        steps.wait()
    assert steps.asked == ("place", "C4")
    steps.edge("C4", True)
    steps.wait()
    assert steps.asked == ("question_still_closed", "C4")
    steps.edge("C3", False)
    steps.wait()
    assert steps.asked == ("turn_over", "C4")
    assert not steps.calibration.results["C3"].never_opens


def test_a_socket_that_does_not_let_go_is_named_and_left_out() -> None:
    steps = Steps()
    for value in (True, False, True):
        steps.edge("C3", value)
        steps.wait()
    steps.edge("C4", True)
    steps.wait()
    steps.press()
    assert steps.calibration.results["C3"].never_opens
    assert steps.asked == ("turn_over", "C4")


def test_a_socket_that_stays_closed_from_the_first_placing_on_is_left_out_at_a_press() -> None:
    steps = Steps()
    steps.edge("C3", True)
    steps.wait()
    steps.press()
    assert steps.calibration.results["C3"].never_opens
    assert steps.asked == ("place", "C4")


def test_what_was_called_stuck_and_opens_is_tried_after_all() -> None:
    steps = Steps(closed=("C4",))
    assert steps.calibration.asked.code == "clear"
    steps.press()
    assert steps.calibration.results["C4"].stuck
    assert steps.asked == ("place", "C3")
    steps.edge("C4", False)
    steps.wait(500)
    assert "C4" not in steps.calibration.results
    for socket in ("C3", "D3"):
        for value in (True, False, True, False):
            steps.edge(socket, value)
            steps.wait()
    assert steps.asked == ("place", "C4")


@pytest.mark.parametrize("turned_at_once", [False, True])
def test_a_field_must_change_with_the_end(turned_at_once: bool) -> None:
    steps = Steps(field=True)
    assert steps.asked == ("place_a_up", "C3")
    steps.edge("C3", "N")
    steps.wait()
    assert steps.asked == ("place_b_up", "C3")
    if turned_at_once:
        steps.edge("C3", "S")
    else:
        steps.edge("C3", None)
        steps.edge("C3", "N")
        steps.wait()
        assert steps.asked == ("question_not_turned", "C3")
        steps.edge("C3", None)
        steps.edge("C3", "S")
    steps.wait()
    result = steps.calibration.results["C3"]
    assert [placement.field for placement in (result.a, result.b) if placement] == ["N", "S"]


def test_a_field_that_stays_is_believed_at_a_press() -> None:
    steps = Steps(field=True)
    steps.edge("C3", "N")
    steps.wait()
    steps.edge("C3", None)
    steps.edge("C3", "N")
    steps.wait()
    steps.press()
    result = steps.calibration.results["C3"]
    assert [placement.field for placement in (result.a, result.b) if placement] == ["N", "N"]


def test_a_carried_glass_low_over_another_socket_is_nothing() -> None:
    steps = Steps()
    steps.edge("D3", True)
    steps.edge("D3", False, after_ms=80)
    steps.edge("C3", True, after_ms=60)
    steps.wait()
    assert steps.asked == ("turn_over", "C3")


def test_the_same_edges_in_other_portions_give_the_same_words() -> None:
    edges = [
        Edge(t_ms, "socket", name, value)
        for t_ms, name, value in (
            (500, "C3", True), (504, "C3", False), (507, "C3", True), (4000, "C3", False), (4500, "C3", True),
            (8000, "C3", False), (8600, "D3", True), (12_000, "D3", False), (12_500, "C4", True), (18_000, "C4", False),
        )
    ]  # fmt: skip
    inputs: dict[tuple[str, str], EdgeValue] = {("socket", name): False for name in SEVEN}

    def told(step_ms: int) -> list[object]:
        calibration = SocketCalibration(inputs, 0)
        said = calibration.begin()
        for now_ms in range(0, 30_000, step_ms):
            said += calibration.feed([edge for edge in edges if now_ms <= edge.t_ms < now_ms + step_ms])
            said += calibration.advance(now_ms + step_ms - 1)
        return [*said, calibration.results]

    assert told(1) == told(37) == told(30_000)
