"""`--board bridge` of `play`, `referee`, `watch`, `off`, `config check`: a board whose wiring is its firmware's."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_bridge.bench import LOAD_RING, LOAD_ZERO, FirmwareBench
from firmware_bridge.build import missing_for_simavr
from firmware_bridge.inputs import Build
from firmware_bridge.line import BAUDS
from firmware_bridge.model_bench import ModelBench
from firmware_bridge.simavr.bench import SimavrBench
from tamsk_pi.cli import main
from tamsk_pi.commands.bridge_link import bridge_board
from tamsk_pi.config.load import load_settings
from tamsk_pi.rules.board import START
from tamsk_pi.sensing.edges import Edge
from tests.firmware_bridge import rig
from tests.firmware_bridge.test_device import FakeLink
from tests.programs import Program
from tests.tiers import lacking

BENCHES: dict[str, Callable[[], FirmwareBench]] = {
    "model": lambda: ModelBench(Build(), speed=1.0),
    "simavr": lambda: SimavrBench(Build(), speed=1.0),
}


@pytest.fixture(params=["model", pytest.param("simavr", marks=pytest.mark.firmware)])
def make_bench(request: pytest.FixtureRequest) -> Callable[[], FirmwareBench]:
    missing = missing_for_simavr() if request.param == "simavr" else None
    if missing:
        lacking(missing)
    return BENCHES[request.param]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def wait_until(holds: Callable[[], bool]) -> None:
    """Look again and again, giving way to the board's own thread in between."""
    for _ in range(1_200):
        if holds():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it never came to be so")


def configure(home: Path, text: str) -> None:
    file = home / ".config" / "tamsk-pi" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")


def test_the_terminal_speaks_the_language_of_the_settings(home: Path) -> None:
    with ModelBench(Build(), speed=1.0) as bench:
        for socket in START.values():
            bench.set(("socket", socket), True)
        configure(home, f'board = "bridge"\nlevel = 1\nlanguage = "de"\n[bridge]\nport = "{bench.port}"\n')
        command = [sys.executable, "-m", "tamsk_pi", "referee"]
        with Program(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            first = program.stdout.readline()
            program.send_signal(signal.SIGTERM)
            _, errors = program.communicate(timeout=30)
    wanted = "Zugesehen wird einer Partie auf Stufe 1 nach den Regeln von rulebook (Strg-C beendet).\n"
    assert first == wanted, errors


@pytest.mark.parametrize("mode", ["play", "referee"])
def test_a_game_is_watched_through_a_port(make_bench: Callable[[], FirmwareBench], home: Path, mode: str) -> None:
    with make_bench() as bench:
        for socket in START.values():
            bench.set(("socket", socket), True)
        configure(home, f'board = "bridge"\nlevel = 1\n[bridge]\nport = "{bench.port}"\n')
        command = [sys.executable, "-m", "tamsk_pi", mode]
        with Program(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            first = program.stdout.readline()
            program.send_signal(signal.SIGTERM)
            _, errors = program.communicate(timeout=30)
    assert first == "Watching a game at level 1 by the rules of rulebook (Ctrl-C ends).\n", errors
    assert program.returncode == 0, errors


def test_a_cable_that_is_pulled_in_a_game_leaves_the_last_frames_beside_the_games(home: Path) -> None:
    faults = home / ".local" / "share" / "tamsk-pi" / "games" / "bridge-faults"
    with ModelBench(Build(), speed=1.0) as bench:
        configure(home, f'board = "bridge"\nlevel = 1\n[bridge]\nport = "{bench.port}"\n')
        command = [sys.executable, "-m", "tamsk_pi", "referee"]
        program = Program(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert program.stdout is not None
        program.stdout.readline()
    with program:
        assert program.stderr is not None
        told = next(line for line in program.stderr if "The last frames are in" in line)
        program.send_signal(signal.SIGTERM)
        program.communicate(timeout=30)
    [file] = faults.iterdir()
    assert str(file) in told
    assert "HELLO Hello(" in file.read_text(encoding="utf-8")


def test_a_firmware_of_another_build_is_refused_with_the_remedy(home: Path) -> None:
    with ModelBench(Build("reed", "stack"), speed=1.0) as bench:
        configure(home, f'board = "bridge"\n[bridge]\nport = "{bench.port}"\n')
        done = CliRunner().invoke(main, ["play"])
    assert done.exit_code == 1
    assert done.output == (
        "tamsk-pi: the bridge's firmware is built for sockets reed, rings stack; the game wants reed, buttons "
        "(set sockets and rings, or flash another build)\n"
    )


def test_a_bridge_that_is_not_there_is_told_in_one_line(home: Path) -> None:
    configure(home, f'board = "bridge"\n[bridge]\nport = "{home / "none"}"\n')
    done = CliRunner().invoke(main, ["referee"])
    assert done.exit_code == 1
    assert done.output.startswith("tamsk-pi: no bridge board: ")
    assert "there is no such port" in done.output
    assert done.output.count("\n") == 1


def test_ring_holders_without_calibration_are_refused(home: Path) -> None:
    configure(home, 'board = "bridge"\nrings = "holder"\n[bridge.load_cell]\nred = { zero = 7, ring = 800 }\n')
    for command in (["config", "check"], ["play"]):
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 2
        assert "bridge.load_cell.black.ring" in done.output
        assert "tamsk-pi calibrate holders" in done.output
        assert "load_cell.red" not in done.output


def with_holders(port: Path) -> str:
    """A configuration for the benches' load cells."""
    cell = f"{{ zero = {LOAD_ZERO}, ring = {LOAD_RING} }}"
    return (
        f'board = "bridge"\nrings = "holder"\nlevel = 1\n[bridge]\nport = "{port}"\n'
        f"[bridge.load_cell]\nred = {cell}\nblack = {cell}\n"
    )


@pytest.mark.parametrize("kind", ["model", pytest.param("simavr", marks=pytest.mark.firmware)])
def test_calibrated_ring_holders_tell_their_rings(home: Path, kind: str) -> None:
    with rig.make_bench(kind, Build("reed", "holder"), speed=1.0) as bench:
        for side in ("red", "black"):
            bench.set(("holder", side), 32)
        configure(home, with_holders(bench.port))
        posted: queue.SimpleQueue[Sequence[Edge]] = queue.SimpleQueue()
        board = bridge_board(load_settings().settings.bridge, Build("reed", "holder"))
        board.open()
        try:
            assert [board.inputs()["holder", side] for side in ("red", "black")] == [32, 32]
            board.start(posted.put)
            bench.set(("holder", "black"), 31)
            [edge] = posted.get(timeout=20)
        finally:
            board.close()
    assert (edge.kind, edge.name, edge.value) == ("holder", "black", 31)


def test_a_game_is_watched_with_ring_holders(home: Path) -> None:
    with ModelBench(Build("reed", "holder"), speed=1.0) as bench:
        for side in ("red", "black"):
            bench.set(("holder", side), 32)
        for socket in START.values():
            bench.set(("socket", socket), True)
        configure(home, with_holders(bench.port))
        command = [sys.executable, "-m", "tamsk_pi", "referee"]
        with Program(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            # Until the load cells have been weighed the board is not set up yet.
            first = next(line for line in program.stdout if line.startswith("Watching a game"))
            program.send_signal(signal.SIGTERM)
            _, errors = program.communicate(timeout=30)
    assert first.startswith("Watching a game at level 1"), errors


def test_a_load_cell_that_is_silent_is_told_before_the_game(home: Path) -> None:
    with ModelBench(Build("reed", "holder"), speed=1.0) as bench:
        bench.set(("holder", "red"), 32)
        configure(home, with_holders(bench.port))
        done = CliRunner().invoke(main, ["play"])
    assert (done.exit_code, done.output) == (
        1,
        "tamsk-pi: no reading from the load cell of black (check its wires; tamsk-pi calibrate holders)\n",
    )


SPEEDS = {115_200: termios.B115200, 500_000: termios.B500000, 1_000_000: termios.B1000000}


@pytest.mark.parametrize("baud", BAUDS)
def test_the_port_is_opened_at_the_rate_that_is_set(home: Path, baud: int) -> None:
    with ModelBench(Build(), baud=baud, speed=1.0) as bench:
        configure(home, f'board = "bridge"\n[bridge]\nport = "{bench.port}"\nbaud = {baud}\n')
        board = bridge_board(load_settings().settings.bridge)
        board.open()
        try:
            assert termios.tcgetattr(bench._master)[4:6] == [SPEEDS[baud]] * 2
        finally:
            board.close()


def test_a_rate_that_is_not_offered_is_refused(home: Path) -> None:
    configure(home, 'board = "bridge"\n[bridge]\nbaud = 9600\n')
    done = CliRunner().invoke(main, ["referee"])
    assert done.exit_code == 2
    assert "bridge.baud: must be 115200, 500000 or 1000000, not 9600" in done.output


def test_off_puts_out_what_a_killed_referee_has_left_lit(home: Path) -> None:
    with ModelBench(Build(), speed=1.0) as bench:
        for socket in START.values():
            bench.set(("socket", socket), True)
        configure(home, f'board = "bridge"\nlevel = 1\n[bridge]\nport = "{bench.port}"\n')
        command = [sys.executable, "-m", "tamsk_pi", "referee"]
        with Program(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            program.stdout.readline()
            wait_until(lambda: "ready" in bench.outputs.lit())
            program.kill()
        done = CliRunner().invoke(main, ["off"])
        assert (done.exit_code, done.output) == (0, "")
        wait_until(lambda: "ready" not in bench.outputs.lit())


def test_off_leaves_a_bridge_dark_and_silent(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Whether or not the firmware's own two seconds have passed."""
    link = FakeLink()
    configure(home, 'board = "bridge"\n')
    monkeypatch.setattr("tamsk_pi.devices.bridge.BridgeLink", lambda on_event, **_: link.make(on_event))
    done = CliRunner().invoke(main, ["off"])
    assert (done.exit_code, done.output) == (0, "")
    assert (link.shown, link.played, link.closed) == ([({}, frozenset(), frozenset())], [[]], 1)


def test_off_says_that_a_bridge_is_not_there(home: Path) -> None:
    configure(home, f'board = "bridge"\n[bridge]\nport = "{home / "none"}"\n')
    done = CliRunner().invoke(main, ["off"])
    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert done.output.startswith("tamsk-pi: no bridge board: ")


def test_watch_shows_a_bridges_inputs(make_bench: Callable[[], FirmwareBench], home: Path) -> None:
    with make_bench() as bench:
        configure(home, f'[bridge]\nport = "{bench.port}"\n')
        command = [sys.executable, "-u", "-m", "tamsk_pi", "watch", "--board", "bridge", "--lines"]
        with Program(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            picture = program.stdout.readline()
            bench.set(("socket", "D4"), True)
            edge = next(line for line in program.stdout if "socket" in line)
            program.send_signal(signal.SIGTERM)
            _, errors = program.communicate(timeout=30)
    assert picture.strip() == "D7 ·"
    assert "D4" in edge, errors
    assert program.returncode == 0, errors
