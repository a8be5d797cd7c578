"""Each fault is found, stops play or not, and has its remedy; a healthy machine has none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tamsk_pi.devices.base import DeviceError
from tamsk_pi.doctor.finding import Finding, Weight, note, stops_play
from tamsk_pi.doctor.machine import SerialDevice
from tests.doctor.patient import Patient

BRIDGE = SerialDevice("/dev/ttyACM0", "Arduino Mega 2560")


@pytest.fixture
def patient(tmp_path: Path) -> Patient:
    return Patient(tmp_path)


def raising(error: Exception) -> Callable[..., None]:
    def look(*_: object) -> None:
        raise error

    return look


def found(findings: list[Finding], check: str, weight: Weight) -> Finding:
    """The one finding of this weight on this check."""
    (one,) = [finding for finding in findings if finding.check == check and finding.weight == weight]
    return one


def test_a_healthy_machine_has_nothing_to_be_told(patient: Patient) -> None:
    findings = patient.findings()
    assert [finding for finding in findings if finding.weight != "ok"] == []
    assert {finding.check for finding in findings} == {
        "versions", "config", "model", "kernel", "groups", "chip", "factory", "lines", "spi", "i2c", "serial", "disk",
        "clock",
    }  # fmt: skip
    assert found(findings, "chip", "ok").text == "the header is gpiochip0, pinctrl-bcm2711"
    assert found(findings, "model", "ok").text == "Raspberry Pi 4 Model B Rev 1.1"


def test_a_machine_that_is_no_pi(patient: Patient) -> None:
    patient.write("proc/device-tree/model", "Some other board")
    patient.remove("proc/device-tree/system/linux,revision")
    told = found(patient.findings(), "model", "stops")
    assert told.text == "Some other board is no Raspberry Pi (no revision code in /proc)"
    assert "tamsk-pi simulate" in told.remedy


def test_an_older_pi_is_known_by_cpuinfo(patient: Patient) -> None:
    patient.remove("proc/device-tree/system/linux,revision")
    patient.write("proc/cpuinfo", "processor\t: 0\nRevision\t: c03111\n")
    assert not stops_play(patient.findings())


def test_a_mock_needs_no_pi(patient: Patient) -> None:
    patient.remove("proc/device-tree/system/linux,revision")
    patient.remove("dev/gpiochip0")
    patient.remove("dev/spidev0.0")
    assert not stops_play(patient.findings(gpio__pin_factory="mock"))


def test_no_chip(patient: Patient) -> None:
    patient.write("dev/gpiochip0", "gpio-mockup-A")
    findings = patient.findings()
    assert "gpiochip0: gpio-mockup-A" in found(findings, "chip", "stops").text
    assert "factory" not in {finding.check for finding in findings}


def test_a_chip_without_permission(patient: Patient) -> None:
    patient.ails(label_of=raising(PermissionError(13, "Permission denied")))
    told = found(patient.findings(), "chip", "stops")
    assert told.remedy == "add the user to the group gpio, then log in anew"


def test_a_factory_that_does_not_work(patient: Patient) -> None:
    patient.ails(try_factory=raising(DeviceError("pin factory lgpio: No module named 'lgpio'; install it with apt")))
    told = found(patient.findings(), "factory", "stops")
    assert (told.text, told.remedy) == ("pin factory lgpio: No module named 'lgpio'", "install it with apt")


def test_a_line_held_by_a_driver(patient: Patient) -> None:
    patient.held[7] = "spi0 CS1"
    told = found(patient.findings(), "lines", "stops")
    assert told.text == "GPIO7 (matrix.rows.3) is held by spi0 CS1"
    assert told.remedy.startswith("dtoverlay=spi0-1cs")


def test_a_line_held_by_a_program_is_told_with_the_program(patient: Patient) -> None:
    patient.held |= {20: "lg", 21: "fan-control"}
    patient.process(812, "python3", "anon_inode:gpio-line", "pos:\t0\ngpio-chip:\tgpiochip0\ngpio-line:\t20\n")
    told = [finding for finding in patient.findings() if finding.check == "lines"]
    assert [finding.text for finding in told] == [
        "GPIO20 (lamps.alarm) is held by lg (python3 812)",
        "GPIO21 (lamps.ready) is held by fan-control",
    ]
    assert "systemctl stop tamsk-pi" in told[0].remedy
    assert told[1].remedy == "take the overlay or program that uses it away, or set lamps.ready to another line"


def test_a_chip_with_too_few_lines(patient: Patient) -> None:
    patient.ails(line_user=raising(OSError(22, "Invalid argument")))
    lines = [finding for finding in patient.findings() if finding.check == "lines"]
    assert {finding.weight for finding in lines} == {"stops"}
    assert "Invalid argument" in lines[0].text


def test_spi_off_or_not_allowed(patient: Patient) -> None:
    patient.denied.add("dev/spidev0.0")
    assert found(patient.findings(), "spi", "stops").remedy.startswith("sudo usermod -aG spi")
    patient.remove("dev/spidev0.0")
    assert "dtparam=spi=on" in found(patient.findings(), "spi", "stops").remedy


def test_i2c_off_stops_nothing(patient: Patient) -> None:
    patient.remove("dev/i2c-1")
    findings = patient.findings()
    assert found(findings, "i2c", "note").remedy
    assert not stops_play(findings)


def test_groups_that_are_missing(patient: Patient) -> None:
    patient.ails(groups=lambda: frozenset({"users"}))
    told = [finding for finding in patient.findings() if finding.check == "groups"]
    assert [finding.remedy for finding in told] == [
        f"sudo usermod -aG {group} $USER, then log in anew" for group in ("gpio", "spi")
    ]


def test_both_rpi_gpios(patient: Patient) -> None:
    patient.versions |= {"rpi-lgpio": "0.6", "RPi.GPIO": "0.7.1"}
    assert "uninstall both" in found(patient.findings(), "versions", "note").remedy


def test_a_serial_device_and_who_holds_it(patient: Patient) -> None:
    patient.serial = [BRIDGE]
    assert found(patient.findings(), "serial", "ok").text == "/dev/ttyACM0 (Arduino Mega 2560) is free"
    patient.process(77, "minicom", "/dev/ttyACM0")
    told = found(patient.findings(), "serial", "note")
    assert told.text == "/dev/ttyACM0 (Arduino Mega 2560) is held by minicom 77"


def test_a_serial_device_without_permission(patient: Patient) -> None:
    patient.serial = [BRIDGE]
    patient.denied.add("ttyACM0")
    assert found(patient.findings(), "serial", "note").remedy.startswith("sudo usermod -aG dialout")


def test_a_port_that_is_set_and_not_there(patient: Patient) -> None:
    findings = patient.findings(bridge__port=str(patient.root / "dev/tamsk-bridge"))
    assert "there is none" in found(findings, "serial", "note").text


def test_meddlers_with_serial_devices(patient: Patient) -> None:
    patient.serial = [BRIDGE]
    patient.process(400, "ModemManager")
    patient.process(401, "brltty")
    told = [f.text.split()[0] for f in patient.findings() if f.check == "serial" and f.weight == "note"]
    assert told == ["ModemManager", "brltty"]
    patient.write("etc/udev/rules.d/70-tamsk-pi.rules")
    told = [f.text.split()[0] for f in patient.findings() if f.check == "serial" and f.weight == "note"]
    assert told == ["brltty"]


def test_a_folder_that_cannot_be_written(patient: Patient) -> None:
    patient.denied.add("games")
    told = found(patient.findings(), "disk", "stops")
    assert told.text.endswith("it cannot be written")
    assert told.remedy.startswith("sudo chown $USER ")


def test_the_folder_above_counts_while_there_is_none(patient: Patient) -> None:
    folder = patient.root / "card" / "games" / "all"
    (patient.root / "card").mkdir()
    assert found(patient.findings(journal__folder=str(folder)), "disk", "ok")
    patient.denied.add("card")
    assert (
        f"{patient.root / 'card'} cannot be written"
        in found(patient.findings(journal__folder=str(folder)), "disk", "stops").text
    )


def test_a_file_in_the_folders_place(patient: Patient) -> None:
    path = patient.write("card")
    assert found(patient.findings(journal__folder=str(path / "games")), "disk", "stops").text == f"{path} is no folder"


def test_no_home_and_no_state_folder(patient: Patient) -> None:
    patient.ails(environment={})
    assert found(patient.findings(), "disk", "stops").remedy == "set journal.folder"


@pytest.mark.parametrize(("free", "weight"), [(500_000, "stops"), (50_000_000, "note"), (500_000_000, "ok")])
def test_room_on_the_disk(patient: Patient, free: int, weight: Weight) -> None:
    patient.ails(free_bytes=lambda folder: free)
    assert found(patient.findings(), "disk", weight)


def test_a_clock_that_is_wrong_or_alone(patient: Patient) -> None:
    patient.remove("run/systemd/timesync/synchronized")
    assert "not set from the network" in found(patient.findings(), "clock", "note").text
    patient.ails(wall_s=lambda: 12.0)
    told = found(patient.findings(), "clock", "note")
    assert "1970-01-01" in told.text
    assert told.remedy == "sudo timedatectl set-ntp true"


def test_settings_that_are_wrong_are_all_told_and_the_rest_is_looked_at(patient: Patient) -> None:
    findings = patient.findings(level=9, colour="red")
    config = [finding.text for finding in findings if finding.check == "config" and finding.weight == "stops"]
    assert len(config) == 2
    assert any("level" in text for text in config)
    assert any("colour" in text for text in config)
    assert found(findings, "chip", "ok")


def test_a_board_that_is_not_known(patient: Patient) -> None:
    assert 'no profile "nosuch"' in found(patient.findings(board="nosuch"), "config", "stops").text


def test_glasses_that_were_never_measured(patient: Patient) -> None:
    assert "tamsk-pi calibrate glasses" in found(patient.findings(level=3), "glasses", "note").remedy
    assert not [f for f in patient.findings(level=3, calibrated_on="2026-09-01") if f.check == "glasses"]


def test_a_finding_without_a_remedy_is_none() -> None:
    with pytest.raises(ValueError, match="nothing said about what to do"):
        note("disk", "it is bad", "")
