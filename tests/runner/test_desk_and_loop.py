"""A live game: a board that goes silent and comes back, a record that replays to the same rulings, one owner."""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence

import pytest

from tamsk_pi.clock import VirtualClock
from tamsk_pi.commands.replay import rulings_of
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import SOCKETS, START
from tamsk_pi.runner.desk import SILENT_MS, Desk, link_up_at, settings_at
from tamsk_pi.runner.loop import Loop, Watcher
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.trace import LinkUp, TraceReader
from tests.runner.board import FakeBoard, Paper

ORIGIN_MS = 50_000
"""The host's clock as the game begins."""


def move(at_ms: int, start: str = "D1", to: str = "D2") -> list[Edge]:
    """A level-1 move on the host's clock: lifted at `at_ms`, set down 400 ms later."""
    return [Edge(at_ms, "socket", start, False), Edge(at_ms + 400, "socket", to, True)]


def begin(level: int = 1) -> tuple[Desk, FakeBoard, Paper]:
    board, paper = FakeBoard(), Paper()
    board.alive_ms = ORIGIN_MS
    return Desk.begin(Settings(level=level), board, paper, ORIGIN_MS), board, paper


def round_at(desk: Desk, board: FakeBoard, now_ms: int, *, heard: bool = True) -> int:
    if heard:
        board.alive_ms = now_ms
    return desk.go_round(now_ms)


def kinds(rulings: Sequence[Ruling]) -> list[str]:
    return [ruling.kind for ruling in rulings]


def replayed(paper: Paper) -> list[Ruling]:
    return list(rulings_of(TraceReader(io.BytesIO(paper.text.encode()))))


def test_edges_come_in_on_the_hosts_clock_and_are_judged_on_the_games() -> None:
    desk, board, _ = begin()
    desk.take_edges(board.edges(*move(ORIGIN_MS + 1_000)))
    round_at(desk, board, ORIGIN_MS + 3_000)
    assert [(r.t_ms, r.kind) for r in desk.rulings[2:]] == [(1_400, "move")]


def test_the_journal_of_a_game_is_a_trace_that_gives_the_same_rulings() -> None:
    """The journal of a live game *is* a trace, being written."""
    desk, board, paper = begin()
    desk.take_edges(board.edges(*move(ORIGIN_MS + 1_000)))
    round_at(desk, board, ORIGIN_MS + 3_000)
    desk.say("end", {"winner": "red"}, ORIGIN_MS + 4_000)
    round_at(desk, board, ORIGIN_MS + 4_500)
    round_at(desk, board, ORIGIN_MS + 4_500)
    desk.close(ORIGIN_MS + 5_000)
    assert paper.closed
    assert kinds(desk.rulings) == ["ready", "started", "move", "game_over"]
    assert replayed(paper) == desk.rulings


def test_a_move_that_only_time_has_settled_is_in_the_journal_at_once() -> None:
    """No edge follows it; a program killed now must find it again, so the trace tells that the time has passed."""
    desk, board, paper = begin()
    desk.take_edges(board.edges(*move(ORIGIN_MS + 1_000)))
    round_at(desk, board, ORIGIN_MS + 1_520)
    assert kinds(desk.rulings)[2:] == []
    urgent = paper.urgent
    round_at(desk, board, ORIGIN_MS + 2_000)
    assert kinds(desk.rulings)[2:] == ["move"]
    assert paper.urgent > urgent, "it is synced before anybody is told"
    reader = TraceReader(io.BytesIO(paper.text.encode()))
    session = Session(reader.settings)
    assert [*session.advance(0), *(r for record in reader for r in session.take(record))] == desk.rulings
    assert session.snapshot() == desk.snapshot()


def test_time_in_which_nothing_settles_is_not_written_down() -> None:
    desk, board, paper = begin()
    round_at(desk, board, ORIGIN_MS + 1_000)
    lines = paper.text.count("\n")
    for t_ms in range(1_250, 60_000, 250):
        round_at(desk, board, ORIGIN_MS + t_ms)
    assert paper.text.count("\n") == lines


def test_a_hall_board_tells_which_end_is_up_at_the_start() -> None:
    board = FakeBoard()
    board.values = {("socket", s): "S" if s in START.values() else None for s in SOCKETS}
    at_start = settings_at(Settings(level=2, sockets="hall", tilt=False), board.inputs())
    assert {g: at_start.up[g] for g in START} == dict.fromkeys(START, "b")


def test_what_a_board_tells_as_it_is_heard_again() -> None:
    told = link_up_at(7, {("socket", "A1"): "S", ("ring", "D4"): 2, ("holder", "red"): 31, ("tilt", "N"): "b"})
    assert told == LinkUp(7, ("A1",), {"N": "b"}, {"D4": 2}, fields={"A1": "S"}, holders={"red": 31})


def test_a_silent_board_pauses_the_game_within_a_second_and_a_bit() -> None:
    """`ready` goes out within a second when the scan is not alive, and the game is paused."""
    desk, board, _ = begin()
    round_at(desk, board, ORIGIN_MS + 1_000)
    round_at(desk, board, ORIGIN_MS + 1_000 + SILENT_MS, heard=False)
    assert desk.session.link_is_up
    round_at(desk, board, ORIGIN_MS + 1_001 + SILENT_MS, heard=False)
    assert not desk.session.link_is_up
    assert desk.rulings[-1].as_json() == {"t": 1_000, "ruling": "paused", "reason": "link"}


def test_a_board_that_comes_back_as_it_was_goes_on_by_itself() -> None:
    desk, board, paper = begin()
    round_at(desk, board, ORIGIN_MS + 3_000, heard=False)
    round_at(desk, board, ORIGIN_MS + 9_000)
    assert kinds(desk.rulings)[2:] == ["paused", "resumed"]
    assert replayed(paper) == desk.rulings


def test_a_board_that_comes_back_different_waits_to_be_accepted_or_put_right() -> None:
    """What happened meanwhile is never called illegal: the differences are shown and accepted or put right."""
    desk, board, _ = begin()
    round_at(desk, board, ORIGIN_MS + 3_000, heard=False)
    board.edges(*move(0, "D1", "D4"))
    round_at(desk, board, ORIGIN_MS + 9_000)
    assert not desk.session.link_is_up
    found = desk.differences(ORIGIN_MS + 9_000)
    assert (found.opened, found.closed) == (("D1",), ("D4",))
    desk.say("accept", {}, ORIGIN_MS + 9_100)
    assert kinds(desk.rulings)[2:] == ["paused", "notice", "resumed"]
    assert desk.snapshot().glasses["R2"].socket == "D4"


def test_differences_that_are_put_right_need_no_word() -> None:
    desk, board, _ = begin()
    round_at(desk, board, ORIGIN_MS + 3_000, heard=False)
    board.edges(*move(0, "D1", "D4"))
    round_at(desk, board, ORIGIN_MS + 9_000)
    board.edges(*move(0, "D4", "D1"))
    round_at(desk, board, ORIGIN_MS + 9_500)
    assert kinds(desk.rulings)[2:] == ["paused", "resumed"]


def test_an_edge_that_comes_too_late_is_counted_and_taken_at_the_time_there_is() -> None:
    desk, board, _ = begin()
    round_at(desk, board, ORIGIN_MS + 2_000)
    desk.take_edges([Edge(ORIGIN_MS + 1_000, "socket", "D1", False)])
    assert desk.late_edges == 1
    assert desk.session.now_ms == 2_000


class _Counted:
    def __init__(self) -> None:
        self.views = 0

    def show(self, view: object) -> None:
        self.views += 1

    def sound(self, tones: object) -> None:
        """Not counted."""


def loop_at(board: FakeBoard, paper: Paper | None = None, watcher: Watcher | None = None) -> tuple[Loop, VirtualClock]:
    clock = VirtualClock(ORIGIN_MS)
    kept = paper or Paper()
    loop = Loop(
        board,
        clock,
        lambda settings: Conductor("play"),
        open_keeper=lambda settings: kept,
        watchers=[watcher] if watcher else [],
    )
    board.alive_ms = ORIGIN_MS
    loop.begin(Settings(level=1))
    return loop, clock


def go(loop: Loop, clock: VirtualClock, board: FakeBoard, t_ms: int, *, heard: bool = True) -> None:
    clock.go_to(t_ms)
    if heard:
        board.alive_ms = t_ms
    loop.go_round()


def test_the_loop_keeps_the_order_in_which_things_were_posted() -> None:
    board = FakeBoard()
    loop, clock = loop_at(board)
    seen: list[str | int] = []
    loop.call(lambda now_ms: seen.append("first"))
    loop.post(board.edges(*move(ORIGIN_MS + 1_000)))
    loop.call(lambda now_ms: seen.append(loop.desk.session.now_ms))
    go(loop, clock, board, ORIGIN_MS + 2_000)
    assert seen == ["first", 1_400]


def test_a_task_that_fails_does_not_stop_the_game(caplog: pytest.LogCaptureFixture) -> None:
    """Nothing that is posted can stop it."""
    board = FakeBoard()
    loop, clock = loop_at(board)

    def fail(now_ms: int) -> None:
        raise RuntimeError("no such hand")

    loop.call(fail)
    loop.post(board.edges(*move(ORIGIN_MS + 1_000)))
    with caplog.at_level(logging.ERROR):
        go(loop, clock, board, ORIGIN_MS + 2_000)
    assert "no such hand" in caplog.text
    assert kinds(loop.desk.rulings)[-1] == "move"


def test_a_game_that_is_begun_within_a_round_is_shown_from_its_beginning() -> None:
    board = FakeBoard()
    loop, clock = loop_at(board)

    def begin_anew(now_ms: int) -> None:
        clock.go_to(now_ms + 5)
        loop.begin(Settings(level=3))

    loop.call(begin_anew)
    go(loop, clock, board, ORIGIN_MS + 1_000)
    assert kinds(loop.desk.rulings) == ["ready", "started"]


def test_ready_is_lit_only_while_board_link_and_journal_are_alive() -> None:
    """`ready` is lit only while scan, link, core and journal are all alive."""
    board, paper = FakeBoard(), Paper()
    loop, clock = loop_at(board, paper)
    go(loop, clock, board, ORIGIN_MS + 100)
    assert board.frames[-1].panel["ready"]
    paper.problem = "the game is not being kept: no space"
    go(loop, clock, board, ORIGIN_MS + 200)
    assert not board.frames[-1].panel["ready"]
    paper.problem = None
    go(loop, clock, board, ORIGIN_MS + 300)
    assert board.frames[-1].panel["ready"]
    go(loop, clock, board, ORIGIN_MS + 301 + SILENT_MS, heard=False)
    assert not board.frames[-1].panel["ready"]


def test_lamps_that_fail_are_tried_again_and_stop_nothing() -> None:
    board = FakeBoard()
    loop, clock = loop_at(board)
    board.lamps_fail = True
    go(loop, clock, board, ORIGIN_MS + 100)
    loop.post(board.edges(*move(ORIGIN_MS + 1_000)))
    go(loop, clock, board, ORIGIN_MS + 2_000)
    assert kinds(loop.desk.rulings)[-1] == "move"
    board.lamps_fail = False
    go(loop, clock, board, ORIGIN_MS + 2_100)
    go(loop, clock, board, ORIGIN_MS + 2_200)
    assert board.frames[-1].panel["ready"]


def test_watchers_hear_of_news_only() -> None:
    board, watcher = FakeBoard(), _Counted()
    loop, clock = loop_at(board, watcher=watcher)
    for t_ms in range(ORIGIN_MS, ORIGIN_MS + 500, 100):
        go(loop, clock, board, t_ms)
    assert watcher.views == 1


def cut_off(paper: Paper) -> Session:
    """What a resumed game knows if the program was killed now."""
    reader = TraceReader(io.BytesIO(paper.text.encode()))
    session = Session(reader.settings)
    for record in reader:
        session.take(record)
    session.link_down(session.now_ms)
    return session


def test_what_was_ruled_is_not_lost_when_the_program_is_killed_then() -> None:
    """Never lose a settled change: the edges alone would not tell that it had settled."""
    desk, board, paper = begin()
    desk.take_edges(board.edges(*move(ORIGIN_MS + 1_000)))
    round_at(desk, board, ORIGIN_MS + 1_701)
    assert kinds(desk.rulings)[-1] == "move"
    assert cut_off(paper).snapshot().glasses["R2"].socket == "D2"


def test_a_lift_that_has_settled_is_not_lost_either() -> None:
    desk, board, paper = begin()
    desk.take_edges(board.edges(*move(ORIGIN_MS + 1_000)[:1]))
    for t_ms in range(1_010, 1_400, 10):
        round_at(desk, board, ORIGIN_MS + t_ms)
    assert cut_off(paper).snapshot().glasses["R2"].in_hand
    lines = len(paper.text.splitlines())
    for t_ms in range(1_400, 9_000, 100):
        round_at(desk, board, ORIGIN_MS + t_ms)
    assert len(paper.text.splitlines()) == lines


def test_a_mark_of_time_lets_no_button_go() -> None:
    """While the arbiter holds the button down, a mark says so too."""
    desk, board, paper = begin()
    desk.take_edges(board.edges(Edge(ORIGIN_MS + 1_000, "button", "arbiter", True)))
    desk.take_edges(board.edges(*move(ORIGIN_MS + 1_100)))
    round_at(desk, board, ORIGIN_MS + 2_000)
    desk.take_edges(board.edges(Edge(ORIGIN_MS + 2_100, "button", "arbiter", False)))
    round_at(desk, board, ORIGIN_MS + 3_000)
    assert "recheck" in [ruling.get("code") for ruling in desk.rulings]
    assert replayed(paper) == desk.rulings


def test_a_store_that_fails_sounds_once_and_play_goes_on() -> None:
    """A store that fails puts `ready` out and says so; play goes on."""
    board, paper = FakeBoard(), Paper()
    loop, clock = loop_at(board, paper)
    go(loop, clock, board, ORIGIN_MS + 100)
    board.tones.clear()
    paper.problem = "the game is not being kept: no space"
    for t_ms in range(200, 2_000, 100):
        go(loop, clock, board, ORIGIN_MS + t_ms)
    assert len(board.tones) == 1
    assert not board.frames[-1].panel["ready"]
    loop.post(board.edges(*move(ORIGIN_MS + 2_000)))
    go(loop, clock, board, ORIGIN_MS + 3_000)
    assert kinds(loop.desk.rulings)[-1] == "move"
