"""The radio cap: its circuit against the firmware's pins, its pull-ups, its chamber."""

from __future__ import annotations

import re

import pytest

from hardware.tools.cap_circuit import CELL, build, closed_current_ua, firmware_pins, open_level
from hardware.tools.circuit import GROUND
from hardware.tools.paths import HARDWARE

SCAD = (HARDWARE / "mechanics" / "cap.scad").read_text(encoding="utf-8")
HIGH = 0.6
"""An ATtiny84A reads a pin as high from this share of its supply on."""


def test_the_radio_hangs_on_the_firmwares_pins() -> None:
    pins = firmware_pins()
    parts = {part.ref: part for part in build().components}
    for name in ("CE", "CSN", "SCK", "MOSI", "MISO", "IRQ"):
        assert parts["U1"].net(pins[name]) == parts["U2"].net(name) == f"RADIO_{name}"
    assert parts["U1"].net(pins["SWITCH_A"]) == parts["T_A"].net("1")
    assert parts["U1"].net(pins["SWITCH_B"]) == parts["T_B"].net("1")


def test_the_programmer_meets_the_parts_own_pins() -> None:
    """Serial programming is on PA6 (in), PA5 (out), PA4 (clock): ATtiny84A data sheet, table of pins."""
    parts = {part.ref: part for part in build().components}
    for pin, name in (("PA6", "MOSI"), ("PA5", "MISO"), ("PA4", "SCK")):
        assert parts["U1"].net(pin) == parts["J_ISP"].net(name)
    assert parts["J_ISP"].net("RESET") == parts["U1"].net("RESET")


def test_an_open_ball_switch_reads_open_and_a_closed_one_costs_little() -> None:
    assert open_level() > HIGH
    assert HIGH > 10 / (10 + 10), "what 10 Mohm made of it"
    assert closed_current_ua() < 1.0


def test_no_net_hangs_in_the_air() -> None:
    for net, pins in build().nets().items():
        assert len(pins) > 1, net
    assert {CELL, GROUND} <= build().nets().keys()


def test_the_chamber_holds_cell_board_and_radio() -> None:
    match = re.search(r'kind == "radio" \? (\d+)', SCAD)
    assert match is not None
    stack_mm = 3.2 + 1.0 + 3.2 + 2.0  # cell, board, switches beside the module, module and its solder
    assert int(match[1]) >= stack_mm
    assert int(match[1]) == 12


@pytest.mark.parametrize("word", ["lid", "aerial"])
def test_the_cap_has_what_the_page_says(word: str) -> None:
    assert word in SCAD
