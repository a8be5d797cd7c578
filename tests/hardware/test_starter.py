"""The starter kit works with the program: its profile drives the matrix, and a small game is refereed on it."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from tamsk_pi.clock import VirtualClock
from tamsk_pi.commands.replay import command
from tamsk_pi.config.profile import load_profile
from tamsk_pi.devices.gpio.board import MatrixBoard
from tamsk_pi.rules.board import NEIGHBOURS
from tamsk_pi.sensing.edges import Edge
from tests.devices.switchboard import Switchboard


def test_the_seven_are_the_centre_and_its_neighbours() -> None:
    assert set(load_profile("starter").matrix.sockets) == {"D4", *NEIGHBOURS["D4"]}


def test_the_matrix_driver_reads_the_seven_sockets_and_three_buttons() -> None:
    profile = load_profile("starter")
    switches = Switchboard(profile)
    clock = VirtualClock(1000)
    board = MatrixBoard(profile, pin_factory=switches.factory, clock=clock, scan_thread=False, row_settle_us=0)
    posted: list[Edge] = []
    board.open()
    try:
        inputs = board.inputs()
        assert {name for kind, name in inputs if kind == "socket"} == set(profile.matrix.sockets)
        assert {name for kind, name in inputs if kind == "button"} == {"red", "black", "arbiter"}
        board.start(posted.extend)
        switches.close("D4", profile.matrix.buttons.arbiter)
        # C5 and E5 are crossings of the starter's rows and columns, but no socket is fitted there.
        switches.close("C5", "E5")
        seen = board.scan_once(1004)
    finally:
        board.close()
    assert {(edge.kind, edge.name, edge.value) for edge in seen} == {
        ("socket", "D4", True),
        ("button", "arbiter", True),
    }


def test_a_small_game_with_free_placement_is_refereed_on_the_seven(tmp_path: Path) -> None:
    placed = ["D4", "C3", "E3", "C4", "E4", "D5"]
    lines: list[dict[str, object]] = [
        {"format": "tamsk-trace", "version": 1, "level": 1, "setup": "free", "rings": "buttons", "occupied": []}
    ]
    lines += [{"t": 2000 * n, "socket": socket, "closed": True} for n, socket in enumerate(placed, 1)]
    lines += [
        {"t": 14000, "socket": "D4", "closed": False},
        {"t": 15000, "socket": "D3", "closed": True},
        {"t": 16000, "button": "red", "down": True},
        {"t": 16200, "button": "red", "down": False},
        {"t": 18000, "end": True},
    ]
    trace = tmp_path / "starter.trace.jsonl"
    trace.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    done = CliRunner().invoke(command, ["--json", str(trace)])
    assert done.exit_code == 0
    rulings = [json.loads(line) for line in done.output.splitlines()]
    moves = [(r["from"], r["to"]) for r in rulings if r["ruling"] == "move"]
    assert moves == [*((None, socket) for socket in placed), ("D4", "D3")]
    assert [(r["t"], r["socket"]) for r in rulings if r["ruling"] == "ring"] == [(16000, "D3")]
    assert not [r for r in rulings if r["ruling"] in ("violation", "fault")]
