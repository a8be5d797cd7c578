"""The column strips: where their parts lie, from the plate's own geometry."""

from __future__ import annotations

import math
from typing import Final

from hardware.tools import layout, strips
from hardware.tools.measures import Measures, load_measures
from hardware.tools.pcb.design import LICENCE, REVISION, Design, Hole, Place, Words
from hardware.tools.scad import STILT_DIAMETER_MM
from hardware.tools.strips import StripKind

LEFT_MM: Final = 18.0
RIGHT_MM: Final = 19.8
ABOVE_MM: Final = 10.0
BELOW_MM: Final = 25.0
STILT_PLAY_MM: Final = 1.0
_STEP: Final = 0.3175


def design(kind: StripKind, sockets: int, measures: Measures | None = None) -> Design:
    """A strip of a kind for a column of so many sockets."""
    measures = measures or load_measures()
    pitch = measures["board.pitch"]
    made = strips.circuit(kind, int(sockets))
    maker = _Strip(int(sockets), pitch, measures)
    places, holes = maker.places(kind), maker.holes()
    return Design(
        name=f"strip-{kind}-{sockets}",
        title=f"tamsk-pi strip, {kind}, {sockets} sockets",
        circuit=made,
        width=LEFT_MM + RIGHT_MM,
        height=ABOVE_MM + (int(sockets) - 1) * pitch + BELOW_MM,
        places=places,
        origin=("J1", "1"),
        holes=holes,
        words=(
            Words(24, 2.4, "tamsk-pi", 1.2),
            Words(24, 4.4, f"{kind} x {sockets}", 1.0),
            Words(24, 6.2, f"rev {REVISION}", 0.9),
            Words(24, 7.8, LICENCE, 0.8),
            *maker.numbers(),
        ),
    )


class _Strip:
    def __init__(self, sockets: int, pitch: float, measures: Measures) -> None:
        self._sockets = sockets
        self._pitch = pitch
        # Plugs lie between the stilts of rows 1 and 2, and 2 and 3.
        self._grid = (LEFT_MM + 0.0, self._centre_y(2) + 13.5)
        angle = {plane: math.radians(degrees) for plane, degrees in layout.LAMP_ANGLES_DEG.items()}
        radius = measures.lamp_radius_mm
        self._lamps = {plane: (radius * math.cos(a), -radius * math.sin(a)) for plane, a in angle.items()}

    def _centre_y(self, row: int) -> float:
        return ABOVE_MM + (self._sockets - row) * self._pitch

    def _snap(self, x: float, y: float, turn_deg: float = 0.0, label: tuple[float, float] | None = None) -> Place:
        x0, y0 = self._grid
        return Place(x0 + round((x - x0) / _STEP) * _STEP, y0 + round((y - y0) / _STEP) * _STEP, turn_deg, "top", label)

    def places(self, kind: StripKind) -> dict[str, Place]:
        x0, y0 = self._grid
        found = {"J1": Place(x0, y0, label=(1.3, 24.4 if kind == "matrix" else 16.9))}
        if kind != "matrix":
            found["J2"] = self._snap(LEFT_MM, self._centre_y(3) + 13.5, label=(1.3, 24.4))
        for row in range(1, self._sockets + 1):
            found |= self._cell(kind, row)
        return found

    def _cell(self, kind: StripKind, row: int) -> dict[str, Place]:
        y = self._centre_y(row)
        plug = self._snap(LEFT_MM - 11, y - 2.54, label=(-2.6, 2.5))
        found = {f"J1{row}": plug}
        planes = {"1": "red"} if kind == "matrix" else {"1": "red", "2": "green"}
        for number, plane in planes.items():
            dx, dy = self._lamps[plane]
            # Exactly under the hole in the top plate: the lamp's middle is 1.27 mm beside its first pad.
            label = (1.27, 3.0) if plane == "red" else (1.27, -3.0)
            found[f"D{number}{row}"] = Place(LEFT_MM + dx - 1.27, y + dy, label=label)
        if kind == "hall":
            found[f"C{row}"] = self._snap(LEFT_MM - 15, y + 7, label=(1.3, -1.9))
            found[f"R{row}"] = self._snap(LEFT_MM - 15.5, y + 11.5, label=(5.1, 2.2))
        if kind == "matrix":
            found[f"D3{row}"] = self._snap(LEFT_MM - 15.5, y + 9, label=(3.8, 2.2))
        return found

    def holes(self) -> tuple[Hole, ...]:
        rows = range(1, self._sockets + 1)
        stilts = [Hole(LEFT_MM, self._centre_y(row), STILT_DIAMETER_MM + STILT_PLAY_MM) for row in rows]
        return tuple(stilts)

    def numbers(self) -> tuple[Words, ...]:
        return tuple(Words(LEFT_MM - 9, self._centre_y(row) - 7, str(row), 1.6) for row in range(1, self._sockets + 1))
