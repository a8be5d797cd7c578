"""A report in a real browser: one page on A4 and on Letter, nothing cut off or covered, nothing to complain of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tamsk_pi.report.facts import Report
from tamsk_pi.report.write import write_report
from tamsk_pi.signals.language import LANGUAGES, Language
from tests.report.games import case, full, shuttling

pytestmark = pytest.mark.browser

GAMES = {
    "level 3": case("game-level3-rulebook-6"),
    "level 1": case("game-level1-rulebook-4"),
    "hardly begun": case("turned-too-late"),
    "very long, with long names": shuttling(1_400),
    "full of violations": full(case("game-level3-rulebook-6")),
}
_OUT_OF_PLACE = """() => {
  const paper = document.querySelector("svg.sheet").getBoundingClientRect();
  const names = [...document.querySelectorAll("svg.sheet text")].filter((one) => !one.closest(".board"));
  return names.filter((one) => {
    const box = one.getBoundingClientRect();
    return box.left < paper.left - 1 || box.right > paper.right + 1
      || box.top < paper.top - 1 || box.bottom > paper.bottom + 1;
  }).map((one) => one.textContent);
}"""
_COVERED = """() => {
  const texts = [...document.querySelectorAll("svg.sheet text")].filter((one) => !one.closest(".board"));
  const boxes = texts.map((one) => [one.textContent, one.getBoundingClientRect()]);
  const found = [];
  boxes.forEach(([text, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 1.5 && down > 0.45 * Math.min(a.height, b.height)) found.push(`${text} / ${other}`);
  }));
  return found;
}"""


def open_report(browser: Browser, tmp_path: Path, report: Report, language: Language = "en") -> tuple[Page, list[str]]:
    path = tmp_path / "game.html"
    path.write_text(write_report(report, language, "html"), encoding="utf-8")
    complaints: list[str] = []
    page = browser.new_page(viewport={"width": 1000, "height": 1300})
    page.on("console", lambda message: complaints.append(message.text))
    page.on("request", lambda request: complaints.append(request.url) if request.url != path.as_uri() else None)
    page.goto(path.as_uri())
    return page, complaints


def pages_in(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
def test_one_page_on_either_paper(browser: Browser, tmp_path: Path, name: str, language: Language) -> None:
    page, complaints = open_report(browser, tmp_path, GAMES[name], language)
    for paper in ("A4", "Letter"):
        assert pages_in(page.pdf(format=paper)) == 1, paper
    assert page.evaluate(_OUT_OF_PLACE) == []
    assert page.evaluate(_COVERED) == []
    assert complaints == []
    page.close()


def test_a_count_of_pages_is_no_constant(browser: Browser) -> None:
    """What the test above relies on: a page too high is told as two."""
    page = browser.new_page()
    page.set_content("<div style='height: 400mm'>high</div>")
    assert pages_in(page.pdf(format="A4")) == 2
    page.close()


def test_a_screen_shows_what_paper_does_not(browser: Browser, tmp_path: Path) -> None:
    page, _ = open_report(browser, tmp_path, GAMES["level 3"])
    record = page.locator("pre")
    assert not record.is_visible()
    page.locator("summary").first.click()
    assert record.is_visible()
    assert '[Result "red 3-3 tie_break"]' in record.inner_text()
    page.emulate_media(media="print")
    assert not record.is_visible()
    page.close()


@pytest.mark.parametrize("width", [360, 1000])
def test_axe_has_no_serious_findings(browser: Browser, tmp_path: Path, width: int) -> None:
    page, _ = open_report(browser, tmp_path, GAMES["level 3"])
    page.set_viewport_size({"width": width, "height": 900})
    found = Axe().run(page).response["violations"]
    assert [f"{f['id']}: {f['help']}" for f in found if f["impact"] in ("serious", "critical")] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_the_svg_is_the_same_sheet(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "game.svg"
    path.write_text(write_report(GAMES["level 3"], "en", "svg"), encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    alone = page.locator("text").all_text_contents()
    page.close()
    page, _ = open_report(browser, tmp_path, GAMES["level 3"])
    assert page.locator("svg text").all_text_contents() == alone
    page.close()
