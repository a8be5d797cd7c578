"""The starter kit works with the program: its profile drives the matrix, and a small game is refereed on it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.app.simulator import table_for
from tamsk_pi.cli import main
from tamsk_pi.clock import VirtualClock
from tamsk_pi.commands.replay import command, rulings_of
from tamsk_pi.commands.virtual_board import fitted_settings
from tamsk_pi.commands.watch import Watch
from tamsk_pi.config.profile import load_profile, profile_path
from tamsk_pi.devices.gpio.board import MatrixBoard
from tamsk_pi.rules.board import NEIGHBOURS, owner_of
from tamsk_pi.runner.loop import Loop
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.sim.rig import SimulatedBoard, Table, fitted_by
from tamsk_pi.trace import TraceReader
from tests.devices.switchboard import Switchboard
from tests.runner.board import Paper


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


def test_its_profile_is_checked_and_fits_the_settings() -> None:
    checked = CliRunner().invoke(main, ["config", "check", str(profile_path("starter"))])
    assert checked.exit_code == 0, checked.output
    assert CliRunner().invoke(main, ["config", "check", "--set", "board=starter"]).exit_code == 0
    refused = CliRunner().invoke(main, ["config", "check", "--set", "board=starter", "--set", "tilt=true"])
    assert refused.exit_code == 2


def test_it_is_watched() -> None:
    clock = VirtualClock(1000)
    profile = load_profile("starter")
    rig = SimulatedBoard(profile, clock, 1, Table(fitted=fitted_by(profile), standing={"R2": "D4"}))
    written: list[str] = []
    left = iter(range(100))

    def stopped() -> bool:
        clock.go_to(clock.now_ms() + 20)
        return next(left, None) is None

    rig.open()
    rig.hands.lift("red", "R2", 1200)
    Watch(device=rig, clock=clock, write=written.append, live=False, pump=rig, longest_wait_ms=0).run(stopped)
    rig.close()
    assert "D4 ●" in written[0]
    assert "A1 ?" in written[0]  # not fitted
    assert {tuple(line.split()[1:3]) for line in written[1:]} == {("socket", "D4")}


def test_a_small_game_through_its_pins_is_refereed_by_the_whole_program() -> None:
    """Free placement on the seven, a move and its ring by the button: loop, driver and virtual board together."""
    clock = VirtualClock(1000)
    settings = fitted_settings("starter", Settings(level=1, setup="free", rings="buttons"), auto=False)
    rig = SimulatedBoard(load_profile("starter"), clock, 1, table_for(settings, Table()))
    paper = Paper()
    loop = Loop(rig, clock, lambda of: Conductor("play"), open_keeper=lambda of: paper, pump=rig)
    rig.open()
    rig.start(loop.post)
    loop.begin(settings)

    def until(t_ms: int) -> None:
        while clock.now_ms() < t_ms:
            clock.go_to(clock.now_ms() + 20)
            loop.go_round()

    until(2000)
    for glass, socket in zip(("R1", "B1", "R2", "B2", "R3", "B3"), ("D4", "C3", "E3", "C4", "E4", "D5"), strict=True):
        rig.hands.move(owner_of(glass), glass, socket, clock.now_ms(), turned=False)
        until(clock.now_ms() + 3000)
    rig.hands.move("red", "R1", "D3", clock.now_ms(), turned=False)
    until(clock.now_ms() + 3000)
    rig.hands.press("red", "red", clock.now_ms())
    until(clock.now_ms() + 3000)
    loop.close()
    rig.close()
    whole = paper.text + '{"t": 30000, "end": true}\n'
    told = list(rulings_of(TraceReader(io.BytesIO(whole.encode()))))
    moves = [(ruling.get("from"), ruling.get("to")) for ruling in told if ruling.kind == "move"]
    assert moves[:6] == [(None, socket) for socket in ("D4", "C3", "E3", "C4", "E4", "D5")]
    assert moves[6:] == [("D4", "D3")]
    assert [ruling.get("socket") for ruling in told if ruling.kind == "ring"] == ["D3"]
    assert not [ruling for ruling in told if ruling.kind in ("violation", "fault")]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--setup", "corners"], "has no corners"),
        (["--setup", "free", "--rings", "holder"], "allows stack or buttons, not holder"),
        (["--setup", "free", "--auto"], "plays by itself on all 37 only"),
    ],
    ids=["corners", "holders", "auto"],
)
def test_what_seven_sockets_cannot_do_is_told_in_one_line(options: list[str], words: str) -> None:
    done = CliRunner().invoke(main, ["simulate", "--board", "starter", "--no-web", *options])
    assert done.exit_code == 2
    assert words in done.output
    assert done.output.count("\n") == 1
