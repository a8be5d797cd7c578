"""The page in a real browser: played with mouse, touch and keys, and looked at."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tamsk_pi.clock import MonotonicClock, VirtualClock
from tamsk_pi.referee.blind import Differences
from tamsk_pi.rules.board import SOCKETS
from tamsk_pi.signals.language import LANGUAGES, Language
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.games import FolderGames
from tamsk_pi.web.server import PageServer, live_server
from tamsk_pi.web.source import OrderedFault
from tests.web.browser import Table, chromium, serious_findings
from tests.web.scripted import ALARM, ScriptedGame, plain_words

pytestmark = pytest.mark.browser

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
Open = Callable[..., Table]


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
    """Open a page, with the options of a Playwright context; in the end, nothing must have been complained of."""
    tables: list[Table] = []

    def open_page(**options: Any) -> Table:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **options})
        table = Table(context.new_page(), server.url)
        tables.append(table)
        return table

    yield open_page
    for table in tables:
        table.page.context.close()
    assert [error for table in tables for error in table.errors] == []


# ---- playing ----


def test_played_by_mouse(sit_down: Open) -> None:
    table = sit_down()
    table.drag_glass("R2", "D2")
    table.stands("R2", "D2")
    table.ruled("move red R2 D1 D2")
    table.drag_ring("red", "D2")
    table.ruled("ring red D2 1 move")
    table.name_of("D2").to_have_attribute("aria-label", re.compile("D2, red hourglass R2, rings from below: Red"))
    table.drag_glass("B3", "F1")
    table.stands("B3", "F1")
    expect(table.page.locator("#rings-red")).to_have_text("31 rings left")
    expect(table.page.locator("#turn")).to_have_text("Red (Ada) to move")


def test_a_key_after_a_drag_is_for_where_the_glass_was_set_down(sit_down: Open) -> None:
    table = sit_down()
    table.drag_glass("R2", "D2")
    table.ruled("move red R2 D1 D2")
    table.press("r")
    table.ruled("move red R2 D1 D2", "ring red D2 1 move")


def test_played_by_clicks(sit_down: Open) -> None:
    table = sit_down()
    table.click("D1")
    table.in_hand("R2")
    expect(table.page.locator(".is-target")).to_have_count(3)
    table.click("D2")
    table.stands("R2", "D2")
    table.click("D2")
    table.in_hand("R2")
    table.press("Escape")
    table.stands("R2", "D2")
    table.ruled("move red R2 D1 D2")


def test_played_by_keys_alone(sit_down: Open) -> None:
    table = sit_down()
    table.page.locator("#settings-button").focus()
    table.press("Tab")
    focused = table.page.locator(":focus")
    for _ in range(20):
        if focused.get_attribute("data-socket"):
            break
        table.press("Tab")
    expect(focused).to_have_id("socket-D4")
    table.press("ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    table.in_hand("R2")
    table.press("ArrowUp", "Enter")
    table.stands("R2", "D2")
    table.press("r")
    table.ruled("move red R2 D1 D2", "ring red D2 1 move")
    table.press("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown")
    expect(focused).to_have_id("socket-G1")
    table.press("Enter")
    table.in_hand("B3")
    table.press("ArrowLeft", "f", "Enter")
    table.stands("B3", "F1")
    table.ruled("violation not_flipped black B3 F1")
    table.press("Enter")
    table.in_hand("B3")
    table.press("Enter")
    table.stands("B3", "F1")
    table.press("t")
    table.ruled("move black B3 G1 F1", "timer_started black")


def test_every_socket_is_reached_by_arrow_keys(sit_down: Open) -> None:
    table = sit_down()
    table.page.locator("#socket-D4").focus()
    seen: set[str] = set()
    where = "D4"

    def walk(key: str) -> str:
        table.press(key)
        return table.page.locator(":focus").get_attribute("data-socket") or ""

    for _ in range(3):
        where = walk("ArrowLeft")
    for _ in "ABCDEFG":
        for _ in range(7):
            seen.add(where)
            where = walk("ArrowUp")
        for _ in range(7):
            seen.add(where)
            where = walk("ArrowDown")
        where = walk("ArrowRight")
    assert seen == set(SOCKETS)


def test_played_by_touch_on_a_phone(sit_down: Open) -> None:
    table = sit_down(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    table.page.touchscreen.tap(*table.spot("D1"))
    table.in_hand("R2")
    table.page.touchscreen.tap(*table.spot("D2"))
    table.stands("R2", "D2")
    table.page.locator("[data-act=ring-red]").tap()
    table.ruled("move red R2 D1 D2", "ring red D2 1 move")
    wire = table.page.context.new_cdp_session(table.page)
    (x, y), end = table.carry("B3", "F1")
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x - 12, "y": y - 12}]),
        ("touchMove", [{"x": end[0], "y": end[1]}]),
        ("touchEnd", []),
    ):
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    table.stands("B3", "F1")
    table.ruled("move black B3 G1 F1")


def test_a_violation_is_shown_and_mended(sit_down: Open, game: ScriptedGame) -> None:
    table = sit_down()
    table.drag_glass("R1", "D4")
    table.ruled("violation not_adjacent red R1 D4")
    expect(table.page.locator("#hints .wrong")).to_contain_text(
        "(R1) was placed on D4, which does not touch A4. Put it back on A4."
    )
    expect(table.page.locator(".sign-way")).to_have_count(1)
    expect(table.page.locator("#lamp-alarm")).to_have_attribute("aria-label", "alarm: on")
    expect(table.page.locator("#live")).to_contain_text("not_adjacent")
    table.name_of("A4").to_have_attribute("aria-label", re.compile("to be put back here"))
    table.stands("R1", "D4")
    table.drag_glass("R1", "A4")
    table.stands("R1", "A4")
    table.ruled("resolved not_adjacent")
    assert game.glasses["R1"].up == "a"
    expect(table.page.locator("#hints .wrong")).to_have_count(0)
    expect(table.page.locator("#lamp-alarm")).to_have_attribute("aria-label", "alarm: off")


def test_a_glass_moves_as_far_as_the_hand_wherever_it_is_taken(sit_down: Open) -> None:
    table = sit_down()
    for hold in (".cap", ".foot", ".bulb"):
        lower, upper = table.middle("#socket-A1 .tube-top"), table.middle("#socket-A2 .tube-top")
        start = table.middle(f"[data-glass=B1] {hold} >> nth=0")
        table.drag(start, (start[0], start[1] + upper[1] - lower[1]))
        table.stands("B1", "A2")
        start = table.middle(f"[data-glass=B1] {hold} >> nth=0")
        table.drag(start, (start[0], start[1] + lower[1] - upper[1]))
        table.stands("B1", "A1")


def test_a_long_list_of_hints_leaves_the_board_where_it_is_on_a_phone(sit_down: Open, game: ScriptedGame) -> None:
    table = sit_down(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    before = table.page.locator("#board").bounding_box()
    twice = Differences(opened=("A1", "A4", "D1", "D7", "G1", "G4"), closed=("B2", "C3", "E5", "F2"))
    game.change(differences=twice)
    expect(table.page.locator("#hints .differs")).to_have_count(10)
    assert table.page.locator("#board").bounding_box() == before
    bar, board = table.page.locator("#bar").bounding_box(), before
    assert bar is not None
    assert board is not None
    assert board["y"] + board["height"] <= bar["y"] + 1


def test_shift_leaves_a_glass_unturned(sit_down: Open) -> None:
    table = sit_down()
    table.page.keyboard.down("Shift")
    table.drag_glass("R2", "D2")
    table.page.keyboard.up("Shift")
    table.ruled("violation not_flipped red R2 D2")


def test_a_ring_that_is_not_due_can_be_dropped_and_taken_off(sit_down: Open) -> None:
    table = sit_down()
    table.page.locator("#socket-C3").focus()
    table.press("Shift+R")
    table.ruled("violation ring_not_due C3")
    table.name_of("C3").to_have_attribute("aria-label", re.compile("rings from below: Black"))
    table.press("Delete")
    table.ruled("resolved ring_not_due")
    table.name_of("C3").to_have_attribute("aria-label", re.compile("no rings"))


def test_what_no_hand_can_do_is_told(sit_down: Open) -> None:
    table = sit_down()
    table.click("D1")
    table.in_hand("R2")
    table.click("A1")
    expect(table.page.locator("#toast")).to_have_text("a glass stands in A1 already")
    table.in_hand("R2")


def test_a_glass_dropped_between_two_tubes(sit_down: Open) -> None:
    table = sit_down()
    table.click("D1")
    table.in_hand("R2")
    table.page.locator("#socket-D2").focus()
    table.page.locator("[data-act=between]").click()
    table.click("D3")
    expect(table.page.locator("[data-glass=R2].lies")).to_have_count(1)
    expect(table.page.locator("[data-row=R2] .at")).to_have_text("between D2 and D3")


def test_the_buttons_tell_short_from_long(sit_down: Open, game: ScriptedGame) -> None:
    table = sit_down()
    red = table.page.locator("[data-press=red]")
    red.click()
    table.page.locator("[data-press=arbiter]").click(delay=1000)
    red.focus()
    table.press("Enter")
    table.page.locator("#agree-draw").click()
    table.page.locator("#sure-yes").click()
    table.page.locator("#turn-timer").click()
    table.ruled("timer_started black")
    assert game.presses == [("red", "short"), ("arbiter", "long"), ("red", "short"), ("red", "held"), ("black", "held")]


def test_a_new_game_with_level_edition_and_names(sit_down: Open) -> None:
    table = sit_down()
    table.drag_glass("R2", "D2")
    table.stands("R2", "D2")
    table.page.locator("#new-button").click()
    form = table.page.locator("#new-form")
    form.locator("[name=level]").select_option("1")
    form.locator("[name=rules]").select_option("wikipedia")
    form.locator("[name=red]").fill("Mira")
    expect(table.page.locator("#new-ends")).to_be_visible()
    form.locator("button.main").click()
    expect(table.page.locator("#sure-text")).to_have_text("A new game ends the one that is going on.")
    table.stands("R2", "D2")
    table.page.locator("#sure-yes").click()
    table.stands("R2", "D1")
    expect(table.page.locator("#game-kind")).to_have_text("Level 1 · encyclopaedia's rules")
    expect(table.page.locator("#turn")).to_have_text("Red (Mira) to move")
    expect(table.page.locator("#rulings li")).to_have_count(1)


def test_faults_are_ordered_and_ended(sit_down: Open) -> None:
    table = sit_down()
    table.page.locator("#faults-button").click()
    table.page.locator("#fault-socket").select_option("C3")
    table.page.locator("[data-fault=stuck_closed]").click()
    table.page.locator("[data-fault=link_cut]").click()
    expect(table.page.locator("#fault-list li")).to_have_count(2)
    expect(table.page.locator("#fault-list li").first).to_contain_text("sensor stuck closed: C3")
    table.page.locator("#fault-list button").first.click()
    expect(table.page.locator("#fault-list li")).to_have_count(1)


def test_the_arbiter_pauses(sit_down: Open) -> None:
    table = sit_down()
    table.page.locator("[data-verb=pause]").click()
    table.ruled("paused")


# ---- languages ----


def test_the_page_speaks_the_language_of_the_browser(sit_down: Open) -> None:
    table = sit_down(locale="de-DE")
    expect(table.page).to_have_title("TAMSK-Brett")
    expect(table.page.locator("html")).to_have_attribute("lang", "de")
    table.drag_glass("R2", "D2")
    table.ruled("de: move red R2 D1 D2")
    table.name_of("D2").to_have_attribute("aria-label", re.compile("D2, rote Sanduhr R2, keine Ringe"))
    table.drag_glass("B1", "A4")
    expect(table.page.locator("#toast")).to_have_text("a glass stands in A4 already")


def test_each_viewer_chooses_a_language_that_is_kept(sit_down: Open) -> None:
    ada, lin = sit_down(), sit_down()
    ada.drag_glass("R1", "D4")
    ada.ruled("violation not_adjacent red R1 D4")
    ada.page.locator("#settings-button").click()
    ada.page.locator("#language").select_option("es")
    expect(ada.page.locator("#settings-title")).to_have_text("Ajustes")
    ada.page.locator("#settings-dialog button.main").click()
    ada.ruled("es: violation not_adjacent red R1 D4")
    expect(ada.page.locator("#turn")).to_have_text("Por corregir")
    expect(ada.page.locator("#hints .wrong strong")).to_have_text("Hay que devolverlo a A4.")
    expect(ada.page.locator("#board")).to_have_attribute("aria-label", re.compile("^Tablero"))
    expect(ada.page.locator("#hands-words")).to_have_text("Tienes las manos.")
    ada.page.locator("#faults-button").click()
    expect(ada.page.locator("[data-fault=weak]")).to_have_text("sensor débil")
    lin.ruled("violation not_adjacent red R1 D4")
    ada.page.reload()
    ada.page.wait_for_selector("body[data-version]")
    ada.drag_glass("R1", "A4")
    ada.ruled("es: resolved not_adjacent")
    expect(ada.page.locator("#live")).to_have_text("es: resolved not_adjacent")
    lin.ruled("resolved not_adjacent")


# ---- the true state ----


def test_a_reload_in_mid_move_shows_the_glass_in_hand(sit_down: Open) -> None:
    table = sit_down()
    table.click("D1")
    table.in_hand("R2")
    table.page.reload()
    table.in_hand("R2")
    table.page.locator("#socket-D2").focus()
    table.press("Enter")
    table.stands("R2", "D2")


def test_two_tabs_see_the_same_and_one_has_the_hands(sit_down: Open) -> None:
    ada, lin = sit_down(), sit_down()
    ada.page.locator("#settings-button").click()
    ada.page.locator("#my-name").fill("Ada")
    ada.page.locator("#settings-dialog button.main").click()
    expect(ada.page.locator("#hands-words")).to_have_text("You have the hands.")
    expect(lin.page.locator("#hands-words")).to_have_text("Ada has the hands.")
    ada.drag_glass("R2", "D2")
    lin.stands("R2", "D2")
    lin.click("G1")
    expect(lin.page.locator("[data-act=lift]")).to_be_disabled()
    lin.page.locator("#take-hands").click()
    expect(ada.page.locator("#take-hands")).to_be_visible()
    lin.drag_glass("B3", "F1")
    ada.stands("B3", "F1")
    expect(ada.page.locator("#viewers")).to_have_text("2 pages open")


def test_a_lost_connection_is_shown_and_comes_back_true(browser: Browser, game: ScriptedGame) -> None:
    first = live_server(game, plain_words, WebSettings(port=0), Pairing(MonotonicClock()))
    first.open()
    port = int(first.url.rstrip("/").rsplit(":", 1)[1])
    table = Table(browser.new_context().new_page(), first.url)
    expect(table.page.locator("#stale")).to_be_hidden()
    first.close()
    expect(table.page.locator("#stale-title")).to_have_text("Connection lost", timeout=3000)
    game.change(names={"red": "Later", "black": ""})
    second = live_server(game, plain_words, WebSettings(port=port), Pairing(MonotonicClock()))
    second.open()
    expect(table.page.locator("#stale")).to_be_hidden()
    expect(table.page.locator("#turn")).to_have_text("Red (Later) to move")
    table.page.context.close()
    second.close()


def test_a_connection_that_only_falls_silent_is_shown_within_three_seconds(
    browser: Browser, server: PageServer
) -> None:
    page = browser.new_context().new_page()
    silent: list[bool] = []

    def relay(socket: Any) -> None:
        beyond = socket.connect_to_server()
        beyond.on_message(lambda message: None if silent else socket.send(message))

    page.route_web_socket(re.compile("/live"), relay)
    table = Table(page, server.url)
    expect(page.locator("#stale")).to_be_hidden()
    silent.append(True)
    expect(table.page.locator("#stale-title")).to_have_text("Connection lost", timeout=3000)
    page.context.close()


def test_a_referee_that_has_stopped_is_shown(sit_down: Open, game: ScriptedGame) -> None:
    table = sit_down()
    game.is_alive = False
    expect(table.page.locator("#stale-title")).to_have_text("The referee is not watching")
    game.is_alive = True
    expect(table.page.locator("#stale")).to_be_hidden()


def test_sand_is_right_again_after_the_clock_has_leapt(browser: Browser) -> None:
    clock = VirtualClock()
    game = ScriptedGame(clock)
    game.glasses["R2"].stops_at_ms, game.glasses["R2"].moved = 120_000, True
    server = live_server(game, plain_words, WebSettings(port=0), Pairing(MonotonicClock()))
    server.open()
    table = Table(browser.new_context().new_page(), server.url)
    left = table.page.locator("[data-row=R2] .left")
    expect(left).to_have_text(re.compile("2:00|1:59"))
    clock.go_to(113_000)
    expect(left).to_have_text(re.compile("0:0[67]"))
    expect(table.page.locator("[data-glass=R2].nearly-out")).to_have_count(1)
    clock.go_to(121_000)
    expect(left).to_have_text("stopped")
    table.page.context.close()
    server.close()
    game.close()


def test_the_live_view_of_a_real_board_only_looks_on(browser: Browser) -> None:
    game = ScriptedGame(MonotonicClock(), mode="referee", with_hands=False)
    server = live_server(game, plain_words, WebSettings(port=0), Pairing(MonotonicClock()))
    server.open()
    table = Table(browser.new_context().new_page(), server.url)
    expect(table.page.locator("#hands-words")).to_have_text("Live view of a real board.")
    for hidden in ("#bar", "#new-button", "#faults-button", "[data-press=red]", "#turn-timer"):
        expect(table.page.locator(hidden)).to_be_hidden()
    table.drag_glass("R2", "D2")
    table.stands("R2", "D1")
    assert table.page.locator(".is-target, .may-move").count() == 0
    table.page.context.close()
    server.close()
    game.close()


# ---- sound ----

COUNT_TONES = """
    let heard = 0;
    const Real = OscillatorNode;
    window.OscillatorNode = class extends Real {
        start(...at) { document.documentElement.dataset.heard = ++heard; super.start(...at); }
    };
"""


def test_there_is_no_sound_until_it_is_allowed(sit_down: Open, game: ScriptedGame) -> None:
    table = sit_down()
    table.page.add_init_script(COUNT_TONES)
    table.page.reload()
    table.page.wait_for_selector("body[data-version]")
    game.sound(ALARM)
    game.change(names={"red": "after the tone", "black": ""})
    expect(table.page.locator("#turn")).to_have_text("Red (after the tone) to move")
    heard = expect(table.page.locator("html"))
    heard.not_to_have_attribute("data-heard", re.compile("."))
    table.page.locator("#sound-button").click()
    expect(table.page.locator("#sound-button")).to_have_text("Sound on")
    heard.to_have_attribute("data-heard", "1")
    game.sound(ALARM)
    heard.to_have_attribute("data-heard", "2")
    table.page.locator("#sound-button").click()
    expect(table.page.locator("#sound-button")).to_have_attribute("aria-pressed", "false")


KEEP_CONTEXT = """
    const Own = AudioContext;
    window.AudioContext = class extends Own {
        constructor() { super(); window.audio = this; }
    };
"""


@pytest.mark.parametrize("slept", ["audio.suspend()", "audio.close()"])
def test_sound_comes_back_after_a_phone_slept(slept: str, sit_down: Open, game: ScriptedGame) -> None:
    table = sit_down()
    table.page.add_init_script(COUNT_TONES + KEEP_CONTEXT)
    table.page.reload()
    table.page.wait_for_selector("body[data-version]")
    table.page.locator("#sound-button").click()
    heard = expect(table.page.locator("html"))
    heard.to_have_attribute("data-heard", "1")
    table.page.evaluate(slept)
    game.sound(ALARM)
    heard.to_have_attribute("data-heard", "2")
    assert table.page.evaluate("audio.state") == "running"


# ---- how it looks ----


def play_a_little(table: Table, game: ScriptedGame) -> None:
    """A position with stacks, running sand and a violation."""
    table.drag_glass("R2", "D2")
    table.stands("R2", "D2")
    table.drag_ring("red", "D2")
    table.ruled("move red R2 D1 D2", "ring red D2 1 move")
    table.drag_glass("B3", "F1")
    table.stands("B3", "F1")
    table.ruled("ring red D2 1 move", "move black B3 G1 F1")
    for name, gone_ms in (("R2", 61_000), ("B3", 118_000)):
        stops = game.glasses[name].stops_at_ms
        assert stops is not None
        game.glasses[name].stops_at_ms = stops - gone_ms
    stacks = {
        "D4": ("red", "black", "red"),
        "C3": ("black", "red"),
        "E4": ("red",),
        "D5": ("black", "black"),
        "B2": ("red",),
    }
    game.change(rings={**game.rings, **stacks}, holders={"red": 26, "black": 28})


@pytest.mark.parametrize(
    ("width", "height"), [(360, 640), (360, 740), (800, 480), (1024, 768), (1280, 800), (1920, 1080)]
)
def test_nothing_is_cut_off(sit_down: Open, width: int, height: int) -> None:
    page = sit_down(viewport={"width": width, "height": height}).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    board = page.locator("#board").bounding_box()
    assert board is not None
    assert board["width"] >= min(width, height) * 0.6
    assert board["y"] + board["height"] <= max(height, 700)
    label = page.locator("[data-glass=R1] .glass-name").bounding_box()
    assert label is not None
    assert label["height"] >= 8


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("width", "rows"), [(360, 2), (800, 2), (1280, 1)])
def test_the_head_has_room_in_every_language(
    sit_down: Open, game: ScriptedGame, language: Language, width: int, rows: int
) -> None:
    game.change(faults=(OrderedFault("link_cut", None),))
    page = sit_down(viewport={"width": width, "height": 480}, locale=language).page
    expect(page.locator("#games-link")).to_be_visible()
    expect(page.locator("#faults-button")).to_have_attribute("data-count", "1")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    tops = {round(box["y"]) for one in page.locator("nav > :visible").all() if (box := one.bounding_box())}
    assert len(tops) == 1, tops
    head = page.locator("header").bounding_box()
    assert head is not None
    assert head["height"] < 50 * rows


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_accessibility(sit_down: Open, game: ScriptedGame, scheme: str, width: int) -> None:
    table = sit_down(color_scheme=scheme, viewport={"width": width, "height": 900}, reduced_motion="reduce")
    table.drag_glass("R1", "D4")
    table.ruled("violation not_adjacent red R1 D4")
    assert serious_findings(table.page) == []
    table.page.locator("#new-button").click()
    assert serious_findings(table.page) == []


@pytest.mark.skipif(not os.environ.get("TAMSK_PICTURES"), reason="set TAMSK_PICTURES to write docs/pictures")
@pytest.mark.parametrize(
    ("name", "width", "height", "scheme"),
    [("page", 1440, 900, "light"), ("page-dark", 1440, 900, "dark"), ("page-phone", 360, 740, "light")],
)
def test_pictures_for_the_documentation(
    sit_down: Open, game: ScriptedGame, name: str, width: int, height: int, scheme: str
) -> None:
    table = sit_down(viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce")
    play_a_little(table, game)
    table.drag_glass("R1", "C4")
    table.ruled("violation not_adjacent red R1 C4")
    PICTURES.mkdir(parents=True, exist_ok=True)
    table.page.screenshot(path=PICTURES / f"{name}.png")
