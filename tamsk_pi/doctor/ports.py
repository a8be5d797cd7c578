"""Serial devices: which there are, who holds them, and what is known to meddle with them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from tamsk_pi.doctor.finding import JOIN, Finding, note, ok, stops
from tamsk_pi.doctor.machine import Machine, SerialDevice
from tamsk_pi.doctor.processes import holder_of, running
from tamsk_pi.signals.language import N_


def check_serial(machine: Machine, port: str, *, needs_bridge: bool) -> Iterator[Finding]:
    """`port` is the setting `bridge.port`; `needs_bridge`: whether the board hangs on the bridge."""
    proc = machine.root / "proc"
    bad: Callable[..., Finding] = stops if needs_bridge else note
    devices = machine.serial_devices()
    looks = [_look_at(machine, device) for device in devices]
    # With `auto` the bridge may be any of them, so that one that can be had is enough; else it is the one that is set.
    one_is_free = any(look is None for look in looks)
    for device, look in zip(devices, looks, strict=True):
        if look is None:
            yield ok("serial", N_("{path} ({title}) is free"), path=device.path, title=device.title)
        elif (port == "auto" and not one_is_free) or Path(port).resolve() == Path(device.path).resolve():
            yield look(bad)
        else:
            yield look(note)
    if port != "auto" and not Path(port).exists():
        yield bad(
            "serial",
            N_("bridge.port is {port}, and there is none"),
            N_("plug the bridge in, or set bridge.port to auto"),
            port=port,
        )
    elif not devices and needs_bridge:
        to_do = N_("plug the bridge in: it is looked for until it is there")
        yield note("serial", N_("no serial device is plugged in"), to_do)
    elif not devices:
        yield ok("serial", N_("none plugged in, and none needed"))
    meddlers = [name for name in ("ModemManager", "brltty") if running(name, proc)]
    if devices and "ModemManager" in meddlers and not _rule_is_installed(machine):
        yield note(
            "serial",
            N_("ModemManager talks to serial devices for ten seconds after they are plugged in"),
            N_("install the udev rule (sudo make install), or sudo apt remove modemmanager"),
        )
    if "brltty" in meddlers:
        said = N_("brltty takes CH340 serial adapters away")
        yield note("serial", said, N_("sudo apt remove brltty, if nobody needs it"))


def _look_at(machine: Machine, device: SerialDevice) -> Callable[[Callable[..., Finding]], Finding] | None:
    """What keeps a device from being opened, as a finding of the weight that is asked for; None where nothing does."""
    path = Path(device.path)
    holder = holder_of(path, machine.root / "proc")
    if holder is not None:
        said, to_do = N_("{path} ({title}) is held by {holder}"), N_("end that program: one at a time")
        return lambda weigh: weigh("serial", said, to_do, path=path, title=device.title, holder=holder)
    if not machine.may(path, os.R_OK | os.W_OK):
        return lambda weigh: weigh("serial", N_("no permission to open {path}"), JOIN, path=path, group="dialout")
    return None


def _rule_is_installed(machine: Machine) -> bool:
    return (machine.root / "etc/udev/rules.d/70-tamsk-pi.rules").exists()
