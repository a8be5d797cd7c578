"""The bridge itself: asked who it is, and held against what the settings want of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from firmware_bridge.ask import NoAnswer
from firmware_bridge.build import firmware_version
from firmware_bridge.inputs import Build
from tamsk_pi.config.settings import Settings
from tamsk_pi.doctor.finding import AS_TOLD, Finding, note, ok, stops
from tamsk_pi.doctor.machine import Machine
from tamsk_pi.doctor.processes import holder_of
from tamsk_pi.signals.language import N_


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
        yield note(
            "bridge",
            N_("not asked who it is, as {holder} uses it"),
            N_("end that program to have it asked"),
            holder=holders[0],
        )
        return
    try:
        hello = machine.ask_bridge(port, settings.bridge.baud)
    except NoAnswer as error:
        yield stops(
            "bridge",
            AS_TOLD,
            N_(
                "flash it (tamsk-pi firmware flash --sockets {sockets} --rings {rings}), or set bridge.baud to what its"
                " firmware was built for"
            ),
            told=str(error),
            sockets=expected.sockets,
            rings=expected.rings,
        )
        return
    has = {"version": hello.firmware_version, "sockets": hello.build.sockets, "rings": hello.build.rings}
    if hello.build != expected:
        yield stops(
            "bridge",
            N_(
                "firmware {version}, sockets {sockets}, rings {rings};"
                " the settings want sockets {wanted_sockets}, rings {wanted_rings}"
            ),
            N_("set sockets and rings, or tamsk-pi firmware flash --sockets {wanted_sockets} --rings {wanted_rings}"),
            wanted_sockets=expected.sockets,
            wanted_rings=expected.rings,
            **has,
        )
    elif hello.firmware_version != firmware_version():
        yield note(
            "bridge",
            N_("firmware {version}, sockets {sockets}, rings {rings}; this program brings {brought}"),
            "tamsk-pi firmware flash",
            brought=firmware_version(),
            **has,
        )
    else:
        told = N_("firmware {version}, sockets {sockets}, rings {rings}, board {board}")
        yield ok("bridge", told, board=f"{hello.board_id:08x}", **has)
