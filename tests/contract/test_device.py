"""The contract of `tamsk_pi.devices.base.Device`, held against every kind of board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tamsk_pi.devices.base import LampFrame, Tone
from tamsk_pi.rules.board import GLASSES, SOCKETS, START, TIMER
from tamsk_pi.sensing.edges import BUTTONS, Edge
from tests.contract.boards import Board, Playback, Rehearsal, make_board

TRACE_OF = "trace-of-"
WITH_LAMPS = ["matrix-on-mock", "bridge-on-model", pytest.param("bridge-on-simavr", marks=pytest.mark.firmware)]
KINDS = [
    *WITH_LAMPS,
    f"{TRACE_OF}matrix-on-mock",
    pytest.param(f"{TRACE_OF}bridge-on-simavr", marks=pytest.mark.firmware),
]


@pytest.fixture(params=KINDS)
def board(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Board]:
    """Each test is rehearsed on another board for a trace of it: what that one told is recorded and played back."""
    kind: str = request.param
    board = rehearsed(request, kind, tmp_path) if kind.startswith(TRACE_OF) else make_board(kind)
    yield board
    board.shut()


def rehearsed(request: pytest.FixtureRequest, kind: str, folder: Path) -> Board:
    rehearsal = Rehearsal(make_board(kind.removeprefix(TRACE_OF)))
    try:
        request.function(rehearsal)
        return Playback(rehearsal, folder / "board.trace.jsonl")
    finally:
        rehearsal.shut()


def bare(edges: list[Edge]) -> list[tuple[str, str, object]]:
    return [(edge.kind, edge.name, edge.value) for edge in edges]


def test_inputs_are_read_and_named_like_edges(board: Board) -> None:
    for socket in START.values():
        board.move("socket", socket, True)
    board.move("tilt", "R2", "b")
    board.device.open()
    inputs = board.device.inputs()
    assert {name for (kind, name), value in inputs.items() if kind == "socket" and value is True} == set(START.values())
    assert {(kind, name) for kind, name in inputs if kind in ("socket", "tilt", "button")} == {
        *(("socket", socket) for socket in SOCKETS),
        *(("tilt", glass) for glass in (*GLASSES, TIMER)),
        *(("button", button) for button in BUTTONS),
    }
    assert inputs["tilt", "R2"] == "b"
    assert inputs["tilt", "B1"] == "a"
    assert inputs["button", "arbiter"] is False


def test_no_edge_tells_what_inputs_told(board: Board) -> None:
    posted: list[Edge] = []
    board.move("socket", "D1", True)
    board.device.open()
    board.device.inputs()
    board.device.start(posted.extend)
    board.settle()
    assert posted == []


def test_a_change_between_inputs_and_start_is_an_edge(board: Board) -> None:
    posted: list[Edge] = []
    board.device.open()
    board.device.inputs()
    board.move("socket", "D4", True)
    board.device.start(posted.extend)
    board.settle()
    assert bare(posted) == [("socket", "D4", True)]


def test_every_kind_of_contact_is_posted_in_order_and_stamped_with_the_hosts_clock(board: Board) -> None:
    posted: list[Edge] = []
    board.device.open()
    board.device.start(posted.extend)
    began_ms = board.now_ms()
    done: list[tuple[str, str, object]] = []
    for kind, name, value in (
        ("socket", "A1", True),
        ("tilt", "N", "b"),
        ("button", "red", True),
        ("socket", "A1", False),
        ("tilt", "N", "a"),
        ("button", "red", False),
    ):
        board.move(kind, name, value)
        done.append((kind, name, value))
        board.settle()
    assert bare(posted) == done
    times = [edge.t_ms for edge in posted]
    assert times == sorted(times)
    assert began_ms - 1000 <= times[0]
    assert times[-1] <= board.now_ms() + 1000


def test_alive_goes_on_and_inputs_follow_the_edges(board: Board) -> None:
    board.device.open()
    board.device.start(lambda edges: None)
    board.settle()
    before_ms = board.device.alive_at_ms()
    board.move("button", "black", True)
    board.settle()
    assert board.device.alive_at_ms() > before_ms
    assert board.device.inputs()["button", "black"] is True


@pytest.mark.parametrize("board", WITH_LAMPS, indirect=True)
def test_lamps_and_sound_and_all_off_at_the_end(board: Board) -> None:
    board.device.open()
    board.device.start(lambda edges: None)
    board.device.show(LampFrame({"ready": True, "turn_red": True, "alarm": False, "turn_black": False}))
    board.device.sound([Tone(880, 10_000)])
    board.settle()
    assert board.lit() == {"ready", "turn_red"}
    board.device.close()
    board.device.close()
    assert board.lit() <= {"amber"}
    assert board.falls_silent()
