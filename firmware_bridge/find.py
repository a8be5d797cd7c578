"""Where a bridge may be plugged in."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from serial.tools import list_ports

UDEV_NAME: Final = Path("/dev/tamsk-bridge")
"""What the udev rule that comes with the program calls the bridge."""

USB_DEVICES: Final = {
    (0x2341, 0x0042): "Arduino Mega 2560 R3",
    (0x2341, 0x0010): "Arduino Mega 2560",
    (0x2341, 0x0210): "Arduino Mega 2560 R3",
    (0x2341, 0x0242): "Arduino Mega 2560 R3",
    (0x2341, 0x003F): "Arduino Mega ADK",
    (0x2341, 0x0044): "Arduino Mega ADK R3",
    (0x2A03, 0x0042): "Arduino Mega 2560 R3",
    (0x2A03, 0x0010): "Arduino Mega 2560",
    (0x2A03, 0x003F): "Arduino Mega ADK",
    (0x2A03, 0x0044): "Arduino Mega ADK R3",
    (0x1A86, 0x7523): "CH340",
    (0x1A86, 0x7522): "CH340K",
    (0x1A86, 0x5523): "CH341",
    (0x1A86, 0x55D4): "CH9102",
    (0x0403, 0x6001): "FT232R",
    (0x0403, 0x6015): "FT231X",
    (0x10C4, 0xEA60): "CP2102",
}
"""Vendor and product of every Mega and of the serial chips on copies of it, the likeliest first. The udev rules that
come with the program name the same ones. Source: boards.txt of Arduino's AVR core; usb.ids."""


def candidates(port: str, udev_name: Path = UDEV_NAME) -> list[str]:
    """The ports to ask, the likeliest first. `port`: `auto`, or the one path to use (a by-path name, say)."""
    if port != "auto":
        return [port]
    found = [str(udev_name)] if udev_name.exists() else []
    known = {udev_name.resolve()} if found else set()
    placed = [(_place(info.vid, info.pid), info.device) for info in list_ports.comports()]
    usb = sorted((place, device) for place, device in placed if place is not None)
    return found + [device for _, device in usb if Path(device).resolve() not in known]


def _place(vendor: int | None, product: int | None) -> int | None:
    """How far down in the table a device stands; by its vendor alone where the system does not tell the product."""
    for place, known in enumerate(USB_DEVICES):
        if known == (vendor, product) or (product is None and known[0] == vendor):
            return place
    return None
