"""The bridge gets its name and is left alone; other devices are not touched."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge.find import USB_DEVICES
from tests.systemd.udev import Device, UsbParent, apply

RULES = Path(__file__).parents[2] / "systemd" / "70-tamsk-pi.rules"


def serial_on(vendor: str, product: str, kernel: str = "ttyACM0", action: str = "add") -> Device:
    """A serial device on an interface of a USB device on a hub."""
    usb = UsbParent("usb", {"idVendor": vendor, "idProduct": product})
    hub = UsbParent("usb", {"idVendor": "1d6b", "idProduct": "0042"})
    return Device(action, "tty", kernel, (UsbParent("tty", {}), UsbParent("usb", {}), usb, hub))


@pytest.mark.parametrize("device", USB_DEVICES, ids=USB_DEVICES.get)
def test_what_is_asked_for_a_bridge_gets_its_name_and_modem_manager_keeps_off(device: tuple[int, int]) -> None:
    vendor, product = device
    given = apply(RULES, serial_on(f"{vendor:04x}", f"{product:04x}"))
    assert given["SYMLINK"] == "tamsk-bridge"
    assert (given["GROUP"], given["MODE"]) == ("dialout", "0660")
    assert given["ID_MM_DEVICE_IGNORE"] == given["ID_MM_PORT_IGNORE"] == "1"


def test_what_gets_the_name_is_asked_for_a_bridge() -> None:
    """Every vendor and product of the rules stands in the table."""
    named = set()
    for line in RULES.read_text(encoding="utf-8").splitlines():
        found = re.search(r'idVendor}=="([^"]+)", ATTRS{idProduct}=="([^"]+)"', line)
        if found is not None:
            named |= {(int(v, 16), int(p, 16)) for v in found[1].split("|") for p in found[2].split("|")}
    assert named == set(USB_DEVICES)


def test_the_usb_device_itself_is_kept_from_modem_manager_but_gets_no_name() -> None:
    usb = UsbParent("usb", {"idVendor": "2341", "idProduct": "0042"})
    given = apply(RULES, Device("add", "usb", "1-1", (usb,)))
    assert given["ID_MM_DEVICE_IGNORE"] == "1"
    assert "SYMLINK" not in given


@pytest.mark.parametrize(
    "device",
    [
        serial_on("0403", "6014", "ttyUSB0"),  # an FTDI chip that is on no Mega
        serial_on("2341", "0043"),  # an Uno
        serial_on("1d6b", "0042"),
        serial_on("2341", "0042", action="remove"),
        Device("add", "tty", "ttyAMA0"),
        Device("add", "input", "mouse0"),
    ],
)
def test_other_devices_are_not_touched(device: Device) -> None:
    assert apply(RULES, device) == {}


@pytest.mark.parametrize(
    ("subsystem", "kernel", "group"),
    [("gpio", "gpiochip0", "gpio"), ("spidev", "spidev0.0", "spi"), ("i2c-dev", "i2c-1", "i2c")],
)
def test_the_pins_belong_to_their_groups(subsystem: str, kernel: str, group: str) -> None:
    assert apply(RULES, Device("add", subsystem, kernel)) == {"GROUP": group, "MODE": "0660"}
