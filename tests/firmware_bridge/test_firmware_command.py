"""`tamsk-pi firmware`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_bridge import build as build_module
from firmware_bridge.build import FLASH_BYTES, RAM_BYTES, build_firmware, missing_for_firmware
from firmware_bridge.inputs import ALL_BUILDS, Build
from firmware_bridge.model_bench import ModelBench
from tamsk_pi.cli import main
from tests.tiers import lacking


def needs_avr_gcc() -> None:
    missing = missing_for_firmware()
    if missing:
        lacking(missing)


@pytest.mark.firmware
def test_build_prints_sizes_and_writes_the_files(tmp_path: Path) -> None:
    needs_avr_gcc()
    done = CliRunner().invoke(
        main, ["firmware", "build", "--sockets", "hall", "--rings", "stack", "--output", str(tmp_path)]
    )
    assert done.exit_code == 0, done.output
    assert done.output.startswith("hall-stack at 115200 baud: flash ")
    assert (tmp_path / "bridge-hall-stack-115200.elf").exists()
    assert (tmp_path / "bridge-hall-stack-115200.hex").read_text(encoding="ascii").startswith(":")


@pytest.mark.firmware
@pytest.mark.parametrize("build", ALL_BUILDS, ids=lambda build: build.name)
def test_every_build_fits_a_mega_with_room_to_spare(build: Build) -> None:
    needs_avr_gcc()
    firmware = build_firmware(build)
    assert firmware.flash_bytes < FLASH_BYTES // 4
    assert firmware.ram_bytes < RAM_BYTES * 3 // 4


def test_without_avr_gcc_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    done = CliRunner().invoke(main, ["firmware", "build"])
    assert done.exit_code == 1
    assert done.output == "tamsk-pi: avr-gcc is not installed (Debian: apt-get install gcc-avr avr-libc)\n"


def test_an_unknown_rate_is_refused_by_the_builder() -> None:
    with pytest.raises(build_module.BuildError, match="9600 baud is not offered: 115200, 500000, 1000000 are"):
        build_firmware(Build(), 9600)


def tool(folder: Path, name: str, script: str) -> Path:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    path.chmod(0o755)
    return path


def test_flash_without_avrdude_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = CliRunner().invoke(main, ["firmware", "flash"])
    assert (done.exit_code, done.output) == (
        1,
        "tamsk-pi: avrdude is not installed (Debian: apt-get install avrdude)\n",
    )


@pytest.mark.parametrize(("status", "exit_code"), [(0, 0), (3, 1)])
def test_flash_calls_avrdude_for_a_mega(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, status: int, exit_code: int
) -> None:
    tool(tmp_path, "avrdude", f'echo "$@" > {tmp_path}/called\nexit {status}')
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    image, port = tmp_path / "x.hex", tmp_path / "port"
    image.touch()
    port.touch()
    done = CliRunner().invoke(main, ["firmware", "flash", "--port", str(port), "--hex", str(image)])
    assert done.exit_code == exit_code
    called = (tmp_path / "called").read_text(encoding="ascii").split()
    assert called == ["-p", "atmega2560", "-c", "wiring", "-P", str(port), "-b", "115200", "-D", "-U",
                      f"flash:w:{image}:i"]  # fmt: skip
    assert ("avrdude failed with status 3" in done.output) == bool(status)


def test_flash_to_a_port_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tool(tmp_path, "avrdude", "exit 0")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    done = CliRunner().invoke(main, ["firmware", "flash", "--port", str(tmp_path / "none")])
    assert (done.exit_code, done.output) == (1, f"tamsk-pi: {tmp_path}/none: there is no such port\n")


def test_version_asks_a_board() -> None:
    with ModelBench(Build("hall", "holder"), speed=1.0) as bench:
        done = CliRunner().invoke(main, ["firmware", "version", "--port", str(bench.port)])
    assert done.exit_code == 0, done.output
    mine, boards = done.output.splitlines()
    assert mine == "This program's firmware: 1.1.0, protocol 1.1"
    assert boards.startswith("The board's firmware:    1.1.0, protocol 1.1, build hall-holder, board ")


def test_version_of_no_board_is_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["firmware", "version", "--port", str(tmp_path / "none")])
    assert done.exit_code == 1
    assert done.output.splitlines()[-1] == f"tamsk-pi: {tmp_path}/none: there is no such port"
