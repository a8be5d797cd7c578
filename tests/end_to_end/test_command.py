"""`tamsk-pi simulate` as a process: how it ends, what it leaves, and how it refuses."""

from __future__ import annotations

import json
import signal
import socket
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tamsk_pi.sensing.edges import Edge
from tamsk_pi.trace import TraceReader
from tests.end_to_end.conftest import Open, Start
from tests.end_to_end.program import Program


def the_trace(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def rulings_of(trace: Path) -> list[str]:
    """What a replay of a trace rules, in words and without the times."""
    program = Program("replay", str(trace))
    lines = []
    while line := program.line():
        lines.append(line.split("  ", 1)[1].rstrip("\n"))
    assert program.status() == 0, program.complaints
    return lines


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_as_soon_as_the_page_is_told_ends_it_cleanly(
    start: Start, traces: Path, number: signal.Signals
) -> None:
    program = start()
    program.url()
    assert program.end(number) == 0
    assert program.complaints == ""
    assert rulings_of(the_trace(traces)) == ["The board is set up.", "The game begins: Red moves first."]


@pytest.mark.browser
def test_a_game_broken_off_can_be_replayed_to_what_the_page_showed(start: Start, sit_down: Open, traces: Path) -> None:
    program = start("--level", "2")
    table = sit_down(program.url())
    table.drag_glass("R1", "D4")
    expect(table.page.locator("#hints .wrong")).to_have_count(1)
    table.drag_glass("R1", "A3")
    expect(table.page.locator("#rulings .move")).to_have_count(1)
    table.click("G1")
    table.in_hand("B3")
    shown = table.page.locator("#rulings .words").all_inner_texts()
    table.page.close()
    assert program.end(signal.SIGTERM) == 0
    assert rulings_of(the_trace(traces)) == shown
    # The glass that was in hand at the end is in the trace as well, so that the game can be gone on with.
    with the_trace(traces).open("rb") as stream:
        edges = [record for record in TraceReader(stream) if isinstance(record, Edge)]
    assert [edge.name for edge in edges if edge.kind == "socket"][-1] == "G1"


@pytest.mark.browser
def test_a_game_that_is_over_is_ended_in_its_trace(start: Start, sit_down: Open, traces: Path) -> None:
    program = start("--level", "1")
    table = sit_down(program.url())
    table.page.locator("#agree-draw").click()
    table.page.locator("#sure-yes").click()
    table.ruled("The game is drawn by agreement. Rings left: Red 32, Black 32.")
    table.page.close()
    assert program.end(signal.SIGINT) == 0
    last = the_trace(traces).read_text().splitlines()[-1]
    assert json.loads(last)["end"] is True


@pytest.mark.browser
def test_each_new_game_has_a_trace_of_its_own(start: Start, sit_down: Open, traces: Path) -> None:
    program = start("--level", "3")
    table = sit_down(program.url())
    table.page.locator("#new-button").click()
    table.page.locator("#new-form button.main").click()
    expect(table.page.locator("#new-dialog")).to_be_hidden()
    table.page.close()
    assert program.end(signal.SIGTERM) == 0
    assert len(list(traces.iterdir())) == 2


def test_two_simulators_in_one_folder_do_not_overwrite_each_other(start: Start, traces: Path) -> None:
    first, second = start(), start()
    first.url()
    second.url()
    assert (first.end(signal.SIGTERM), second.end(signal.SIGTERM)) == (0, 0)
    assert len(list(traces.iterdir())) == 2


def test_a_port_that_is_taken_is_told_in_one_line_and_nothing_is_left(start: Start, traces: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        program = start(port=port)
        assert program.status() == 1
    assert program.complaints.count("\n") == 1
    assert f"127.0.0.1:{port}" in program.complaints
    assert "--port" in program.complaints
    assert not traces.exists()


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--level", "4"), "--level"),
        (("--rules", "chess"), "--rules"),
        (("--port", "70000"), "--port"),
        (("--rings", "none"), "--rings"),
        (("--clumsy", "2"), "--clumsy"),
        (("--nonsense",), "--nonsense"),
        (("surplus",), "surplus"),
    ],
)
def test_bad_options_are_told_in_one_line(options: tuple[str, ...], named: str) -> None:
    program = Program("simulate", *options)
    assert program.status() == 2
    assert program.complaints.count("\n") == 1
    assert named in program.complaints
    assert program.line() == ""


@pytest.mark.browser
def test_a_folder_that_cannot_be_made_puts_ready_out_and_the_game_goes_on(
    start: Start, sit_down: Open, tmp_path: Path
) -> None:
    (tmp_path / "in the way").write_text("")
    program = start("--out", str(tmp_path / "in the way" / "traces"))
    table = sit_down(program.url())
    expect(table.page.locator("#hints .fault")).to_contain_text("Nothing is kept of this game:")
    expect(table.page.locator("#lamp-ready")).to_have_attribute("aria-label", "ready: off")
    table.drag_glass("R2", "D2")
    expect(table.page.locator("#rulings .move")).to_have_count(1)
    table.page.close()
    assert program.end(signal.SIGTERM) == 0
