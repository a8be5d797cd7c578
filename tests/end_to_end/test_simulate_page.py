"""`tamsk-pi simulate` in a real browser: page, referee, matrix driver and virtual board together."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import Table, chromium

pytestmark = pytest.mark.browser

SETTLED_MS = 8_000
"""More than hands, bounce, settling and the flip grace take together: a bound, not a wait."""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, started as a user would, and where its page is."""
    command = [
        sys.executable,
        "-m",
        "tamsk_pi",
        "simulate",
        "--no-browser",
        "--port",
        "0",
        "--level",
        "2",
        "--language",
        "en",
    ]
    child = subprocess.Popen([*command, "--out", str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    found = re.search(r"http://\S+/", child.stdout.readline())
    assert found is not None
    yield child, found[0]
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=10)


def says(page: Page, text: str) -> None:
    """Wait until the record holds a ruling in these words."""
    expect(page.locator("#record").get_by_text(re.compile(text)).first).to_be_visible(timeout=SETTLED_MS)


def test_a_move_a_violation_and_its_mending(served: tuple[subprocess.Popen[str], str], tmp_path: Path) -> None:
    child, url = served
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        table = Table(page, url)
        table.drag_glass("R2", "D2")
        says(page, r"Red moves the middle red hourglass \(R2\) from D1 to D2")
        table.drag_ring("red", "D2")
        says(page, r"Red drops a ring on D2\. 1 ring lies there now")
        table.drag_glass("B3", "G3")
        says(page, r"The right black hourglass \(B3\) was placed on G3, which does not touch G1")
        if os.environ.get("TAMSK_PICTURES"):
            page.screenshot(path="docs/pictures/violation.png")
        table.drag_glass("B3", "F1")
        says(page, r"Black moves the right black hourglass \(B3\) from G1 to F1")
        again = Table(browser.new_page(), url)
        again.stands("B3", "F1")
        again.stands("R2", "D2")
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=10)
    assert child.returncode == 0
    (trace,) = tmp_path.glob("*.trace.jsonl")
    assert '"socket": "D2"' in trace.read_text()
