"""The kernel's SPI for the socket lamps; never gpiozero's software SPI, which is far too slow."""

from __future__ import annotations

import importlib.util
import warnings
from typing import Any, Final

from gpiozero.exc import SPISoftwareFallback

from tamsk_pi.config.profile import SocketLamps
from tamsk_pi.devices.base import DeviceError
from tamsk_pi.devices.gpio.factories import gpio_errors

_REMEDY: Final = "switch SPI on (dtparam=spi=on, and dtoverlay=spi0-1cs for one chip select)"


def open_spi(factory: Any, lamps: SocketLamps) -> Any:
    """The SPI interface of a pin factory; `DeviceError` with the remedy where there is none."""
    if type(factory).__module__ == "gpiozero.pins.rpigpio" and importlib.util.find_spec("spidev") is None:
        # Left to gpiozero, its half-made interface would write a traceback to standard error as it is thrown away.
        raise DeviceError(
            "socket_lamps: the pin factory rpigpio needs spidev for SPI: pip install spidev, or use lgpio"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SPISoftwareFallback)
            return factory.spi(clock_pin=lamps.clock, mosi_pin=lamps.data, miso_pin=None, select_pin=lamps.select)
    except SPISoftwareFallback as error:
        raise DeviceError(f"socket_lamps: no SPI ({error}); {_REMEDY}, or take [socket_lamps] out") from error
    except gpio_errors() as error:
        raise DeviceError(f"socket_lamps: {error}; {_REMEDY}, or take [socket_lamps] out") from error
