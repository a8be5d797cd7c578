"""The arbiter's word on the page, and a board that differs from the game when it is heard again."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.end_to_end.conftest import Open, Start
from tests.end_to_end.program import Program
from tests.web.browser import Table

pytestmark = pytest.mark.browser


def say(table: Table, word: str, **choices: str) -> None:
    """Say a word by the arbiter's form, with what stands beside it."""
    table.page.locator("#arbiter-button").click()
    form = table.page.locator("#arbiter-form")
    form.locator("[name=word]").select_option(word)
    for name, value in choices.items():
        field = form.locator(f"[name={name}]")
        expect(field).to_be_visible()
        if name in ("count", "left"):
            field.fill(value)
        else:
            field.select_option(value)
    form.locator("button.main").click()
    expect(table.page.locator("#arbiter-dialog")).to_be_hidden()


def order(table: Table, fault: str) -> None:
    """Make a fault of the whole board begin."""
    table.page.locator("#faults-button").click()
    table.page.locator(f"[data-fault={fault}]").click()
    expect(table.page.locator("#fault-list li")).to_have_count(1)
    table.press("Escape")


def test_every_correction_is_obeyed_and_comes_back_from_the_trace(start: Start, sit_down: Open, traces: Path) -> None:
    program = start("--level", "3")
    table = sit_down(program.url())
    say(table, "rings", socket="D4", count="2", side="black")
    table.ruled("The arbiter corrects the rings on D4. 2 rings lie there now.")
    say(table, "glass", glass="R1", state="running", left="90")
    table.ruled("The arbiter says that the left red hourglass (R1) is running.")
    say(table, "glass", glass="N", state="stopped")
    table.ruled("The arbiter says that the 15-second timer has stopped.")
    say(table, "place", glass="R2", socket="D2", turned="yes")
    table.ruled("Red moves the middle red hourglass (R2) from D1 to D2.")
    say(table, "penalty", side="red", given="yes")
    table.ruled("The arbiter says that Red is owed a penalty ring.")
    say(table, "dead", socket="G4", dead="yes")
    table.ruled("G4 is not listened to any more; the arbiter's word counts there.")
    say(table, "turn", side="red")
    expect(table.page.locator("#turn")).to_have_text("Red to move")
    say(table, "end", winner="black")
    expect(table.page.locator("#turn")).to_have_text("Black wins by the arbiter's word")
    shown = table.page.locator("#rulings .words").all_inner_texts()
    table.page.close()
    assert program.end(signal.SIGTERM) == 0
    (trace,) = traces.iterdir()
    replay = Program("replay", str(trace))
    ruled = []
    while line := replay.line():
        ruled.append(line.split("  ", 1)[1].rstrip("\n"))
    assert replay.status() == 0
    assert ruled == shown


R1_TOO_FAR = "The left red hourglass (R1) was placed on D4, which does not touch A4. Put it back on A4."


def test_a_verdict_is_rechecked_and_annulled(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "3").url())
    table.drag_glass("R1", "D4")
    expect(table.page.locator("#hints .wrong")).to_have_count(1)
    for verb, words in (
        ("recheck", "The last ruling is being looked at again."),
        ("annul", f"The arbiter takes a verdict back: “{R1_TOO_FAR}”"),
    ):
        table.page.locator("#arbiter-button").click()
        table.page.locator(f"#arbiter-alone [data-verb={verb}]").click()
        expect(table.page.locator("#arbiter-dialog")).to_be_hidden()
        expect(table.page.locator("#rulings .words").get_by_text(words, exact=True)).to_have_count(1)
    expect(table.page.locator("#hints .wrong")).to_have_count(0)


def cut_the_link_and_move(table: Table) -> None:
    """While the link is cut a glass goes from D1 to D2; then the link is back."""
    order(table, "link_cut")
    expect(table.page.locator("#hints .fault")).to_have_text("Not watching: the board is not heard.")
    table.ruled("The board is not heard: the game is paused.")
    table.drag_glass("R2", "D2")
    table.stands("R2", "D2")
    table.page.locator("#faults-button").click()
    table.page.locator("#fault-list button").click()
    expect(table.page.locator("#fault-list li")).to_have_count(0)
    table.press("Escape")
    differ = table.page.locator("#hints .differs")
    expect(differ).to_contain_text(
        ["D1: a glass should stand there.", "D2: no glass should stand there.", "R2 was turned over."]
    )
    expect(table.page.locator("#socket-D1.is-wrong, #socket-D2.is-wrong")).to_have_count(2)


def test_a_board_that_differs_after_a_lost_link_is_accepted(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "3").url())
    cut_the_link_and_move(table)
    table.page.locator("#hints [data-verb=accept]").click()
    expect(table.page.locator("#hints .differs, .is-wrong")).to_have_count(0)
    # What was done meanwhile is a move that red could have made: it is red's move.
    table.ruled("The game goes on.", "Red moves the middle red hourglass (R2) from D1 to D2.")
    expect(table.page.locator("#rulings .violation")).to_have_count(0)
    expect(table.page.locator("#lamp-ready")).to_have_attribute("aria-label", "ready: on")


def test_a_board_that_differs_after_a_lost_link_is_put_right(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "3").url())
    cut_the_link_and_move(table)
    table.drag_glass("R2", "D1")
    table.ruled("The game goes on.")
    expect(table.page.locator("#hints .differs, .is-wrong")).to_have_count(0)
    expect(table.page.locator("#rulings .violation")).to_have_count(0)


def test_a_recheck_shows_what_the_last_ruling_rests_on(start: Start, sit_down: Open) -> None:
    """The last ruling, the raw edges it rests on, the rule that decided with its source, and the sand."""
    table = sit_down(start("--level", "3").url())
    why = table.page.locator("#why")
    expect(why).to_be_hidden()
    expect(table.page.locator("#hints")).to_contain_text("Black chooses on which side of the board the timer stands.")
    table.drag_glass("R1", "D4")
    expect(table.page.locator("#hints .wrong")).to_have_count(1)
    recheck(table)
    expect(why).to_be_visible()
    expect(why.locator("#why-ruling")).to_contain_text("was placed on D4, which does not touch A4.")
    expect(why.locator("[data-part=edges]")).to_contain_text("A4 opens")
    expect(why.locator("[data-part=edges]")).to_contain_text("D4 closes")
    expect(why.locator("[data-part=rules] small")).to_have_text(
        'rules.md, "Violations"; The rules of TAMSK, by Kris Burm'
    )
    expect(why.locator("[data-part=sand] li")).to_have_count(8)
    why.locator("#why-close").click()
    expect(why).to_be_hidden()
    # Asked for again it is shown again; once the game has gone on there is nothing to look at.
    recheck(table)
    expect(why).to_be_visible()
    table.drag_glass("R1", "B4")
    table.ruled("The left red hourglass (R1) is put right.", "Red moves the left red hourglass (R1) from A4 to B4.")
    expect(why).to_be_hidden()


def recheck(table: Table) -> None:
    table.page.locator("#arbiter-button").click()
    table.page.locator("#arbiter-alone [data-verb=recheck]").click()
    expect(table.page.locator("#arbiter-dialog")).to_be_hidden()


def test_the_arbiters_button_held_long_rechecks_too(start: Start, sit_down: Open) -> None:
    table = sit_down(start("--level", "1").url())
    table.drag_glass("R2", "D2")
    table.ruled("Red moves the middle red hourglass (R2) from D1 to D2.")
    button = table.page.locator("[data-press=arbiter]")
    button.click(delay=1_300)
    expect(table.page.locator("#why-ruling")).to_contain_text("Red moves the middle red hourglass (R2) from D1 to D2.")


def test_a_sensor_that_cannot_be_right_is_named_before_play(start: Start, sit_down: Open) -> None:
    """Six glasses stand in their corners, and a seventh socket shows closed."""
    table = sit_down(start("--level", "1").url())
    table.page.locator("#faults-button").click()
    table.page.locator("#fault-socket").select_option("E3")
    table.page.locator("[data-fault=stuck_closed]").click()
    table.press("Escape")
    suspects = table.page.locator("#asks [data-ask=suspect]")
    expect(suspects).to_have_count(1)
    expect(suspects).to_contain_text("Sensor of E3: says that a glass stands there")
    table.drag_glass("R2", "D2")
    expect(suspects).to_have_count(0)
