"""Where a bridge may be plugged in."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from serial.tools import list_ports

UDEV_NAME: Final = Path("/dev/tamsk-bridge")
"""What the udev rule that comes with the program calls the bridge."""

USB_VENDORS: Final = {0x2341: "Arduino", 0x2A03: "Arduino", 0x1A86: "CH340", 0x0403: "FTDI", 0x10C4: "CP210x"}
"""Who makes the USB serial chips found on a Mega."""


def candidates(port: str, udev_name: Path = UDEV_NAME) -> list[str]:
    """The ports to ask, the likeliest first. `port`: `auto`, or the one path to use (a by-path name, say)."""
    if port != "auto":
        return [port]
    found = [str(udev_name)] if udev_name.exists() else []
    known = {udev_name.resolve()} if found else set()
    usb = [info for info in list_ports.comports() if info.vid in USB_VENDORS]
    usb.sort(key=lambda info: (list(USB_VENDORS).index(info.vid), info.device))
    return found + [info.device for info in usb if Path(info.device).resolve() not in known]
