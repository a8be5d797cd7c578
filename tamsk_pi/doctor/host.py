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
from tamsk_pi.doctor.finding import AS_TOLD, Finding, note, ok, stops
from tamsk_pi.doctor.machine import Machine
from tamsk_pi.signals.language import N_

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
    yield ok("versions", AS_TOLD, told=", ".join(parts))
    if machine.version_of("rpi-lgpio") and machine.version_of("RPi.GPIO"):
        yield note(
            "versions",
            N_("rpi-lgpio and RPi.GPIO are both installed, and each writes over the other's files"),
            N_("uninstall both with pip, then install the one you need (rpi-lgpio on a Pi 5)"),
        )


def check_model(machine: Machine, *, needs_pins: bool) -> Iterator[Finding]:
    """Which Pi this is; `needs_pins`: whether the board hangs on this machine's own header."""
    model = machine.read("proc/device-tree/model")
    revision = machine.read("proc/device-tree/system/linux,revision") is not None or any(
        line.startswith("Revision") for line in (machine.read("proc/cpuinfo") or "").splitlines()
    )
    if revision:
        yield ok("model", AS_TOLD, told=model) if model else ok("model", N_("a Raspberry Pi, by its revision code"))
    elif needs_pins:
        yield stops(
            "model",
            N_("{model} is no Raspberry Pi (no revision code in /proc)")
            if model
            else N_("this machine is no Raspberry Pi (no revision code in /proc)"),
            N_("plug the matrix board into a Pi; on any other machine play with `tamsk-pi simulate`"),
            model=model,
        )
    elif model:
        yield ok("model", N_("{model} is no Raspberry Pi, and need not be one"), model=model)
    else:
        yield ok("model", N_("this machine is no Raspberry Pi, and need not be one"))
    yield ok("kernel", AS_TOLD, told=machine.kernel)


def check_disk(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Whether games can be kept."""
    folder = games_folder(settings, machine.environment)
    if folder is None:
        yield stops("disk", N_("no folder to keep games in: no home and no state folder"), N_("set journal.folder"))
        return
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        yield stops(
            "disk", N_("{there} is no folder"), N_("remove {there}, or set journal.folder to another"), there=there
        )
    elif not machine.may(there, os.W_OK | os.X_OK):
        yield stops(
            "disk",
            N_("games cannot be kept in {folder}: it cannot be written")
            if there == folder
            else N_("games cannot be kept in {folder}: {there} cannot be written"),
            N_("sudo chown $USER {there}; if the whole card is read-only, look into `dmesg` and replace it"),
            folder=folder,
            there=there,
        )
    else:
        yield from _check_room(machine, folder, there)


def _check_room(machine: Machine, folder: Path, there: Path) -> Iterator[Finding]:
    free = machine.free_bytes(there)
    said, free_mb = N_("games are kept in {folder}, {free_mb} MB free"), free // 1_000_000
    if free < _GAME_BYTES:
        to_do = N_("free some room: a game needs about one MB")
        yield stops("disk", said, to_do, folder=folder, free_mb=free_mb)
    elif free < _LITTLE_BYTES:
        yield note("disk", said, N_("free some room soon"), folder=folder, free_mb=free_mb)
    else:
        yield ok("disk", said, folder=folder, free_mb=free_mb)


def check_clock(machine: Machine) -> Iterator[Finding]:
    """The wall clock. It labels records; no ruling rests on it."""
    wall_s = machine.wall_s()
    told = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(wall_s))
    if wall_s < _EARLIEST_S:
        yield note(
            "clock",
            N_("it says {time}, which is past; records will bear that date"),
            "sudo timedatectl set-ntp true",
            time=told,
        )
    elif not (machine.root / "run/systemd/timesync/synchronized").exists():
        yield note(
            "clock",
            N_("{time}, not set from the network since the machine started"),
            N_("connect to a network, or fit a clock chip; play does not depend on it"),
            time=told,
        )
    else:
        yield ok("clock", N_("{time}, set from the network"), time=told)
