"""`recheck` in a live game: the explanation goes to the page and to the terminal, also of a game that was resumed."""

from __future__ import annotations

import io
from typing import Any

from tamsk_pi.clock import VirtualClock
from tamsk_pi.explain.chronicle import Chronicle
from tamsk_pi.explain.explanation import explanation_of
from tamsk_pi.runner.desk import Desk
from tamsk_pi.runner.loop import Loop, View
from tamsk_pi.runner.telling import Telling
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.signals.explaining import Explainer
from tamsk_pi.signals.words import Words
from tamsk_pi.trace import TraceReader
from tamsk_pi.web.loop_source import LoopSource
from tamsk_pi.web.state import sections_of
from tests.runner.board import FakeBoard, Paper

ORIGIN_MS = 50_000


class Seen:
    """A watcher that keeps what it was shown."""

    def __init__(self) -> None:
        self.views: list[View] = []

    def show(self, view: View) -> None:
        self.views.append(view)

    def sound(self, tones: object) -> None:
        """Not listened to."""


class Live:
    """A loop on a board in virtual time, with a page's source and a terminal."""

    def __init__(self) -> None:
        self.clock, self.board, self.paper, self.seen = VirtualClock(ORIGIN_MS), FakeBoard(), Paper(), Seen()
        self.board.alive_ms = ORIGIN_MS
        self.source = LoopSource("play", self.clock, words=lambda language: Words({"red": "Ada"}, language))
        self.loop = Loop(
            self.board,
            self.clock,
            lambda settings: Conductor("play"),
            open_keeper=lambda settings: self.paper,
            watchers=[self.seen, self.source],
        )
        self.source.attach(self.loop)
        self.loop.begin(Settings(level=1))
        self.loop.go_round()

    def go_to(self, t_ms: int, *edges: Edge) -> None:
        self.loop.post(self.board.edges(*(e._replace(t_ms=e.t_ms + ORIGIN_MS) for e in edges)))
        # What is said at one ms takes its place once that is over.
        for at_ms in (t_ms, t_ms + 1):
            self.clock.go_to(ORIGIN_MS + at_ms)
            self.board.alive_ms = self.clock.now_ms()
            self.loop.go_round()

    def say(self, word: str) -> None:
        self.loop.call(lambda now_ms: self.loop.desk.say(word, {}, now_ms))

    def shown(self) -> Any:
        picture = self.source._picture
        assert picture is not None
        return sections_of(picture, helps=True)["explanation"]


def wrong(live: Live) -> None:
    live.go_to(2_000, Edge(1_000, "socket", "D1", False), Edge(1_500, "socket", "D3", True))


def test_the_page_gets_the_explanation_when_it_is_asked_for() -> None:
    live = Live()
    wrong(live)
    assert live.shown() is None
    live.say("recheck")
    live.go_to(3_000)
    assert live.shown()["asked_ms"] == 3_000
    assert live.shown()["de"]["turn"] == "Ada war am Zug."
    told = live.shown()["en"]
    assert told["ruling"]["code"] == "not_adjacent"
    assert [edge["text"] for edge in told["edges"]] == ["D1 opens", "D3 closes"]
    assert told["turn"] == "Ada was to move."
    live.say("recheck")
    live.go_to(4_000)
    assert live.shown()["asked_ms"] == 4_000


def test_it_goes_with_the_next_move_and_with_the_next_game() -> None:
    live = Live()
    wrong(live)
    live.say("recheck")
    live.go_to(3_000)
    live.go_to(5_000, Edge(4_000, "socket", "D3", False), Edge(4_500, "socket", "D2", True))
    assert live.shown() is None
    live.say("recheck")
    live.go_to(6_000)
    assert live.shown()["en"]["ruling"]["ruling"] == "move"
    live.board.edges(Edge(0, "socket", "D2", False), Edge(0, "socket", "D1", True))
    live.loop.begin(Settings(level=1))
    live.go_to(7_000)
    assert live.shown() is None


def test_the_terminal_tells_it_after_the_notice() -> None:
    live = Live()
    telling = Telling("en", "referee", by_place=True)
    wrong(live)
    live.say("recheck")
    live.go_to(3_000)
    lines = [line for view in live.seen.views for line in telling.lines(view)]
    at = lines.index("00:03.0  The last ruling is being looked at again.")
    assert lines[at + 1].lstrip().startswith("00:01.500  The middle red hourglass (R2) was placed on D3")
    assert "             00:01.000  D1 opens" in lines
    assert lines.count(lines[at]) == 1


def test_a_game_that_was_resumed_can_still_be_asked_about_what_came_before() -> None:
    live = Live()
    wrong(live)
    reader = TraceReader(io.BytesIO(live.paper.text.encode()))
    chronicle = Chronicle(reader.settings)
    session = Session(reader.settings, chronicle)
    rulings = [ruling for record in reader for ruling in session.take(record)]
    desk = Desk.resume(session, rulings, live.board, Paper(), ORIGIN_MS, gap_known=True, chronicle=chronicle)
    live.board.alive_ms = ORIGIN_MS + 9_000
    desk.go_round(ORIGIN_MS + 9_000)
    desk.say("recheck", {}, ORIGIN_MS + 9_000)
    live.board.alive_ms = ORIGIN_MS + 9_001
    desk.go_round(ORIGIN_MS + 9_001)
    assert [ruling.kind for ruling in desk.rulings][-3:] == ["paused", "resumed", "notice"]
    found = chronicle.rechecked()
    assert found is not None
    told = explanation_of(found, Explainer(Words()))
    assert told["ruling"] == found.ruling.as_json()
    assert found.ruling.get("code") == "not_adjacent"
    assert told["edges"]
