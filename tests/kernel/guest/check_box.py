"""The commands for the box, where there is a kernel to ask: who holds a line, and outputs off after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tamsk_pi.config.profile import BoardProfile, load_profile
from tamsk_pi.devices.gpio.board import LAMPS
from tamsk_pi.devices.gpio.factories import close_factory, make_factory
from tamsk_pi.devices.gpio.outputs import switch_off
from tamsk_pi.doctor.examine import examine
from tamsk_pi.doctor.finding import Finding
from tamsk_pi.doctor.machine import Machine
from tests.kernel.guest.simulated_header import Line, after_every_move

LIT = """
import attrs, sys
from tamsk_pi.config.profile import load_profile
from tamsk_pi.devices.base import LampFrame
from tamsk_pi.devices.gpio.board import LAMPS, MatrixBoard
board = MatrixBoard(attrs.evolve(load_profile("matrix"), socket_lamps=None), pin_factory=sys.argv[1])
board.open()
board.start(lambda edges: None)
board.show(LampFrame(dict.fromkeys(LAMPS, True)))
print("lit", flush=True)
sys.stdin.read()
"""
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}


@pytest.fixture
def lamps(profile: BoardProfile) -> Iterator[list[Line]]:
    """The lamps' lines; afterwards they are pulled down, as they were."""
    lines = [Line(getattr(profile.lamps, lamp)) for lamp in LAMPS]
    yield lines
    for line in lines:
        line.pull(up=False)
        line.close()


@pytest.fixture
def factory(pin_factory: str) -> Iterator[Any]:
    factory = make_factory(pin_factory)
    yield factory
    close_factory(factory)


@pytest.fixture(scope="module")
def referee(pin_factory: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the board, every lamp lit. The last test kills it."""
    command = [sys.executable, "-c", LIT, pin_factory]
    with subprocess.Popen(
        command, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "lit\n"
        yield process
        process.kill()


def findings(pin_factory: str) -> list[Finding]:
    return list(examine(Machine(), {"gpio.pin_factory": pin_factory}, files=()))


def test_the_doctor_finds_the_header_and_every_line_free(pin_factory: str) -> None:
    found = {finding.check: finding for finding in findings(pin_factory)}
    assert {found[check].weight for check in ("model", "chip", "factory", "lines")} == {"ok"}
    assert os.environ["LABEL"] in found["chip"].text
    assert found["spi"].weight == "stops"  # gpio-sim has none, and the board's socket lamps want it


def test_off_drives_every_output_low(profile: BoardProfile, factory: Any, lamps: list[Line]) -> None:
    """Pulled up from outside, so that nothing but being driven low makes a line low."""
    for line in lamps:
        line.pull(up=True)
    assert all(line.is_high() for line in lamps)
    driven: set[int] = set()

    def look() -> None:
        driven.update(number for number, line in enumerate(lamps) if not line.is_high())

    with after_every_move(look):
        problems = switch_off(profile, factory)
    assert driven == set(range(len(LAMPS)))
    assert all("socket_lamps" in problem for problem in problems)


def test_the_doctor_names_who_holds_a_line(
    pin_factory: str, profile: BoardProfile, referee: subprocess.Popen[str]
) -> None:
    lines = [finding for finding in findings(pin_factory) if finding.check == "lines"]
    assert {finding.weight for finding in lines} == {"stops"}
    (alarm,) = [finding.text for finding in lines if "(lamps.alarm)" in finding.text]
    assert alarm.startswith(f"GPIO{profile.lamps.alarm} (lamps.alarm) is held by lg")


def test_off_leaves_a_running_referee_alone(
    profile: BoardProfile, factory: Any, lamps: list[Line], referee: subprocess.Popen[str]
) -> None:
    problems = switch_off(profile, factory)
    assert {f"lamps.{lamp}" for lamp in LAMPS} <= {problem.partition("(")[2].partition(")")[0] for problem in problems}
    assert all(line.is_high() for line in lamps)


def test_after_a_kill_the_command_can_have_every_output(
    pin_factory: str, lamps: list[Line], referee: subprocess.Popen[str]
) -> None:
    referee.send_signal(signal.SIGKILL)
    referee.wait()
    command = [sys.executable, "-m", "tamsk_pi", "off", "--set", f"gpio.pin_factory={pin_factory}"]
    told = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert load_profile("matrix").socket_lamps is not None
    assert len(told.stderr.splitlines()) == 1
    assert told.stderr.startswith("tamsk-pi: socket_lamps: ")  # for want of SPI; every line could be had
    assert not any(line.is_high() for line in lamps)
