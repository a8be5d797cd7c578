"""Games played again in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tamsk_pi.clock import MonotonicClock
from tamsk_pi.signals.language import LANGUAGES, Language
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.games import FolderGames
from tamsk_pi.web.server import PageServer, live_server
from tests.web.browser import chromium, serious_findings
from tests.web.scripted import ScriptedGame, plain_words

pytestmark = pytest.mark.browser

CASES = Path(__file__).parents[1] / "cases"
NAME = "not-adjacent-and-mended.trace.jsonl"
VIOLATION = "The middle red hourglass (R2) was placed on D3, which does not touch D1. Put it back on D1."
Open = Callable[..., Page]

DROP = """([text, name]) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def server(game: ScriptedGame, tmp_path: Path) -> Iterator[PageServer]:
    (tmp_path / NAME).write_bytes((CASES / NAME).read_bytes())
    settings = WebSettings(port=0)
    page_server = live_server(game, plain_words, settings, Pairing(MonotonicClock()), games=FolderGames(tmp_path))
    page_server.open()
    yield page_server
    page_server.close()


@pytest.fixture
def look(browser: Browser, server: PageServer) -> Iterator[Open]:
    """Open a path of the server, with the options of a Playwright context; nothing must be complained of."""
    pages: list[Page] = []
    complaints: list[str] = []

    def open_page(path: str, **options: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **options})
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        # A refusal with its reason is what some tests ask for, and no mishap.
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" and "422" not in m.text else None)
        pages.append(page)
        page.goto(server.url.rstrip("/") + path)
        return page

    yield open_page
    for page in pages:
        page.context.close()
    assert complaints == []


def stands(page: Page, glass: str, socket: str) -> None:
    expect(page.locator(f"#socket-{socket} .standing [data-glass={glass}]")).to_have_count(1)


def test_a_game_is_chosen_from_the_list_and_looked_through(look: Open) -> None:
    page = look("/")
    page.locator("#games-link").click()
    page.locator("#shelf-games a").click()
    stands(page, "R2", "D1")
    page.locator("#next-wrong").click()
    stands(page, "R2", "D3")
    expect(page.locator("#hints .wrong")).to_have_text(VIOLATION)
    expect(page.locator("#rulings [aria-current]")).to_contain_text(VIOLATION)
    expect(page.locator("#why-words")).to_have_text(VIOLATION)
    expect(page.locator(".timeline .lane")).to_have_text(["socket D1", "socket D3"])
    expect(page.locator(".timeline .settle.whole")).to_have_count(2)
    expect(page.locator("#why-parts [data-part=rules] small")).to_contain_text('rules.md, "Violations"')
    expect(page.locator("#lamp-alarm")).to_have_attribute("aria-label", "alarm: on")
    page.locator("#next").click()
    expect(page.locator("#rulings [aria-current]")).to_contain_text("is put right")
    stands(page, "R2", "D1")
    page.locator("#previous-wrong").click()
    stands(page, "R2", "D3")
    page.locator("#rulings button").first.click()
    stands(page, "R2", "D1")
    expect(page.locator("#hints .wrong")).to_have_count(0)
    page.locator("#back").click()
    expect(page.locator("#turn")).to_have_text("Red (Ada) to move")


def test_scrubbing_by_pointer_and_by_keys(look: Open) -> None:
    page = look(f"/replay#game={NAME}")
    stands(page, "R2", "D1")
    seek = page.locator("#seek")
    box = seek.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 4, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2, steps=5)
    stands(page, "R2", "D3")
    page.mouse.move(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    stands(page, "R2", "D2")
    page.keyboard.press("Home")
    stands(page, "R2", "D1")
    expect(seek).to_have_attribute("aria-valuetext", "0:00 of 0:09")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    expect(seek).to_have_attribute("aria-valuetext", "0:02 of 0:09")
    stands(page, "R2", "D3")


def test_a_game_runs_at_the_speed_that_is_chosen_and_ends(look: Open) -> None:
    page = look(f"/replay#game={NAME}&t=6000")
    page.locator("#speed").select_option("16")
    page.locator("#play").click()
    stands(page, "R2", "D2")
    expect(page.locator("#play")).to_have_text("Play")
    expect(page.locator("#at")).to_have_text("0:09 of 0:09")


def test_a_link_leads_to_its_moment(look: Open) -> None:
    page = look(f"/replay#game={NAME}&t=3000")
    stands(page, "R2", "D3")
    expect(page.locator("#at")).to_have_text("0:03 of 0:09")
    page.locator("#next").click()
    expect(page).to_have_url(re.compile(rf"#game={NAME}&t=\d+$"))
    page.reload()
    stands(page, "R2", "D1")
    expect(page.locator("#rulings .to-come")).to_have_count(1)


def test_trace_and_record_are_saved(look: Open, tmp_path: Path) -> None:
    page = look(f"/replay#game={NAME}")
    for link, begins in (("#save-trace", '{"format": "tamsk-trace"'), ("#save-record", '[Level "1"]')):
        with page.expect_download() as download:
            page.locator(link).click()
        saved = tmp_path / "saved"
        download.value.save_as(saved)
        assert saved.read_text().startswith(begins)


def test_a_trace_dropped_on_the_board_is_played_again(look: Open) -> None:
    page = look("/")
    page.wait_for_selector("body[data-version]")
    page.evaluate(DROP, [(CASES / "wrong-glass.trace.jsonl").read_text(), "mine.trace.jsonl"])
    expect(page).to_have_url(re.compile("/replay"))
    page.locator("#next-wrong").click()
    expect(page.locator("#rulings [aria-current]")).to_contain_text("is to move")
    expect(page.locator("#link")).to_be_hidden()
    with page.expect_download() as download:
        page.locator("#save-trace").click()
    assert download.value.suggested_filename == "mine.trace.jsonl"


def test_what_is_no_trace_is_told_and_the_list_comes_back(look: Open) -> None:
    page = look("/replay", locale="de-DE")
    page.wait_for_selector("body[data-ready]")
    page.evaluate(DROP, ["not a trace", "x.txt"])
    expect(page.locator("#trouble")).to_have_text("Das lässt sich nicht wiedergeben: Zeile 1: not JSON")
    expect(page.locator("#shelf-games a")).to_be_visible()


def test_the_language_changes_in_the_middle_of_a_replay(look: Open) -> None:
    page = look(f"/replay#game={NAME}&t=3000")
    expect(page.locator("#hints .wrong")).to_have_text(VIOLATION)
    page.locator("#language").select_option("de")
    expect(page.locator("#hints .wrong")).to_have_text(re.compile(r"die mittlere rote Sanduhr \(R2\)", re.IGNORECASE))
    expect(page.locator("#rulings .violation .words")).to_have_text(re.compile(r"mittlere rote Sanduhr"))
    expect(page.locator("#at")).to_have_text("0:03 von 0:09")
    expect(page.locator("#play")).to_have_text("Abspielen")
    expect(page).to_have_title("Wiedergabe · TAMSK-Brett")
    stands(page, "R2", "D3")


def test_a_replay_by_touch_on_a_phone(look: Open) -> None:
    page = look(f"/replay#game={NAME}", viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.locator("#next-wrong").tap()
    stands(page, "R2", "D3")
    bar, board = page.locator("#bar").bounding_box(), page.locator("#board").bounding_box()
    assert bar is not None
    assert board is not None
    assert board["y"] + board["height"] <= bar["y"] + 1


@pytest.mark.parametrize(("width", "height"), [(360, 740), (800, 480), (1920, 1080)])
def test_nothing_of_a_replay_is_cut_off(look: Open, width: int, height: int) -> None:
    page = look(f"/replay#game={NAME}&t=3000", viewport={"width": width, "height": height})
    stands(page, "R2", "D3")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    board = page.locator("#board").bounding_box()
    assert board is not None
    assert board["width"] >= min(width, height) * 0.6


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_choice_of_language_is_not_cut_off_on_a_phone(look: Open, language: Language) -> None:
    page = look("/replay", viewport={"width": 360, "height": 740}, locale=language)
    expect(page.locator("#back")).to_be_visible()
    choice = page.locator("#language")
    given = choice.evaluate("select => select.clientWidth")
    choice.evaluate("select => select.style.width = select.parentNode.style.minWidth = 'max-content'")
    assert given >= choice.evaluate("select => select.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_accessibility(look: Open, scheme: str, width: int) -> None:
    page = look("/replay", color_scheme=scheme, viewport={"width": width, "height": 900}, reduced_motion="reduce")
    expect(page.locator("#shelf-games a")).to_be_visible()
    assert serious_findings(page) == []
    page.locator("#shelf-games a").click()
    page.locator("#next-wrong").click()
    expect(page.locator(".timeline")).to_be_visible()
    assert serious_findings(page) == []
