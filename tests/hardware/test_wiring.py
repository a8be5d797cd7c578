"""The harness files say what the circuits say: every wire joins two pins of one net."""

from __future__ import annotations

from itertools import pairwise

import pytest

from hardware.tools import boards, products, wiring
from hardware.tools.circuit import Circuit
from tests.hardware.conftest import need


def _circuits(name: str) -> list[Circuit]:
    if not name.startswith("bridge"):
        return [boards.matrix(name.split("-")[0])]
    hall, reed = boards.bridge("hall", "stack"), boards.bridge("reed", "holder")
    return [reed, hall] if "-reed" in name or "-holders" in name else [hall, reed]


def _net(circuits: list[Circuit], ref: str, label: str) -> str | None:
    """The net of a pin, named as a harness names it."""
    for circuit in circuits:
        for component in circuit.components:
            if component.ref == ref:
                if label in component.nets.values():
                    return label
                if label in ("column", "row"):
                    return component.nets["1" if label == "column" else "2"]
                return component.net(label)
    return None


HARNESSES = products.harnesses()


@pytest.mark.parametrize("name", HARNESSES)
def test_every_wire_joins_pins_of_one_net(name: str) -> None:
    circuits = _circuits(name)
    harness = HARNESSES[name]
    nets = {n: p for circuit in circuits for n, p in circuit.nets().items()}
    for left, cable, right in harness.connections:
        (ref, (label,)), (far_ref, (far_label,)) = *left.items(), *right.items()
        ((wire, (number,)),) = cable.items()
        assert 1 <= number <= harness.cables[wire]["wirecount"]
        assert label in harness.connectors[ref]["pinlabels"]
        assert far_label in harness.connectors[far_ref]["pinlabels"]
        here, there = _net(circuits, ref, label), _net(circuits, far_ref, far_label)
        if label == "row":  # the diode lies between: its anode at the contact, its cathode on the row
            diode = next(c for c, pin in nets[here or ""] if pin.name == "A")
            here = diode.net("K")
        if here is not None and there is not None:
            assert here == there, f"{ref} {label} to {far_ref} {far_label}"


@pytest.mark.parametrize("name", HARNESSES)
def test_every_wire_of_a_cable_is_used_once(name: str) -> None:
    harness = HARNESSES[name]
    used = sorted((wire, number) for _, cable, _ in harness.connections for wire, (number,) in cable.items())
    assert all(first != second for first, second in pairwise(used))
    assert len(used) == sum(cable["wirecount"] for cable in harness.cables.values())


def test_every_contact_and_lamp_of_every_board_is_in_a_harness() -> None:
    for board in ("starter", "matrix", "bridge"):
        drawn = {ref for name, h in HARNESSES.items() if name.startswith(board) for ref in h.connectors}
        for circuit in _circuits(board):
            for component in circuit.components:
                if component.place == "field" and component.ref[:2] in ("S_", "T_", "B_", "H_", "HS", "LC", "LE"):
                    assert component.ref in drawn


def test_a_row_has_the_same_colour_everywhere() -> None:
    for name, harness in HARNESSES.items():
        for _, cable, right in harness.connections:
            for wire, (number,) in cable.items():
                if wire == "W_ROW":
                    ((_, (label,)),) = right.items()
                    assert harness.cables[wire]["colors"][number - 1] == wiring.ROW_COLOURS[label[-1]], name


def test_a_harness_file_is_yaml_with_the_parts_wireviz_wants() -> None:
    need("text")
    import yaml

    data = yaml.safe_load(HARNESSES["matrix-column-D"].text())
    assert data.keys() == {"metadata", "connectors", "cables", "connections"}
    assert [ref for ref in data["connectors"] if ref.startswith("S_")] == [f"S_D{row}" for row in range(1, 8)]
