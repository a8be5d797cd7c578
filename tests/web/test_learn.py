"""The first lesson, the rules and the opponent on the page of the simulator, in a real browser."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.programs import Program
from tests.web.browser import Table, chromium, serious_findings

pytestmark = pytest.mark.browser

SOON_MS = 60_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """The page of a simulator of its own."""
    command = [sys.executable, "-m", "tamsk_pi", "simulate", "--no-browser", "--port", "0", "--out", str(tmp_path)]
    with Program(command, stdout=subprocess.PIPE, text=True) as simulator:
        assert simulator.stdout is not None
        found = re.search(r"http://\S+", simulator.stdout.readline())
        assert found is not None
        yield found[0]
        simulator.terminate()


@pytest.fixture
def table(browser: Browser, url: str) -> Iterator[Table]:
    page = browser.new_page(viewport={"width": 1280, "height": 900}, locale="en")
    table = Table(page, url)
    yield table
    assert not table.errors
    page.close()


def begin(page: Page, task: int) -> None:
    """Begin the lesson by keyboard, and go on to a task."""
    page.locator("#learn-button").focus()
    page.keyboard.press("Enter")
    for number in range(1, task + 1):
        expect(page.locator("#lesson-title")).to_contain_text(f"Lesson {number} of 10")
        # Whoever listens to the page is told what is to be done: the title gets the focus once the task has begun.
        expect(page.locator("#lesson-title")).to_be_focused()
        if number < task:
            page.locator("#lesson-next").focus()
            page.keyboard.press("Enter")


def move(table: Table, glass: str, start: str, end: str) -> None:
    """Lift and place by keyboard."""
    table.stands(glass, start)
    table.page.locator(f"#socket-{start}").focus()
    table.press("Enter")
    table.in_hand(glass)
    table.page.locator(f"#socket-{end}").focus()
    table.press("Enter")


def done(page: Page) -> None:
    expect(page.locator("#lesson")).to_have_attribute("data-done", "true", timeout=SOON_MS)
    expect(page.locator("#lesson-state")).to_contain_text("Done.")


def test_the_first_tasks_are_done_by_keyboard(table: Table) -> None:
    page = table.page
    begin(page, 1)
    move(table, "R1", "A4", "B4")
    done(page)
    page.locator("#lesson-next").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#lesson-title")).to_contain_text("Lesson 2 of 10")
    expect(page.locator("#lesson-title")).to_be_focused()
    move(table, "R1", "A4", "B4")
    table.stands("R1", "B4")
    page.locator("#socket-B4").focus()
    table.press("r")
    done(page)


def test_a_full_socket_loses_in_the_third_task(table: Table) -> None:
    page = table.page
    begin(page, 3)
    move(table, "R1", "A4", "A3")
    # The page asks first, as it does whenever a game would be lost.
    page.locator("dialog[open] button:not([data-close])").last.click()
    done(page)


def test_black_gets_stuck_in_the_fourth_task(table: Table) -> None:
    begin(table.page, 4)
    move(table, "R1", "A3", "A2")
    done(table.page)


def test_an_hourglass_stops_in_the_sixth_task(table: Table) -> None:
    begin(table.page, 6)
    move(table, "R1", "A4", "B4")
    done(table.page)


def test_the_lesson_is_said_and_shown_to_everybody(browser: Browser, url: str) -> None:
    for locale, word in (("en", "Lesson"), ("de", "Lektion"), ("es", "Lección")):
        page = browser.new_page(viewport={"width": 1280, "height": 900}, locale=locale)
        table = Table(page, url)
        page.locator("#learn-button").click()
        expect(page.locator("#lesson-title")).to_contain_text(word)
        assert not serious_findings(page)
        page.locator("#lesson-end").click()
        expect(page.locator("#lesson")).to_be_hidden()
        page.goto(f"{url.rstrip('/')}/rules")
        page.wait_for_selector("body[data-version]")
        expect(page.locator("h1")).not_to_be_empty()
        assert page.locator("main p").count() >= 12
        assert not serious_findings(page)
        assert not table.errors
        page.close()


def test_the_coach_answers_and_the_opponent_moves(table: Table) -> None:
    page = table.page
    page.locator("#hint-button").click()
    expect(page.locator("#advice")).to_contain_text("Hint: move", timeout=SOON_MS)
    page.locator("#hint-button").click()
    expect(page.locator("#advice")).to_contain_text("from", timeout=SOON_MS)
    page.locator("#new-button").click()
    page.select_option("#new-form [name=opponent]", "red")
    page.fill("#new-form [name=strength]", "3")
    page.locator("#new-form [type=submit]").click()
    expect(page.locator("#rulings .words", has_text="Red moves")).to_have_count(1, timeout=SOON_MS)
    expect(page.locator("#rulings .words", has_text="Red drops a ring")).to_have_count(1, timeout=SOON_MS)
