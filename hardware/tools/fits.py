"""Parts put together: what must be free of each other over the whole of its travel, and how much play it has.

Each check places solids as they sit in the finished board and asks for the volume that two of them share. A part alone
may be a perfect solid and still be unbuildable beside its neighbour.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import attrs
import numpy as np
import trimesh

from hardware.tools import scad
from hardware.tools.measures import Measures
from hardware.tools.printing import about_x

ALLOWED_MM3: Final = 0.01
"""Overlap that is rounding: solids that share a face have a sliver of this order in common."""

PLY_STRAYS_MM: Final = 0.3
"""How far a plate of plywood strays from its nominal thickness, either way."""

HALF_TURN_DEG: Final = (0, 15, 30, 45, 60, 90, 120, 135, 150, 165, 180)


@attrs.frozen
class Placed:
    """A solid in its place: a part's source with its `-D` definitions, moved by `offset_mm` after a turn about x."""

    source: str
    defines: tuple[str, ...]
    offset_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn_deg: float = 0.0


@attrs.frozen
class Fit:
    """Two placed solids that must not share any volume; `where` names the position for a person."""

    name: str
    where: str
    first: Placed
    second: Placed


class Bench:
    """Compiles each solid once in a folder and places copies of it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._solids: dict[tuple[str, tuple[str, ...]], Any] = {}

    def solid(self, placed: Placed) -> Any:
        """The placed solid, a `trimesh.Trimesh` in millimetres."""
        key = (placed.source, placed.defines)
        if key not in self._solids:
            part = scad.Part(f"fit-{len(self._solids)}", placed.source, placed.defines, 0, "")
            self._solids[key] = trimesh.load_mesh(scad.compile_part(part, self._folder))
        copy = self._solids[key].copy()
        if placed.turn_deg:
            copy.apply_transform(about_x(placed.turn_deg))
        copy.apply_translation(placed.offset_mm)
        return copy

    def shared_mm3(self, fit: Fit) -> float:
        """The volume that the two solids of a fit share, in cubic millimetres."""
        common = trimesh.boolean.intersection([self.solid(fit.first), self.solid(fit.second)], engine="manifold")
        if common.is_empty or len(common.faces) < 4:
            return 0.0
        # Faces that only touch enclose nothing, of which there is no centre to be reckoned.
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(abs(common.volume))


def cradle(measures: Measures) -> Iterator[Fit]:
    """The timer's yoke in its stand, over the half turn that it is made for."""
    axle = scad.cradle_axle_mm(measures)
    stand = Placed("cradle.scad", ('part="stand"',))
    for turn in HALF_TURN_DEG:
        yoke = Placed("cradle.scad", ('part="yoke"',), (0.0, 0.0, axle), float(turn))
        yield Fit("cradle", f"yoke turned by {turn} degrees", stand, yoke)


def socket(rings: int, kind: str, measures: Measures) -> Iterator[Fit]:
    """One socket's stack: tube, stilt, both plates, the capped glass, and what is wired through the stilt."""
    floor = -measures["board.plate"] - measures["board.spacing"]
    height = (f"rings={rings}",)
    tube = Placed("tube.scad", height)
    stilt = Placed("stilt.scad", (*height, f'kind="{kind}"'), (0.0, 0.0, floor))
    plates = Placed("section.scad", ('what="plates"', *height, "cut=false"))
    cap = Placed("cap.scad", ('kind="magnet"',), (0.0, 0.0, measures.seat_mm(rings)))
    wires = Placed("stilt.scad", (*height, f'kind="{kind} wires"'), (0.0, 0.0, floor))
    # Plates at their thinnest bring stilt and seat nearest to each other.
    tight = attrs.evolve(stilt, offset_mm=(0.0, 0.0, floor + PLY_STRAYS_MM))
    at = f"socket for {rings}, {kind}"
    yield Fit(at, "stilt under the seat, thin plates", tube, tight)
    yield Fit(at, "tube in the top plate", tube, plates)
    yield Fit(at, "stilt in the sensor plate", stilt, plates)
    yield Fit(at, "capped glass in its tube", tube, cap)
    yield Fit(at, "sensor and wires in the stilt", stilt, wires)
    yield Fit(at, "sensor and wires under the seat", tube, wires)
    yield Fit(at, "sensor and wires through the sensor plate", plates, wires)


def radio_cap(measures: Measures) -> Iterator[Fit]:
    """A radio cap with its cell, its board and its lid, in a tube."""
    cap = Placed("cap.scad", ('kind="radio"',))
    inside = Placed("cap.scad", ('kind="inside"',))
    floor = measures["cap.skin"] + measures["magnet.thickness"]
    lid = Placed("cap.scad", ('kind="lid"',), (0.0, 0.0, floor + 0.8 + 0.15))
    yield Fit("radio cap", "cell, board and module in the chamber", cap, inside)
    yield Fit("radio cap", "lid in the cell's slot", cap, lid)
    yield Fit("radio cap", "lid before the cell", inside, lid)


def fits(measures: Measures) -> list[Fit]:
    """Every pair of parts that moves or fits, in every position that is looked at."""
    found = [*cradle(measures), *radio_cap(measures)]
    for rings in scad.TUBES_OF_HEIGHT:
        for kind in ("reed", "hall"):
            found += socket(rings, kind, measures)
    return found
