"""Who uses a line of a gpiochip, as the kernel tells it, without claiming anything.

Source: <linux/gpio.h>, `struct gpio_v2_line_info`, and the `fdinfo` of line requests in drivers/gpio/gpiolib-cdev.c.
"""

from __future__ import annotations

import fcntl
import struct
from pathlib import Path
from typing import Final

_GET_LINEINFO: Final = 0xC100B405  # GPIO_V2_GET_LINEINFO_IOCTL
_INFO_BYTES: Final = 256
_HEAD: Final = struct.Struct("=32s32sIIQ")  # name, consumer, offset, number of attributes, flags
_USED: Final = 1


def line_user(chip: Path, line: int) -> str | None:
    """The consumer that a used line is labelled with (`?` for none given); None for a free one.

    `OSError` where the chip cannot be opened or has no such line.
    """
    asked = _HEAD.pack(b"", b"", line, 0, 0).ljust(_INFO_BYTES, b"\0")
    with chip.open("rb", buffering=0) as opened:
        answer = fcntl.ioctl(opened, _GET_LINEINFO, asked)
    _, consumer, _, _, flags = _HEAD.unpack_from(answer)
    if not flags & _USED:
        return None
    return consumer.split(b"\0")[0].decode("ascii", "replace") or "?"
