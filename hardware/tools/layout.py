"""Where each socket lies on the plate, from the rules' own geometry.

Coordinates are millimetres from the centre of D4, x to the right (column A is left), y up (row 1 is near red).
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from hardware.tools.measures import Measures
from tamsk_pi.rules.board import COLUMN_HEIGHTS, COLUMNS, MIDDLE_COLUMN, SOCKETS


class Point(NamedTuple):
    """A point on the plate, in millimetres from the centre of D4."""

    x: float
    y: float


LAMP_ANGLES_DEG: Final = {"red": 232.0, "green": 248.0}
"""Direction in which a socket's lamps lie, counted anticlockwise from the right: below it and a little to the left."""


def centre(socket: str, pitch_mm: float) -> Point:
    """The centre of a socket."""
    column, row = COLUMNS.index(socket[0]), int(socket[1:])
    return Point(
        (column - MIDDLE_COLUMN) * pitch_mm * math.sqrt(3) / 2,
        (row - (COLUMN_HEIGHTS[column] + 1) / 2) * pitch_mm,
    )


def centres(pitch_mm: float) -> dict[str, Point]:
    """The centres of all 37 sockets, in the order of `SOCKETS`."""
    return {socket: centre(socket, pitch_mm) for socket in SOCKETS}


def lamp(socket: str, plane: str, measures: Measures) -> Point:
    """The centre of a socket's lamp hole in one plane, `"red"` or `"green"`."""
    x, y = centre(socket, measures["board.pitch"])
    angle = math.radians(LAMP_ANGLES_DEG[plane])
    radius = measures.lamp_radius_mm
    return Point(x + radius * math.cos(angle), y + radius * math.sin(angle))


def outline(measures: Measures) -> list[Point]:
    """The plate's six corners: a hexagon `board.margin` outside the outermost socket centres."""
    corner = 3 * measures["board.pitch"] + measures["board.margin"] / math.cos(math.radians(30))
    return [
        Point(corner * math.cos(math.radians(angle)), corner * math.sin(math.radians(angle)))
        for angle in (30, 90, 150, 210, 270, 330)
    ]


def pillars(measures: Measures) -> list[Point]:
    """The six screws that hold the two plates apart: near the corners of the hexagon, clear of every tube."""
    radius = 3 * measures["board.pitch"] + measures["board.margin"] * 0.6 / math.cos(math.radians(30)) + 4
    return [
        Point(radius * math.cos(math.radians(angle)), radius * math.sin(math.radians(angle)))
        for angle in (30, 90, 150, 210, 270, 330)
    ]
