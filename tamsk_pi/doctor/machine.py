"""How the doctor looks at a machine. Every look can be replaced, so that faults can be put in its way."""

from __future__ import annotations

import grp
import importlib.metadata
import os
import platform
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
from serial.tools.list_ports import comports

from firmware_bridge.ask import ask
from firmware_bridge.protocol import CapsHealth, Hello
from tamsk_pi.devices.gpio.chips import chip_label
from tamsk_pi.devices.gpio.factories import close_factory, make_factory
from tamsk_pi.doctor.caps import hear_caps
from tamsk_pi.doctor.gpio_lines import line_user


@attrs.frozen
class SerialDevice:
    """A serial device, and what it says it is."""

    path: str
    title: str


def serial_devices() -> Sequence[SerialDevice]:
    """The serial devices on USB."""
    return [SerialDevice(port.device, port.description) for port in sorted(comports()) if port.vid is not None]


def own_groups() -> frozenset[str]:
    """The groups this process is in."""
    names = set()
    for number in {*os.getgroups(), os.getegid()}:
        try:
            names.add(grp.getgrgid(number).gr_name)
        except KeyError:
            names.add(str(number))
    return frozenset(names)


def installed_version(distribution: str) -> str | None:
    """The version of an installed package; None where it is not installed."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def try_factory(name: str) -> None:
    """Make a pin factory and close it again; `DeviceError` where it does not work."""
    factory: Any = make_factory(name)
    close_factory(factory)


def free_bytes(folder: Path) -> int:
    """Room on the file system of a folder."""
    return shutil.disk_usage(folder).free


@attrs.frozen
class Machine:
    """The machine that is looked at. `root` is where its `/dev`, `/proc`, `/sys` and `/run` are."""

    root: Path = Path("/")
    environment: Mapping[str, str] = attrs.field(factory=lambda: dict(os.environ))
    kernel: str = attrs.field(factory=platform.release)
    user_id: int = attrs.field(factory=os.geteuid)
    groups: Callable[[], frozenset[str]] = own_groups
    may: Callable[[Path, int], bool] = os.access
    version_of: Callable[[str], str | None] = installed_version
    label_of: Callable[[Path], str] = chip_label
    line_user: Callable[[Path, int], str | None] = line_user
    try_factory: Callable[[str], None] = try_factory
    serial_devices: Callable[[], Sequence[SerialDevice]] = serial_devices
    ask_bridge: Callable[[str, int], Hello] = ask
    hear_caps: Callable[[str, int], CapsHealth | None] = hear_caps
    free_bytes: Callable[[Path], int] = free_bytes
    wall_s: Callable[[], float] = time.time

    def read(self, path: str) -> str | None:
        """The text of a file below `root`, without NULs and white space around it; None where there is none."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0\n\t ")
        except OSError:
            return None
