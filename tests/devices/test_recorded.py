"""A recorded trace as a device: what the contract's tests do not ask."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tamsk_pi.clock import VirtualClock
from tamsk_pi.devices.base import DeviceError
from tamsk_pi.devices.recorded import RecordedBoard
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import START
from tamsk_pi.runner.loop import Loop
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.session import Session
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.trace import TraceReader

CASES = Path(__file__).resolve().parents[1] / "cases"
BEGIN_MS = 70_000
HEADER = {"format": "tamsk-trace", "version": 1, "level": 2, "rings": "holder"}


def trace(folder: Path, *lines: dict[str, object], **header: object) -> Path:
    file = folder / "some.trace.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in (HEADER | header, *lines)), encoding="utf-8")
    return file


def opened(file: Path) -> tuple[RecordedBoard, VirtualClock, list[Edge]]:
    clock, posted = VirtualClock(BEGIN_MS), list[Edge]()
    board = RecordedBoard(file, clock)
    board.open()
    board.start(posted.extend)
    return board, clock, posted


def rulings_of(file: Path) -> Sequence[Ruling]:
    with file.open("rb") as stream:
        reader = TraceReader(stream)
        session = Session(reader.settings)
        return [ruling for record in reader for ruling in session.take(record)]


@pytest.mark.parametrize("case", ["game-level3-rulebook-4", "game-level1-rulebook-1", "timer-turned-while-running"])
def test_a_trace_played_as_a_board_brings_the_rulings_of_its_replay(case: str) -> None:
    file = CASES / f"{case}.trace.jsonl"
    clock = VirtualClock(BEGIN_MS)
    board = RecordedBoard(file, clock)
    board.open()
    assert board.settings is not None
    loop = Loop(board, clock, lambda settings: Conductor("referee"), pump=board)
    board.start(loop.post)
    loop.begin(board.settings)
    while board.next_ms() is not None:
        clock.go_to(max(loop.go_round(), clock.now_ms()))
    loop.go_round()
    told = [ruling for ruling in loop.desk.rulings if ruling.kind != "paused"]
    straight = [ruling for ruling in rulings_of(file) if ruling.t_ms <= loop.desk.session.now_ms]
    assert straight
    assert told[: len(straight)] == straight


def test_the_board_at_the_start_is_the_headers(tmp_path: Path) -> None:
    board, _, _ = opened(trace(tmp_path, occupied=["A1", "D4"], up={"N": "b"}))
    inputs = board.inputs()
    assert {name for (kind, name), value in inputs.items() if kind == "socket" and value} == {"A1", "D4"}
    assert (inputs["tilt", "N"], inputs["tilt", "R1"]) == ("b", "a")
    assert (inputs["holder", "red"], inputs["button", "red"]) == (32, False)


def test_hall_sockets_show_the_field_of_the_glass_that_stands_there(tmp_path: Path) -> None:
    board, _, _ = opened(trace(tmp_path, sockets="hall", tilt=False, up={"R1": "b"}))
    inputs = board.inputs()
    assert inputs["socket", START["R1"]] == "S"
    assert inputs["socket", START["R2"]] == "N"
    assert inputs["socket", "D4"] is None
    assert not any(kind == "tilt" for kind, _ in inputs)


def test_a_gap_in_the_link_is_a_gap_again_and_what_differs_after_it_is_told(tmp_path: Path) -> None:
    board, clock, posted = opened(
        trace(
            tmp_path,
            {"t": 100, "socket": "D4", "closed": True},
            {"t": 200, "link": "down"},
            {"t": 5000, "link": "up", "occupied": ["A1", "D4"], "up": {"R1": "b"}},
            {"t": 9000, "end": True},
            occupied=["A1", "A4"],
        )
    )
    for t_ms, alive_ms in ((150, 150), (250, 200), (4999, 200), (5000, 5000), (7000, 7000), (9000, 9000), (9999, 9000)):
        clock.go_to(BEGIN_MS + t_ms)
        assert board.alive_at_ms() == BEGIN_MS + alive_ms
    assert posted == [
        Edge(BEGIN_MS + 100, "socket", "D4", True),
        Edge(BEGIN_MS + 5000, "socket", "A4", False),
        Edge(BEGIN_MS + 5000, "tilt", "R1", "b"),
    ]
    assert board.next_ms() is None


def test_what_was_cut_short_is_played_as_far_as_it_goes(tmp_path: Path) -> None:
    file = trace(tmp_path, {"t": 100, "button": "red", "down": True})
    with file.open("a", encoding="utf-8") as stream:
        stream.write('{"t": 200, "but')
    board, clock, posted = opened(file)
    clock.go_to(BEGIN_MS + 1000)
    assert board.alive_at_ms() == BEGIN_MS + 100
    assert [edge.name for edge in posted] == ["red"]


@pytest.mark.parametrize(("text", "told"), [("", "line 1: the trace is empty"), ("{}", "line 1: "), (None, "No such")])
def test_what_is_no_trace_is_one_line(tmp_path: Path, text: str | None, told: str) -> None:
    file = tmp_path / "none.jsonl"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    with pytest.raises(DeviceError, match=told) as failure:
        RecordedBoard(file, VirtualClock()).open()
    assert "\n" not in str(failure.value)


def test_nothing_is_posted_after_close(tmp_path: Path) -> None:
    board, clock, posted = opened(trace(tmp_path, {"t": 100, "button": "red", "down": True}))
    board.close()
    board.close()
    clock.go_to(BEGIN_MS + 1000)
    board.alive_at_ms()
    assert posted == []
    assert board.inputs() == {}
