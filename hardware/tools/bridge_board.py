"""The bridge board's circuit, from its pin table: the shield on the Mega, and what hangs on it in the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from hardware.tools import kinds, mega
from hardware.tools.circuit import GROUND, RAIL_5V, Circuit
from hardware.tools.lamp_planes import Chain, add_plane
from tamsk_pi.rules.board import CAPACITY, COLUMNS, SOCKETS

SocketSensor = Literal["reed", "hall"]
RingSensor = Literal["buttons", "stack", "holder"]
Pins = Mapping[str, Mapping[str, str]]

SUPPLY_IN: Final = "+5V_IN"
SUPPLY_FUSED: Final = "+5V_FUSED"
"""The way from the mains adapter to the board's one 5 V: Mega, multiplexers, hall sensors and lamps hang on the same.

Hall sensors give a share of their supply, and the Mega measures shares of its own: two supplies would move every zero.
And a chip whose own supply is off would be fed through the protection diodes of its inputs.
"""

CONTACT_SERIES: Final = "1k"
"""Between a pin of the Mega and a wire that leaves the board: what a spark or a wrong wire drives through the pin."""

DATA_ONLY: Final = "data only, its 5 V wire cut"
PLANE_SERIES: Final = "330"
PANEL_LAMP: Final = "470"
LADDER: Final = "10k"
PANEL_LAMPS: Final = ("turn_red", "turn_black", "alarm", "ready", "amber")
COLOURS: Final = {"turn_red": "red", "turn_black": "blue", "alarm": "yellow", "ready": "green", "amber": "orange"}


def build(pins: Pins, sockets: SocketSensor, rings: RingSensor) -> Circuit:
    """The whole circuit of one build of the bridge board. `pins`: the groups of `hardware/boards/bridge.toml`."""
    circuit = Circuit(f"Bridge board: Mega 2560, {sockets} sockets, rings by {rings}")
    used: dict[str, str] = {}
    used |= {pins["tilt"][glass]: f"TILT_{glass}_MCU" for glass in pins["tilt"]}
    used |= {pins["button"][name]: f"BUTTON_{name}_MCU" for name in pins["button"]}
    used |= {pins["lamp"][lamp]: f"LAMP_{lamp}_MCU" for lamp in PANEL_LAMPS}
    used |= {pins["buzzer"]["tone"]: "BUZZER_MCU"}
    used |= {pins["planes"][name]: f"PLANE_{name}_MCU" for name in ("load", "clock", "data")}
    if sockets == "reed":
        used |= {pins["socket"][socket]: f"SOCKET_{socket}_MCU" for socket in SOCKETS}
    if sockets == "hall" or rings == "stack":
        used |= {pins["select"][f"s{n}"]: f"SELECT_{n}" for n in range(4)}
    if sockets == "hall":
        used |= {pins["hall"][f"mux_{n}"]: f"HALL_COM_{n}" for n in range(3)}
    if rings == "stack":
        used |= {pins["ladder"][f"mux_{n}"]: f"LADDER_COM_{n}" for n in range(3)}
    if rings == "holder":
        used |= {pin: f"HOLDER_{name}" for name, pin in pins["holder"].items()}
    for name, kind in mega.headers():
        nets = {pin.number: used[pin.name] for pin in kind.pins if pin.name in used}
        nets |= {pin.number: GROUND for pin in kind.pins if pin.name.startswith("GND")}
        nets |= {pin.number: RAIL_5V for pin in kind.pins if pin.name.startswith("5V")}
        circuit.add(kind, name, "board", f"the Mega's header {name}", nets, f"J_{name}")
    _supply(circuit)
    if sockets == "reed":
        _reeds(circuit)
    else:
        _halls(circuit)
    _contacts(circuit, pins)
    _panel(circuit)
    _planes(circuit)
    if rings == "stack":
        _ladders(circuit)
    if rings == "holder":
        _load_cells(circuit)
    return circuit


def _supply(circuit: Circuit) -> None:
    """From the screw terminal through a fuse and past a reversed adapter to the board's one 5 V."""
    add = circuit.add
    nets = {"1": SUPPLY_IN, "2": GROUND}
    add(kinds.SUPPLY, "5 V 3 A", "board", "mains adapter: Mega, lamps and sensors", nets, "J_SUPPLY")
    add(
        kinds.FUSE,
        "1.1 A",
        "board",
        "opens when the field is shorted, closes when cold",
        {"1": SUPPLY_IN, "2": SUPPLY_FUSED},
    )
    nets = {"D": SUPPLY_FUSED, "S": RAIL_5V, "G": "SUPPLY_GATE"}
    add(kinds.PFET, "NDP6020P", "board", "blocks an adapter that is the wrong way round", nets)
    add(kinds.RESISTOR, "10k", "board", "opens the MOSFET", {"1": "SUPPLY_GATE", "2": GROUND})
    add(kinds.TVS, "SA5.0A", "board", "takes sparks and overvoltage", {"K": RAIL_5V, "A": GROUND})
    add(kinds.ELECTROLYTIC, "470u", "board", "holds the supply while lamps change", {"1": RAIL_5V, "2": GROUND})
    nets = {"5V": "USB_5V_UNUSED", "GND": GROUND}
    add(kinds.USB_CABLE, DATA_ONLY, "field", "from the Pi to the Mega", nets, "W_USB")


def _contact_series(circuit: Circuit, net: str, what: str) -> None:
    nets = {"1": f"{net}_MCU", "2": net}
    circuit.add(kinds.RESISTOR, CONTACT_SERIES, "board", f"keeps sparks from {what} out of the Mega", nets)


def _reeds(circuit: Circuit) -> None:
    for column in COLUMNS:
        names = [socket for socket in SOCKETS if socket[0] == column]
        nets = {str(i): f"SOCKET_{socket}" for i, socket in enumerate(names, 1)} | {str(len(names) + 1): GROUND}
        circuit.add(
            kinds.connector(len(names) + 1), f"column {column}", "board", f"reeds of column {column}", nets,
            f"J_{column}",
        )  # fmt: skip
        for socket in names:
            _contact_series(circuit, f"SOCKET_{socket}", f"socket {socket}")
            nets = {"1": f"SOCKET_{socket}", "2": GROUND}
            circuit.add(kinds.REED, "reed switch", "field", f"socket {socket}", nets, f"S_{socket}")


def _multiplexers(circuit: Circuit, kind: str) -> None:
    """Three 16-way multiplexers: socket n of `SOCKETS` is input n % 16 of multiplexer n // 16."""
    for chip in range(3):
        inputs = SOCKETS[16 * chip : 16 * chip + 16]
        nets = {f"I{i}": f"{kind}_{socket}" for i, socket in enumerate(inputs)}
        nets |= {f"I{i}": GROUND for i in range(len(inputs), 16)}
        nets |= {f"S{n}": f"SELECT_{n}" for n in range(4)}
        nets |= {"COM": f"{kind}_COM_{chip}", "E": GROUND, "GND": GROUND, "VCC": RAIL_5V}
        note = f"{kind.lower()} {inputs[0]} to {inputs[-1]}"
        circuit.add(kinds.HC4067, "74HC4067", "board", note, nets, f"U_{kind}_{chip}")
        circuit.add(kinds.CAPACITOR, "100n", "board", f"at U_{kind}_{chip}", {"1": RAIL_5V, "2": GROUND})


def _halls(circuit: Circuit) -> None:
    _multiplexers(circuit, "HALL")
    for column in COLUMNS:
        names = [socket for socket in SOCKETS if socket[0] == column]
        nets = {str(i): f"HALL_{socket}" for i, socket in enumerate(names, 1)}
        nets |= {str(len(names) + 1): RAIL_5V, str(len(names) + 2): GROUND}
        circuit.add(
            kinds.connector(len(names) + 2), f"column {column}", "board", f"hall sensors of column {column}", nets,
            f"J_{column}",
        )  # fmt: skip
        for socket in names:
            nets = {"VCC": RAIL_5V, "GND": GROUND, "OUT": f"HALL_{socket}"}
            circuit.add(kinds.HALL, "DRV5055A2", "field", f"socket {socket}", nets, f"HS_{socket}")
            across = {"1": RAIL_5V, "2": GROUND}
            circuit.add(kinds.CAPACITOR, "100n", "field", f"at the sensor of {socket}", across, f"C_{socket}")


def _contacts(circuit: Circuit, pins: Pins) -> None:
    glasses, buttons = list(pins["tilt"]), list(pins["button"])
    nets = {str(i): f"TILT_{glass}" for i, glass in enumerate(glasses, 1)} | {str(len(glasses) + 1): GROUND}
    circuit.add(kinds.connector(len(glasses) + 1), "tilt", "board", "ball switches", nets, "J_TILT")
    for glass in glasses:
        _contact_series(circuit, f"TILT_{glass}", f"the tilt of {glass}")
        nets = {"1": f"TILT_{glass}", "2": GROUND}
        circuit.add(kinds.BALL_SWITCH, "ball switch", "field", f"tilt of glass {glass}", nets, f"T_{glass}")
    nets = {str(i): f"BUTTON_{name}" for i, name in enumerate(buttons, 1)} | {str(len(buttons) + 1): GROUND}
    circuit.add(kinds.connector(len(buttons) + 1), "buttons", "board", "push buttons", nets, "J_BUTTONS")
    for name in buttons:
        _contact_series(circuit, f"BUTTON_{name}", f"{name}'s button")
        nets = {"1": f"BUTTON_{name}", "2": GROUND}
        circuit.add(kinds.BUTTON, "push button", "field", f"{name}'s button", nets, f"B_{name}")


def _panel(circuit: Circuit) -> None:
    add = circuit.add
    for lamp in PANEL_LAMPS:
        nets = {"1": f"LAMP_{lamp}_MCU", "2": f"LAMP_{lamp}"}
        add(kinds.RESISTOR, PANEL_LAMP, "board", f"lamp {lamp}", nets)
        add(kinds.LED, COLOURS[lamp], "field", f"lamp {lamp}", {"A": f"LAMP_{lamp}", "K": GROUND}, f"LED_{lamp}")
    nets = {str(i): f"LAMP_{lamp}" for i, lamp in enumerate(PANEL_LAMPS, 1)} | {str(len(PANEL_LAMPS) + 1): GROUND}
    add(kinds.connector(len(PANEL_LAMPS) + 1), "panel lamps", "board", "lamps of the panel", nets, "J_PANEL")
    add(kinds.RESISTOR, "1k", "board", "base of the buzzer's transistor", {"1": "BUZZER_MCU", "2": "BUZZER_BASE"})
    add(kinds.RESISTOR, "10k", "board", "keeps the buzzer silent at reset", {"1": "BUZZER_BASE", "2": GROUND})
    add(kinds.NPN, "BC337", "board", "buzzer", {"B": "BUZZER_BASE", "E": GROUND, "C": "BUZZER_LOW"})
    add(kinds.RESISTOR, "47", "board", "limits the buzzer's current", {"1": RAIL_5V, "2": "BUZZER_HIGH"})
    add(kinds.DIODE, "1N4148", "board", "takes the buzzer's kick", {"A": "BUZZER_LOW", "K": "BUZZER_HIGH"})
    add(kinds.connector(2), "buzzer", "board", "buzzer", {"1": "BUZZER_HIGH", "2": "BUZZER_LOW"}, "J_BUZZER")
    nets = {"+": "BUZZER_HIGH", "-": "BUZZER_LOW"}
    add(kinds.BUZZER, "42 ohm magnetic", "field", "passive buzzer in the panel", nets, "BZ1")


def _planes(circuit: Circuit) -> None:
    nets = {"1": RAIL_5V, "2": GROUND, "3": "PLANE_data", "4": "PLANE_load", "5": "PLANE_clock"}
    circuit.add(kinds.connector(5), "lamp planes", "board", "to the lamp drivers under the sockets", nets, "J_PLANES")
    for name in ("load", "clock", "data"):
        nets = {"1": f"PLANE_{name}_MCU", "2": f"PLANE_{name}"}
        circuit.add(kinds.RESISTOR, PLANE_SERIES, "board", f"lamp planes' {name}, also when their plug is live", nets)
    data = "PLANE_data"
    for plane in ("red", "green"):
        chain = Chain(data, "PLANE_load", "PLANE_clock", RAIL_5V)
        data = add_plane(circuit, plane, chain, SOCKETS, plane, _lamp_place)


_SEGMENT_OF_BIT: Final = ("SEGG", "SEGF", "SEGE", "SEGD", "SEGC", "SEGB", "SEGA")


def _lamp_place(socket: str) -> tuple[str, str]:
    """The firmware's planes: digit n is column n, segment bit r - 1 is row r (bit 0 is segment G, bit 6 A)."""
    return f"DIG{COLUMNS.index(socket[0])}", _SEGMENT_OF_BIT[int(socket[1]) - 1]


def _ladders(circuit: Circuit) -> None:
    """Each ring lying around a tube puts one more 10 kΩ between the socket's line and ground."""
    _multiplexers(circuit, "LADDER")
    for column in COLUMNS:
        names = [socket for socket in SOCKETS if socket[0] == column]
        nets = {str(i): f"LADDER_{socket}" for i, socket in enumerate(names, 1)} | {str(len(names) + 1): GROUND}
        circuit.add(
            kinds.connector(len(names) + 1), f"rings {column}", "board", f"ring ladders of column {column}", nets,
            f"J_RINGS_{column}",
        )  # fmt: skip
        for socket in names:
            net = f"LADDER_{socket}"
            circuit.add(kinds.RESISTOR, LADDER, "board", f"ladder of {socket}", {"1": RAIL_5V, "2": net})
            for ring in range(1, CAPACITY[socket] + 1):
                middle = f"RING_{socket}_{ring}"
                nets = {"1": net, "2": middle}
                circuit.add(kinds.RESISTOR, LADDER, "field", f"ring {ring} at {socket}", nets, f"R_{socket}_{ring}")
                nets = {"1": middle, "2": GROUND}
                circuit.add(kinds.CONTACT, "leaf", "field", f"ring {ring} at {socket}", nets, f"K_{socket}_{ring}")


def _load_cells(circuit: Circuit) -> None:
    for side in ("red", "black"):
        nets = {"VCC": RAIL_5V, "DT": f"HOLDER_{side}_data", "SCK": f"HOLDER_{side}_clock", "GND": GROUND}
        circuit.add(kinds.LOAD_CELL, "HX711, 1 kg", "field", f"{side}'s ring holder", nets, f"LC_{side}")
        nets = {"1": RAIL_5V, "2": f"HOLDER_{side}_data", "3": f"HOLDER_{side}_clock", "4": GROUND}
        circuit.add(
            kinds.connector(4), f"{side} holder", "board", f"{side}'s load cell", nets, f"J_HOLDER_{side.upper()}"
        )
