"""The field of a magnet: two ways to reckon it agree, and the set's own magnet is strong enough but not too strong."""

from __future__ import annotations

import re

import pytest

from hardware.tools import magnets, tables
from hardware.tools.magnets import MAGNET_GRADE, REED_PULL_IN_MT, Magnet
from hardware.tools.measures import Measures
from hardware.tools.paths import HARDWARE


@pytest.mark.parametrize("magnet", [Magnet(6, 2, "N35"), Magnet(8, 3, "N42")], ids=lambda m: m.name)
@pytest.mark.parametrize("distance", [2.0, 5.0, 20.0])
def test_sum_over_the_faces_agrees_with_the_closed_form_on_the_axis(magnet: Magnet, distance: float) -> None:
    assert magnets.axial_mt(magnet, distance, 0) == pytest.approx(magnets.on_axis_mt(magnet, distance), rel=0.01)


def test_far_away_it_is_a_dipole() -> None:
    magnet = Magnet(6, 2, "N35")
    ratio = magnets.on_axis_mt(magnet, 199) / magnets.axial_mt(magnet, -1, 200)
    # On the axis a dipole's field is twice that at its side, and the other way round.
    assert ratio == pytest.approx(-2, rel=0.02)


def test_reach_is_where_the_field_has_fallen_so_far() -> None:
    magnet = Magnet(6, 2, "N35")
    assert magnets.on_axis_mt(magnet, magnets.reach_mm(magnet, 3)) == pytest.approx(3)


def test_the_sets_magnet_works_both_sensors_and_leaves_the_neighbours_alone(measures: Measures) -> None:
    own = Magnet(measures["magnet.diameter"], measures["magnet.thickness"], MAGNET_GRADE)
    hall = measures.magnet_gap_mm + tables.ELEMENT_DEPTH_MM
    reed = measures.reed_distance_mm
    assert magnets.on_axis_mt(own, reed) > 1.5 * REED_PULL_IN_MT[1]
    # Lifted by two centimetres a glass is gone, for the most sensitive reed too.
    assert magnets.reach_mm(own, tables.REED_DROP_OUT_MT) - reed < 20
    for sensor in tables.HALL_SENSORS:
        assert magnets.on_axis_mt(own, hall) > 2 * tables.on_threshold_mt(sensor, tables.HALL_ON_COUNTS)
    pitch = measures["board.pitch"]
    assert abs(magnets.axial_mt(own, hall, pitch)) < tables.on_threshold_mt("DRV5055A1", tables.HALL_OFF_COUNTS) / 10
    assert abs(magnets.axial_mt(own, reed, pitch)) < tables.REED_DROP_OUT_MT / 5


def test_the_firmwares_thresholds_are_those_of_the_table() -> None:
    source = (HARDWARE.parent / "firmware_bridge" / "avr" / "src" / "config.c").read_text(encoding="utf-8")
    found = {name: int(value) for name, value in re.findall(r"\.(hall_o\w+) = (\d+)", source)}
    assert found == {"hall_on": tables.HALL_ON_COUNTS, "hall_off": tables.HALL_OFF_COUNTS}
