"""Inside the guest: one look at the header, named on the command line; a failed assertion is its exit status."""

from __future__ import annotations

import sys

import lgpio
from gpiozero import DigitalInputDevice, DigitalOutputDevice
from gpiozero.pins.lgpio import LGPIOFactory


def pi_info() -> None:
    info = LGPIOFactory(chip=0).board_info
    assert (info.model, info.revision) == ("3B", "a02082"), info


def lines() -> None:
    """The label is the real driver's; an output is read back as it was set, and an input can be taken."""
    handle = lgpio.gpiochip_open(0)
    told = lgpio.gpio_get_chip_info(handle)
    assert "pinctrl-bcm2835" in told, told
    lgpio.gpiochip_close(handle)
    factory = LGPIOFactory(chip=0)
    with DigitalOutputDevice(20, pin_factory=factory) as output:
        for value in (1, 0, 1, 0):
            output.value = value
            assert output.pin.state == value
    with DigitalInputDevice(17, pull_up=True, pin_factory=factory) as taken:
        assert taken.pin.function == "input"


def spi() -> None:
    """What clocks of bits on the real spi-bcm2835 come back for as many bytes; nothing hangs on its wires."""
    handle = lgpio.spi_open(0, 0, 1_000_000, 0)
    count, data = lgpio.spi_xfer(handle, [0b1, 0x80, 0])
    lgpio.spi_close(handle)
    assert count == len(data) == 3, (count, data)


if __name__ == "__main__":
    {"pi_info": pi_info, "lines": lines, "spi": spi}[sys.argv[1]]()
