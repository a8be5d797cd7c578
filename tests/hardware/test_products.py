"""What is generated is current: making it anew gives what lies in the repository."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import attrs
import pytest
from click.testing import CliRunner

from firmware_bridge.pins import HEADER, read_pins, render_header
from hardware.tools import __main__ as command
from hardware.tools import products
from hardware.tools.paths import HARDWARE
from tests.hardware.conftest import need


@pytest.mark.hardware
@pytest.mark.parametrize("family", [name for name in get_args(products.Family) if name != "board"])
def test_generated_files_are_current(family: products.Family, scratch: Path) -> None:
    # Printed boards are drawn again in test_printed_boards, some of them: routing all takes minutes.
    need(family)
    found = [product for product in products.products(scratch) if product.family == family]
    assert len(found) > 2
    stale = [product.path for product in found if not product.is_current(product.make())]
    assert stale == [], "run make hardware"


def test_nothing_generated_is_left_over() -> None:
    need("text")
    assert products.strays() == []


def test_the_firmwares_pin_header_is_current() -> None:
    pins = read_pins(HARDWARE / "boards" / "bridge.toml")
    assert HEADER.read_text(encoding="utf-8") == render_header(pins)


def test_a_changed_file_is_stale(scratch: Path) -> None:
    need("text")
    product = next(p for p in products.products(scratch) if p.path == "tables/parts.md")
    made = product.make()
    assert product.is_current(made)
    assert not product.is_current(made.replace(b"BAT85", b"BAT86"))
    assert not attrs.evolve(product, path="tables/nowhere.md").is_current(made)


def test_a_picture_with_another_motif_is_stale() -> None:
    need("picture")
    pictures = HARDWARE / "mechanics" / "pictures"
    product = products.Product("mechanics/pictures/tubes.png", "picture", bytes)
    assert product.is_current((pictures / "tubes.png").read_bytes())
    assert not product.is_current((pictures / "panel.png").read_bytes())


def test_the_command_tells_that_all_is_current_and_refuses_an_unknown_kind() -> None:
    need("text")
    done = CliRunner().invoke(command.main, ["--check", "--only", "text"])
    assert (done.exit_code, done.output) == (0, "")
    refused = CliRunner().invoke(command.main, ["--only", "drawings"])
    assert refused.exit_code == 2
    assert re.search("'text'.*'wiring'.*'netlist'.*'picture'", refused.output)
