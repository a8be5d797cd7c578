"""The schematics: each names every part with its value, every pin and every net, and is the same each time."""

from __future__ import annotations

import html
import re
from collections import Counter

import attrs
import pytest

from hardware.tools.circuit import GROUND, Circuit
from hardware.tools.products import board_circuits
from tests.hardware.conftest import need

BOARDS = ("matrix-hat", "mega-shield-reed", "mega-shield-hall", "cap")


def words_of(circuit: Circuit) -> Counter[str]:
    from hardware.tools.schematic_picture import picture

    return Counter(html.unescape(text) for text in re.findall(r">([^<>]+)</t", picture(circuit)))


@pytest.mark.hardware
@pytest.mark.parametrize("name", BOARDS)
def test_everything_is_on_the_sheet(name: str) -> None:
    need("schematic")
    circuit = board_circuits()[name]
    words = words_of(circuit)
    for part in circuit.components:
        assert any(text.split() == f"{part.ref} {part.value}".split() for text in words), part.ref
    pins = Counter(net for part in circuit.components for net in part.nets.values() if net != GROUND)
    assert {net: words[net] for net in pins if words[net] < pins[net]} == {}


@pytest.mark.hardware
def test_a_part_that_is_gone_is_gone_from_the_sheet() -> None:
    need("schematic")
    circuit = board_circuits()["cap"]
    fewer = attrs.evolve(circuit, components=[part for part in circuit.components if part.ref != "R3"])
    assert sum(words_of(circuit).values()) - sum(words_of(fewer).values()) == 3, "its name and its two nets"


def test_all_boards_have_one() -> None:
    assert set(board_circuits()) == set(BOARDS)
