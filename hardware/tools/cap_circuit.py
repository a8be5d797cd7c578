"""The radio cap's circuit: an ATtiny84A, a radio, two ball switches, a coin cell. Made from the firmware's own pins."""

from __future__ import annotations

import re
from typing import Final

from hardware.tools.circuit import GROUND, Circuit, Kind, Pin
from hardware.tools.paths import HARDWARE

CELL: Final = "VCELL"
PULL_UP: Final = "3M3"
PULL_UP_OHM: Final = 3_300_000
INSULATION_OHM: Final = 10_000_000
"""What an SW-520D promises while open: more than this, and no more is known."""
CELL_MV: Final = 3_000
PINS_FILE: Final = HARDWARE.parent / "firmware_bridge" / "avr" / "cap" / "attiny" / "pins.h"

ATTINY84A: Final = Kind(
    "ATtiny84A",
    "U",
    (
        Pin("1", "VCC", "power in"), Pin("2", "PB0", "both"), Pin("3", "PB1", "both"), Pin("4", "RESET", "in"),
        Pin("5", "PB2", "both"), Pin("6", "PA7", "both"), Pin("7", "PA6", "both"), Pin("8", "PA5", "both"),
        Pin("9", "PA4", "both"), Pin("10", "PA3", "both"), Pin("11", "PA2", "both"), Pin("12", "PA1", "both"),
        Pin("13", "PA0", "both"), Pin("14", "GND", "power in"),
    ),
    "Package_SO:SOIC-14_3.9x8.7mm_P1.27mm",
)  # fmt: skip
RADIO: Final = Kind(
    "nRF24L01+ module, SMD",
    "U",
    (
        Pin("1", "VCC", "power in"), Pin("2", "CE", "in"), Pin("3", "CSN", "in"), Pin("4", "SCK", "in"),
        Pin("5", "MOSI", "in"), Pin("6", "MISO", "both"), Pin("7", "IRQ", "out"), Pin("8", "GND", "power in"),
    ),
    "Connector_PinHeader_1.27mm:PinHeader_1x08_P1.27mm_Vertical",
)  # fmt: skip
COIN_CELL: Final = Kind(
    "coin cell between two strips of phosphor bronze",
    "BT",
    (Pin("1", "+", "power out"), Pin("2", "-", "power out")),
    "TestPoint:TestPoint_2Pads_Pitch2.54mm_Drill0.8mm",
)
"""No holder fits the chamber: the strips' wires end in two pads, and the lid presses the upper strip down."""
FLAT_RESISTOR: Final = Kind("resistor, 0603", "R", (Pin("1", "1"), Pin("2", "2")), "Resistor_SMD:R_0603_1608Metric")
FLAT_CAPACITOR: Final = Kind("capacitor, 0603", "C", (Pin("1", "1"), Pin("2", "2")), "Capacitor_SMD:C_0603_1608Metric")
RESERVOIR: Final = Kind("capacitor, 1210", "C", (Pin("1", "1"), Pin("2", "2")), "Capacitor_SMD:C_1210_3225Metric")
"""Ceramic: a tantalum one of the size leaks more than the whole cap draws asleep."""
BALL_SWITCH: Final = Kind(
    "ball switch", "T", (Pin("1", "1"), Pin("2", "2")), "TestPoint:TestPoint_2Pads_Pitch2.54mm_Drill0.8mm"
)
PROGRAMMING: Final = Kind(
    "programming pads",
    "J",
    tuple(Pin(str(n), name) for n, name in enumerate(("MISO", "VCC", "SCK", "MOSI", "RESET", "GND"), 1)),
    "Connector_PinHeader_1.27mm:PinHeader_2x03_P1.27mm_Vertical",
)


def firmware_pins() -> dict[str, str]:
    """What the firmware calls each pin, as the part does: `{"CE": "PA2", …}`."""
    text = PINS_FILE.read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for name, bit in re.findall(r"(\w+) = 1 << (\d)", text):
        port = "B" if name in ("SWITCH_A", "SWITCH_B", "UNUSED_B") else "A"
        found[name] = f"P{port}{bit}"
    return found


def build() -> Circuit:
    """The circuit on the round board in a cap."""
    circuit = Circuit("Radio cap: ATtiny84A, nRF24L01+, two ball switches")
    pins = firmware_pins()
    bus = {pins[name]: f"RADIO_{name}" for name in ("CE", "CSN", "SCK", "MOSI", "MISO", "IRQ")}
    nets = {"VCC": CELL, "GND": GROUND, "RESET": "RESET", pins["SWITCH_A"]: "END_A", pins["SWITCH_B"]: "END_B"}
    circuit.add(ATTINY84A, "ATtiny84A-SSU", "board", "the cap's processor, at 4 MHz", nets | bus, "U1")
    radio = {name: f"RADIO_{name}" for name in ("CE", "CSN", "SCK", "MOSI", "MISO", "IRQ")}
    circuit.add(RADIO, "nRF24L01+ 12x18 mm", "board", "aerial at the edge away from cell and magnet",
                radio | {"VCC": CELL, "GND": GROUND}, "U2")  # fmt: skip
    circuit.add(COIN_CELL, "CR2032", "board", "under the lid", {"+": CELL, "-": GROUND}, "BT1")
    for end in ("A", "B"):
        circuit.add(BALL_SWITCH, "ball switch", "board", f"closed while end {end.lower()} is up",
                    {"1": f"END_{end}", "2": GROUND}, f"T_{end}")  # fmt: skip
        circuit.add(FLAT_RESISTOR, PULL_UP, "board", f"end {end.lower()}: what an open switch must not pull down",
                    {"1": CELL, "2": f"END_{end}"})  # fmt: skip
        circuit.add(
            FLAT_CAPACITOR, "1n", "board", f"end {end.lower()}: against the radio", {"1": f"END_{end}", "2": GROUND}
        )
    circuit.add(FLAT_RESISTOR, "10k", "board", "the radio is not spoken to while the cap is programmed",
                {"1": CELL, "2": "RADIO_CSN"})  # fmt: skip
    circuit.add(FLAT_RESISTOR, "47k", "board", "RESET", {"1": CELL, "2": "RESET"})
    circuit.add(RESERVOIR, "100u X5R", "board", "carries the radio over its sendings", {"1": CELL, "2": GROUND})
    circuit.add(FLAT_CAPACITOR, "100n", "board", "at U1", {"1": CELL, "2": GROUND})
    circuit.add(FLAT_CAPACITOR, "100n", "board", "at U2", {"1": CELL, "2": GROUND})
    pads = {
        "MISO": "RADIO_MISO",
        "SCK": "RADIO_SCK",
        "MOSI": "RADIO_MOSI",
        "RESET": "RESET",
        "VCC": CELL,
        "GND": GROUND,
    }
    circuit.add(PROGRAMMING, "ISP", "board", "a programmer at 3.3 V or less", pads, "J_ISP")
    return circuit


def open_level(insulation_ohm: float = INSULATION_OHM) -> float:
    """What an open switch reads, as a share of the supply, if it insulates no better than it promises."""
    return insulation_ohm / (insulation_ohm + PULL_UP_OHM)


def closed_current_ua() -> float:
    """What a closed switch draws: one of the two is closed for as long as a glass stands."""
    return CELL_MV / 1000 / PULL_UP_OHM * 1e6
