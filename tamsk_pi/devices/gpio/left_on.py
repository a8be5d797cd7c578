"""Lamps and buzzer dark at once after a crash, before anything that takes its time is imported.

A Pi leaves an output as it was when its owner is gone, and a small Pi that swaps needs seconds to import what knows
boards and profiles. So the service leaves a note of its outputs in its runtime folder, and `tamsk-pi off` drives them
low by that note first, with lgpio alone. What is not done here, or where there is no note, the usual way does right
after.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

NOTE: Final = "outputs.json"
_log = logging.getLogger(__name__)


def runtime_folder(environment: Mapping[str, str]) -> Path | None:
    """The service's own runtime folder, as systemd names it; None outside of it."""
    first = environment.get("RUNTIME_DIRECTORY", "").split(":")[0]
    return Path(first) if first else None


def remember(lines: Sequence[int], folder: Path | None) -> None:
    """Note which of the header's lines are lamps and buzzer. Where that cannot be kept, `off` is only slower."""
    if folder is None:
        return
    new = folder / f"{NOTE}.new"
    try:
        new.write_text(json.dumps(list(lines)), encoding="utf-8")
        os.replace(new, folder / NOTE)
    except OSError as error:
        _log.warning("%s: the outputs are not noted: %s", folder / NOTE, error.strerror)


def put_out(folder: Path | None, chip_of: Callable[[], int] | None = None, lgpio: Any = None) -> list[int]:
    """Drive every noted line low that nobody holds; the lines that were. Whatever keeps it from that, it goes on.

    `chip_of` and `lgpio` stand in for the header's number and the library.
    """
    if folder is None:
        return []
    try:
        lines = [int(line) for line in json.loads((folder / NOTE).read_text(encoding="utf-8"))]
        if lgpio is None:
            import lgpio
        if chip_of is None:
            from tamsk_pi.devices.gpio.chips import header_chip as chip_of
        handle = lgpio.gpiochip_open(chip_of())
    except Exception as error:  # noqa: BLE001
        # The usual way follows, and says what is wrong.
        _log.info("no output is put out in advance: %s", error)
        return []
    done = []
    for line in lines:
        try:
            lgpio.gpio_claim_output(handle, line, 0)
            lgpio.gpio_free(handle, line)
        except lgpio.error as error:
            _log.info("GPIO%d is not put out in advance: %s", line, error)
        else:
            done.append(line)
    lgpio.gpiochip_close(handle)
    return done
