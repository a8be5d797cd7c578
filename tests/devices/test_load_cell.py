"""Calibrating the ring holders' load cells: readings in, zero and ring out, and every reason to refuse."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from firmware_bridge.inputs import HOLDER_UNKNOWN
from firmware_bridge.load_cell import RAW_MAX, rings
from firmware_bridge.protocol import Config, Holder
from tamsk_pi.devices.load_cell import (
    CalibrationError,
    Weighing,
    Weight,
    board_config,
    calibrated,
    count_of,
    not_calibrated,
)

NOISE = 150


def weighed(red: int, black: int, noise: int = NOISE) -> Mapping[str, Weight]:
    """What is made of readings around these."""
    dice, weighing = random.Random(f"{red}/{black}"), Weighing()
    while not weighing.is_done:
        weighing.take((red + dice.randint(-noise, noise), black + dice.randint(-noise, noise)))
    return weighing.weights()


def test_zero_and_ring_come_out_either_way_up() -> None:
    cells = calibrated(weighed(-5_000, 100_000), weighed(-5_000 + 32 * 2_000, 100_000 - 32 * 1_500), 32)
    for cell, zero, ring in ((cells["red"], -5_000, 2_000), (cells["black"], 100_000, -1_500)):
        assert abs(cell.zero - zero) <= NOISE
        assert abs(cell.ring - ring) <= 2 * NOISE / 32
        told = [count_of(cell, Weight(zero + n * ring, 0)) for n in range(33)]
        assert told == list(range(33))


def test_the_hand_that_leaves_the_holder_does_not_count() -> None:
    weighing = Weighing()
    for raw in (900_000, 500_000, -3_000, 4_000, 1_100):
        weighing.take((raw, raw))
    while not weighing.is_done:
        weighing.take((1_000, 2_000))
    assert weighing.weights() == {"red": Weight(1_000, 0), "black": Weight(2_000, 0)}


def test_a_cell_that_is_silent_or_torn_off_is_named() -> None:
    with pytest.raises(CalibrationError, match=r"^black's load cell does not answer: check its supply"):
        Weighing().take((1, None))
    with pytest.raises(CalibrationError, match=r"^red's load cell is at the end of its range"):
        Weighing().take((RAW_MAX, 1))


def test_what_weighs_nothing_is_refused() -> None:
    with pytest.raises(CalibrationError, match=r"^red's holder weighs the same with 16 rings as without"):
        calibrated(weighed(500, 0, 10), weighed(600, 90_000, 10), 16)


def test_readings_that_stray_by_a_quarter_ring_are_refused() -> None:
    with pytest.raises(CalibrationError, match=r"^black's readings stray by 6\d\d, and a ring weighs 1\d\d\d"):
        calibrated(weighed(0, 0, 320), weighed(320_000, 32 * 1_200, 320), 32)


@pytest.mark.parametrize("count", [0, 3, 33])
def test_too_few_rings_do_not_calibrate(count: int) -> None:
    with pytest.raises(CalibrationError, match=f"^{count} rings do not calibrate a holder: 4 to 32 do"):
        calibrated(weighed(0, 0), weighed(99_000, 99_000), count)


def test_a_cell_without_calibration_tells_nothing() -> None:
    cells = {"red": Holder(7, 0), "black": Holder(-3, -500)}
    assert not_calibrated(cells) == ("red",)
    assert board_config(cells) == Config(red=Holder(7, 0), black=Holder(-3, -500))
    assert rings(123_456, cells["red"], 5) == HOLDER_UNKNOWN


def test_a_count_is_held_a_tenth_beyond_the_half_and_never_leaves_its_range() -> None:
    cell, told, seen = Holder(0, 1_000), HOLDER_UNKNOWN, []
    for weight in (10_000, 10_550, 10_450, 10_550, 10_650, 10_450, 10_350, -9_000, 99_000, 32_599):
        told = rings(weight, cell, told)
        seen.append(told)
    assert seen == [10, 10, 10, 10, 11, 11, 10, 0, 32, 32]
