"""Games played again, the page's languages, and a game by keys or by touch alone: over the whole program."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.end_to_end.conftest import Open, Start
from tests.end_to_end.program import Program

CASES = Path(__file__).parents[1] / "cases"
TRACE = CASES / "not-adjacent-and-mended.trace.jsonl"
ONE_FILE = "Error: --page plays one file, and prints nothing: leave --json, --record and - out\n"


@pytest.mark.browser
def test_one_trace_is_played_again_on_a_page_of_its_own(sit_down: Open) -> None:
    program = Program("replay", "--page", "--no-browser", "--port", "0", str(TRACE))
    url = re.search(r"The replay is at (http\S+)", program.line())
    assert url is not None, program.complaints
    page = sit_down(url[1], ready="body[data-ready]").page
    page.locator("#next-wrong").click()
    expect(page.locator("#hints .wrong")).to_contain_text("which does not touch D1")
    expect(page.locator("#back")).to_be_hidden()
    page.close()
    assert program.end(signal.SIGTERM) == 0
    assert program.complaints == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["README.md"], "tamsk-pi: README.md: line 1: not JSON\n"),
        (["nowhere.jsonl"], "tamsk-pi: nowhere.jsonl: No such file or directory\n"),
        (["-"], "Error: --page plays one file, and prints nothing: leave --json, --record and - out\n"),
        (
            ["--json", str(TRACE)],
            "Error: --page plays one file, and prints nothing: leave --json, --record and - out\n",
        ),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(arguments: list[str], said: str) -> None:
    program = Program("replay", "--page", "--no-browser", "--port", "0", *arguments)
    assert program.status() == 2
    assert program.complaints.endswith(said)


@pytest.mark.browser
def test_the_game_that_is_going_on_is_looked_at_again(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "1").url())
    table.drag_glass("R1", "D4")
    expect(table.page.locator("#hints .wrong")).to_have_count(1)
    table.drag_glass("R1", "A4")
    expect(table.page.locator("#hints .wrong")).to_have_count(0)
    table.page.locator("#games-link").click()
    table.page.locator("#shelf-games a").click()
    table.page.locator("#next-wrong").click()
    expect(table.page.locator("#socket-D4 .standing [data-glass=R1]")).to_have_count(1)
    table.page.locator("#back").click()
    table.stands("R1", "A4")


@pytest.mark.browser
def test_two_viewers_are_told_one_ruling_in_two_languages(start: Start, sit_down: Open) -> None:
    url = start("--level", "1").url()
    english, german = sit_down(url), sit_down(url, locale="de-AT")
    english.drag_glass("R2", "D2")
    english.ruled("Red moves the middle red hourglass (R2) from D1 to D2.")
    german.ruled("Rot zieht die mittlere rote Sanduhr (R2) von D1 nach D2.")
    expect(german.page.locator("#turn")).to_have_text("Schwarz ist am Zug")
    german.page.locator("#settings-button").click()
    german.page.locator("#language").select_option("es")
    german.ruled("Rojo mueve el reloj de arena rojo del medio (R2) desde D1 hasta D2.")


@pytest.mark.browser
def test_level_3_by_keys_alone(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "3").url())
    table.page.locator("#socket-D4").focus()
    table.press("ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    table.in_hand("R2")
    table.press("ArrowUp", "Enter")
    table.stands("R2", "D2")
    expect(table.page.locator("#rulings .move")).to_have_count(1)
    table.press("r")
    expect(table.page.locator("#rulings .ring")).to_have_count(1)
    table.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown")
    expect(table.page.locator(":focus")).to_have_id("socket-G1")
    table.press("Enter")
    table.in_hand("B3")
    table.press("ArrowLeft", "Enter")
    table.stands("B3", "F1")
    expect(table.page.locator("#rulings .move")).to_have_count(2)
    table.press("t")
    table.ruled("Black turns the timer over: it runs against Red.")


@pytest.mark.browser
def test_level_3_by_touch_on_a_phone(start: Start, sit_down: Open) -> None:
    url = start("--level", "3").url()
    table = sit_down(url, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    table.page.touchscreen.tap(*table.spot("D1"))
    table.in_hand("R2")
    table.page.touchscreen.tap(*table.spot("D2"))
    table.stands("R2", "D2")
    expect(table.page.locator("#rulings .move")).to_have_count(1)
    table.page.locator("[data-act=ring-red]").tap()
    expect(table.page.locator("#rulings .ring")).to_have_count(1)
    wire = table.page.context.new_cdp_session(table.page)
    (x, y), (to_x, to_y) = table.carry("B3", "F2")
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": (x + to_x) / 2, "y": (y + to_y) / 2}]),
        ("touchMove", [{"x": to_x, "y": to_y}]),
        ("touchEnd", []),
    ):
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    table.stands("B3", "F2")
    expect(table.page.locator("#rulings .move")).to_have_count(2)
