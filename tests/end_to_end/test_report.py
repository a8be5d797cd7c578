"""The report of a game just finished, from its page; and the picture of one for the README."""

from __future__ import annotations

import io
import json
import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tamsk_pi.report.gather import gather
from tamsk_pi.report.write import write_report
from tamsk_pi.trace import TraceReader
from tests.end_to_end.conftest import Open, Start
from tests.end_to_end.program import Program

pytestmark = pytest.mark.browser

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
CASE = Path(__file__).parents[1] / "cases" / "game-level3-rulebook-6.trace.jsonl"


def test_the_end_of_a_game_offers_its_report(start: Start, sit_down: Open, traces: Path) -> None:
    program = start("--level", "1", "--red", "Ada", "--black", "<Lin & Co>")
    table = sit_down(program.url())
    table.drag_glass("R1", "D4")
    expect(table.page.locator("#hints .wrong")).to_have_count(1)
    table.drag_glass("R1", "A3")
    expect(table.page.locator("#rulings .move")).to_have_count(1)
    link = table.page.locator("#report-link")
    expect(link).to_be_hidden()
    table.page.locator("#agree-draw").click()
    table.page.locator("#sure-yes").click()
    expect(link).to_be_visible()
    with table.page.context.expect_page() as opened:
        link.click()
    report: Page = opened.value
    complaints: list[str] = []
    report.on("console", lambda message: complaints.append(message.text))
    report.reload()
    expect(report).to_have_title("Game report: Ada (Red) against <Lin & Co> (Black)")
    expect(report.locator("svg").get_by_text("The game is drawn by agreement. Rings left:")).to_be_visible()
    expect(report.locator("svg text").get_by_text("A4-A3~")).to_have_count(1)
    # Its styles are allowed by their hashes, so they are in force.
    assert report.evaluate("getComputedStyle(document.querySelector('.plate-top')).fill") == "rgb(230, 223, 209)"
    assert complaints == []
    table.page.context.close()
    assert program.end(signal.SIGTERM) == 0
    (trace,) = traces.iterdir()
    with trace.open("rb") as stream:
        assert gather(TraceReader(stream)).violations[0].ruling.get("code") == "not_adjacent"


def test_a_new_game_has_no_report_yet(start: Start, sit_down: Open) -> None:
    url = start("--level", "1").url()
    table = sit_down(url)
    table.page.locator("#agree-draw").click()
    table.page.locator("#sure-yes").click()
    expect(table.page.locator("#report-link")).to_be_visible()
    table.page.locator("#new-button").click()
    table.page.locator("#new-form button.main").click()
    expect(table.page.locator("#new-dialog")).to_be_hidden()
    expect(table.page.locator("#report-link")).to_be_hidden()
    answer = table.page.request.get(f"{url}report")
    assert answer.status == 404
    assert answer.text().count("\n") == 1


def test_the_command_writes_a_report(tmp_path: Path) -> None:
    output = tmp_path / "game.svg"
    program = Program("report", str(CASE), "-o", str(output))
    assert (program.status(), program.complaints, program.line()) == (0, "", "")
    with CASE.open("rb") as stream:
        assert output.read_text(encoding="utf-8") == write_report(gather(TraceReader(stream)), "en", "svg")


@pytest.mark.skipif(not os.environ.get("TAMSK_PICTURES"), reason="set TAMSK_PICTURES to write docs/pictures")
def test_picture_of_a_report(sit_down: Open, start: Start, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    names = {"red": "Ada", "black": "Lin", "event": "Club night", "started_at": "2026-05-01 19:30"}
    first, _, rest = CASE.read_text(encoding="utf-8").partition("\n")
    trace = f"{json.dumps(json.loads(first) | names)}\n{rest}".encode()
    path.write_text(write_report(gather(TraceReader(io.BytesIO(trace))), "en", "html"), encoding="utf-8")
    table = sit_down(start("--level", "1").url(), viewport={"width": 900, "height": 1200})
    table.page.goto(path.as_uri())
    table.page.locator(".paper").screenshot(path=PICTURES / "report.png")
    assert (PICTURES / "report.png").stat().st_size < 400_000
