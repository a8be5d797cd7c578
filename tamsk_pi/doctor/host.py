"""The machine itself: model, kernel, versions, disk, clock."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tamsk_pi import __version__
from tamsk_pi.config.load import games_folder
from tamsk_pi.config.settings import Settings
from tamsk_pi.doctor.finding import Finding, note, ok, stops
from tamsk_pi.doctor.machine import Machine

_LITTLE_BYTES: Final = 100_000_000
_GAME_BYTES: Final = 1_000_000
_EARLIEST_S: Final = 1_767_225_600  # 1 January 2026: before this program was made


def check_versions(machine: Machine) -> Iterator[Finding]:
    """Of this program and of what it stands on."""
    parts = [f"tamsk-pi {__version__}", f"Python {platform.python_version()}"]
    for distribution in ("gpiozero", "lgpio", "rpi-lgpio", "RPi.GPIO", "pyserial"):
        version = machine.version_of(distribution)
        if version is not None:
            parts.append(f"{distribution} {version}")
    yield ok("versions", ", ".join(parts))
    if machine.version_of("rpi-lgpio") and machine.version_of("RPi.GPIO"):
        yield note(
            "versions",
            "rpi-lgpio and RPi.GPIO are both installed, and each writes over the other's files",
            "uninstall both with pip, then install the one you need (rpi-lgpio on a Pi 5)",
        )


def check_model(machine: Machine, *, needs_pins: bool) -> Iterator[Finding]:
    """Which Pi this is; `needs_pins`: whether the board hangs on this machine's own header."""
    model = machine.read("proc/device-tree/model")
    revision = machine.read("proc/device-tree/system/linux,revision") is not None or any(
        line.startswith("Revision") for line in (machine.read("proc/cpuinfo") or "").splitlines()
    )
    if revision:
        yield ok("model", model or "a Raspberry Pi, by its revision code")
    elif needs_pins:
        yield stops(
            "model",
            f"{model or 'this machine'} is no Raspberry Pi (no revision code in /proc)",
            "plug the matrix board into a Pi; on any other machine play with `tamsk-pi simulate`",
        )
    else:
        yield ok("model", f"{model or 'this machine'} is no Raspberry Pi, and need not be one")
    yield ok("kernel", machine.kernel)


def check_disk(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Whether games can be kept."""
    folder = games_folder(settings, machine.environment)
    if folder is None:
        yield stops("disk", "no folder to keep games in: no home and no state folder", "set journal.folder")
        return
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        yield stops("disk", f"{there} is no folder", f"remove {there}, or set journal.folder to another")
    elif not machine.may(there, os.W_OK | os.X_OK):
        whose = "it" if there == folder else str(there)
        yield stops(
            "disk",
            f"games cannot be kept in {folder}: {whose} cannot be written",
            f"sudo chown $USER {there}; if the whole card is read-only, look into `dmesg` and replace it",
        )
    else:
        yield from _check_room(machine, folder, there)


def _check_room(machine: Machine, folder: Path, there: Path) -> Iterator[Finding]:
    free = machine.free_bytes(there)
    text = f"games are kept in {folder}, {free // 1_000_000} MB free"
    if free < _GAME_BYTES:
        yield stops("disk", text, "free some room: a game needs about one MB")
    elif free < _LITTLE_BYTES:
        yield note("disk", text, "free some room soon")
    else:
        yield ok("disk", text)


def check_clock(machine: Machine) -> Iterator[Finding]:
    """The wall clock. It labels records; no ruling rests on it."""
    wall_s = machine.wall_s()
    told = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(wall_s))
    if wall_s < _EARLIEST_S:
        yield note(
            "clock", f"it says {told}, which is past; records will bear that date", "sudo timedatectl set-ntp true"
        )
    elif not (machine.root / "run/systemd/timesync/synchronized").exists():
        yield note(
            "clock",
            f"{told}, not set from the network since the machine started",
            "connect to a network, or fit a clock chip; play does not depend on it",
        )
    else:
        yield ok("clock", f"{told}, set from the network")
