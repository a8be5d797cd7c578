"""The self-check names every sensor whose state cannot be right, and nothing that hands do while they set up."""

from __future__ import annotations

import pytest

from tamsk_pi.rules.board import SOCKETS, START
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sensing.self_check import SelfCheck, Suspect
from tamsk_pi.sensing.settings import Settings

Inputs = dict[tuple[str, str], EdgeValue]


def board(*also: str, without: tuple[str, ...] = ()) -> Inputs:
    """The corners closed, and some more, or some fewer."""
    return {("socket", s): (s in START.values() or s in also) and s not in without for s in SOCKETS}


def check(inputs: Inputs, *edges: Edge, now_ms: int = 10_000) -> list[Suspect]:
    self_check = SelfCheck(Settings(level=3))
    self_check.take(edges)
    return list(self_check.suspects(inputs, now_ms))


def test_a_board_set_up_as_it_should_be_has_no_suspects() -> None:
    assert check(board()) == []
    assert check(board(without=("D1", "G4"))) == []


def test_a_socket_closed_beyond_the_glasses_that_exist() -> None:
    """There are six glasses for the sockets: a seventh that is closed is none."""
    assert check(board("E3")) == [Suspect("beyond", "socket", "E3")]
    assert check(board("E3", without=("D1",))) == [], "that may be a glass in the wrong place"


def test_the_ghost_of_a_matrix_without_a_diode() -> None:
    """Three corners of a rectangle closed, and the fourth shows closed too."""
    assert check(board("D4")) == [Suspect("ghost", "socket", "D4")]
    assert check(board("D4", without=("G4",))) == [Suspect("ghost", "socket", "D4")]
    assert check(board("D4", without=("A4", "G4"))) == []


@pytest.mark.parametrize(("socket", "count", "suspect"), [("A1", 1, False), ("A1", 2, True), ("D4", 4, False)])
def test_more_rings_than_the_socket_is_high(socket: str, count: int, suspect: bool) -> None:
    found = check({**board(), ("ring", socket): count})
    assert found == ([Suspect("ring_beyond", "ring", socket)] if suspect else [])


def test_more_rings_on_a_holder_than_there_are() -> None:
    assert check({**board(), ("holder", "red"): 33, ("holder", "black"): 32}) == [
        Suspect("ring_beyond", "holder", "red")
    ]


def test_a_button_that_is_held_down() -> None:
    inputs: Inputs = {**board(), ("button", "black"): True, ("button", "red"): False}
    assert check(inputs) == [Suspect("button_down", "button", "black")]


def pulses(kind: str, name: str, at_ms: tuple[int, ...], length_ms: int = 30) -> list[Edge]:
    down: EdgeValue = True
    return [
        Edge(t_ms, "socket", name, value)
        for first_ms in at_ms
        for t_ms, value in ((first_ms, down), (first_ms + length_ms, False))
    ]


def test_a_sensor_that_flickers_at_rest() -> None:
    found = [Suspect("flickers", "socket", "E3")]
    edges = pulses("socket", "E3", (1_000, 3_000, 5_000, 7_000))
    assert check(board(), *edges) == found
    assert check(board(), *edges[:6]) == [], "two are told for sure, the third may still go on"
    assert check(board(), *edges, now_ms=60_000) == [], "long ago"


def test_the_bounce_of_a_contact_that_closes_is_no_flicker() -> None:
    edges: list[Edge] = []
    for n, socket in enumerate(("A1", "A4", "D1", "D7")):
        start_ms = n * 2_000
        closing = [(0, True), (3, False), (6, True), (9, False), (12, True)]
        opening = [(800, False), (803, True), (806, False)]
        edges += [Edge(start_ms + t_ms, "socket", socket, value) for t_ms, value in closing + opening]
    assert check(board(), *edges) == []


def turns(*at_ms: int) -> list[Edge]:
    return [Edge(t_ms, "tilt", "R2", "ab"[n % 2]) for n, t_ms in enumerate(at_ms)]


def test_a_tilt_that_changes_while_nothing_is_touched() -> None:
    assert check(board(), *turns(5_000, 6_000, 7_000, 8_000)) == [Suspect("restless_tilt", "tilt", "R2")]
    assert check(board(), *turns(5_000, 6_000, 7_000)) == []
    assert check(board(), *turns(1_000, 3_500, 6_000, 8_500)) == [], "spread over more than five seconds"


def test_a_tilt_that_changes_while_glasses_are_set_up_is_a_hands() -> None:
    first, *later = turns(5_000, 6_000, 7_000, 8_000)
    lifted = Edge(5_500, "socket", "D1", False)
    assert check(board(), first, lifted, *later) == []
