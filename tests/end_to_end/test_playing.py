"""`tamsk-pi simulate` used as a newcomer would: page, referee, matrix driver and virtual board together.

Nothing is waited for but what the page shows. Where a ring must be dropped in time the game is at level 1, at which
the right to it does not run out.
"""

from __future__ import annotations

import re
import signal
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.end_to_end.conftest import Open, Start
from tests.web.browser import Table

pytestmark = pytest.mark.browser

R1_NAME = "The left red hourglass (R1)"
R2_MOVES = "Red moves the middle red hourglass (R2) from D1 to D2."
B3_MOVES = "Black moves the right black hourglass (B3) from G1 to F1."
R1_TOO_FAR = f"{R1_NAME} was placed on D4, which does not touch A4. Put it back on A4."
R2_UNTURNED = (
    "The middle red hourglass (R2) was placed on D2 without being turned over. "
    "Lift it and set it down turned over, or put it back on D1 as it stood there."
)


def lamp(table: Table, name: str) -> Any:
    return expect(table.page.locator(f"#lamp-{name}"))


def begin_anew(table: Table, **choices: str) -> None:
    """Begin a new game by the page's own form: `level`, `rules`, `rings`, `setup`, and the names."""
    table.page.locator("#new-button").click()
    form = table.page.locator("#new-form")
    for name, value in choices.items():
        field = form.locator(f"[name={name}]")
        if name in ("red", "black"):
            field.fill(value)
        else:
            field.select_option(value)
    form.locator("button.main").click()
    if form.locator("#new-ends").is_visible():
        table.page.locator("#sure-yes").click()
    expect(table.page.locator("#new-dialog")).to_be_hidden()


# ---- in order ----


def test_glasses_by_drag_and_by_click_and_a_ring(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "1").url())
    table.ruled("The board is set up.", "The game begins: Red moves first.")
    lamp(table, "ready").to_have_attribute("aria-label", "ready: on")
    lamp(table, "turn_red").to_have_attribute("aria-label", "red's turn: on")
    table.drag_glass("R2", "D2")
    table.stands("R2", "D2")
    table.ruled(R2_MOVES)
    expect(table.page.locator("#turn")).to_have_text("Black to move")
    table.drag_ring("red", "D2")
    table.ruled(R2_MOVES, "Red drops a ring on D2. 1 ring lies there now.")
    expect(table.page.locator("#rings-red")).to_have_text("31 rings left")
    table.click("G1")
    table.in_hand("B3")
    expect(table.page.locator(".is-target")).to_have_count(3)
    table.click("F1")
    table.stands("B3", "F1")
    table.ruled(B3_MOVES)
    lamp(table, "turn_red").to_have_attribute("aria-label", "red's turn: on")
    lamp(table, "alarm").to_have_attribute("aria-label", "alarm: off")


def test_a_glass_is_turned_on_its_way_and_its_sand_runs(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "2").url())
    table.drag_glass("R2", "D2")
    table.ruled(R2_MOVES)
    expect(table.page.locator("[data-row=R2] .left")).to_have_text(re.compile(r"^2:\d\d$"))
    expect(table.page.locator("[data-glass=R2] .stream.runs")).to_have_count(1)
    expect(table.page.locator("[data-row=R1] .left")).to_have_text("unmoved")


def test_the_timer_runs_against_the_side_to_move_and_a_move_disarms_it(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "3").url())
    table.page.mouse.click(*table.middle("#timer .hit"))
    table.ruled("Black turns the timer over: it runs against Red.")
    expect(table.page.locator("#timer-armed")).to_have_text(re.compile(r"The timer runs against Red: \d+ s\."))
    table.drag_glass("R2", "D2")
    table.ruled("Black turns the timer over: it runs against Red.", R2_MOVES)
    expect(table.page.locator("#timer-armed")).to_have_text("")
    table.page.locator("#turn-timer").click()
    table.ruled("The timer was turned over while its sand was still running. That starts nothing and stops nothing.")


def test_buttons_claim_rings_pause_and_agree_a_draw(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "1", "--rings", "buttons").url())
    table.drag_glass("R2", "D2")
    table.ruled(R2_MOVES)
    table.page.locator("[data-press=red]").click()
    table.ruled("Red drops a ring on D2. 1 ring lies there now.")
    table.page.locator("[data-press=arbiter]").click()
    table.ruled("The arbiter pauses the game.")
    expect(table.page.locator("#turn")).to_have_text("Paused")
    lamp(table, "ready").to_have_attribute("aria-label", "ready: off")
    table.page.locator("[data-press=arbiter]").click()
    table.ruled("The game goes on.")
    table.page.locator("#agree-draw").click()
    table.page.locator("#sure-yes").click()
    table.ruled("The game is drawn by agreement. Rings left: Red 31, Black 32.")
    expect(table.page.locator("#turn")).to_have_text("A draw by agreement")


def test_a_new_game_at_another_level_and_by_another_edition(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "3").url())
    table.drag_glass("R2", "D2")
    table.ruled(R2_MOVES)
    begin_anew(table, level="2", rules="schmidt1998", red="Ada", black="Lin")
    table.stands("R2", "D1")
    table.ruled("The board is set up.", "The game begins: Ada moves first.")
    expect(table.page.locator("#rulings li")).to_have_count(2)
    expect(table.page.locator("#game-kind")).to_have_text("Level 2 · first edition")
    expect(table.page.locator("#turn")).to_have_text("Red (Ada) to move")
    table.drag_glass("R2", "D2")
    table.ruled("Ada moves the middle red hourglass (R2) from D1 to D2.")


def test_a_game_with_free_placement(start: Start, sit_down: Open) -> None:
    # Without motion the glass is where it is drawn at once, not on its way off the board.
    table = sit_down(start("--level", "3").url(), reduced_motion="reduce")
    begin_anew(table, setup="free", level="1")
    expect(table.page.locator("[data-row=R1] .at")).to_have_text("beside the board")
    table.drag_glass("R1", "D4")
    table.stands("R1", "D4")
    table.ruled("Red places the red hourglass R1 on D4.")


def test_a_small_game_on_the_starter_kit(start: Start, sit_down: Open) -> None:
    """Seven sockets: a glass in one of them is seen, a glass in any other is not."""
    starter = ("--board", "starter", "--setup", "free", "--rings", "buttons", "--level", "1")
    table = sit_down(start(*starter).url(), reduced_motion="reduce")
    expect(table.page.locator("[data-row=R1] .at")).to_have_text("beside the board")
    table.drag_glass("R1", "D4")
    table.stands("R1", "D4")
    table.drag_glass("B1", "A1")
    table.stands("B1", "A1")
    expect(table.page.locator("#turn")).to_have_text("Black to move")
    table.drag_glass("B2", "C3")
    table.stands("B2", "C3")
    expect(table.page.locator("#turn")).to_have_text("Red to move")


# ---- against the rules ----


def test_a_glass_set_down_too_far_away_is_flagged_and_mended(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "3").url())
    table.drag_glass("R1", "D4")
    table.ruled(R1_TOO_FAR)
    expect(table.page.locator("#turn")).to_have_text("To be put right")
    expect(table.page.locator("#hints .wrong")).to_have_text(R1_TOO_FAR)
    expect(table.page.locator("#live")).to_have_text(R1_TOO_FAR)
    lamp(table, "alarm").to_have_attribute("aria-label", "alarm: on")
    expect(table.page.locator("#socket-A4.lit-green")).to_have_count(1)
    expect(table.page.locator("#socket-A4.is-home")).to_have_count(1)
    expect(table.page.locator("#socket-D4.is-wrong")).to_have_count(1)
    expect(table.page.locator(".sign-way")).to_have_count(1)
    table.drag_glass("R1", "A4")
    table.stands("R1", "A4")
    # Turned over and back, it has only as much sand as ran meanwhile: that it has run out may be told next.
    expect(table.page.locator("#rulings .violation .words")).to_have_text(R1_TOO_FAR)
    expect(table.page.locator("#rulings .resolved .words")).to_have_text(f"{R1_NAME} is put right.")
    lamp(table, "alarm").to_have_attribute("aria-label", "alarm: off")
    expect(table.page.locator("#hints .wrong, .is-wrong, .is-home")).to_have_count(0)
    expect(table.page.locator("#turn")).to_have_text("Red to move")


def test_a_glass_left_unturned_with_shift_is_flagged_and_made_whole(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "2").url())
    table.page.keyboard.down("Shift")
    table.drag_glass("R2", "D2")
    table.page.keyboard.up("Shift")
    table.ruled(R2_UNTURNED)
    expect(table.page.locator("#hints .wrong")).to_have_text(R2_UNTURNED)
    expect(table.page.locator("#hints .wrong strong")).to_have_text(
        "Lift it and set it down turned over, or put it back on D1 as it stood there."
    )
    table.click("D2")
    table.in_hand("R2")
    table.click("D2")
    table.ruled(R2_UNTURNED, "The middle red hourglass (R2) is put right.", R2_MOVES)


def test_a_glass_left_unturned_with_the_button(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "2").url())
    table.click("D1")
    table.in_hand("R2")
    table.page.mouse.move(*table.spot("D2"))
    turn = table.page.locator("[data-act=turn]")
    expect(turn).to_have_attribute("aria-pressed", "true")
    turn.click()
    expect(turn).to_have_attribute("aria-pressed", "false")
    table.click("D2")
    table.ruled(R2_UNTURNED)


def test_a_ring_that_is_not_due_is_taken_off_again(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "1").url())
    table.drag_ring("black", "C3")
    table.ruled("No ring is due on C3. Take it off again.")
    lamp(table, "alarm").to_have_attribute("aria-label", "alarm: on")
    table.page.locator("#socket-C3").focus()
    table.page.locator("[data-act=take]").click()
    table.ruled("The ring that was not due is off C3 again.")
    lamp(table, "alarm").to_have_attribute("aria-label", "alarm: off")
    expect(table.page.locator("#rings-black")).to_have_text("32 rings left")


# ---- the true state at once ----


def test_a_reload_and_a_second_page_in_mid_move_show_the_glass_in_hand(start: Start, sit_down: Open) -> None:
    url = start("--level", "3").url()
    table = sit_down(url)
    table.click("D1")
    table.in_hand("R2")
    expect(table.page.locator("#turn")).to_have_text("Red holds a glass")
    second = sit_down(url)
    second.in_hand("R2")
    expect(second.page.locator("#turn")).to_have_text("Red holds a glass")
    table.page.reload()
    table.in_hand("R2")
    table.click("D2")
    for page in (table, second):
        page.stands("R2", "D2")
        page.ruled(R2_MOVES)


def test_a_killed_program_is_noticed_and_a_new_one_is_shown(start: Start, sit_down: Open) -> None:
    first = start("--level", "3")
    url = first.url()
    table = sit_down(url)
    table.drag_glass("R2", "D2")
    table.ruled(R2_MOVES)
    first.end(signal.SIGKILL)
    expect(table.page.locator("#stale-title")).to_have_text("Connection lost", timeout=3000)
    expect(table.page.locator("#stale")).to_be_visible()
    # The browser itself tells of connections that it could not make.
    refused = re.compile("WebSocket connection to .* failed")
    start("--level", "2", port=int(url.rstrip("/").rsplit(":", 1)[1])).url()
    expect(table.page.locator("#stale")).to_be_hidden()
    table.stands("R2", "D1")
    expect(table.page.locator("#game-kind")).to_have_text("Level 2 · current rules")
    table.errors[:] = [error for error in table.errors if not refused.search(error)]


# ---- how it looks ----


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1280, 860), (1920, 1080)])
def test_nothing_covers_the_board_while_a_glass_is_in_hand(
    start: Start, sit_down: Open, width: int, height: int
) -> None:
    table = sit_down(start("--level", "3").url(), viewport={"width": width, "height": height})
    board = table.page.locator("#board").bounding_box()
    table.click("D1")
    table.in_hand("R2")
    bar, timer = table.page.locator("#bar").bounding_box(), table.page.locator("#timer .floor").bounding_box()
    assert bar is not None
    assert timer is not None
    assert timer["y"] + timer["height"] <= bar["y"]
    assert table.page.locator("#board").bounding_box() == board
