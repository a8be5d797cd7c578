"""Pictures of the whole program at work, for the README: `TAMSK_PICTURES=1 pytest tests/end_to_end -k pictures`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.end_to_end.conftest import Open, Start
from tests.web.browser import Table

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not os.environ.get("TAMSK_PICTURES"), reason="set TAMSK_PICTURES to write docs/pictures"),
]

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
MOVES = (
    ("R2", "D2"),
    ("B3", "F2"),
    ("R1", "B4"),
    ("B1", "B2"),
    ("R3", "F4"),
    ("B2", "D6"),
    ("R2", "D3"),
    ("B3", "E3"),
    ("R1", "C4"),
    ("B1", "C2"),
)
"""The second move of a glass leaves it as much sand as has run by then: not much, so no glass moves a third time."""

LARGEST_BYTES = 400_000


def play_on(table: Table) -> None:
    """Ten moves by keys, each with its ring."""
    for number, (glass, socket) in enumerate(MOVES, start=1):
        table.page.locator(f"[data-socket]:has([data-glass={glass}])").focus()
        table.press("Enter")
        table.in_hand(glass)
        table.page.locator(f"#socket-{socket}").focus()
        table.press("Enter")
        expect(table.page.locator("#rulings .move")).to_have_count(number)
        table.press("r")
        expect(table.page.locator("#rulings .ring")).to_have_count(number)


def test_pictures_of_a_game_and_of_a_violation(start: Start, sit_down: Open) -> None:
    url = start("--level", "3", "--red", "Ada", "--black", "Lin").url()
    table = sit_down(url, viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    play_on(table)
    table.click("F4")
    table.in_hand("R3")
    table.page.mouse.move(*table.spot("E4"))
    table.page.screenshot(path=PICTURES / "board.png")
    table.press("Escape")
    table.stands("R3", "F4")
    table.drag_glass("R3", "D4")
    expect(table.page.locator("#hints .wrong")).to_have_count(1)
    expect(table.page.locator("#socket-F4.lit-green")).to_have_count(1)
    table.page.screenshot(path=PICTURES / "violation.png")
    for name in ("board.png", "violation.png"):
        assert (PICTURES / name).stat().st_size < LARGEST_BYTES
