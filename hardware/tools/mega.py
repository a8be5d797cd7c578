"""The Arduino Mega 2560's headers: which port pin comes out where, and what it is called on the board.

Source: Arduino's pin mapping of the ATmega2560 (docs.arduino.cc, "Arduino Mega 2560 pin mapping").
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from hardware.tools.circuit import Kind, Pin, PinKind

ARDUINO_TO_PORT: Final = {
    "D0": "PE0", "D1": "PE1", "D2": "PE4", "D3": "PE5", "D4": "PG5", "D5": "PE3", "D6": "PH3", "D7": "PH4",
    "D8": "PH5", "D9": "PH6", "D10": "PB4", "D11": "PB5", "D12": "PB6", "D13": "PB7", "D14": "PJ1", "D15": "PJ0",
    "D16": "PH1", "D17": "PH0", "D18": "PD3", "D19": "PD2", "D20": "PD1", "D21": "PD0",
    **{f"D{22 + bit}": f"PA{bit}" for bit in range(8)},
    **{f"D{37 - bit}": f"PC{bit}" for bit in range(8)},
    "D38": "PD7", "D39": "PG2", "D40": "PG1", "D41": "PG0",
    **{f"D{49 - bit}": f"PL{bit}" for bit in range(8)},
    "D50": "PB3", "D51": "PB2", "D52": "PB1", "D53": "PB0",
    **{f"A{bit}": f"PF{bit}" for bit in range(8)},
    **{f"A{8 + bit}": f"PK{bit}" for bit in range(8)},
}  # fmt: skip
PORT_TO_ARDUINO: Final = {port: name for name, port in ARDUINO_TO_PORT.items()}

_HEADERS: Final[dict[str, tuple[str, ...]]] = {
    "POWER": ("NC", "IOREF", "RESET", "3V3", "5V", "GND", "GND", "VIN"),
    "ADCL": tuple(f"A{n}" for n in range(8)),
    "ADCH": tuple(f"A{n}" for n in range(8, 16)),
    "PWML": tuple(f"D{n}" for n in range(7, -1, -1)),
    "PWMH": ("SCL", "SDA", "AREF", "GND", *(f"D{n}" for n in range(13, 7, -1))),
    "COMM": tuple(f"D{n}" for n in range(14, 22)),
    "XIO": ("5V", "5V", *(f"D{n}" for n in range(22, 54)), "GND", "GND"),
}


def headers() -> Iterator[tuple[str, Kind]]:
    """Each header's name and kind. Its pins are named by port (`PA0`), or by function with the pin's number."""
    for name, labels in _HEADERS.items():
        pins = tuple(_pin(name, number, label) for number, label in enumerate(labels, 1))
        rows = "2x18" if len(labels) == 36 else f"1x{len(labels):02}"
        yield (
            name,
            Kind(f"Mega {name}", "J", pins, f"Connector_PinHeader_2.54mm:PinHeader_{rows}_P2.54mm_Vertical"),
        )


def _pin(header: str, number: int, label: str) -> Pin:
    if label in ARDUINO_TO_PORT:
        return Pin(str(number), ARDUINO_TO_PORT[label], "both")
    source: PinKind = "power out" if (header, label, number) in (("POWER", "5V", 5), ("POWER", "GND", 6)) else "passive"
    return Pin(str(number), f"{label}_{number}", source)
