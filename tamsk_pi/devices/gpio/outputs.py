"""Switching every output of a matrix board off, each by itself, whoever left it on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero import DigitalOutputDevice

from tamsk_pi.config.profile import BoardProfile
from tamsk_pi.devices.base import DeviceError
from tamsk_pi.devices.gpio.factories import gpio_errors, line_owner
from tamsk_pi.devices.gpio.max7219 import Max7219
from tamsk_pi.devices.gpio.spi import open_spi


def output_lines(profile: BoardProfile) -> list[int]:
    """The lines of lamps and buzzer, which are off when they are low."""
    lamps = profile.lamps
    lines = [lamps.turn_red, lamps.turn_black, lamps.alarm, lamps.ready]
    return lines if profile.buzzer is None else [*lines, profile.buzzer.line]


def switch_off(profile: BoardProfile, factory: Any) -> list[str]:
    """Lamps and buzzer dark and silent, rows released, socket lamps out; what could not be done, a line each.

    One that cannot be had does not keep the others from being switched off.
    """
    lamps = profile.lamps
    outputs = {f"lamps.{name}": (getattr(lamps, name), True) for name in ("turn_red", "turn_black", "alarm", "ready")}
    if profile.buzzer is not None:
        outputs["buzzer.line"] = (profile.buzzer.line, True)
    outputs |= {f"matrix.rows.{name}": (line, False) for name, line in profile.matrix.rows.items()}
    problems = []
    for key, (line, active_high) in outputs.items():
        problem = _tried(lambda line=line, high=active_high: _one_off(line, high, factory))  # type: ignore[misc]
        if problem:
            owner = line_owner(factory, line)
            problems.append(f"GPIO{line} ({key}): {problem}{f' (held by {owner})' if owner else ''}")
    if (socket_lamps := profile.socket_lamps) is not None:
        problem = _tried(lambda: Max7219(open_spi(factory, socket_lamps), socket_lamps.intensity).close())
        if problem:
            problems.append(problem)
    return problems


def _one_off(line: int, active_high: bool, factory: Any) -> None:
    DigitalOutputDevice(line, active_high=active_high, initial_value=False, pin_factory=factory).close()


def _tried(action: Callable[[], None]) -> str:
    errors: tuple[type[Exception], ...] = (DeviceError, *gpio_errors())
    try:
        action()
    except errors as error:
        return str(error)
    return ""
