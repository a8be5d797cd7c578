"""The pin table and the firmware's header made from it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.pins import HEADER, PIN_TABLE, PinTableError, problems, read_pins, render_header


@pytest.fixture
def table() -> dict[str, Any]:
    return tomllib.loads(PIN_TABLE.read_text(encoding="utf-8"))


def test_the_header_is_the_tables() -> None:
    assert HEADER.read_text(encoding="ascii") == render_header(read_pins()), (
        "stale: python -m firmware_bridge.pins > firmware_bridge/avr/src/pins.h"
    )


def test_a_pin_used_twice_is_found(table: dict[str, Any]) -> None:
    table["lamp"]["alarm"] = table["socket"]["A1"]
    assert problems(table) == ["PA0 is used by socket and lamp"]


def test_pins_that_exclude_each_other_may_be_shared(table: dict[str, Any]) -> None:
    assert problems(table) == []
    del table["either_or"]
    assert problems(table) == [f"PF{n} is used by socket and hall" for n in (3, 4, 5)]


@pytest.mark.parametrize(
    ("group", "name", "pin", "text"),
    [
        ("socket", "A1", "PI0", "a Mega brings out no such pin"),
        ("socket", "A1", "PD4", "a Mega brings out no such pin"),
        ("socket", "A1", 3, "a Mega brings out no such pin"),
        ("tilt", "N", "PE0", "that pin is the serial line to the host"),
        ("buzzer", "tone", "PB6", "only PE3 can do this"),
        ("hall", "mux_0", "PA0", "an analog line must be PF0 to PF7"),
    ],
)
def test_a_pin_that_cannot_do_it_is_found(table: dict[str, Any], group: str, name: str, pin: object, text: str) -> None:
    table[group][name] = pin
    assert any(text in found and name in found for found in problems(table))


def test_all_findings_are_told_at_once(table: dict[str, Any], tmp_path: Path) -> None:
    del table["holder"]
    del table["socket"]["D4"]
    table["lamp"]["blue"] = "PB3"
    assert problems(table) == ["[socket] D4 is missing", "[lamp] blue is unknown", "[holder] is missing"]
    file = tmp_path / "bad.toml"
    file.write_text("[socket]\n", encoding="utf-8")
    with pytest.raises(PinTableError, match=r"^bad.toml: \[socket\] A1 is missing; "):
        read_pins(file)
