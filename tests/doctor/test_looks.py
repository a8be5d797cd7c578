"""How the real looks look, as far as any Linux machine can show it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tamsk_pi.doctor.gpio_lines import line_user
from tamsk_pi.doctor.machine import free_bytes, installed_version, own_groups, serial_devices, try_factory
from tamsk_pi.doctor.processes import holder_of, running


def test_this_process_is_seen_to_hold_what_it_has_open(tmp_path: Path) -> None:
    path = tmp_path / "ttyACM7"
    path.touch()
    proc = Path("/proc")
    assert holder_of(path, proc) is None
    with path.open(encoding="utf-8"):
        told = holder_of(path, proc)
    assert told is not None
    assert told.endswith(f" {os.getpid()}")
    assert running(told.rpartition(" ")[0], proc)
    assert not running("no-such-program", proc)


def test_a_file_is_no_chip(tmp_path: Path) -> None:
    path = tmp_path / "gpiochip0"
    path.touch()
    with pytest.raises(OSError, match="Inappropriate ioctl"):
        line_user(path, 4)


def test_plain_looks(tmp_path: Path) -> None:
    assert installed_version("gpiozero")
    assert installed_version("no-such-package") is None
    assert own_groups()
    assert free_bytes(tmp_path) > 0
    assert all(device.path.startswith("/dev/") for device in serial_devices())
    try_factory("mock")
