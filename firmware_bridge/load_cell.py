"""A ring holder on a load cell: from its raw readings to the number of rings, as `avr/src/analog.c` does it.

A reading counts as the nearest whole number of rings above the empty holder. The count that was told last is held a
tenth of a ring beyond the half, so that a reading on the border between two counts does not flicker.
"""

from __future__ import annotations

from typing import Final

from firmware_bridge.inputs import HOLDER_MAX, HOLDER_UNKNOWN
from firmware_bridge.protocol import Holder

HYSTERESIS: Final = 10
"""A ring is divided by this for the margin beyond the half."""
RAW_MIN: Final = -(1 << 23)
RAW_MAX: Final = (1 << 23) - 1
"""An HX711's readings: 24 bits."""


def rings(raw: int, cell: Holder, last: int = HOLDER_UNKNOWN) -> int:
    """How many rings a reading stands for, 0 to 32, after `last`; `HOLDER_UNKNOWN` when the cell is not calibrated."""
    if cell.ring == 0:
        return HOLDER_UNKNOWN
    ring = abs(cell.ring)
    weight = raw - cell.zero if cell.ring > 0 else cell.zero - raw
    half = ring // 2
    if last <= HOLDER_MAX and abs(weight - last * ring) <= half + ring // HYSTERESIS:
        return last
    return min(max(weight + half, 0) // ring, HOLDER_MAX)
