"""Every component of every build is on the parts list, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.tools import boards, parts
from hardware.tools.circuit import Circuit


def test_every_component_has_exactly_one_entry(circuits: dict[str, Circuit]) -> None:
    listed = parts.load_parts().parts
    for name, circuit in circuits.items():
        assert sum(parts.quantities(listed, name, circuit).values()) > 0


def test_quantities_are_counted_from_the_circuit() -> None:
    listed = parts.load_parts().parts
    found = parts.quantities(listed, "matrix", boards.matrix("matrix"))
    reed = next(part for part in listed if part.kind == "reed switch")
    diode = next(part for part in listed if part.value == "BAT85")
    assert found[reed.name] == 37 + reed.spare
    assert found[diode.name] == 37 + 7 + 3 + 8 + diode.spare


def test_a_component_without_an_entry_is_told() -> None:
    listed = [part for part in parts.load_parts().parts if part.kind != "NPN transistor"]
    with pytest.raises(parts.PartsError, match=r"Q1 .*NPN transistor BC337.* is in: none"):
        parts.quantities(listed, "matrix", boards.matrix("matrix"))


def test_a_misspelt_key_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "parts.toml"
    path.write_text('priced = 2026-11-30\n[[part]]\nname = "x"\nprice_eur = 1.0\norder = "y"\nspares = 1\n')
    with pytest.raises(parts.PartsError, match="spares"):
        parts.load_parts(path)
