"""Whether there can be a matrix board here at all, and what to do instead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from tamsk_pi.devices.base import DeviceError
from tamsk_pi.devices.gpio.factories import make_factory

NO_PI: Final = (
    "this machine is no Raspberry Pi, and the matrix board hangs on a Pi's pins: here `tamsk-pi simulate` plays on a"
    " virtual one, which `watch` and `calibrate` take with --simulated"
)


def is_pi(root: Path = Path("/")) -> bool:
    """Whether this is a Raspberry Pi: its firmware tells a revision code."""
    if (root / "proc/device-tree/system/linux,revision").exists():
        return True
    try:
        told = (root / "proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(line.startswith("Revision") for line in told.splitlines())


def factory_here(name: str, is_here: Callable[[], bool] = is_pi) -> Any:
    """The pin factory called `name`. `DeviceError`: why it cannot be had, and on what is no Pi that, and nothing of
    packages that would not help there."""
    try:
        return make_factory(name)
    except DeviceError:
        if is_here():
            raise
        raise DeviceError(NO_PI) from None
