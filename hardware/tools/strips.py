"""The column strips: printed boards on the sensor plate that take a column's sensors, their small parts and both lamps.

Three kinds: `hall` and `reed` for the bridge, `matrix` for the Pi alone. A strip has 4 to 7 sockets, row 1 at its lower
end; columns of the same height use the same strip. What a plug's pins carry is the same for every height: `SENSOR_PLUG`
and `LAMP_PLUG` are what shield and strip are held to.
"""

from __future__ import annotations

from typing import Final, Literal

from hardware.tools import kinds
from hardware.tools.circuit import GROUND, RAIL_5V, Circuit

StripKind = Literal["hall", "reed", "matrix"]
STRIP_KINDS: Final[tuple[StripKind, ...]] = ("hall", "reed", "matrix")
HEIGHTS: Final = (4, 5, 6, 7)
"""How many sockets a column has."""

SENSOR_PLUG: Final[tuple[str, ...]] = (GROUND, "1", GROUND, "2", "+", "3", "6", "4", "7", "5")
"""Box header with 10 pins, pin 1 first: the sensor of that row, ground, and 5 V (hall; reed leaves it open)."""

LAMP_PLUG: Final[tuple[str, ...]] = (
    "DIG_red", "red 6", "DIG_green", "red 7", "red 1", "green 1", "red 2", "green 2",
    "red 3", "green 3", "red 4", "green 4", "red 5", "green 5", "green 7", "green 6",
)  # fmt: skip
"""Box header with 16 pins: each plane's digit (the column's cathodes) and segment by row (anodes)."""

MATRIX_PLUG: Final[tuple[str, ...]] = (
    "ROW 1", "DIG 1", "ROW 2", "DIG 2", "ROW 3", "DIG 3", "ROW 4", "DIG 4",
    "ROW 5", "DIG 5", "ROW 6", "DIG 6", "ROW 7", "DIG 7", "COL", "SEG",
)  # fmt: skip

OUT_SERIES: Final = "1k"


def circuit(kind: StripKind, sockets: int) -> Circuit:
    """A strip's circuit; all of it is on the board. `sockets`: 4 to 7."""
    made = Circuit(f"Column strip, {kind}, {sockets} sockets")
    if kind == "matrix":
        _matrix(made, sockets)
        return made
    signal = {str(row): f"OUT_{row}" if kind == "hall" else f"SOCKET_{row}" for row in range(1, sockets + 1)}
    signal |= {GROUND: GROUND} | ({"+": RAIL_5V} if kind == "hall" else {})
    nets = {str(n): signal[name] for n, name in enumerate(SENSOR_PLUG, 1) if name in signal}
    made.add(kinds.box_header(10), "sensors", "board", "ribbon to the shield", nets, "J1")
    known = {f"{colour} {row}" for colour in ("red", "green") for row in range(1, sockets + 1)} | {
        "DIG_red",
        "DIG_green",
    }
    nets = {str(n): f"LAMP_{name.replace(' ', '_')}" for n, name in enumerate(LAMP_PLUG, 1) if name in known}
    made.add(kinds.box_header(16), "lamps", "board", "ribbon to the shield", nets, "J2")
    for row in range(1, sockets + 1):
        if kind == "hall":
            nets = {"1": RAIL_5V, "2": GROUND, "3": f"HALL_{row}"}
            made.add(kinds.connector(3), "hall", "board", f"sensor of row {row}", nets, f"J1{row}")
            nets = {"1": RAIL_5V, "2": GROUND}
            made.add(kinds.SMALL_CAPACITOR, "100n", "board", f"at the sensor of row {row}", nets, f"C{row}")
            nets = {"1": f"HALL_{row}", "2": f"OUT_{row}"}
            made.add(kinds.RESISTOR, OUT_SERIES, "board", f"sensor of row {row}: sparks, wrong wires", nets, f"R{row}")
        else:
            nets = {"1": f"SOCKET_{row}", "2": GROUND}
            made.add(kinds.connector(2), "reed", "board", f"sensor of row {row}", nets, f"J1{row}")
        for number, colour in enumerate(("red", "green"), 1):
            nets = {"A": f"LAMP_{colour}_{row}", "K": f"LAMP_DIG_{colour}"}
            made.add(kinds.BOARD_LED, colour, "board", f"{colour} lamp of row {row}", nets, f"D{number}{row}")
    return made


def _matrix(made: Circuit, sockets: int) -> None:
    known = {"COL", "SEG"} | {f"{what} {row}" for what in ("ROW", "DIG") for row in range(1, sockets + 1)}
    nets = {str(n): name.replace(" ", "_") for n, name in enumerate(MATRIX_PLUG, 1) if name in known}
    made.add(kinds.box_header(16), "matrix", "board", "ribbon to the HAT's bus", nets, "J1")
    for row in range(1, sockets + 1):
        nets = {"1": "COL", "2": f"X_{row}"}
        made.add(kinds.connector(2), "reed", "board", f"sensor of row {row}", nets, f"J1{row}")
        nets = {"A": f"X_{row}", "K": f"ROW_{row}"}
        made.add(kinds.DIODE, "BAT85", "board", f"lets no other row be read through row {row}", nets, f"D3{row}")
        nets = {"A": "SEG", "K": f"DIG_{row}"}
        made.add(kinds.BOARD_LED, "white", "board", f"lamp of row {row}", nets, f"D1{row}")
