"""A real browser for the page's tests: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

CHROMIUM: Final = Path("/usr/bin/chromium")
ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=user-gesture-required",
)
WAIT_MS: Final = 10_000


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium, or a skip that says what is missing (a failure where the environment has `CI` set)."""
    if not CHROMIUM.exists():
        reason = f"{CHROMIUM} is not there; apt-get install chromium"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    expect.set_options(timeout=WAIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


def serious_findings(page: Page) -> list[str]:
    """What axe-core finds on a page that keeps somebody from using it."""
    found = Axe().run(page).response["violations"]
    return [
        f"{finding['id']}: {finding['help']} ({[node['html'][:120] for node in finding['nodes'][:3]]})"
        for finding in found
        if finding["impact"] in ("serious", "critical")
    ]


class Table:
    """The page as a player meets it."""

    READY: Final = "body[data-version]"
    """What is there once a page shows a game."""

    def __init__(self, page: Page, url: str, ready: str = READY) -> None:
        self.page = page
        self.errors: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(url)
        page.wait_for_selector(ready)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def middle(self, selector: str) -> tuple[float, float]:
        """Where on the page the middle of something is."""
        box = self.page.locator(selector).bounding_box()
        assert box is not None, selector
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def spot(self, socket: str) -> tuple[float, float]:
        return self.middle(f"#socket-{socket} .base")

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        mouse.move(*end, steps=4)
        mouse.up()

    def drag_glass(self, glass: str, socket: str) -> None:
        self.drag(*self.carry(glass, socket))

    def carry(self, glass: str, socket: str) -> tuple[tuple[float, float], tuple[float, float]]:
        """From where to where a hand moves that takes a glass by its cap and sets its foot on a tube."""
        start, foot = self.middle(f"[data-glass={glass}] .cap"), self.middle(f"[data-glass={glass}] .foot")
        top = self.middle(f"#socket-{socket} .tube-top")
        return start, (start[0] + top[0] - foot[0], start[1] + top[1] - foot[1])

    def drag_ring(self, side: str, socket: str) -> None:
        self.drag(self.middle(f"#holder-{side} .hit"), self.spot(socket))

    def click(self, socket: str) -> None:
        self.page.mouse.click(*self.spot(socket))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def stands(self, glass: str, socket: str) -> None:
        """Wait until a glass is seen to stand in a socket."""
        expect(self.page.locator(f"#socket-{socket} .standing [data-glass={glass}]")).to_have_count(1)

    def in_hand(self, glass: str) -> None:
        expect(self.page.locator(f".flight [data-glass={glass}].in-hand")).to_have_count(1)

    def ruled(self, *texts: str) -> None:
        """Wait until the last rulings are these."""
        rows = self.page.locator("#rulings .words")
        for number, text in enumerate(reversed(texts), start=1):
            expect(rows.nth(-number)).to_have_text(text)

    def name_of(self, socket: str) -> Any:
        return expect(self.page.locator(f"#socket-{socket}"))
