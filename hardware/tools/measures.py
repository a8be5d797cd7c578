"""The measures of one set: `hardware/mechanics/measures.toml`, read and checked.

Lengths are in millimetres throughout.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import attrs

from hardware.tools.magnets import MAGNET_GRADE, REED_PULL_IN_MT, Magnet, on_axis_mt
from hardware.tools.paths import HARDWARE

MEASURES_FILE: Final = HARDWARE / "mechanics" / "measures.toml"

BEND_FROM_GLASS_MM: Final = 3.0
"""Nearer to a reed's glass no lead may be bent (what makers of reed switches ask for: 3 mm)."""

LOWER_LEAD_MM: Final = 4.5
"""Room below the glass of a standing reed for its lower lead and the joint."""

STACK_STRAYS_MM: Final = 0.4
"""What plywood (0.3 mm) and a sagging bridge (0.1 mm) may bring stilt and seat nearer to each other."""


class MeasuresError(Exception):
    """`measures.toml` cannot be used; the text is one line a problem, all of them at once."""


@attrs.frozen
class Measure:
    """One dimension and how to find it on one's own set."""

    value_mm: float
    how: str


@attrs.frozen
class Measures:
    """All measures by dotted name, and what follows from them."""

    by_name: Mapping[str, Measure]

    def __getitem__(self, name: str) -> float:
        return self.by_name[name].value_mm

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_name)

    @property
    def cap_diameter_mm(self) -> float:
        return self["glass.base_diameter"] + self["cap.clearance"] + 2 * self["cap.wall"]

    @property
    def tube_bore_mm(self) -> float:
        return self.cap_diameter_mm + self["tube.clearance"]

    @property
    def tube_outer_mm(self) -> float:
        return self.tube_bore_mm + 2 * self["tube.wall"]

    @property
    def flange_diameter_mm(self) -> float:
        return self.tube_outer_mm + 2 * self["tube.flange_width"]

    @property
    def lamp_radius_mm(self) -> float:
        """Distance of a lamp's centre from its socket's."""
        return self["ring.outer_diameter"] / 2 + self["lamp.gap"] + self["lamp.diameter"] / 2

    @property
    def magnet_gap_mm(self) -> float:
        """From the magnet's face to the top of the stilt: the cap's skin, the seat's floor, the air above the stilt."""
        return self["cap.skin"] + self["tube.floor"] + self["stilt.air"]

    @property
    def reed_distance_mm(self) -> float:
        """From the magnet's face to the middle of a standing reed."""
        return self.magnet_gap_mm + self["reed.recess"] + self["reed.body_length"] / 2

    def tube_height_mm(self, rings: int) -> float:
        """Height of a tube for so many rings above the top plate."""
        return rings * self["ring.thickness"] + self["tube.rim"]

    def seat_mm(self, rings: int) -> float:
        """Height of the seat, on which the glass stands, above the top plate's upper face; may be negative."""
        return self.tube_height_mm(rings) - self["tube.seat_depth"]

    def stilt_mm(self, rings: int) -> float:
        """Height of the sensor stilt: from the sensor plate's upper face to `stilt.air` below the seat's floor."""
        seat = self.seat_mm(rings) - self["tube.floor"] - self["stilt.air"]
        return seat + self["board.plate"] + self["board.spacing"]

    def problems(self) -> list[str]:
        """What would not fit, one line each; empty when all is well."""
        found = []
        if self.tube_outer_mm + 0.5 > self["ring.inner_diameter"]:
            found.append(
                f"tube {self.tube_outer_mm:.1f} mm does not pass through a ring of {self['ring.inner_diameter']:.1f} mm"
                " with 0.5 mm to spare: make cap.wall or tube.wall thinner"
            )
        if self["ring.outer_diameter"] + 4 > self["board.pitch"]:
            found.append(
                f"rings of {self['ring.outer_diameter']:.1f} mm at a pitch of {self['board.pitch']:.1f} mm leave less "
                "than 4 mm for fingers: widen board.pitch"
            )
        if self.flange_diameter_mm + 1 > self["board.pitch"]:
            found.append("the flanges of neighbouring tubes touch: lower tube.flange_width or widen board.pitch")
        if self.lamp_radius_mm + self["lamp.diameter"] / 2 > self["board.pitch"] / 3**0.5:
            found.append("a lamp hole reaches beyond the middle of three sockets: lower lamp.gap or widen board.pitch")
        if self["magnet.diameter"] + 4 > self["glass.base_diameter"]:
            found.append("the magnet does not fit into the cap: choose a smaller magnet.diameter")
        if self["tube.seat_depth"] > self["glass.height"] / 3:
            found.append("the glass sinks so deep that it is hard to grip: lower tube.seat_depth")
        lowest, needed = self.stilt_mm(1), self["reed.recess"] + self["reed.body_length"] + LOWER_LEAD_MM
        if lowest < needed:
            found.append(
                f"the lowest stilt is {lowest:.1f} mm, a standing reed needs {needed:.1f} mm: widen board.spacing"
            )
        if self["reed.recess"] < BEND_FROM_GLASS_MM + 0.5:
            found.append(
                f"a reed's lead would be bent {self['reed.recess'] - 0.5:.1f} mm from its glass, which cracks below "
                f"{BEND_FROM_GLASS_MM:g} mm: make reed.recess {BEND_FROM_GLASS_MM + 0.5:g} or more"
            )
        if self["stilt.air"] < STACK_STRAYS_MM:
            found.append(
                f"stilt.air of {self['stilt.air']:.1f} mm is less than the stack strays ({STACK_STRAYS_MM:g} mm): the "
                "tallest stilt lifts the top plate"
            )
        own = Magnet(self["magnet.diameter"], self["magnet.thickness"], MAGNET_GRADE)
        at_reed = on_axis_mt(own, self.reed_distance_mm)
        if at_reed < REED_PULL_IN_MT[1]:
            found.append(
                f"a {own.name} magnet gives {at_reed:.1f} mT at the reed, which asks for {REED_PULL_IN_MT[1]:g}: "
                "take a thicker or wider magnet, or lower reed.recess, tube.floor or cap.skin"
            )
        return found


def load_measures(path: Path = MEASURES_FILE) -> Measures:
    """Read and check a measures file. `MeasuresError` names every problem at once."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise MeasuresError(f"{path}: {error}") from error
    problems: list[str] = []
    found: dict[str, Measure] = {}
    for group, entries in raw.items():
        for key, entry in entries.items() if isinstance(entries, dict) else ():
            name = f"{group}.{key}"
            match entry:
                case {"value": int() | float() as value, "how": str() as how, **rest} if not rest and value > 0 and how:
                    found[name] = Measure(float(value), how)
                case _:
                    problems.append(
                        f"{path}: {name}: needs value (millimetres, above 0) and how (a text), nothing else"
                    )
    for name in sorted(NAMES - found.keys() - {p.split(": ")[1] for p in problems}):
        problems.append(f"{path}: {name}: missing")
    for name in sorted(found.keys() - NAMES):
        problems.append(f"{path}: {name}: unknown; known are {', '.join(sorted(NAMES))}")
    if problems:
        raise MeasuresError("\n".join(problems))
    measures = Measures(found)
    if unfit := measures.problems():
        raise MeasuresError("\n".join(f"{path}: {line}" for line in unfit))
    return measures


NAMES: Final = frozenset(
    f"{group}.{key}"
    for group, keys in {
        "glass": ("base_diameter", "base_height", "height"),
        "ring": ("inner_diameter", "outer_diameter", "thickness"),
        "board": ("pitch", "margin", "plate", "sensor_plate", "spacing"),
        "tube": ("clearance", "wall", "rim", "seat_depth", "floor", "flange", "flange_width"),
        "cap": ("wall", "clearance", "skin"),
        "magnet": ("diameter", "thickness"),
        "reed": ("body_diameter", "body_length", "recess"),
        "stilt": ("air",),
        "lamp": ("diameter", "gap"),
        "panel": ("button_diameter", "buzzer_diameter", "lamp_diameter"),
    }.items()
    for key in keys
)
