"""`tamsk-pi doctor`: its two forms, and its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_pi.commands.doctor import command
from tests.doctor.patient import Patient


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    return Patient(tmp_path)


def run(patient: Patient, *options: str) -> Result:
    return CliRunner().invoke(command, options, obj=patient.machine)


def test_a_healthy_machine(patient: Patient) -> None:
    told = run(patient)
    assert told.exit_code == 0
    assert all(line.startswith("ok ") for line in told.output.splitlines())


def test_a_fault_has_its_remedy_below_it(patient: Patient) -> None:
    patient.held[20] = "fan-control"
    told = run(patient)
    assert told.exit_code == 1
    lines = told.output.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("STOPS"))
    assert lines[place] == "STOPS  lines     GPIO20 (lamps.alarm) is held by fan-control"
    assert lines[place + 1].split()[0] == "->"


def test_json(patient: Patient) -> None:
    patient.remove("dev/i2c-1")
    told = run(patient, "--json")
    assert told.exit_code == 0
    read = json.loads(told.output)
    assert read["plays"] is True
    (i2c,) = [finding for finding in read["findings"] if finding["check"] == "i2c"]
    assert i2c["weight"] == "note"
    assert set(i2c) == {"check", "weight", "text", "remedy"}
    patient.remove("dev/gpiochip0")
    told = run(patient, "--json")
    assert (told.exit_code, json.loads(told.output)["plays"]) == (1, False)


def test_settings_from_the_command_line(patient: Patient) -> None:
    patient.remove("dev/gpiochip0")
    patient.remove("dev/spidev0.0")
    assert run(patient, "--set", "gpio.pin_factory=mock").exit_code == 0
    told = run(patient, "--set", "nonsense")
    assert told.exit_code == 2
    assert "KEY=VALUE" in told.output
