"""The page in a real browser: what is aimed at, asked before, marked; how it fits, and who has which seat."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tamsk_pi.clock import MonotonicClock
from tamsk_pi.referee.blind import Differences
from tamsk_pi.referee.snapshot import RightView, ViolationView
from tamsk_pi.rules.board import NEIGHBOURS
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.games import FolderGames
from tamsk_pi.web.server import PageServer, live_server
from tests.web.browser import Table, chromium, serious_findings
from tests.web.scripted import ScriptedGame, plain_words

pytestmark = pytest.mark.browser

Open = Callable[..., Table]

FLOORS = """() => Object.fromEntries([...document.querySelectorAll(".socket")].map((socket) => {
    const box = socket.querySelector(".floor").getBoundingClientRect();
    let own = 0, all = 0;
    for (let i = 0; i < 15; i++) for (let j = 0; j < 15; j++) {
        const u = (i + 0.5) / 7.5 - 1, v = (j + 0.5) / 7.5 - 1;
        if (u * u + v * v > 0.97) continue;
        const at = document.elementFromPoint(box.x + box.width * (u + 1) / 2, box.y + box.height * (v + 1) / 2);
        all += 1;
        own += at?.closest(".socket") === socket ? 1 : 0;
    }
    return [socket.dataset.socket, own / all];
}))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def server(game: ScriptedGame, tmp_path: Path) -> Iterator[PageServer]:
    games = FolderGames(tmp_path)
    page_server = live_server(game, plain_words, WebSettings(port=0), Pairing(MonotonicClock()), games=games)
    page_server.open()
    yield page_server
    page_server.close()


@pytest.fixture
def sit_down(browser: Browser, server: PageServer) -> Iterator[Open]:
    tables: list[Table] = []

    def open_page(fragment: str = "", **options: Any) -> Table:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **options})
        table = Table(context.new_page(), server.url + fragment)
        tables.append(table)
        return table

    yield open_page
    for table in tables:
        table.page.context.close()
    assert [error for table in tables for error in table.errors] == []


# ---- what is aimed at ----


def test_with_a_glass_in_hand_every_floor_answers_for_its_own_socket(sit_down: Open, game: ScriptedGame) -> None:
    game.change(rings={"D2": ("red",), "D4": ("red", "black", "red", "red"), "C3": ("black", "red")})
    table = sit_down(reduced_motion="reduce")
    table.click("D1")
    table.in_hand("R2")
    for over in ("D2", "C2", "E4"):
        table.page.mouse.move(*table.spot(over))
        answered = table.page.evaluate(FLOORS)
        assert len(answered) == 37
        assert {socket: part for socket, part in answered.items() if part < 1} == {}


def test_the_upper_end_of_a_legal_tube_is_that_socket(sit_down: Open) -> None:
    table = sit_down(reduced_motion="reduce")
    table.click("D1")
    table.in_hand("R2")
    for socket in NEIGHBOURS["D1"]:
        table.page.mouse.move(*table.middle(f"#socket-{socket} .tube-top"))
        expect(table.page.locator("[data-act=place]")).to_have_text(f"Place R2 → {socket}")
    table.page.mouse.click(*table.middle("#socket-D2 .tube-top"))
    table.stands("R2", "D2")
    table.ruled("move red R2 D1 D2")


def test_a_finger_can_still_drag_a_glass_in_hand_by_its_body(sit_down: Open) -> None:
    table = sit_down(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, reduced_motion="reduce")
    table.page.touchscreen.tap(*table.spot("D1"))
    table.in_hand("R2")
    (x, y), end = table.carry("R2", "E1")
    wire = table.page.context.new_cdp_session(table.page)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x + 12, "y": y - 12}]),
        ("touchMove", [{"x": end[0], "y": end[1]}]),
        ("touchEnd", []),
    ):
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    table.stands("R2", "E1")


# ---- what ends a game is asked for ----


def test_a_full_socket_is_marked_and_asked_for(sit_down: Open, game: ScriptedGame) -> None:
    game.change(rings={"C1": ("red",), "A1": ("black",)})
    table = sit_down()
    expect(table.page.locator(".is-full")).to_have_count(0)
    table.click("D1")
    table.in_hand("R2")
    table.name_of("A1").to_have_attribute("aria-label", re.compile("full: a glass set here loses the game"))
    game.change(rings={"C2": ("red", "red")})
    expect(table.page.locator("#socket-C2.is-full")).to_have_count(1)
    table.click("C2")
    expect(table.page.locator("#sure-text")).to_have_text(
        "C2 is full: a glass that is set there loses the game at once."
    )
    assert serious_findings(table.page) == []
    table.page.locator("#sure-dialog [value=no]").click()
    table.in_hand("R2")
    table.click("C2")
    table.page.locator("#sure-yes").click()
    table.stands("R2", "C2")


def test_a_draw_is_asked_for(sit_down: Open, game: ScriptedGame) -> None:
    table = sit_down()
    table.page.locator("#agree-draw").click()
    table.press("Escape")
    expect(table.page.locator("#sure-dialog")).to_be_hidden()
    table.page.locator("#turn-timer").click()
    table.ruled("timer_started black")
    assert game.presses == []


def test_at_the_end_one_may_play_again_swap_or_watch(sit_down: Open, game: ScriptedGame) -> None:
    table = sit_down()
    game.change(result="agreed", kept="one.trace.jsonl")
    expect(table.page.locator("#turn")).to_have_text("A draw by agreement")
    expect(table.page.locator("[data-does='end.watch']")).to_have_attribute("href", "/replay#game=one.trace.jsonl")
    table.page.locator("[data-does='end.swap']").click()
    expect(table.page.locator("#name-red")).to_have_text("Lin")
    expect(table.page.locator("[data-ask=next]")).to_have_count(0)
    game.change(result="agreed")
    table.page.locator("[data-does='end.again']").click()
    expect(table.page.locator("#name-red")).to_have_text("Lin")
    expect(table.page.locator("#turn")).to_have_text("Red (Lin) to move")


# ---- rings ----


def test_r_drops_the_ring_that_the_situation_asks_for(sit_down: Open, game: ScriptedGame) -> None:
    table = sit_down()
    game.change(rights=(RightView("claim", "black", "E3", None),))
    table.page.locator("#socket-E3").focus()
    expect(table.page.locator(".ring-act").first).to_have_text("Black ring")
    table.press("r")
    expect(table.page.locator("#rings-black")).to_have_text("31 rings left")
    expect(table.page.locator("#rings-red")).to_have_text("32 rings left")


def test_the_button_that_makes_a_ring_count_is_pointed_out(sit_down: Open, game: ScriptedGame) -> None:
    table = sit_down()
    expect(table.page.locator(".press.due")).to_have_count(0)
    game.change(ring_mode="buttons", rights=(RightView("move", "red", "D2", None),))
    expect(table.page.locator(".press.due")).to_have_attribute("data-press", "red")
    expect(table.page.locator("#does-red")).to_contain_text("Short: drops the ring on D2.")
    expect(table.page.locator("#hints .right")).to_contain_text("then presses its button")


# ---- levels, help ----


def test_level_1_shows_no_timer_no_sand_and_nothing_to_turn(sit_down: Open) -> None:
    table = sit_down()
    expect(table.page.locator("[data-ask=level] button")).to_have_count(3)
    table.page.locator("[data-does='new.level.1']").click()
    expect(table.page.locator("#game-kind")).to_have_text("Level 1 · current rules")
    for hidden in (
        "#timer",
        "[data-glass=N]",
        "#turn-timer",
        "#timer-name",
        "[data-row=R1] .bar",
        "[data-row=R1] .left",
    ):
        expect(table.page.locator(hidden)).to_be_hidden()
    table.click("D1")
    table.in_hand("R2")
    expect(table.page.locator("[data-act=turn]")).to_have_count(0)
    table.press("t")
    table.click("D2")
    table.ruled("move red R2 D1 D2")
    expect(table.page.locator("[data-ask=level]")).to_have_count(0)


def test_hands_that_help_do_only_what_is_legal(sit_down: Open) -> None:
    table = sit_down()
    table.page.locator("#settings-button").click()
    table.page.locator("#helps").select_option("yes")
    table.page.locator("#settings-dialog button.main").click()
    table.click("G1")
    expect(table.page.locator("#toast")).to_contain_text("That is not legal now")
    table.click("D1")
    table.in_hand("R2")
    table.click("D4")
    table.in_hand("R2")
    table.click("D2")
    table.ruled("move red R2 D1 D2")


def test_lamps_and_buttons_say_what_they_mean(sit_down: Open) -> None:
    table = sit_down()
    table.page.locator("#lamps-help").click()
    expect(table.page.locator("#lamps-list li")).to_have_count(6)
    expect(table.page.locator("#presses-list li").last).to_contain_text("Short: pause.")
    assert serious_findings(table.page) == []


# ---- seats ----


def test_a_link_gives_a_seat(sit_down: Open) -> None:
    black = sit_down("#seat=black")
    expect(black.page.locator("#hands-words")).to_have_text("This page plays black.")
    assert black.page.evaluate("location.hash") == ""
    red = sit_down("#seat=red")
    expect(red.page.locator("#hands-words")).to_have_text("This page plays red.")
    red.click("G1")
    expect(red.page.locator("#toast")).to_have_text("this page plays red only")
    red.drag_glass("R2", "D2")
    black.stands("R2", "D2")
    red.page.locator("#players-button").click()
    expect(red.page.locator("#seat option").nth(2)).to_have_text("plays black (now: Another page)")
    expect(red.page.locator("#links-none")).to_be_visible()
    assert serious_findings(red.page) == []
    red.page.locator("#seat").select_option("none")
    expect(red.page.locator("#hands-words")).to_have_text("Nobody has the hands yet; whoever acts first gets them.")


def test_names_are_set_in_mid_game(sit_down: Open) -> None:
    table = sit_down()
    table.drag_glass("R2", "D2")
    table.stands("R2", "D2")
    table.page.locator("#players-button").click()
    table.page.locator("#names-form [name=black]").fill("Linus")
    table.page.locator("#names-form button").click()
    expect(table.page.locator("#turn")).to_have_text("Black (Linus) to move")


# ---- how it fits ----

SIDEWAYS = """() => [...document.querySelectorAll("body *")].filter((one) => one.clientWidth > 1
    && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible"
    && !one.closest("svg, dialog, .unseen")).map((one) => one.id || one.className)"""

SIZES = [(360, 640), (390, 844), (740, 360), (844, 390), (932, 430), (768, 1024), (1024, 600), (1280, 800), (1440, 900)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_board_comes_first_and_hints_never_move_it(
    sit_down: Open, game: ScriptedGame, width: int, height: int
) -> None:
    page = sit_down(viewport={"width": width, "height": height}, reduced_motion="reduce", locale="de").page
    board = page.locator("#board").bounding_box()
    assert board is not None
    assert min(board["width"], board["height"] * 628 / 778) >= 0.78 * min(
        width, (height - (0 if height < 561 else 190)) * 628 / 778
    )
    assert board["y"] + board["height"] <= height + 1
    twice = Differences(opened=("A1", "A4", "D1", "D7", "G1", "G4"), closed=("B2", "C3", "E5", "F2"))
    cards = [page.locator(f"#card-{side}").bounding_box() for side in ("red", "middle", "black")]
    wrong = tuple(ViolationView("ring_not_due", None, None, None, socket, 0) for socket in ("C3", "D5"))
    game.change(violations=wrong, differences=twice)
    expect(page.locator("#hints li")).to_have_count(12)
    assert page.locator("#board").bounding_box() == board
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(SIDEWAYS) == []
    if width >= 1180:
        assert [page.locator(f"#card-{side}").bounding_box() for side in ("red", "middle", "black")] == cards
        assert all(card is not None and card["y"] + card["height"] <= height for card in cards)
        expect(page.locator("#notes.more")).to_have_count(1)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844), (844, 390)])
def test_the_bar_keeps_its_height_with_a_glass_in_hand(sit_down: Open, width: int, height: int) -> None:
    table = sit_down(viewport={"width": width, "height": height}, has_touch=True, locale="de")
    before = table.page.locator("#bar").bounding_box()
    table.page.touchscreen.tap(*table.spot("D1"))
    table.in_hand("R2")
    expect(table.page.locator("#bar-acts button")).to_have_count(7)
    assert table.page.locator("#bar").bounding_box() == before
    assert table.page.evaluate(SIDEWAYS) == []
