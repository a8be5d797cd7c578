"""The schematics pass SKiDL's electrical rule check, and their netlists say what the circuits say."""

from __future__ import annotations

import attrs
import pytest

from hardware.tools import boards, kinds, products
from hardware.tools.circuit import Circuit
from hardware.tools.paths import HARDWARE
from hardware.tools.schematic import schematic
from tests.hardware.conftest import need

pytestmark = pytest.mark.hardware

BOARDS = products.board_circuits()


@pytest.mark.parametrize("name", BOARDS)
def test_the_rule_check_has_nothing_to_say(name: str) -> None:
    need("netlist")
    assert schematic(BOARDS[name], name).complaints == ()


def test_the_rule_check_finds_two_outputs_on_one_net_and_an_open_input() -> None:
    need("netlist")
    circuit = boards.matrix("matrix")
    index, shifter = next((i, c) for i, c in enumerate(circuit.components) if c.kind is kinds.AHCT125)
    nets = dict(shifter.nets) | {"6": shifter.nets["3"], "12": "NOWHERE"}
    circuit.components[index] = attrs.evolve(shifter, nets=nets)
    complaints = "\n".join(schematic(circuit, "broken").complaints)
    assert "conflict" in complaints
    assert "NOWHERE" in complaints


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # kinparse calls pyparsing by its old names
@pytest.mark.parametrize("name", BOARDS)
def test_kicads_netlist_has_the_boards_parts_and_nets(name: str) -> None:
    need("netlist")
    import kinparse

    circuit = BOARDS[name]
    read = kinparse.parse_netlist((HARDWARE / "schematics" / f"{name}.net").read_text(encoding="utf-8"))
    placed = {c.ref: c for c in circuit.components if c.place == "board"}
    assert {part.ref: part.value for part in read.parts} == {ref: c.value for ref, c in placed.items()}
    assert all(":" in part.footprint for part in read.parts)
    found = {frozenset((pin.ref, pin.num) for pin in net.pins) for net in read.nets if len(net.pins) > 1}
    assert found == {pins for pins in _joined(circuit) if len(pins) > 1}


def _joined(circuit: Circuit) -> set[frozenset[tuple[str, str]]]:
    return {
        frozenset((component.ref, pin.number) for component, pin in pins if component.place == "board")
        for pins in circuit.nets().values()
    }
