"""Every part compiles to a solid that can be printed, with the dimensions that the measures ask for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hardware.tools import scad
from hardware.tools.measures import Measures
from tests.hardware.conftest import need

pytestmark = pytest.mark.hardware


def _solid(name: str, folder: Path) -> Any:
    need("picture")
    import trimesh

    compiled = folder / f"{name}.stl"
    if not compiled.is_file():
        compiled = scad.compile_part(next(part for part in scad.PARTS if part.name == name), folder)
    return trimesh.load_mesh(compiled)


def _edges_closed(mesh: Any) -> bool:
    return bool(mesh.is_watertight and mesh.is_winding_consistent)


@pytest.mark.parametrize("name", [part.name for part in scad.PARTS])
def test_a_part_is_one_closed_solid(name: str, scratch: Path) -> None:
    solid = _solid(name, scratch)
    assert _edges_closed(solid)
    assert solid.volume > 500
    # One body: its Euler number is even, and every face can be reached from the first.
    assert len(_bodies(solid)) == 1


def _bodies(solid: Any) -> set[int]:
    parent = list(range(len(solid.faces)))

    def root(face: int) -> int:
        while parent[face] != face:
            parent[face] = parent[parent[face]]
            face = parent[face]
        return face

    for first, second in solid.face_adjacency.tolist():
        parent[root(first)] = root(second)
    return {root(face) for face in range(len(parent))}


@pytest.mark.parametrize("rings", [1, 2, 3, 4])
def test_a_tube_stands_as_high_as_its_rings_and_passes_through_them(
    rings: int, scratch: Path, measures: Measures
) -> None:
    low, high = _solid(f"tube-{rings}", scratch).bounds.tolist()
    assert high[2] == pytest.approx(rings * measures["ring.thickness"] + measures["tube.rim"])
    assert low[2] == pytest.approx(-measures["board.plate"] - measures["tube.flange"])
    assert high[0] == pytest.approx(measures.flange_diameter_mm / 2, abs=0.05)
    assert measures.tube_outer_mm < measures["ring.inner_diameter"]


@pytest.mark.parametrize("rings", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", ["reed", "hall"])
def test_a_stilt_reaches_from_the_sensor_plate_to_just_below_the_seat(
    rings: int, kind: str, scratch: Path, measures: Measures
) -> None:
    low, high = _solid(f"stilt-{kind}-{rings}", scratch).bounds.tolist()
    assert high[2] == pytest.approx(measures.stilt_mm(rings))
    assert low[2] == pytest.approx(-measures["board.sensor_plate"])
    seat = measures.seat_mm(rings)
    below_the_seat = seat - measures["tube.floor"] - (high[2] - measures["board.spacing"] - measures["board.plate"])
    # Free of the seat by more than plywood strays: or the tallest stilt carries the top plate.
    assert below_the_seat == pytest.approx(measures["stilt.air"])
    assert below_the_seat > 0.3


def test_caps_of_all_kinds_have_the_diameter_of_the_bore_less_the_clearance(scratch: Path, measures: Measures) -> None:
    for kind in ("magnet", "tilt", "radio"):
        low, high = _solid(f"cap-{kind}", scratch).bounds.tolist()
        assert high[0] - low[0] == pytest.approx(measures.tube_bore_mm - measures["tube.clearance"], abs=0.1)


def test_a_whole_set_fits_on_the_plates(scratch: Path, measures: Measures) -> None:
    assert sum(part.count for part in scad.PARTS if part.source == "tube.scad") == 37
    low, high = _solid("plate-top", scratch).bounds.tolist()
    assert high[1] - low[1] == pytest.approx(
        2 * (3 * measures["board.pitch"] + measures["board.margin"] / 0.8660254), abs=0.01
    )


def test_a_warning_of_openscad_is_an_error(scratch: Path) -> None:
    need("picture")
    import subprocess

    with pytest.raises(subprocess.CalledProcessError):
        scad.compile_part(scad.Part("nothing", "tube.scad", ("rings=unknown_name",), 0, ""), scratch)
