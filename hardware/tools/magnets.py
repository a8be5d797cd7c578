"""The field of a glass's magnets at the sensors: what a seated glass gives, a lifted one, a neighbour.

A disc magnet, magnetised through its thickness, is two discs of magnetic charge. On the axis the sum has a closed form
(for example e-magnetica.pl, "Calculator of H along axis of cylindrical magnet"); beside it, it is summed numerically.
No iron is reckoned with: a reed's own blades gather field, steel screws nearby bend it.

Distances in mm, flux densities in mT.
"""

from __future__ import annotations

import math
from typing import Final

import attrs

REMANENCE_MT: Final = {"N35": 1190.0, "N42": 1300.0, "N52": 1450.0}
"""Middle of the makers' ranges (for example magnetexpert.com, "Magnetic properties of neodymium magnets")."""

MAGNET_GRADE: Final = "N42"
"""Grade of the magnets that the parts list names."""

REED_PULL_IN_MT: Final = (1.0, 3.0)
"""Between which fields reeds of 10 to 20 AT are reckoned to close: orders of magnitude, see `tilt.md`."""

_RINGS: Final = 24
_SPOKES: Final = 48


@attrs.frozen
class Magnet:
    """A disc magnet."""

    diameter_mm: float
    thickness_mm: float
    grade: str

    @property
    def name(self) -> str:
        return f"{self.diameter_mm:g} × {self.thickness_mm:g} mm {self.grade}"


def on_axis_mt(magnet: Magnet, distance_mm: float) -> float:
    """Flux density on the axis, `distance_mm` in front of a pole face."""
    radius, length = magnet.diameter_mm / 2, magnet.thickness_mm
    near = distance_mm / math.hypot(radius, distance_mm)
    far = (distance_mm + length) / math.hypot(radius, distance_mm + length)
    return REMANENCE_MT[magnet.grade] / 2 * (far - near)


def axial_mt(magnet: Magnet, distance_mm: float, aside_mm: float) -> float:
    """The axial part of the flux density, `distance_mm` in front of the face's plane and `aside_mm` off the axis.

    Positive in front of the face that is a north pole.
    """
    charge = REMANENCE_MT[magnet.grade] / (4 * math.pi)
    radius = magnet.diameter_mm / 2
    total = 0.0
    for ring in range(_RINGS):
        r = radius * (ring + 0.5) / _RINGS
        area = 2 * math.pi * r * radius / _RINGS / _SPOKES
        for spoke in range(_SPOKES):
            angle = 2 * math.pi * (spoke + 0.5) / _SPOKES
            across = (aside_mm - r * math.cos(angle)) ** 2 + (r * math.sin(angle)) ** 2
            for height, sign in ((distance_mm, 1), (distance_mm + magnet.thickness_mm, -1)):
                total += sign * charge * area * height / (across + height**2) ** 1.5
    return total


def reach_mm(magnet: Magnet, field_mt: float) -> float:
    """The distance on the axis at which the field has fallen to `field_mt`."""
    low, high = 0.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if on_axis_mt(magnet, middle) > field_mt else (low, middle)
    return low
