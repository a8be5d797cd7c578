"""The caps as the configuration has them: what hears them, and which were paired."""

from __future__ import annotations

import os

from tamsk_pi.calibrate.progress import calibration_folder
from tamsk_pi.config.problems import ConfigError, Problem
from tamsk_pi.config.settings import Settings
from tamsk_pi.devices.base import Device
from tamsk_pi.devices.cap_board import CapBoard
from tamsk_pi.devices.cap_pairs import PairsError, pairs_path, rates_of, read_pairs


def paired_rates(settings: Settings) -> list[tuple[int, float]]:
    """Id and clock rate of each cap as paired; nothing without caps. `ConfigError` for a file that cannot be used."""
    if settings.caps == "none":
        return []
    try:
        return rates_of(read_pairs(pairs_path(calibration_folder(os.environ))))
    except PairsError as error:
        raise ConfigError([Problem("", "", str(error))]) from None


def with_caps(board: Device, settings: Settings) -> CapBoard:
    """The board with the caps' receiver on the Pi's own bus."""
    from tamsk_pi.devices.gpio.cap_radio import CapReceiver

    radio = settings.cap_radio
    return CapBoard(board, CapReceiver(radio.device, radio.irq_line, rates=paired_rates(settings)))
