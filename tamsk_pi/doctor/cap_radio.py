"""The caps' receiver on the Pi's own bus: what it needs of the machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tamsk_pi.config.settings import Settings
from tamsk_pi.doctor.finding import Finding, ok, stops
from tamsk_pi.doctor.machine import Machine
from tamsk_pi.signals.language import N_

_LIBRARIES: Final = ("gpiod", "spidev")


def check_cap_radio(machine: Machine, settings: Settings) -> Iterator[Finding]:
    """Whether the bus and the libraries are there. The radio itself is asked when a game begins."""
    missing = [name for name in _LIBRARIES if machine.version_of(name) is None]
    if missing:
        yield stops(
            "caps",
            N_("{names} not installed, by which the Pi hears the caps"),
            N_("pip install tamsk-pi[pi], or tamsk-pi[pi5] on a Pi 5"),
            names=", ".join(missing),
        )
    device = settings.cap_radio.device
    if not (machine.root / device.lstrip("/")).exists():
        yield stops(
            "caps",
            N_("{device} is not there"),
            N_("add dtoverlay=spi0-2cs,cs1_pin=2 to config.txt, and start the Pi anew"),
            device=device,
        )
    elif not missing:
        yield ok("caps", N_("the receiver is looked for on {device}"), device=device)
