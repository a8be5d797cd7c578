"""Pictures of the whole program at work, for the README: `TAMSK_PICTURES=1 pytest tests/end_to_end -k pictures`."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from PIL import Image
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


FRAME_MS = 90
QUALITY = 70


class Filming:
    """Pictures of the page, one after the other, each shown for a while."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._frames: list[Image.Image] = []
        self._shown_ms: list[int] = []

    def take(self, shown_ms: int = FRAME_MS) -> None:
        picture = Image.open(io.BytesIO(self._table.page.screenshot())).convert("RGB")
        self._frames.append(picture.resize((picture.width * 3 // 4, picture.height * 3 // 4), Image.Resampling.LANCZOS))
        self._shown_ms.append(shown_ms)

    def carry(self, glass: str, socket: str, steps: int = 9) -> None:
        """Drag a glass to a socket and look on."""
        mouse = self._table.page.mouse
        (x, y), (to_x, to_y) = self._table.carry(glass, socket)
        mouse.move(x, y)
        mouse.down()
        for step in range(1, steps + 1):
            lift = 26 * (1 - abs(2 * step / steps - 1))
            mouse.move(x + (to_x - x) * step / steps, y + (to_y - y) * step / steps - lift)
            self.take()
        mouse.up()

    def save(self, path: Path) -> None:
        first, *rest = self._frames
        first.save(path, save_all=True, append_images=rest, duration=self._shown_ms, loop=0, quality=QUALITY, method=6)


def test_a_moving_picture_of_a_violation_flagged_and_mended(start: Start, sit_down: Open) -> None:
    url = start("--level", "1", "--red", "Ada", "--black", "Lin").url()
    table = sit_down(url, viewport={"width": 960, "height": 600}, reduced_motion="reduce")
    filming = Filming(table)
    filming.take(900)
    filming.carry("R1", "D4")
    expect(table.page.locator("#hints .wrong")).to_have_count(1)
    expect(table.page.locator("#lamp-alarm.on")).to_have_count(1)
    filming.take(2600)
    filming.carry("R1", "A4")
    expect(table.page.locator("#hints .wrong")).to_have_count(0)
    filming.take(900)
    filming.carry("R1", "B4")
    expect(table.page.locator("#rulings .move")).to_have_count(1)
    filming.take(1800)
    filming.save(PICTURES / "mended.webp")
    assert (PICTURES / "mended.webp").stat().st_size < LARGEST_BYTES


def test_a_picture_of_a_game_played_again(start: Start, sit_down: Open, traces: Path) -> None:
    table = sit_down(start("--level", "3", "--red", "Ada", "--black", "Lin").url(), reduced_motion="reduce")
    play_on(table)
    table.drag_glass("R3", "D4")
    expect(table.page.locator("#hints .wrong")).to_have_count(1)
    table.drag_glass("R3", "F4")
    expect(table.page.locator("#hints .wrong")).to_have_count(0)
    page = table.page
    page.locator("#games-link").click()
    page.locator("#shelf-games a").click()
    page.locator("#next-wrong").click()
    expect(page.locator(".timeline")).to_be_visible()
    page.screenshot(path=PICTURES / "replay.png")
    assert (PICTURES / "replay.png").stat().st_size < LARGEST_BYTES
