"""The figures that the electrical checks hold a board against, each with its source.

Where makers differ, the stricter figure stands. Voltages in V, currents in mA, resistances in ohm, times in µs.
"""

from __future__ import annotations

from typing import Final

import attrs


@attrs.frozen
class Figure:
    """A figure with its unit and where it comes from."""

    value: float
    unit: str
    source: str


FIGURES: Final = {
    "pi_line_mA": Figure(16, "mA", "Raspberry Pi documentation, GPIO pads control: drive strength up to 16 mA"),
    "pi_total_mA": Figure(50, "mA", "Raspberry Pi documentation and forums: about 50 mA over all GPIO lines"),
    "pi_low_V": Figure(0.8, "V", "GPIO pads control: a low is read up to 0.8 V for certain"),
    "pi_high_V": Figure(2.0, "V", "GPIO pads control: 1.3 V for certain on older chips; 2.0 V, TTL's, holds for all"),
    "pi_pull_ohm": Figure(50_000, "ohm", "BCM2835: internal pulls of 50 to 65 kohm; the stronger"),
    "pi_supply_V": Figure(3.3, "V", "the header's 3V3"),
    "mega_line_mA": Figure(20, "mA", "ATmega2560 data sheet: characteristics at 20 mA; 40 mA is the maximum"),
    "mega_total_mA": Figure(200, "mA", "ATmega2560 data sheet, absolute maximum ratings: VCC and GND pins"),
    "mega_supply_V": Figure(5.0, "V", "USB"),
    "mega_board_mA": Figure(100, "mA", "the Mega with its USB chip: 70 to 90 mA is what builders report; rounded up"),
    "usb_mA": Figure(500, "mA", "USB 2.0 port, and the Mega's own resettable fuse"),
    "adapter_mA": Figure(3000, "mA", "the 5 V adapter of the parts list"),
    "schottky_V": Figure(0.32, "V", "BAT85 data sheet: VF at 1 mA at most 320 mV"),
    "silicon_V": Figure(0.72, "V", "1N4148 data sheets: VF 0.62 to 0.72 V at 5 mA; at most"),
    "output_low_V": Figure(0.1, "V", "a Pi's output sinking 5 mA with its 8 mA default drive strength"),
    "base_V": Figure(0.7, "V", "BC337: base to emitter when conducting"),
    "base_off_V": Figure(0.4, "V", "BC337: off for certain below"),
    "led_V": Figure(1.8, "V", "a red LED at a few mA: the lowest, so the most current"),
    "led_seen_mA": Figure(1.0, "mA", "below this a panel lamp is hard to see in a lit room"),
    "led_dark_mA": Figure(0.05, "mA", "below this a modern LED is dark at arm's length"),
    "buzzer_ohm": Figure(42, "ohm", "12 mm magnetic buzzer, 5 V type, coil resistance"),
    "max7219_high_V": Figure(3.5, "V", "MAX7219 data sheet: logic high input 3.5 V at least"),
    "max7219_mA": Figure(165, "mA", "MAX7219 data sheet, 27 kohm at ISET: 8 segments of about 20 mA, and its own 5 mA"),
    "fuse_mA": Figure(1100, "mA", "Bourns MF-R110 data sheet: holds 1.1 A at 23 degrees"),
    "pi_supply_low_V": Figure(3.2, "V", "3V3 at the header under load, less 3 %"),
    "clamp_mA": Figure(20, "mA", "ATmega2560 and MAX7219: what a pin's protection diode may be asked to carry"),
    "hall_zero_V": Figure(0.07, "V", "DRV5055 data sheet: quiescent voltage 2.43 to 2.57 V at 5.0 V"),
    "adc_steps": Figure(2, "steps", "ATmega2560 data sheet: absolute accuracy at 8 bits, and a step of noise"),
    "hall_mA": Figure(10, "mA", "DRV5055 and SS49E data sheets: 6 mA typically, 10 mA at most"),
    "hx711_mA": Figure(10, "mA", "HX711 1.5 mA and a 1 kohm bridge at 4.3 V; rounded up"),
    "wire_pF": Figure(300, "pF", "3 m of ribbon and row wiring at 100 pF/m"),
    "ttl_high_V": Figure(2.0, "V", "74AHCT125 data sheet: high from 2.0 V, at 4.5 to 5.5 V supply"),
}  # fmt: skip
"""Name (with its unit) to figure."""

LED_V: Final = {
    "red": (1.8, 2.2),
    "orange": (1.9, 2.2),
    "yellow": (1.9, 2.2),
    "yellow-green": (1.9, 2.2),
    "green": (2.8, 3.4),
    "blue": (2.8, 3.4),
    "white": (2.8, 3.4),
}
"""Forward voltage at 2 mA by colour, lowest and highest (makers' data sheets of standard 3 and 5 mm types)."""


def figure(name: str) -> float:
    """The value of a figure by name."""
    return FIGURES[name].value


def ohms(value: str) -> float:
    """Resistance of a part's value as written on a schematic: `470`, `4k7`, `10k`; `ValueError` for anything else."""
    whole, kilo, rest = value.partition("k")
    if not whole.isdigit() or (rest and not rest.isdigit()):
        raise ValueError(f"{value!r} is no resistance such as 470, 4k7 or 10k")
    return float(f"{whole}.{rest or 0}") * (1000 if kilo else 1)
