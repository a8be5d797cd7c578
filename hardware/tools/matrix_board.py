"""The matrix board's circuit, from its profile: the HAT on the Pi, and what hangs on it in the field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hardware.tools import kinds
from hardware.tools.circuit import GROUND, RAIL_3V3, RAIL_5V, Circuit, Kind
from hardware.tools.lamp_planes import Chain, add_plane
from tamsk_pi.config.profile import BoardProfile
from tamsk_pi.rules.board import PLAYERS

PULL_UP: Final = "10k"
COLUMN_SERIES: Final = "470"
ROW_SERIES: Final = "120"
"""Keeps a wrong wire or a reversed diode that joins two rows below what a line may carry."""

PANEL_LAMP: Final = "330"
LAMPS: Final = ("turn_red", "turn_black", "alarm", "ready")
LAMP_COLOURS: Final = {"turn_red": "red", "turn_black": "yellow", "alarm": "orange", "ready": "yellow-green"}
"""Types that are bright at 3.3 V: blue, white and pure green LEDs need about as much as a Pi's line gives."""


def crossings(profile: BoardProfile) -> Iterator[tuple[str, str, Kind, str]]:
    """Every crossing that carries a contact: crossing, reference of the contact, its kind, what it is for."""
    matrix = profile.matrix
    for socket in matrix.sockets:
        yield socket, f"S_{socket}", kinds.REED, f"socket {socket}"
    for glass, crossing in matrix.tilt.items():
        yield crossing, f"T_{glass}", kinds.BALL_SWITCH, f"tilt of glass {glass}"
    for name in (*PLAYERS, "arbiter"):
        yield getattr(matrix.buttons, name), f"B_{name}", kinds.BUTTON, f"{name}'s button"
    if matrix.holders is not None:
        for side in PLAYERS:
            for bit, crossing in enumerate(getattr(matrix.holders, side)):
                yield crossing, f"H_{side}{bit}", kinds.CONTACT, f"{side}'s ring holder, bit {bit}"


def column_net(column: str) -> str:
    return f"COL_{column}"


def row_net(row: str) -> str:
    return f"ROW_{row}"


def build(profile: BoardProfile) -> Circuit:
    """The whole circuit of a matrix board."""
    circuit = Circuit(profile.title)
    header = {"3V3_1": RAIL_3V3, "3V3_17": RAIL_3V3, "5V_2": RAIL_5V, "5V_4": RAIL_5V}
    header |= {pin.name: GROUND for pin in kinds.PI_HEADER.pins if pin.name.startswith("GND")}
    header |= {f"GPIO{line}": f"{row_net(row)}_PI" for row, line in profile.matrix.rows.items()}
    header |= {f"GPIO{line}": f"{column_net(column)}_PI" for column, line in profile.matrix.columns.items()}
    header |= {f"GPIO{getattr(profile.lamps, lamp)}": f"LAMP_{lamp}_PI" for lamp in LAMPS}
    if profile.buzzer is not None:
        header[f"GPIO{profile.buzzer.line}"] = "BUZZER_PI"
    if (lamps := profile.socket_lamps) is not None:
        header |= {f"GPIO{getattr(lamps, name)}": f"SPI_{name}_PI" for name in ("clock", "data", "select")}
    circuit.add(kinds.PI_HEADER, "Raspberry Pi", "board", "the Pi's 40-pin header", header, "J1")
    _matrix(circuit, profile)
    _panel(circuit, profile)
    if profile.buzzer is not None:
        _buzzer(circuit)
    if profile.socket_lamps is not None:
        _socket_lamps(circuit, profile)
    return circuit


def _matrix(circuit: Circuit, profile: BoardProfile) -> None:
    matrix = profile.matrix
    rows, columns = list(matrix.rows), list(matrix.columns)
    for column in columns:
        net = column_net(column)
        circuit.add(kinds.RESISTOR, PULL_UP, "board", f"pulls column {column} up", {"1": RAIL_3V3, "2": net})
        circuit.add(
            kinds.RESISTOR,
            COLUMN_SERIES,
            "board",
            f"keeps the Pi whole if the line of column {column} is ever driven",
            {"1": net, "2": f"{net}_PI"},
        )
    for row in rows:
        nets = {"1": row_net(row), "2": f"{row_net(row)}_PI"}
        circuit.add(kinds.RESISTOR, ROW_SERIES, "board", f"keeps the Pi whole if row {row} meets another", nets)
    nets = {str(i): row_net(row) for i, row in enumerate(rows, 1)}
    circuit.add(kinds.connector(len(rows)), "rows", "board", "rows of the matrix", nets, "J2")
    nets = {str(i): column_net(column) for i, column in enumerate(columns, 1)}
    circuit.add(kinds.connector(len(columns)), "columns", "board", "columns of the matrix", nets, "J3")
    for crossing, ref, kind, note in crossings(profile):
        middle = f"X_{crossing}"
        circuit.add(kind, kind.name, "field", note, {"1": column_net(crossing[0]), "2": middle}, ref)
        circuit.add(
            kinds.DIODE,
            "BAT85",
            "field",
            f"crossing {crossing}: lets no other row be read through it",
            {"A": middle, "K": row_net(crossing[1])},
            f"D_{crossing}",
        )


def _panel(circuit: Circuit, profile: BoardProfile) -> None:
    for lamp in LAMPS:
        circuit.add(
            kinds.RESISTOR,
            PANEL_LAMP,
            "board",
            f"lamp {lamp}",
            {"1": f"LAMP_{lamp}_PI", "2": f"LAMP_{lamp}"},
        )
        circuit.add(
            kinds.LED, LAMP_COLOURS[lamp], "field", f"lamp {lamp}", {"A": f"LAMP_{lamp}", "K": GROUND}, f"LED_{lamp}"
        )
    nets = {str(i): f"LAMP_{lamp}" for i, lamp in enumerate(LAMPS, 1)} | {str(len(LAMPS) + 1): GROUND}
    circuit.add(kinds.connector(len(LAMPS) + 1), "panel lamps", "board", "lamps of the panel", nets, "J4")


def _buzzer(circuit: Circuit) -> None:
    add = circuit.add
    add(kinds.RESISTOR, "1k", "board", "base of the buzzer's transistor", {"1": "BUZZER_PI", "2": "BUZZER_BASE"})
    add(kinds.RESISTOR, "10k", "board", "keeps the buzzer silent at boot", {"1": "BUZZER_BASE", "2": GROUND})
    add(kinds.NPN, "BC337", "board", "buzzer", {"B": "BUZZER_BASE", "E": GROUND, "C": "BUZZER_LOW"})
    add(kinds.RESISTOR, "47", "board", "limits the buzzer's current", {"1": RAIL_5V, "2": "BUZZER_HIGH"})
    add(kinds.DIODE, "1N4148", "board", "takes the buzzer's kick", {"A": "BUZZER_LOW", "K": "BUZZER_HIGH"})
    add(kinds.connector(2), "buzzer", "board", "buzzer", {"1": "BUZZER_HIGH", "2": "BUZZER_LOW"}, "J5")
    add(
        kinds.BUZZER,
        "42 ohm magnetic",
        "field",
        "passive buzzer in the panel",
        {"+": "BUZZER_HIGH", "-": "BUZZER_LOW"},
        "BZ1",
    )


def _socket_lamps(circuit: Circuit, profile: BoardProfile) -> None:
    ports = (("clock", "1"), ("data", "2"), ("select", "3"))
    nets = {"VCC": RAIL_5V, "GND": GROUND, "4A": GROUND, **{f"{n}OE": GROUND for n in "1234"}}
    nets |= {f"{port}A": f"SPI_{name}_PI" for name, port in ports} | {f"{port}Y": f"SPI_{name}" for name, port in ports}
    circuit.add(kinds.AHCT125, "74AHCT125", "board", "lifts 3.3 V to the 5 V that the lamp driver needs", nets)
    circuit.add(kinds.CAPACITOR, "100n", "board", "at the level shifter", {"1": RAIL_5V, "2": GROUND})
    nets = {"1": RAIL_5V, "2": GROUND, "3": "SPI_data", "4": "SPI_select", "5": "SPI_clock"}
    circuit.add(kinds.connector(5), "socket lamps", "board", "to the lamp driver under the sockets", nets, "J6")
    chain = Chain("SPI_data", "SPI_select", "SPI_clock", RAIL_5V)
    add_plane(circuit, "", chain, profile.matrix.sockets, "white", _lamp_place)


def _lamp_place(socket: str) -> tuple[str, str]:
    """Digits 0 to 6 are rows 1 to 7, segments A to G the columns, as the profile says."""
    return f"DIG{int(socket[1]) - 1}", f"SEG{socket[0]}"
