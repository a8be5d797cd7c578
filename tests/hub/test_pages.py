"""The arbiter's page and the spectators' pages in a real browser."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tamsk_pi.clock import MonotonicClock
from tamsk_pi.hub.app import build_hub_app
from tamsk_pi.hub.arbiters import Arbiters
from tamsk_pi.hub.event.book import Book
from tamsk_pi.hub.event.history import Player
from tamsk_pi.hub.publish import Publisher
from tamsk_pi.web.access import WebSettings
from tamsk_pi.web.server import PageServer
from tests.club.night import EVENT, Game, Night, club_night, play, wait_for, with_word
from tests.web.browser import chromium, serious_findings

pytestmark = pytest.mark.browser

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


def until_violation(game: Game) -> int:
    """How many lines of a game bring it to its first violation, which is then still open."""
    from tamsk_pi.hub.judging import JudgedGame

    judged = JudgedGame()
    for number, line in enumerate(game.lines, start=1):
        judged.feed(line)
        if any(ruling.kind == "violation" for ruling in judged.rulings):
            return number
    raise AssertionError("this game has no violation")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of which, in the end, nothing must have been complained."""
    context = browser.new_context(viewport={"width": 1280, "height": 860}, locale="en")
    opened = context.new_page()
    errors: list[str] = []
    # What is refused to somebody who is not paired is told by the browser as well; the tests look at the page.
    opened.on("console", lambda m: errors.append(m.text) if m.type == "error" and "status of 4" not in m.text else None)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert errors == []


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    with club_night(tmp_path) as running:
        yield running


@pytest.fixture
def arbiters(night: Night) -> Arbiters:
    assert night.hub is not None
    return Arbiters(night.hub.engine, MonotonicClock())


@pytest.fixture
def url(night: Night, arbiters: Arbiters) -> Iterator[str]:
    assert night.hub is not None
    settings, clock = WebSettings(port=0), MonotonicClock()
    server = PageServer(build_hub_app(night.hub, arbiters, settings, clock), settings)
    server.open()
    yield server.url
    server.close()


def fill(night: Night) -> dict[str, Any]:
    """Three boards: one over, one in play, one with a violation that is open."""
    over, plays, wrong = play("pages/1", red="Ada", black="Ben"), play("pages/2"), play("pages/3", clumsy=0.5)
    first, second, third = (night.board(number).start() for number in (1, 2, 3))
    first.write(over)
    second.write(plays, 0, 60)
    open_at = until_violation(wrong)
    third.write(wrong, 0, open_at)
    wait_for(lambda: (p := night.picture(1)) and p.over and p.snapshot, "the first board is over")
    wait_for(lambda: (p := night.picture(2)) and p.snapshot, "the second board plays")
    wait_for(lambda: (p := night.picture(3)) and p.need() == "violation", "the third board has a violation")
    return {"third": third, "wrong": wrong, "open_at": open_at, "second": second, "plays": plays}


def test_the_boards_that_need_the_arbiter_come_first(night: Night, url: str, page: Page) -> None:
    filled = fill(night)
    page.goto(url)
    cards = page.locator("#boards > li")
    expect(cards).to_have_count(3)
    expect(cards.nth(0)).to_have_attribute("data-board", "3")
    expect(cards.nth(0)).to_have_attribute("data-need", "violation")
    expect(page.locator("[data-board='1'] .names")).to_contain_text("Ada")
    expect(page.locator("[data-board='2'] [data-glass]")).to_have_count(6)
    assert serious_findings(page) == []
    # The rest of the game comes: nothing is wanted any more.
    filled["third"].write(filled["wrong"], filled["open_at"])
    expect(page.locator("[data-board='3']")).not_to_have_attribute("data-need", "violation", timeout=60_000)


def test_a_board_opens_in_the_page_that_a_board_has(night: Night, url: str, page: Page) -> None:
    fill(night)
    page.goto(url)
    with page.context.expect_page() as opened:
        page.locator("[data-board='2'] .open").click()
    board = opened.value
    board.wait_for_selector("body[data-version]")
    expect(board.locator("#rulings .words").first).not_to_be_empty()
    expect(board.locator("#arbiter button:visible, [data-verb]:visible")).to_have_count(0)


def test_words_are_for_paired_arbiters_only(night: Night, url: str, page: Page, arbiters: Arbiters) -> None:
    filled = fill(night)
    page.goto(url)
    expect(page.locator("[data-board='2'] .words")).to_be_hidden()
    page.locator("#pair").click()
    page.locator("input[name=name]").fill("Eva")
    page.locator("input[name=code]").fill("12345678")
    page.locator("#pairing button").click()
    expect(page.locator("#pairing .refused")).to_contain_text("not the code")
    page.locator("input[name=code]").fill(arbiters.add("Eva"))
    page.locator("#pairing button").click()
    expect(page.locator("#pair")).to_have_text("Paired as Eva")
    page.locator("[data-board='2'] [data-word=pause]").click()
    board = filled["second"]
    identity, word = wait_for(lambda: board.words and board.words[-1], "the word comes to the board")
    assert word == {"verb": "pause", "by": "Eva"}
    board.publisher.answer(identity, None)
    expect(page.locator("#said")).to_have_text("Said to board 2.")


def test_the_arbiter_has_the_last_word_on_results_and_pairs_the_next_round(
    night: Night, url: str, page: Page, arbiters: Arbiters
) -> None:
    assert night.hub is not None
    book = Book(night.hub.engine, EVENT)
    book.add_players([Player(0, name) for name in ("Ada", "Ben", "Cid", "Dea")])
    book.pair()
    page.goto(url)
    rows = page.locator("#pairings tr")
    expect(rows).to_have_count(2)
    expect(page.locator("#pairings select, #next-round:visible")).to_have_count(0)
    page.locator("#pair").click()
    page.locator("input[name=name]").fill("Eva")
    page.locator("input[name=code]").fill(arbiters.add("Eva"))
    page.locator("#pairing button").click()
    expect(page.locator("#pair")).to_have_text("Paired as Eva")
    first, second = page.locator("[data-pairing='1']"), page.locator("[data-pairing='2']")
    first.select_option("draw")
    expect(page.locator("#said")).to_have_text("Said to board 1.")
    second.select_option("black_forfeit")
    expect(page.locator("#next-round")).to_be_visible()
    assert [(p.result, p.by) for p in book.history().pairings] == [("draw", "Eva"), ("black_forfeit", "Eva")]
    assert serious_findings(page) == []
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#next-round").click()
    expect(page.locator("#round-title")).to_have_text("Round 2")
    expect(first).to_have_value("")
    assert book.history().newest_round() == 2
    # What cannot be is told in one line.
    page.evaluate("document.querySelector('#next-round').hidden = false")
    page.locator("#next-round").click()
    expect(page.locator("#said")).to_contain_text("round 2 is not over")


def test_who_is_not_paired_says_nothing_of_results(night: Night, url: str, page: Page) -> None:
    for path, body in (
        ("result", {"event": EVENT, "board": 1, "round": 1, "result": "red"}),
        ("next-round", {"event": EVENT}),
    ):
        answer = page.request.post(f"{url}{path}", data=body, headers={"origin": url.rstrip("/")})
        assert answer.status == 403
        assert "only an arbiter who is paired" in answer.text()


def test_the_page_speaks_three_languages(night: Night, url: str, page: Page) -> None:
    fill(night)
    page.goto(url)
    english = page.locator("[data-board='3'] .need").inner_text()
    for language in ("de", "es"):
        page.locator("#language").select_option(language)
        expect(page.locator("[data-board='3'] .need")).not_to_have_text(english)
        expect(page.locator("html")).to_have_attribute("lang", language)


@pytest.fixture
def site(night: Night, tmp_path: Path) -> Iterator[tuple[str, Publisher]]:
    """The spectators' folder behind the plainest of web servers."""
    assert night.hub is not None
    folder = tmp_path / "site"
    publisher = Publisher(night.hub.engine, folder, delay_s=0)
    publisher.prepare()

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nothing is told."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/", publisher
    server.shutdown()
    server.server_close()


def test_spectators_see_boards_standings_and_a_game_again(
    night: Night, site: tuple[str, Publisher], page: Page
) -> None:
    assert night.hub is not None
    book = Book(night.hub.engine, EVENT)
    book.add_players([Player(0, name, rating=2000 - n) for n, name in enumerate(("Ada", "Ben"))])
    pytest.importorskip("py4swiss") if not os.environ.get("CI") else None
    book.pair()
    filled = fill(night)
    url, publisher = site
    publisher.publish()
    page.goto(url)
    expect(page.locator("#boards > li")).to_have_count(3)
    expect(page.locator("#standings tbody tr")).to_have_count(2)
    expect(page.locator("#rounds")).to_contain_text("Ada")
    assert serious_findings(page) == []
    # What is put right on the board is put right for everybody who watches.
    expect(page.locator("[data-board='3'] .state")).to_have_text("To be put right")
    filled["third"].write(filled["wrong"], filled["open_at"])
    wait_for(lambda: (p := night.picture(3)) and p.over, "the third board ends")
    publisher.publish()
    expect(page.locator("[data-board='3'] .state")).not_to_have_text("To be put right", timeout=30_000)
    page.locator("[data-board='3'] .open").click()
    expect(page.locator("#rulings li.violation").first).to_be_attached()
    expect(page.locator("#files a")).to_have_count(2)
    page.locator("#first").click()
    expect(page.locator("#clock")).to_have_text("0:00")
    page.locator("#last").click()
    expect(page.locator("#clock")).not_to_have_text("0:00")
    assert serious_findings(page) == []


def test_the_archive_is_searched_by_player(night: Night, site: tuple[str, Publisher], page: Page) -> None:
    fill(night)
    url, publisher = site
    publisher.publish()
    page.goto(f"{url}archive.html")
    expect(page.locator("#games tbody tr")).to_have_count(1)
    page.locator("input[name=player]").fill("nobody")
    expect(page.locator("#games tbody tr")).to_have_count(0)
    page.locator("input[name=player]").fill("ada")
    expect(page.locator("#games tbody tr")).to_have_count(1)
    page.locator("input[name=shortest]").fill("600")
    expect(page.locator("#games tbody tr")).to_have_count(0)
    assert serious_findings(page) == []


def test_an_annulled_ruling_is_marked_for_everybody(night: Night, site: tuple[str, Publisher], page: Page) -> None:
    wrong = play("pages/3", clumsy=0.5)
    at = until_violation(wrong)
    board = night.board(4)
    board.write(with_word(wrong, "annul", at), 0, at + 20)
    board.start()

    def is_annulled() -> bool:
        picture = night.picture(4)
        return picture is not None and any(ruling.get("code") == "annulled" for ruling in picture.rulings)

    wait_for(is_annulled, "the violation is annulled")
    url, publisher = site
    publisher.publish()
    page.goto(f"{url}game.html?id=1")
    expect(page.locator("#rulings li.annulled")).to_have_count(1)
    expect(page.locator("#rulings li.annulled")).to_contain_text("annulled")


@pytest.mark.skipif(not os.environ.get("TAMSK_PICTURES"), reason="set TAMSK_PICTURES to write docs/pictures")
def test_pictures_for_the_documentation(
    night: Night, url: str, site: tuple[str, Publisher], page: Page, arbiters: Arbiters
) -> None:
    games = [play(f"picture/{n}", level=3, clumsy=0.3 if n in (3, 6) else 0.0, longest_ms=200_000) for n in range(1, 9)]
    names = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Greta", "Hugo", "Ines", "Jan", "Kaya", "Leo", "Mia", "Nico")
    for number, game in enumerate(games, start=1):
        red, black = names[number % 14], names[(number + 7) % 14]
        header = game.lines[0].replace(b'"version": 1', f'"version": 1, "red": "{red}", "black": "{black}"'.encode())
        header = header.replace(b', "red": "", "black": ""', b"")
        last = until_violation(game) if number in (3, 6) else min(len(game.lines) - 1, 90 + 25 * number)
        board = night.board(number)
        board.write(Game((header, *game.lines[1:last]), ()))
        board.start()
    wait_for(lambda: all((p := night.picture(n)) and p.snapshot for n in range(1, 9)), "all boards")
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.set_viewport_size({"width": 1300, "height": 900})
    page.goto(url)
    expect(page.locator("#boards > li")).to_have_count(8)
    page.wait_for_timeout(1000)
    page.screenshot(path=PICTURES / "hub.png")
    publisher = site[1]
    publisher.publish()
    page.goto(f"{site[0]}game.html?id={night.games()[2].id}")
    expect(page.locator("#rulings li").first).to_be_attached()
    page.wait_for_timeout(500)
    page.screenshot(path=PICTURES / "spectators.png")
