"""Every printed part prints without supports as its table says, and the check knows a part that does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hardware.tools import scad
from tests.hardware.conftest import need

pytestmark = pytest.mark.hardware

PRINTED = [part for part in scad.PARTS if part.turn_deg is not None]


def _laid(part: scad.Part, folder: Path, turn_deg: float) -> Any:
    need("picture")
    import trimesh

    from hardware.tools import printing

    compiled = folder / f"{part.name}.stl"
    if not compiled.is_file():
        compiled = scad.compile_part(part, folder)
    return printing.laid(trimesh.load_mesh(compiled), turn_deg)


@pytest.mark.parametrize("part", PRINTED, ids=lambda part: part.name)
def test_a_part_prints_as_it_is_laid(part: scad.Part, scratch: Path) -> None:
    laid = _laid(part, scratch, part.turn_deg or 0.0)
    from hardware.tools import printing

    assert printing.problems(laid) == []
    assert printing.thinnest_wall_mm(laid) >= printing.THINNEST_WALL_MM - 0.05


@pytest.mark.parametrize(
    ("name", "turn_deg", "what"),
    [
        ("tube-2", 180.0, "overhang of 3.0 mm"),  # the flange hangs in the air all round
        ("tube-2", 180.0, "bridge of 27.5 mm"),  # and the whole seat is a bridge
        ("stilt-reed-1", 0.0, "overhang of 2.0 mm"),
        ("cradle-yoke", 90.0, "touches the bed with"),
        ("pod", 180.0, "overhang"),
    ],
)
def test_a_part_that_is_laid_wrongly_is_found(name: str, turn_deg: float, what: str, scratch: Path) -> None:
    laid = _laid(next(part for part in PRINTED if part.name == name), scratch, turn_deg)
    from hardware.tools import printing

    assert any(what in problem for problem in printing.problems(laid))


def test_a_wall_of_one_perimeter_is_found() -> None:
    need("picture")
    import trimesh

    from hardware.tools import printing

    assert printing.thinnest_wall_mm(trimesh.creation.box((0.4, 20, 20))) == pytest.approx(0.4, abs=0.05)
