"""Parts put together are free of each other over their whole travel; what is in the way is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import attrs
import pytest

from hardware.tools import scad
from hardware.tools.measures import Measures
from tests.hardware.conftest import need

pytestmark = pytest.mark.hardware


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> object:
    need("picture")
    from hardware.tools.fits import Bench

    return Bench(tmp_path_factory.mktemp("fits"))


def test_nothing_is_in_the_way_of_anything(bench: object, measures: Measures) -> None:
    from hardware.tools import fits

    assert isinstance(bench, fits.Bench)
    every = fits.fits(measures)
    # The cradle over its half turn, and seven pairs in each of four heights with each of two sensors.
    assert len(every) == len(fits.HALF_TURN_DEG) + 3 + 7 * 4 * 2
    shared = {f"{fit.name}: {fit.where}": bench.shared_mm3(fit) for fit in every}
    assert {where: volume for where, volume in shared.items() if volume > fits.ALLOWED_MM3} == {}


Side = Literal["first", "second"]


@pytest.mark.parametrize(
    ("fit", "side", "define"),
    [
        # The posts as near as arms, switch pocket and nub would have it that are meant for a capped glass.
        ("cradle: yoke turned by 90 degrees", "first", "span=38.6"),
        ("socket for 2, reed: stilt under the seat, thin plates", "second", "stilt_air=0.2"),
        ("socket for 2, reed: sensor and wires under the seat", "second", "reed_recess=1"),
        ("socket for 2, reed: sensor and wires in the stilt", "first", "foot=0.5"),
        ("socket for 2, reed: stilt in the sensor plate", "first", "peg_diameter=9"),
        ("socket for 2, reed: tube in the top plate", "first", "tube_outer=32"),
        ("socket for 2, hall: sensor and wires in the stilt", "second", "joint=2.6"),
        ("socket for 2, hall: sensor and wires through the sensor plate", "second", "joint_pitch=3"),
        ("socket for 2, hall: capped glass in its tube", "second", "cap_diameter=28"),
    ],
)
def test_what_is_in_the_way_is_found(bench: object, measures: Measures, fit: str, side: Side, define: str) -> None:
    from hardware.tools import fits

    assert isinstance(bench, fits.Bench)
    whole = next(one for one in fits.fits(measures) if f"{one.name}: {one.where}" == fit)
    part = whole.first if side == "first" else whole.second
    worse = attrs.evolve(part, defines=(*part.defines, define))
    broken = attrs.evolve(whole, first=worse) if side == "first" else attrs.evolve(whole, second=worse)
    assert bench.shared_mm3(broken) > 1


def test_the_timer_sits_in_its_yoke_without_rattling(tmp_path: Path, measures: Measures) -> None:
    need("picture")
    import trimesh

    part = next(part for part in scad.PARTS if part.name == "cradle-yoke")
    yoke: Any = trimesh.load_mesh(scad.compile_part(part, tmp_path))
    inside = yoke.section(plane_origin=(0, 0, measures["glass.height"] / 2 - 2), plane_normal=(0, 0, 1))
    nearest = min(float((x**2 + y**2) ** 0.5) for x, y, _ in inside.vertices.tolist() if y > 0)
    assert 0.2 <= 2 * nearest - measures["glass.base_diameter"] <= 1.0
