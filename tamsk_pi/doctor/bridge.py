"""The bridge itself: asked who it is, and held against what the settings want of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from firmware_bridge.ask import NoAnswer
from firmware_bridge.build import firmware_version
from firmware_bridge.inputs import Build
from tamsk_pi.config.settings import Settings
from tamsk_pi.doctor.finding import Finding, note, ok, stops
from tamsk_pi.doctor.machine import Machine
from tamsk_pi.doctor.processes import holder_of


def check_bridge(machine: Machine, settings: Settings, expected: Build) -> Iterator[Finding]:
    """Whether a board answers that the settings can be played on; not asked while another program uses it."""
    port = settings.bridge.port
    paths = [device.path for device in machine.serial_devices()] if port == "auto" else [port]
    paths = [path for path in paths if Path(path).exists() or port == "auto"]
    if not paths:
        return  # told with the serial devices
    proc = machine.root / "proc"
    holders = [holder for path in paths if (holder := holder_of(Path(path).resolve(), proc)) is not None]
    if holders:
        yield note("bridge", f"not asked who it is, as {holders[0]} uses it", "end that program to have it asked")
        return
    try:
        hello = machine.ask_bridge(port, settings.bridge.baud)
    except NoAnswer as error:
        yield stops(
            "bridge",
            str(error),
            f"flash it (tamsk-pi firmware flash --sockets {expected.sockets} --rings {expected.rings}), or set "
            "bridge.baud to what its firmware was built for",
        )
        return
    told = f"firmware {hello.firmware_version}, sockets {hello.build.sockets}, rings {hello.build.rings}"
    if hello.build != expected:
        yield stops(
            "bridge",
            f"{told}; the settings want sockets {expected.sockets}, rings {expected.rings}",
            f"set sockets and rings, or tamsk-pi firmware flash --sockets {expected.sockets} --rings {expected.rings}",
        )
    elif hello.firmware_version != firmware_version():
        yield note("bridge", f"{told}; this program brings {firmware_version()}", "tamsk-pi firmware flash")
    else:
        yield ok("bridge", f"{told}, board {hello.board_id:08x}")
