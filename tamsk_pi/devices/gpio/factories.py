"""gpiozero's pin factories by name, each with a readable reason when it cannot be had. Never one for another."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from gpiozero.exc import GPIOZeroError, PinUnknownPi

from tamsk_pi.devices.base import DeviceError
from tamsk_pi.devices.gpio.chips import header_chip
from tamsk_pi.devices.gpio.getting import how_to_get

PIN_FACTORIES: Final = ("lgpio", "rpigpio", "mock")


def gpio_errors() -> tuple[type[Exception], ...]:
    """What GPIO calls can raise; lgpio's own error only where that module is in use."""
    lgpio = sys.modules.get("lgpio")
    return (
        GPIOZeroError,
        OSError,
        RuntimeError,
        *([lgpio.error] if lgpio is not None and hasattr(lgpio, "error") else []),
    )


def make_factory(name: str, find_chip: Callable[[], int] = header_chip) -> Any:
    """The pin factory called `name`; `DeviceError` with the remedy where it is missing or does not work here."""
    if name not in PIN_FACTORIES:
        raise DeviceError(f"no pin factory {name!r}; known: {', '.join(PIN_FACTORIES)}")
    try:
        if name == "lgpio":
            module = importlib.import_module("gpiozero.pins.lgpio")
            _check_lgpio()
            return module.LGPIOFactory(chip=find_chip())
        if name == "rpigpio":
            return importlib.import_module("gpiozero.pins.rpigpio").RPiGPIOFactory()
        return importlib.import_module("tamsk_pi.devices.gpio.mock").QuietMockFactory()
    except ImportError as error:
        raise DeviceError(f"pin factory {name}: {error}; {how_to_get(name)}") from error
    except AttributeError as error:
        raise DeviceError(
            f"pin factory {name}: {error}; this lgpio is too old: 0.2.2 or newer is needed, {how_to_get(name)}"
        ) from error
    except PinUnknownPi as error:
        raise DeviceError(f"pin factory {name}: this machine is no Raspberry Pi ({error})") from error
    except FileNotFoundError as error:
        raise DeviceError(
            f"pin factory {name}: lgpio makes a pipe in the working folder, and {Path.cwd()} cannot be written; "
            "start from a folder that can"
        ) from error
    except gpio_errors() as error:
        raise DeviceError(f"pin factory {name}: {error}{_HINTS.get(name, '')}") from error


_OF_LGPIO: Final = (
    "error",
    "gpio_free",
    "gpio_get_line_info",
    "group_claim_input",
    "group_claim_output",
    "group_free",
    "group_read",
    "group_write",
    "tx_pwm",
)
"""What is called of lgpio, here and by gpiozero; versions before 0.2 lack some of it."""


def _check_lgpio() -> None:
    """`AttributeError` where the lgpio that is in use lacks what is called of it later, in the midst of a game."""
    lgpio = sys.modules.get("lgpio")
    missing = [name for name in _OF_LGPIO if lgpio is not None and not hasattr(lgpio, name)]
    if missing:
        raise AttributeError(f"lgpio has no {', '.join(missing)}")


_HINTS: Final = {"rpigpio": "; RPi.GPIO knows no Pi 5 and no other machine: set gpio.pin_factory to lgpio"}


def close_factory(factory: Any) -> None:
    """Close a factory, so that another can be made in this process: the local ones share their table of pins."""
    factory.close()
    factory.pins.clear()


def lgpio_of(factory: Any) -> tuple[Any, int] | None:
    """The lgpio module and the open chip's handle where this is lgpio's factory, for calls on groups of lines."""
    module = sys.modules.get("gpiozero.pins.lgpio")
    if module is None or not isinstance(factory, module.LGPIOFactory):
        return None
    return sys.modules["lgpio"], factory._handle


def line_owner(factory: Any, line: int) -> str | None:
    """Who holds a line, as the kernel tells it; None where it does not, or nobody."""
    group = lgpio_of(factory)
    if group is None:
        return None
    lgpio, handle = group
    try:
        owner: str = lgpio.gpio_get_line_info(handle, line)[4]
    except lgpio.error:
        return None
    return owner or None
