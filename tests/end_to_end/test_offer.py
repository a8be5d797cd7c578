"""A game that was cut off, offered on the page of a real board: gone on with or set aside, and asked for its sand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest
from playwright.sync_api import expect

from tamsk_pi.clock import MonotonicClock
from tamsk_pi.journal import SUFFIX
from tamsk_pi.runner.loop import Loop
from tamsk_pi.runner.resume import discard, find_cut_off, go_on
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.signals.words import Words
from tamsk_pi.trace import header_line, record_line
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.loop_source import LoopSource
from tamsk_pi.web.server import live_server
from tests.end_to_end.conftest import Open
from tests.runner.board import FakeBoard

pytestmark = pytest.mark.browser

SETTINGS = Settings(level=2, boot="yesterday")
MOVE = (
    Edge(1_000, "socket", "D1", False),
    Edge(1_200, "tilt", "R2", "b"),
    Edge(1_600, "socket", "D2", True),
    Edge(2_000, "button", "arbiter", False),
)


class HeardBoard(FakeBoard):
    """A board that is heard all the time."""

    def alive_at_ms(self) -> int:
        return MonotonicClock().now_ms()


@pytest.fixture
def offer(tmp_path: Path) -> Iterator[Callable[[], str]]:
    """Offer a game of yesterday's on a page; its address."""
    endings: list[Callable[[], None]] = []

    def begin() -> str:
        path = tmp_path / f"2026-01-31T20-15-00-1-1{SUFFIX}"
        path.write_text(header_line(SETTINGS) + "".join(record_line(edge, SETTINGS) for edge in MOVE))
        clock, board = MonotonicClock(), HeardBoard()
        board.edges(*MOVE)
        source = LoopSource("play", clock)
        loop = Loop(board, clock, lambda of: Conductor("play"), watchers=[source])
        source.attach(loop)
        found = find_cut_off(tmp_path)
        assert found is not None
        desk, origin_ms = go_on(found, board, clock.now_ms(), "today")
        loop.go_on_with(desk, origin_ms)

        def set_aside(now_ms: int) -> None:
            board.edges(Edge(0, "socket", "D2", False), Edge(0, "socket", "D1", True))
            loop.begin(attrs.evolve(SETTINGS, boot="today"))
            discard(found)

        desk.offer(lambda: loop.call(set_aside))
        loop.go_round()
        thread = threading.Thread(target=loop.run)
        thread.start()
        page = live_server(source, lambda ruling, *_: Words().say(ruling), WebSettings(port=0), Pairing(clock))
        page.open()
        endings.extend([page.close, loop.close, thread.join, loop.stop])
        return page.url

    yield begin
    for end in reversed(endings):
        end()


def test_it_goes_on_and_the_sand_is_asked_for_glass_by_glass(offer: Callable[[], str], sit_down: Open) -> None:
    """Nobody knows how long the cut was: each glass that ran is asked for."""
    table = sit_down(offer())
    asks = table.page.locator("#asks li")
    expect(asks).to_have_count(1)
    expect(table.page.locator("#lamp-ready")).to_have_attribute("aria-label", "ready: off")
    table.stands("R2", "D2")
    asks.locator("[data-verb=resume]").click()
    expect(table.page.locator("#turn")).to_have_text("Black to move")
    expect(asks).to_have_count(1)
    expect(asks).to_contain_text("How does the sand stand? red hourglass R2")
    asks.locator("input").fill("45")
    asks.get_by_role("button", name="still runs").click()
    expect(asks).to_have_count(0)
    table.ruled("The arbiter says that the middle red hourglass (R2) is running.")


def test_it_is_set_aside_and_a_new_one_begins(offer: Callable[[], str], sit_down: Open, tmp_path: Path) -> None:
    table = sit_down(offer())
    table.page.locator("#asks [data-verb=discard]").click()
    expect(table.page.locator("#asks li")).to_have_count(0)
    expect(table.page.locator("#turn")).to_have_text("Red to move")
    expect(table.page.locator("#rulings li")).to_have_count(2)
    assert [path.name.split(".")[-2] for path in tmp_path.iterdir()] == ["discarded"]
