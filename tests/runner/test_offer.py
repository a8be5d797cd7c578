"""A game that was cut off is offered: nothing is decided silently, nothing hangs, and the arbiter's button answers."""

from __future__ import annotations

import io
import os
from pathlib import Path

import attrs
import pytest

from tamsk_pi.clock import VirtualClock
from tamsk_pi.devices.base import LampFrame
from tamsk_pi.journal import SUFFIX
from tamsk_pi.runner.arbiters_button import ArbitersButton
from tamsk_pi.runner.asking import QUESTION, ask_on_terminal
from tamsk_pi.runner.loop import Loop, View
from tamsk_pi.runner.resume import CutOff, discard, find_cut_off, go_on
from tamsk_pi.runner.telling import Telling
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.trace import header_line, record_line
from tests.runner.board import FakeBoard

ORIGIN_MS = 50_000
SETTINGS = Settings(level=1, boot="this", origin_ms=ORIGIN_MS)
MOVE = (Edge(1_000, "socket", "D1", False), Edge(1_400, "socket", "D2", True), Edge(1_900, "button", "arbiter", False))


class Views:
    """A watcher that keeps what it was shown."""

    def __init__(self) -> None:
        self.seen: list[View] = []

    def show(self, view: View) -> None:
        self.seen.append(view)

    def sound(self, tones: object) -> None:
        """Not listened to."""


class Offered:
    """A loop that begins with the offer of a game in which R2 has gone to D2."""

    def __init__(self, folder: Path, *, boot: str = "this", as_it_was: bool = True) -> None:
        path = folder / f"2026-01-31T20-15-00-1-1{SUFFIX}"
        path.write_text(header_line(SETTINGS) + "".join(record_line(edge, SETTINGS) for edge in MOVE))
        found = find_cut_off(folder)
        assert found is not None
        self.cut_off: CutOff = found
        self.board, self.views, self.aside = FakeBoard(), Views(), 0
        if as_it_was:
            self.board.edges(*MOVE)
        self.clock = VirtualClock(ORIGIN_MS + 60_000)
        self.board.alive_ms = self.clock.now_ms()
        self.loop = Loop(self.board, self.clock, lambda of: Conductor("referee"), watchers=[self.views])
        self.desk, origin_ms = go_on(found, self.board, self.clock.now_ms(), boot)
        self.loop.go_on_with(self.desk, origin_ms)
        self.desk.offer(self._set_aside)
        self.go(100)

    def _set_aside(self) -> None:
        self.aside += 1

    def go(self, by_ms: int) -> None:
        for _ in range(by_ms // 50):
            self.clock.go_to(self.clock.now_ms() + 50)
            self.board.alive_ms = self.clock.now_ms()
            self.loop.go_round()

    def press(self, for_ms: int) -> None:
        now_ms = self.clock.now_ms()
        self.loop.post(self.board.edges(Edge(now_ms, "button", "arbiter", True)))
        self.go(for_ms)
        self.loop.post(self.board.edges(Edge(now_ms + for_ms, "button", "arbiter", False)))
        self.go(200)

    @property
    def view(self) -> View:
        return self.views.seen[-1]

    def frames(self, for_ms: int) -> list[LampFrame]:
        before = len(self.board.frames)
        self.go(for_ms)
        return self.board.frames[before:]


def test_it_waits_with_ready_out_and_lamps_that_say_so(tmp_path: Path) -> None:
    """A service without a terminal neither hangs nor decides silently, for however long."""
    offered = Offered(tmp_path)
    frames = offered.frames(60_000)
    assert offered.desk.is_offered
    assert not any(frame.panel["ready"] for frame in frames)
    assert {frame.panel["turn_red"] for frame in frames} == {True, False}
    assert all(frame.panel["turn_red"] == frame.panel["turn_black"] for frame in frames)
    assert offered.view.snapshot.waits == "resume"
    assert offered.view.problem is not None


def test_a_short_press_of_the_arbiters_button_lets_it_go_on(tmp_path: Path) -> None:
    offered = Offered(tmp_path)
    offered.press(100)
    assert (offered.desk.is_offered, offered.aside) == (False, 0)
    assert [r.kind for r in offered.view.rulings][-3:] == ["move", "paused", "resumed"]
    assert offered.view.ready
    offered.desk.close(offered.clock.now_ms())
    again = find_cut_off(tmp_path)
    assert again is not None
    assert again.session.snapshot().to_move == "black"


def test_a_long_press_sets_it_aside(tmp_path: Path) -> None:
    offered = Offered(tmp_path)
    offered.press(900)
    assert offered.aside == 1
    offered.desk.close(offered.clock.now_ms())
    discard(offered.cut_off)
    assert find_cut_off(tmp_path) is None
    assert len(list(tmp_path.glob("*.discarded.jsonl"))) == 1


def test_the_pages_words_do_the_same(tmp_path: Path) -> None:
    offered = Offered(tmp_path)
    offered.desk.say("discard", {}, offered.clock.now_ms())
    assert offered.aside == 1
    offered.desk.say("resume", {}, offered.clock.now_ms())
    offered.go(100)
    assert offered.view.ready


def test_a_game_whose_offer_was_answered_by_nobody_is_offered_again(tmp_path: Path) -> None:
    """A second cut while it is offered loses nothing."""
    offered = Offered(tmp_path)
    offered.desk.close(offered.clock.now_ms())
    again = find_cut_off(tmp_path)
    assert again is not None
    assert [r.kind for r in again.rulings] == ["ready", "started", "move", "paused"]


def test_where_the_board_differs_that_is_asked_next(tmp_path: Path) -> None:
    """The differences are shown, at the sockets too, and accepted by the button or put right."""
    offered = Offered(tmp_path, as_it_was=False)
    problems = [(p.socket, p.what) for p in offered.view.snapshot.differing]
    assert problems == [("D1", "take_glass"), ("D2", "put_glass")]
    offered.press(100)
    assert offered.view.snapshot.waits == "accept"
    frames = offered.frames(2_000)
    assert {socket for frame in frames for socket in frame.red_sockets} == {"D1"}
    assert {socket for frame in frames for socket in frame.green_sockets} == {"D2"}
    offered.press(100)
    assert offered.view.ready
    assert offered.view.snapshot.glasses["R2"].socket == "D1"
    assert [r.get("code") for r in offered.view.rulings if r.kind == "notice"] == ["unobserved"]


def test_where_it_is_put_right_nobody_is_asked(tmp_path: Path) -> None:
    offered = Offered(tmp_path, as_it_was=False)
    offered.press(100)
    offered.board.edges(*MOVE)
    offered.go(100)
    assert offered.view.ready
    assert "notice" not in [r.kind for r in offered.view.rulings]


def test_the_terminal_says_what_is_asked(tmp_path: Path) -> None:
    offered = Offered(tmp_path, as_it_was=False)
    telling = Telling("en", "referee", by_place=True)
    lines = [line.strip() for line in telling.lines(offered.view)]
    assert any(line.startswith("A game was cut off.") for line in lines)
    assert "Take the glass off D1." in lines
    assert "Put a glass on D2." in lines


@pytest.mark.parametrize(
    ("typed", "is_offered", "aside"),
    [("r\n", False, 0), ("what?\nD\n", True, 1), ("", True, 0), ("maybe\n", True, 0)],
)
def test_the_question_on_the_terminal(tmp_path: Path, typed: str, is_offered: bool, aside: int) -> None:
    offered, said = Offered(tmp_path), list[str]()
    ask_on_terminal(offered.loop, offered.desk, io.StringIO(typed), said.append).join(20)
    offered.go(100)
    assert (offered.desk.is_offered, offered.aside) == (is_offered, aside)
    assert said[0] == QUESTION
    assert len(said) == 1 + sum(line.strip().lower() not in ("r", "d") for line in typed.splitlines())


def test_a_cut_of_unknown_length_asks_for_the_sand_of_each_glass(tmp_path: Path) -> None:
    """After another start of the machine nobody knows how long it was."""
    lasting = attrs.evolve(SETTINGS, level=2)
    path = tmp_path / f"2026-01-31T20-15-00-1-1{SUFFIX}"
    turned = [MOVE[0], Edge(1_200, "tilt", "R2", "b"), *MOVE[1:]]
    path.write_text(header_line(lasting) + "".join(record_line(edge, lasting) for edge in turned))
    found = find_cut_off(tmp_path)
    assert found is not None
    board = FakeBoard()
    board.edges(*turned)
    board.alive_ms = 9_000
    desk, _ = go_on(found, board, 9_000, "another boot")
    desk.offer(lambda: None)
    desk.go_round(9_000)
    desk.say("resume", {}, 9_000)
    board.alive_ms = 9_100
    desk.go_round(9_100)
    (asked,) = (r for r in desk.rulings if r.get("code") == "ask_for_sand")
    assert asked.get("glasses") == ["R2"]


def test_presses_are_settled_and_measured() -> None:
    button = ArbitersButton(Settings(level=1))
    for t_ms, down in ((0, True), (5, False), (9, True), (800, False), (2_000, True), (2_799, False)):
        button.take(Edge(t_ms, "button", "arbiter", down))
    button.take(Edge(2_800, "button", "red", True))
    assert [button.press(3_000), button.press(3_000), button.press(3_000)] == ["long", "short", None]


def test_of_two_games_begun_in_one_second_the_last_one_played_is_offered(tmp_path: Path) -> None:
    """Names tell the second; which of those was written to last tells the rest."""
    for number in ("900-1", "77-1"):
        path = tmp_path / f"2026-01-31T20-15-00-{number}{SUFFIX}"
        path.write_text(header_line(SETTINGS) + "".join(record_line(edge, SETTINGS) for edge in MOVE))
    older = tmp_path / f"2026-01-31T20-14-59-999-1{SUFFIX}"
    older.write_text(header_line(SETTINGS))
    os.utime(tmp_path / f"2026-01-31T20-15-00-900-1{SUFFIX}", ns=(1, 1))
    found = find_cut_off(tmp_path)
    assert found is not None
    assert found.path.name == f"2026-01-31T20-15-00-77-1{SUFFIX}"
