"""The pin table of the bridge board, and the C header made from it.

`python -m firmware_bridge.pins` prints the header for `hardware/boards/bridge.toml`; `avr/src/pins.h` is that output.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from firmware_bridge.inputs import BUTTONS, SOCKETS, TILTS

PIN_TABLE: Final = Path(__file__).parent.parent / "hardware" / "boards" / "bridge.toml"
HEADER: Final = Path(__file__).parent / "avr" / "src" / "pins.h"

LAMPS: Final = ("turn_red", "turn_black", "alarm", "ready", "amber")
MULTIPLEXERS: Final = ("mux_0", "mux_1", "mux_2")
GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "socket": SOCKETS,
    "tilt": TILTS,
    "button": BUTTONS,
    "lamp": LAMPS,
    "buzzer": ("tone",),
    "planes": ("load", "clock", "data"),
    "select": ("s0", "s1", "s2", "s3"),
    "ladder": MULTIPLEXERS,
    "hall": MULTIPLEXERS,
    "holder": ("red_data", "red_clock", "black_data", "black_clock"),
}
"""What the table must hold: group to its names, in the order of the header."""

_BROKEN_OUT: Final = {
    "A": range(8), "B": range(8), "C": range(8), "D": (0, 1, 2, 3, 7), "E": (0, 1, 3, 4, 5), "F": range(8),
    "G": (0, 1, 2, 5), "H": (0, 1, 3, 4, 5, 6), "J": (0, 1), "K": range(8), "L": range(8),
}  # fmt: skip
RADIO: Final[Mapping[str, str]] = {"ce": "R1", "csn": "R2", "irq": "B2"}
"""Build with caps: the receiver takes the pins of these tilts, which then travel without a wire; its MISO is PB3."""

_SINGLE: Final = ("buzzer", "planes", "holder")
_SERIAL: Final = ("PE0", "PE1")
_FIXED: Final = {("planes", "load"): "PB0", ("planes", "clock"): "PB1", ("planes", "data"): "PB2",
                 ("buzzer", "tone"): "PE3"}  # fmt: skip


class PinTableError(ValueError):
    """The pin table cannot be built; the text names every finding."""


def read_pins(path: Path = PIN_TABLE) -> dict[str, dict[str, str]]:
    """The table's groups, checked: every name there, every pin real, none used twice.

    Raises `PinTableError` with all findings, `OSError` and `tomllib.TOMLDecodeError` from reading.
    """
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    found = problems(table)
    if found:
        raise PinTableError(f"{path.name}: " + "; ".join(found))
    return {group: {name: table[group][name] for name in names} for group, names in GROUPS.items()}


def problems(table: Mapping[str, object]) -> list[str]:
    """Everything that is wrong with a pin table, as readable lines."""
    found: list[str] = []
    users: dict[str, list[str]] = {}
    for group, names in GROUPS.items():
        pins = table.get(group)
        if not isinstance(pins, Mapping):
            found.append(f"[{group}] is missing")
            continue
        found += [f"[{group}] {name} is missing" for name in names if name not in pins]
        found += [f"[{group}] {name} is unknown" for name in pins if name not in names]
        for name, pin in pins.items():
            found += _pin_problems(group, name, pin)
            users.setdefault(str(pin), []).append(group)
    allowed = _shared(table)
    for pin, groups in users.items():
        if len(groups) > 1 and set(groups) != allowed.get(pin):
            found.append(f"{pin} is used by {' and '.join(groups)}")
    return found


def _pin_problems(group: str, name: str, pin: object) -> list[str]:
    match = re.fullmatch(r"P([A-L])([0-7])", pin) if isinstance(pin, str) else None
    if match is None or int(match[2]) not in _BROKEN_OUT.get(match[1], ()):
        return [f"[{group}] {name} = {pin!r}: a Mega brings out no such pin"]
    if pin in _SERIAL:
        return [f"[{group}] {name} = {pin}: that pin is the serial line to the host"]
    fixed = _FIXED.get((group, name))
    if fixed is not None and pin != fixed:
        return [f"[{group}] {name} = {pin}: only {fixed} can do this"]
    if group == "tilt" and name == RADIO["irq"] and match[1] != "B":
        return [f"[{group}] {name} = {pin}: with caps it is the radio's call, which must be PB0 to PB7"]
    if group in ("ladder", "hall") and match[1] != "F":
        return [f"[{group}] {name} = {pin}: an analog line must be PF0 to PF7"]
    return []


def _shared(table: Mapping[str, object]) -> dict[str, set[str]]:
    entries = table.get("either_or", [])
    if not isinstance(entries, list):
        return {}
    return {pin: set(entry["purposes"]) for entry in entries for pin in entry["pins"]}


def render_header(pins: Mapping[str, Mapping[str, str]]) -> str:
    """The text of `pins.h`: X-macros `X(name, port, bit)` a group in the protocol's order, and single pins."""
    lines = [
        "/* Generated from hardware/boards/bridge.toml by `python -m firmware_bridge.pins`: do not edit. */",
        "#ifndef PINS_H",
        "#define PINS_H",
    ]
    for group, names in GROUPS.items():
        lines += ["", f"#define {group.upper()}_PINS(X) \\"]
        rows = [f"    X({name}, {pins[group][name][1]}, {pins[group][name][2]})" for name in names]
        lines += [f"{row} \\" for row in rows[:-1]] + rows[-1:]
    timer = pins["tilt"]["N"]
    lines += ["", "#define TIMER_PINS(X) \\", f"    X(N, {timer[1]}, {timer[2]})"]
    lines += ["", "/* Single pins, as port and bit. */"]
    for group in _SINGLE:
        lines += [
            f"#define PIN_{group.upper()}_{name.upper()} {pins[group][name][1]}, {pins[group][name][2]}"
            for name in GROUPS[group]
        ]
    radio = {name: pins["tilt"][tilt] for name, tilt in RADIO.items()}
    lines += [f"#define PIN_RADIO_{name.upper()} {pin[1]}, {pin[2]}" for name, pin in radio.items()]
    lines += [f"#define RADIO_IRQ_BIT {radio['irq'][2]}"]
    lines += ["", "#endif", ""]
    return "\n".join(lines)


def main() -> None:
    """Print the header for the pin table in the repository."""
    sys.stdout.write(render_header(read_pins()))


if __name__ == "__main__":
    main()
