"""Serial devices: which there are, who holds them, and what is known to meddle with them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from tamsk_pi.doctor.finding import Finding, note, ok, stops
from tamsk_pi.doctor.machine import Machine, SerialDevice
from tamsk_pi.doctor.processes import holder_of, running


def check_serial(machine: Machine, port: str, *, needs_bridge: bool) -> Iterator[Finding]:
    """`port` is the setting `bridge.port`; `needs_bridge`: whether the board hangs on the bridge."""
    proc = machine.root / "proc"
    bad = stops if needs_bridge else note
    devices = machine.serial_devices()
    looks = [_look_at(machine, device) for device in devices]
    # With `auto` the bridge may be any of them, so that one that can be had is enough; else it is the one that is set.
    one_is_free = any(look is None for look in looks)
    for device, look in zip(devices, looks, strict=True):
        if look is None:
            yield ok("serial", f"{device.path} ({device.title}) is free")
        elif (port == "auto" and not one_is_free) or Path(port).resolve() == Path(device.path).resolve():
            yield bad("serial", *look)
        else:
            yield note("serial", *look)
    if port != "auto" and not Path(port).exists():
        yield bad(
            "serial", f"bridge.port is {port}, and there is none", "plug the bridge in, or set bridge.port to auto"
        )
    elif not devices and needs_bridge:
        yield note("serial", "no serial device is plugged in", "plug the bridge in: it is looked for until it is there")
    elif not devices:
        yield ok("serial", "none plugged in, and none needed")
    meddlers = [name for name in ("ModemManager", "brltty") if running(name, proc)]
    if devices and "ModemManager" in meddlers and not _rule_is_installed(machine):
        yield note(
            "serial",
            "ModemManager talks to serial devices for ten seconds after they are plugged in",
            "install the udev rule (sudo make install), or sudo apt remove modemmanager",
        )
    if "brltty" in meddlers:
        yield note("serial", "brltty takes CH340 serial adapters away", "sudo apt remove brltty, if nobody needs it")


def _look_at(machine: Machine, device: SerialDevice) -> tuple[str, str] | None:
    """What keeps a device from being opened, and the remedy; None where nothing does."""
    path = Path(device.path)
    holder = holder_of(path, machine.root / "proc")
    if holder is not None:
        return f"{path} ({device.title}) is held by {holder}", "end that program: one at a time"
    if not machine.may(path, os.R_OK | os.W_OK):
        return f"no permission to open {path}", "sudo usermod -aG dialout $USER, then log in anew"
    return None


def _rule_is_installed(machine: Machine) -> bool:
    return (machine.root / "etc/udev/rules.d/70-tamsk-pi.rules").exists()
