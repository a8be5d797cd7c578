"""The radio cap: its circuit against the firmware's pins, its pull-ups, its chamber."""

from __future__ import annotations

import re

import pytest

from hardware.tools.cap_circuit import CELL, build, closed_current_ua, firmware_pins, open_level
from hardware.tools.circuit import GROUND
from hardware.tools.paths import HARDWARE
from hardware.tools.pcb import cap
from hardware.tools.pcb.boards import BOARDS

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
    match = re.search(r"^radio_chamber = (\d+);", SCAD, re.MULTILINE)
    assert match is not None
    floor_mm, cell_mm, parts_mm, board_mm, module_mm = 0.8, 3.8, 2.6, 1.0, 2.4
    assert int(match[1]) >= floor_mm + cell_mm + parts_mm + board_mm + module_mm
    assert int(match[1]) == 12


def test_the_board_fits_its_chamber_and_the_module_its_board() -> None:
    assert re.search(r"min\(21, glass_base_diameter - 2\)", SCAD)
    assert 20.0 <= cap.DIAMETER_MM <= 21 - 0.4
    length, _ = cap.MODULE_MM
    assert cap.FIRST_PIN[0] + length <= cap.DIAMETER_MM + 1.0


def test_no_copper_lies_under_the_aerial() -> None:
    design = BOARDS["cap"]()
    [(left, top, right, bottom)] = design.bare
    assert right - left >= 5.0
    assert (top, right, bottom) == (0.0, design.width, design.height)
    text = (HARDWARE / "pcb" / "cap.kicad_pcb").read_text(encoding="utf-8")
    ends = re.findall(r"\(segment\s+\(start ([\d.]+) [\d.]+\)\s+\(end ([\d.]+) ", text)
    assert len(ends) > 30
    assert max(float(x) for pair in ends for x in pair) < left
    filled = re.findall(r"\(filled_polygon(.*?)\n\t\t\)", text, re.DOTALL)
    assert filled
    assert all(float(x) <= left + 0.01 for area in filled for x in re.findall(r"\(xy ([\d.]+) ", area))


@pytest.mark.parametrize("word", ["lid", "aerial"])
def test_the_cap_has_what_the_page_says(word: str) -> None:
    assert word in SCAD
