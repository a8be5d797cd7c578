"""What the doctor looks at where the board is a bridge: a serial port in place of the header's lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main
from tamsk_pi.doctor.finding import Finding, stops_play
from tamsk_pi.doctor.machine import SerialDevice
from tests.doctor.patient import Patient

MEGA = SerialDevice("/dev/ttyACM0", "Arduino Mega 2560")
OTHER = SerialDevice("/dev/ttyUSB7", "GPS receiver")


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    """A laptop with a Mega: no Pi, no header, no SPI."""
    patient = Patient(tmp_path)
    patient.write("proc/device-tree/model", "A laptop")
    for path in ("proc/device-tree/system/linux,revision", "dev/gpiochip0", "dev/spidev0.0", "dev/i2c-1"):
        patient.remove(path)
    patient.serial = [MEGA]
    patient.ails(groups=lambda: frozenset({"dialout"}))
    return patient


def told(patient: Patient, check: str, **settings: object) -> list[Finding]:
    return [finding for finding in patient.findings(board="bridge", **settings) if finding.check == check]


def test_a_laptop_with_a_bridge_has_all_it_needs(patient: Patient) -> None:
    findings = patient.findings(board="bridge")
    assert [finding for finding in findings if finding.weight != "ok"] == []
    assert {finding.check for finding in findings} == {
        "versions", "config", "model", "kernel", "groups", "serial", "bridge", "disk", "clock",
    }  # fmt: skip
    (model,), (config,) = told(patient, "model"), told(patient, "config")
    assert model.text == "A laptop is no Raspberry Pi, and need not be one"
    assert config.text == "no files: defaults; the bridge"


def test_the_group_of_serial_ports_is_wanted_and_no_other(patient: Patient) -> None:
    patient.ails(groups=lambda: frozenset({"gpio", "spi"}))
    (group,) = told(patient, "groups")
    assert group.remedy.startswith("sudo usermod -aG dialout")


def test_a_bridge_that_somebody_holds_stops_play(patient: Patient) -> None:
    patient.process(77, "minicom", MEGA.path)
    (port,) = told(patient, "serial")
    assert (port.weight, port.text) == ("stops", "/dev/ttyACM0 (Arduino Mega 2560) is held by minicom 77")


def test_a_bridge_that_may_not_be_opened_stops_play(patient: Patient) -> None:
    patient.denied.add("ttyACM0")
    (port,) = told(patient, "serial")
    assert (port.weight, port.text) == ("stops", "no permission to open /dev/ttyACM0")


def test_no_bridge_is_worth_knowing_as_it_is_looked_for(patient: Patient) -> None:
    patient.serial = []
    findings = patient.findings(board="bridge")
    (port,) = [finding for finding in findings if finding.check == "serial"]
    assert (port.weight, port.text) == ("note", "no serial device is plugged in")
    assert not stops_play(findings)


def test_the_port_that_is_set_and_not_there_stops_play(patient: Patient) -> None:
    free, port = told(patient, "serial", bridge__port=str(patient.root / "dev/tamsk-bridge"))
    assert free.weight == "ok"
    assert port.weight == "stops"
    assert "set bridge.port to auto" in port.remedy


@pytest.mark.parametrize(
    ("held", "port", "weights"),
    [
        (OTHER, "auto", ["ok", "note"]),
        (OTHER, MEGA.path, ["ok", "note"]),
        (MEGA, MEGA.path, ["stops", "ok"]),
        (MEGA, "auto", ["note", "ok"]),
    ],
    ids=["another, auto", "another, set", "the one that is set", "one of two"],
)
def test_what_holds_another_device_stops_nothing(
    patient: Patient, held: SerialDevice, port: str, weights: list[str]
) -> None:
    patient.serial = [MEGA, OTHER]
    patient.process(78, "gpsd", held.path)
    assert [finding.weight for finding in told(patient, "serial", bridge__port=port)][:2] == weights


def test_meddlers_are_named(patient: Patient) -> None:
    patient.process(400, "ModemManager")
    patient.process(401, "brltty")
    names = [finding.text.split()[0] for finding in told(patient, "serial") if finding.weight == "note"]
    assert names == ["ModemManager", "brltty"]


def test_the_command_and_its_status(patient: Patient) -> None:
    def run() -> tuple[int, dict[str, object]]:
        done = CliRunner().invoke(main, ["doctor", "--json", "--set", "board=bridge"], obj=patient.machine)
        return done.exit_code, json.loads(done.output)

    status, report = run()
    assert (status, report["plays"]) == (0, True)
    patient.denied.add("ttyACM0")
    status, report = run()
    assert (status, report["plays"]) == (1, False)
