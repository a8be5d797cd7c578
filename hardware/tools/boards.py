"""The boards that can be built, as circuits made from the profiles in `hardware/boards`."""

from __future__ import annotations

from typing import Final

from firmware_bridge.pins import read_pins
from hardware.tools import bridge_board, matrix_board
from hardware.tools.bridge_board import RingSensor, SocketSensor
from hardware.tools.circuit import Circuit
from hardware.tools.paths import HARDWARE
from tamsk_pi.config.profile import load_profile

MATRIX_BOARDS: Final = ("starter", "matrix")
VARIANTS: Final = ("starter", "matrix", "bridge-reed", "bridge-hall")
"""What a person can decide to build; each is priced in the parts list."""


def matrix(name: str) -> Circuit:
    """The circuit of a board on the Pi's own pins, by its profile's name."""
    return matrix_board.build(load_profile(str(HARDWARE / "boards" / f"{name}.toml")))


def bridge(sockets: SocketSensor, rings: RingSensor) -> Circuit:
    """The circuit of one build of the bridge board."""
    return bridge_board.build(read_pins(HARDWARE / "boards" / "bridge.toml"), sockets, rings)


def variant(name: str) -> Circuit:
    """The circuit of a variant with rings by buttons, or as the matrix board's profile has them."""
    if name in MATRIX_BOARDS:
        return matrix(name)
    return bridge("hall" if name == "bridge-hall" else "reed", "buttons")


def every_circuit() -> dict[str, Circuit]:
    """Every build of every board, by name."""
    found = {name: matrix(name) for name in MATRIX_BOARDS}
    sensors: tuple[SocketSensor, ...] = ("reed", "hall")
    rings: tuple[RingSensor, ...] = ("buttons", "stack", "holder")
    return found | {f"bridge-{sensor}-{ring}": bridge(sensor, ring) for sensor in sensors for ring in rings}
