"""Ring holders on load cells: from what was measured to what counts rings. No I/O, no clock.

A holder is weighed empty and with a known number of rings; from then on every whole ring's weight above the empty
holder is a ring (`firmware_bridge.load_cell`). The weight of a ring need not be known, nor which way the cell hangs.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from firmware_bridge.load_cell import RAW_MAX, RAW_MIN, rings
from firmware_bridge.protocol import Config, Holder
from tamsk_pi.rules.board import PLAYERS, RINGS_PER_SIDE

READINGS: Final = 20
"""Two seconds' worth: an HX711 gives ten a second."""
UNSETTLED: Final = 5
"""The first readings of a step are those of a hand leaving the holder."""
NOISE_OF_A_RING: Final = 4
"""A ring must be at least so many times the spread of a holder's readings, or counts would flicker."""
LEAST_RING: Final = 20
"""Raw units; what weighs less than that is no ring but the cell's own unrest."""
LEAST_RINGS: Final = 4
"""Fewer rings than that and an error of a quarter of a ring would grow to two over a full holder."""

Pair = tuple[int | None, int | None]


class CalibrationError(Exception):
    """The load cells cannot be calibrated; the text is one line: which, what is wrong, what to do."""


@attrs.frozen
class Weight:
    """A holder's raw reading while nothing moved, and by how much its readings strayed."""

    raw: int
    spread: int


class Weighing:
    """Collects the readings of both holders in one step, until there are enough."""

    def __init__(self) -> None:
        self._taken = 0
        self._readings: dict[str, list[int]] = {player: [] for player in PLAYERS}

    @property
    def is_done(self) -> bool:
        return self._taken >= UNSETTLED + READINGS

    def take(self, pair: Pair) -> None:
        """Red's and black's reading; None from a cell that does not answer (`CalibrationError`)."""
        for player, raw in zip(PLAYERS, pair, strict=True):
            if raw is None:
                raise CalibrationError(f"{player}'s load cell does not answer: check its supply and its two wires")
            if not RAW_MIN < raw < RAW_MAX:
                raise CalibrationError(f"{player}'s load cell is at the end of its range: check its four wires")
            if self._taken >= UNSETTLED:
                self._readings[player].append(raw)
        self._taken += 1

    def weights(self) -> Mapping[str, Weight]:
        """What each holder weighed."""
        return {player: _weight(readings) for player, readings in self._readings.items()}


def _weight(readings: Sequence[int]) -> Weight:
    return Weight(round(statistics.median(readings)), max(readings) - min(readings))


def calibrated(empty: Mapping[str, Weight], loaded: Mapping[str, Weight], count: int) -> Mapping[str, Holder]:
    """Each holder's zero and raw units a ring, weighed empty and with `count` rings. `CalibrationError` where the
    readings do not tell rings apart."""
    if not LEAST_RINGS <= count <= RINGS_PER_SIDE:
        raise CalibrationError(f"{count} rings do not calibrate a holder: {LEAST_RINGS} to {RINGS_PER_SIDE} do")
    return {player: _cell(player, empty[player], loaded[player], count) for player in PLAYERS}


def _cell(player: str, empty: Weight, loaded: Weight, count: int) -> Holder:
    ring = round((loaded.raw - empty.raw) / count)
    if abs(ring) < LEAST_RING:
        raise CalibrationError(
            f"{player}'s holder weighs the same with {count} rings as without (raw {empty.raw} and {loaded.raw}): "
            "check that the rings hang on it and that the cell can bend"
        )
    spread = max(empty.spread, loaded.spread)
    if abs(ring) < NOISE_OF_A_RING * spread:
        raise CalibrationError(
            f"{player}'s readings stray by {spread}, and a ring weighs {abs(ring)}: keep hands off the table, "
            "or shield the cell's wires"
        )
    return Holder(zero=empty.raw, ring=ring)


def count_of(cell: Holder, weight: Weight) -> int:
    """How many rings the firmware will tell for a weight, coming from nothing known."""
    return rings(weight.raw, cell)


def not_calibrated(cells: Mapping[str, Holder]) -> tuple[str, ...]:
    """The players whose holder has no calibration yet."""
    return tuple(player for player in PLAYERS if cells[player].ring == 0)


def board_config(cells: Mapping[str, Holder]) -> Config:
    """What the board is told at its start."""
    return Config(red=cells["red"], black=cells["black"])
