"""The doctor asks a bridge who it is: what it is told, and what it makes of it."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner

from firmware_bridge.ask import NoAnswer, ask
from firmware_bridge.inputs import Build
from firmware_bridge.model_bench import ModelBench
from firmware_bridge.protocol import Hello
from tamsk_pi.commands.doctor import command
from tamsk_pi.doctor.finding import Finding
from tamsk_pi.doctor.machine import SerialDevice
from tests.doctor.patient import HELLO, Patient

MEGA = SerialDevice("/dev/ttyACM0", "Arduino Mega 2560")


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    patient = Patient(tmp_path)
    patient.serial = [MEGA]
    return patient


def of(findings: list[Finding]) -> Finding:
    """The one finding about the bridge."""
    [finding] = [finding for finding in findings if finding.check == "bridge"]
    return finding


def answers(patient: Patient, hello: Hello) -> list[tuple[str, int]]:
    """A bridge that answers; which ports and rates it is asked at."""
    asked: list[tuple[str, int]] = []

    def answer(port: str, baud: int) -> Hello:
        asked.append((port, baud))
        return hello

    patient.ails(ask_bridge=answer)
    return asked


def test_a_bridge_that_answers_is_asked_at_the_rate_that_is_set(patient: Patient) -> None:
    asked = answers(patient, HELLO)
    told = of(patient.findings(board="bridge", bridge__baud=1_000_000))
    assert (told.weight, told.text) == ("ok", "firmware 1.1.0, sockets reed, rings buttons, board 00c0ffee")
    assert asked == [("auto", 1_000_000)]


def test_a_firmware_of_another_build_stops_play(patient: Patient) -> None:
    answers(patient, HELLO)
    told = of(patient.findings(board="bridge", rings="stack"))
    assert told.weight == "stops"
    assert told.text.endswith("rings buttons; the settings want sockets reed, rings stack")
    assert told.remedy.endswith("tamsk-pi firmware flash --sockets reed --rings stack")


def test_an_older_firmware_is_a_note(patient: Patient) -> None:
    answers(patient, attrs.evolve(HELLO, firmware=(0, 9, 9)))
    told = of(patient.findings(board="bridge"))
    assert (told.weight, told.remedy) == ("note", "tamsk-pi firmware flash")
    assert told.text.startswith("firmware 0.9.9, ")


def test_no_answer_stops_play_with_the_remedy(patient: Patient) -> None:
    def silence(port: str, baud: int) -> Hello:
        raise NoAnswer("/dev/ttyACM0: no bridge answers there")

    patient.ails(ask_bridge=silence)
    told = of(patient.findings(board="bridge"))
    assert (told.weight, told.text) == ("stops", "/dev/ttyACM0: no bridge answers there")
    assert "bridge.baud" in told.remedy


def test_a_bridge_in_use_is_left_alone(patient: Patient) -> None:
    asked = answers(patient, HELLO)
    patient.process(77, "tamsk-pi", "/dev/ttyACM0")
    told = of(patient.findings(board="bridge"))
    assert (told.weight, told.text) == ("note", "not asked who it is, as tamsk-pi 77 uses it")
    assert asked == []


@pytest.mark.parametrize("board", ["bridge", "matrix"])
def test_nothing_is_asked_where_there_is_none_or_none_is_needed(patient: Patient, board: str) -> None:
    asked = answers(patient, HELLO)
    patient.serial = [] if board == "bridge" else [MEGA]
    assert not [finding for finding in patient.findings(board=board) if finding.check == "bridge"]
    assert asked == []


def test_holders_without_calibration_stop_play(patient: Patient) -> None:
    asked = answers(patient, HELLO)
    findings = patient.findings(board="bridge", rings="holder")
    stops = [finding.text for finding in findings if finding.check == "config" and finding.weight == "stops"]
    assert len(stops) == 2
    assert all("tamsk-pi calibrate holders" in text for text in stops)
    assert asked == []


@pytest.mark.parametrize(("rings", "status"), [("stack", 0), ("buttons", 1)])
def test_a_board_behind_a_real_port_is_asked(patient: Patient, rings: str, status: int) -> None:
    with ModelBench(Build("reed", "stack"), speed=1.0) as bench:
        patient.ails(ask_bridge=ask)
        options = ["--set", "board=bridge", "--set", f"bridge.port={bench.port}", "--set", f"rings={rings}"]
        done = CliRunner().invoke(command, options, obj=patient.machine)
    [line] = [line for line in done.output.splitlines() if "  bridge " in line]
    assert done.exit_code == status, done.output
    assert line.startswith("ok " if status == 0 else "STOPS")
    assert "firmware 1.1.0, sockets reed, rings stack" in line


def test_a_port_where_nothing_is_bridge_like_is_told(patient: Patient, tmp_path: Path) -> None:
    port = tmp_path / "port"
    port.write_bytes(b"")
    patient.ails(ask_bridge=ask)
    told = of(patient.findings(board="bridge", bridge__port=str(port)))
    assert told.weight == "stops"
    assert str(port) in told.text
    assert "\n" not in told.text
