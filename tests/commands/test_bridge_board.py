"""`--board bridge` of `play`, `referee`, `watch`, `off`, `config check`: a board whose wiring is its firmware's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_bridge.bench import FirmwareBench
from firmware_bridge.build import missing_for_simavr
from firmware_bridge.inputs import Build
from firmware_bridge.model_bench import ModelBench
from firmware_bridge.simavr.bench import SimavrBench
from tamsk_pi.cli import main
from tamsk_pi.rules.board import START
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


def configure(home: Path, text: str) -> None:
    file = home / ".config" / "tamsk-pi" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("mode", ["play", "referee"])
def test_a_game_is_watched_through_a_port(make_bench: Callable[[], FirmwareBench], home: Path, mode: str) -> None:
    with make_bench() as bench:
        for socket in START.values():
            bench.set(("socket", socket), True)
        configure(home, f'board = "bridge"\nlevel = 1\n[bridge]\nport = "{bench.port}"\n')
        command = [sys.executable, "-m", "tamsk_pi", mode]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            first = program.stdout.readline()
            program.send_signal(signal.SIGTERM)
            _, errors = program.communicate(timeout=30)
    assert first == "Watching a game at level 1 by the rules of rulebook (Ctrl-C ends).\n", errors
    assert program.returncode == 0, errors


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


def test_ring_holders_of_a_bridge_are_refused(home: Path) -> None:
    configure(home, 'board = "bridge"\nrings = "holder"\n')
    done = CliRunner().invoke(main, ["config", "check"])
    assert done.exit_code == 2
    assert 'rings board "bridge" allows buttons or stack' in done.output.replace(": ", " ")


def test_off_leaves_a_bridge_to_its_firmware(home: Path) -> None:
    configure(home, 'board = "bridge"\n')
    done = CliRunner().invoke(main, ["off"])
    assert (done.exit_code, done.output.count("\n")) == (0, 1)
    assert "by itself" in done.output


def test_watch_shows_a_bridges_inputs(make_bench: Callable[[], FirmwareBench], home: Path) -> None:
    with make_bench() as bench:
        configure(home, f'[bridge]\nport = "{bench.port}"\n')
        command = [sys.executable, "-u", "-m", "tamsk_pi", "watch", "--board", "bridge", "--lines"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            picture = program.stdout.readline()
            bench.set(("socket", "D4"), True)
            edge = next(line for line in program.stdout if "socket" in line)
            program.send_signal(signal.SIGTERM)
            _, errors = program.communicate(timeout=30)
    assert picture.strip() == "D7 ·"
    assert "D4" in edge, errors
    assert program.returncode == 0, errors
