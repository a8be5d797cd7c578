"""Which `/dev/gpiochip*` is the 40-pin header. Its number differs between models and kernels; its label does not."""

from __future__ import annotations

import fcntl
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tamsk_pi.devices.base import DeviceError

HEADER_LABELS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Pi 5; Pi 4 and 400; all before them, Zero 2 W included."""

_GET_CHIPINFO: Final = 0x8044B401  # GPIO_GET_CHIPINFO_IOCTL of <linux/gpio.h>: name[32], label[32], lines
_CHIPINFO_BYTES: Final = 68


def chip_label(path: Path) -> str:
    """The label of a gpiochip device; `OSError` where it cannot be opened or is none."""
    with path.open("rb", buffering=0) as chip:
        info = fcntl.ioctl(chip, _GET_CHIPINFO, bytes(_CHIPINFO_BYTES))
    return info[32:64].split(b"\0")[0].decode("ascii", "replace")


def header_chip(devices: Path = Path("/dev"), label_of: Callable[[Path], str] = chip_label) -> int:
    """The number of the header's gpiochip; `DeviceError` that says what was found instead."""
    found, refused = [], []
    numbers = [
        int(match[1]) for path in devices.glob("gpiochip*") if (match := re.fullmatch(r"gpiochip(\d+)", path.name))
    ]
    for number in sorted(numbers):
        path = devices / f"gpiochip{number}"
        try:
            label = label_of(path)
        except PermissionError:
            refused.append(str(path))
            continue
        except OSError as error:
            found.append(f"{path.name}: {error.strerror}")
            continue
        if label in HEADER_LABELS:
            return number
        found.append(f"{path.name}: {label}")
    if refused:
        raise DeviceError(
            f"no permission to open {', '.join(refused)}: add the user to the group gpio, then log in anew"
        )
    if found:
        raise DeviceError(
            f"no gpiochip is the 40-pin header ({', '.join(found)}; looked for {', '.join(HEADER_LABELS)})"
        )
    raise DeviceError(f"no {devices}/gpiochip*: this machine has no GPIO lines")
