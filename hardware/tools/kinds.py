"""The kinds of parts that the boards are made of, with KiCad's footprint names.

Pin numbers are those of the package named by the footprint (from the makers' data sheets).
"""

from __future__ import annotations

from typing import Final

from hardware.tools.circuit import Kind, Pin

_HEADER_POWER: Final = {
    1: "3V3", 17: "3V3", 2: "5V", 4: "5V",
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "GND"),
}  # fmt: skip
HEADER_LINES: Final = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25, 23: 11,
    24: 8, 26: 7, 27: 0, 28: 1, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""Pin of the 40-pin header to the BCM number of its line (Raspberry Pi documentation, "GPIO and the 40-pin header")."""


def _header_pin(number: int) -> Pin:
    if number in HEADER_LINES:
        return Pin(str(number), f"GPIO{HEADER_LINES[number]}", "both")
    name = _HEADER_POWER[number]
    same = [n for n in sorted(_HEADER_POWER) if _HEADER_POWER[n] == name]
    # Only the first of several is the source for the rule check: they are one rail on the Pi.
    return Pin(str(number), f"{name}_{number}", "power out" if number == same[0] else "passive")


PI_HEADER: Final = Kind(
    "Raspberry Pi header",
    "J",
    tuple(_header_pin(number) for number in range(1, 41)),
    "Connector_PinSocket_2.54mm:PinSocket_2x20_P2.54mm_Vertical",
)


def connector(pins: int) -> Kind:
    """A single-row pin header with 2.54 mm pitch; the same object for the same number of pins."""
    return _CONNECTORS[pins]


_CONNECTORS: Final = {
    count: Kind(
        f"header 1x{count:02}",
        "J",
        tuple(Pin(str(number), f"P{number}") for number in range(1, count + 1)),
        f"Connector_PinHeader_2.54mm:PinHeader_1x{count:02}_P2.54mm_Vertical",
    )
    for count in range(2, 21)
}


def box_header(pins: int) -> Kind:
    """A two-row box header for a ribbon cable, 2.54 mm pitch; the same object for the same number of pins."""
    return _BOX_HEADERS[pins]


_BOX_HEADERS: Final = {
    count: Kind(
        f"box header 2x{count // 2:02}",
        "J",
        tuple(Pin(str(number), f"P{number}") for number in range(1, count + 1)),
        f"Connector_IDC:IDC-Header_2x{count // 2:02}_P2.54mm_Vertical",
    )
    for count in (10, 16)
}

RESISTOR: Final = Kind(
    "resistor", "R", (Pin("1", "1"), Pin("2", "2")), "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P10.16mm_Horizontal"
)
CAPACITOR: Final = Kind("capacitor", "C", (Pin("1", "1"), Pin("2", "2")), "Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm")
ELECTROLYTIC: Final = Kind(
    "electrolytic capacitor", "C", (Pin("1", "+"), Pin("2", "-")), "Capacitor_THT:CP_Radial_D6.3mm_P2.50mm"
)
DIODE: Final = Kind("diode", "D", (Pin("1", "K"), Pin("2", "A")), "Diode_THT:D_DO-35_SOD27_P7.62mm_Horizontal")
NPN: Final = Kind(
    "NPN transistor",
    "Q",
    (Pin("1", "C", "open"), Pin("2", "B", "in"), Pin("3", "E")),
    "Package_TO_SOT_THT:TO-92_Inline",
)
FUSE: Final = Kind("resettable fuse", "F", (Pin("1", "1"), Pin("2", "2")), "Fuse:Fuse_Bourns_MF-RG300")
PFET: Final = Kind(
    "P-channel MOSFET", "Q", (Pin("1", "G", "in"), Pin("2", "D"), Pin("3", "S")), "Package_TO_SOT_THT:TO-220-3_Vertical"
)
TVS: Final = Kind("suppressor diode", "D", (Pin("1", "K"), Pin("2", "A")), "Diode_THT:D_DO-15_P10.16mm_Horizontal")
USB_CABLE: Final = Kind("USB cable", "W", (Pin("1", "5V"), Pin("2", "GND")))
LED: Final = Kind("LED", "LED", (Pin("1", "K"), Pin("2", "A")))
BOARD_LED: Final = Kind("LED on a strip", "D", (Pin("1", "K"), Pin("2", "A")), "LED_THT:LED_D3.0mm")
SMALL_CAPACITOR: Final = Kind(
    "capacitor", "C", (Pin("1", "1"), Pin("2", "2")), "Capacitor_THT:C_Disc_D3.0mm_W1.6mm_P2.50mm"
)
REED: Final = Kind("reed switch", "S", (Pin("1", "1"), Pin("2", "2")))
BALL_SWITCH: Final = Kind("ball switch", "T", (Pin("1", "1"), Pin("2", "2")))
BUTTON: Final = Kind("push button", "B", (Pin("1", "1"), Pin("2", "2")))
CONTACT: Final = Kind("holder contact", "H", (Pin("1", "1"), Pin("2", "2")))
BUZZER: Final = Kind("passive buzzer", "BZ", (Pin("1", "+"), Pin("2", "-")))
AHCT125: Final = Kind(
    "74AHCT125",
    "U",
    (
        Pin("1", "1OE", "in"), Pin("2", "1A", "in"), Pin("3", "1Y", "out"),
        Pin("4", "2OE", "in"), Pin("5", "2A", "in"), Pin("6", "2Y", "out"), Pin("7", "GND", "power in"),
        Pin("8", "3Y", "out"), Pin("9", "3A", "in"), Pin("10", "3OE", "in"),
        Pin("11", "4Y", "out"), Pin("12", "4A", "in"), Pin("13", "4OE", "in"), Pin("14", "VCC", "power in"),
    ),
    "Package_DIP:DIP-14_W7.62mm",
)  # fmt: skip
MAX7219: Final = Kind(
    "MAX7219",
    "U",
    (
        Pin("1", "DIN", "in"), Pin("2", "DIG0", "out"), Pin("3", "DIG4", "out"), Pin("4", "GND", "power in"),
        Pin("5", "DIG6", "out"), Pin("6", "DIG2", "out"), Pin("7", "DIG3", "out"), Pin("8", "DIG7", "out"),
        Pin("9", "GND2", "power in"), Pin("10", "DIG5", "out"), Pin("11", "DIG1", "out"), Pin("12", "LOAD", "in"),
        Pin("13", "CLK", "in"), Pin("14", "SEGA", "out"), Pin("15", "SEGF", "out"), Pin("16", "SEGB", "out"),
        Pin("17", "SEGG", "out"), Pin("18", "ISET"), Pin("19", "V+", "power in"), Pin("20", "SEGC", "out"),
        Pin("21", "SEGE", "out"), Pin("22", "SEGDP", "out"), Pin("23", "SEGD", "out"), Pin("24", "DOUT", "out"),
    ),
    "Package_DIP:DIP-24_W7.62mm",
)  # fmt: skip
HC4067: Final = Kind(
    "74HC4067",
    "U",
    (
        Pin("1", "COM"), *(Pin(str(9 - n), f"I{n}") for n in range(8)),
        Pin("10", "S0", "in"), Pin("11", "S1", "in"), Pin("12", "GND", "power in"), Pin("13", "S3", "in"),
        Pin("14", "S2", "in"), Pin("15", "E", "in"), *(Pin(str(31 - n), f"I{n}") for n in range(8, 16)),
        Pin("24", "VCC", "power in"),
    ),
    "Package_DIP:DIP-24_W15.24mm",
)  # fmt: skip
HALL: Final = Kind(
    "linear hall sensor", "HS", (Pin("1", "VCC", "power in"), Pin("2", "GND", "power in"), Pin("3", "OUT", "out"))
)
LOAD_CELL: Final = Kind(
    "HX711 with load cell",
    "LC",
    (Pin("1", "VCC", "power in"), Pin("2", "DT", "out"), Pin("3", "SCK", "in"), Pin("4", "GND", "power in")),
)
SUPPLY: Final = Kind(
    "5 V supply", "J", (Pin("1", "+", "power out"), Pin("2", "-")),
    "TerminalBlock:TerminalBlock_bornier-2_P5.08mm",
)  # fmt: skip
