"""The opponent at the board: its hands, its wishes on the lamps, and an engine that dies."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from tamsk_pi.app.simulator import table_for
from tamsk_pi.clock import VirtualClock
from tamsk_pi.config.profile import load_profile
from tamsk_pi.engine.situation import Situation
from tamsk_pi.opponent.mind import NICE, DirectMind, ProcessMind
from tamsk_pi.opponent.seat import Choice, Seat
from tamsk_pi.opponent.seeing import Paces, situation_of
from tamsk_pi.rules.board import PLAYERS, Player, owner_of
from tamsk_pi.rules.position import Position
from tamsk_pi.runner.desk import NoKeeper
from tamsk_pi.runner.loop import Loop, View
from tamsk_pi.runner.opponents import Coach, OpponentAtBoard
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.sim.rig import SimulatedBoard, Table
from tests.opponent.games import play

WITHIN_S = 120


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("side", PLAYERS)
@pytest.mark.parametrize("clumsy", [0.0, 0.2])
def test_its_hands_play_whole_games_without_fault(level: int, side: Player, clumsy: float) -> None:
    found = play(100 + level, level, side, 6, clumsy)
    assert found.over
    assert not found.violations
    assert not found.forfeits


class Watch:
    """Keeps the last view."""

    view: View

    def show(self, view: View) -> None:
        self.view = view

    def sound(self, tones: object) -> None:
        """Nothing is heard."""


class AtTheLamps:
    """A real board on mock pins; a person plays one side, and carries out the other's moves by its lamps alone."""

    def __init__(self, level: int, side: Player) -> None:
        self.clock = VirtualClock()
        settings = Settings(level=level)
        self.rig = SimulatedBoard(load_profile("matrix"), self.clock, 7, table_for(settings, Table()))
        self.watch = Watch()
        self.opponent = OpponentAtBoard(Choice(side, 6), make_mind=lambda strength: DirectMind(strength, nodes=60))
        self.loop = Loop(
            self.rig, self.clock, lambda of: Conductor("play"), open_keeper=lambda of: NoKeeper(),
            watchers=[self.watch], pump=self.rig, opponent=self.opponent,
        )  # fmt: skip
        self.side = side
        self.rig.open()
        self.rig.start(self.loop.post)
        self.loop.begin(settings)
        self.pass_time(600)

    def pass_time(self, ms: int) -> None:
        until_ms = self.clock.now_ms() + ms
        while self.clock.now_ms() < until_ms:
            wake_ms = self.loop.go_round()
            due = [t for t in (wake_ms, self.rig.next_ms(), until_ms) if t is not None]
            self.clock.go_to(max(min(due), self.clock.now_ms() + 1))
        self.loop.go_round()

    def lit(self) -> str | None:
        """The one green lamp that is lit within half a second, as the sign for turning over blinks."""
        for _ in range(6):
            lamps = self.watch.view.lamps.green_sockets
            if len(lamps) == 1:
                return next(iter(lamps))
            self.pass_time(100)
        return None

    def blinks(self) -> bool:
        """Whether the lamp of the socket to go to blinks, which says: turn it over."""
        seen = set()
        for _ in range(8):
            seen.add(bool(self.watch.view.lamps.green_sockets))
            self.pass_time(100)
        return len(seen) == 2

    def glass_on(self, socket: str) -> str:
        return next(g.name for g in self.rig.board.truth.glasses.values() if g.socket == socket)

    def move_by_the_lamps(self) -> tuple[str, str]:
        """Lift what is lit, set it down where the lamp then is, and drop the ring where it is lit after that."""
        home = self.lit()
        assert home is not None
        glass = self.glass_on(home)
        assert owner_of(glass) == self.side
        hands = self.rig.hands
        hands.lift(self.side, glass, self.clock.now_ms())
        self.pass_time(900)
        turned = self.blinks()
        socket = self.lit()
        assert socket is not None
        if turned:
            hands.turn_over(self.side, glass, self.clock.now_ms())
        hands.place(self.side, glass, socket, self.clock.now_ms())
        self.pass_time(1_900)
        ring = self.lit()
        assert ring == socket
        hands.drop_ring(self.side, ring, self.clock.now_ms())
        self.pass_time(1_600)
        return glass, socket

    def move_another(self) -> None:
        """Any legal move of the other side, with its ring."""
        targets = self.loop.desk.snapshot().targets
        glass = min(targets)
        other = owner_of(glass)
        self.rig.hands.move(
            other, glass, targets[glass][0], self.clock.now_ms(), turned=self.loop.desk.snapshot().level > 1
        )
        self.pass_time(1_500)
        self.rig.hands.drop_ring(other, targets[glass][0], self.clock.now_ms())
        self.pass_time(1_500)


@pytest.fixture(params=[1, 2])
def board(request: pytest.FixtureRequest) -> Iterator[AtTheLamps]:
    board = AtTheLamps(request.param, "red")
    yield board
    board.loop.close()
    board.rig.close()


def test_its_moves_are_carried_out_by_the_lamps_alone(board: AtTheLamps) -> None:
    for _ in range(6):
        board.move_by_the_lamps()
        board.move_another()
    rulings = board.loop.desk.rulings
    assert sum(r.kind == "move" and r.get("player") == "red" for r in rulings) == 6
    assert sum(r.kind == "ring" and r.get("player") == "red" for r in rulings) == 6
    assert not [r for r in rulings if r.kind == "violation"]


def test_a_legal_move_that_was_not_asked_for_is_said_not_to_be_its_own(board: AtTheLamps) -> None:
    wanted = board.lit()
    glass = next(g for g in ("R1", "R2", "R3") if board.rig.board.truth.glasses[g].socket != wanted)
    socket = board.loop.desk.snapshot().targets[glass][0]
    board.rig.hands.move("red", glass, socket, board.clock.now_ms(), turned=board.loop.desk.snapshot().level > 1)
    board.pass_time(1_500)
    board.rig.hands.drop_ring("red", socket, board.clock.now_ms())
    board.pass_time(1_500)
    advice = board.watch.view.advice
    assert advice is not None
    assert advice.stage == "astray"
    assert wanted in board.watch.view.lamps.red_sockets
    # The referee has judged it as ever.
    assert [r.kind for r in board.loop.desk.rulings if r.kind in ("move", "violation")] == ["move"]


def test_the_coach_says_which_glass_and_then_where() -> None:
    session = Session(Settings(level=1))
    session.advance(0)

    class OneDesk:
        def __init__(self) -> None:
            self.session = session

        def snapshot(self) -> object:
            return session.snapshot()

    coach = Coach(lambda strength: DirectMind(strength, nodes=300))
    desk = OneDesk()
    assert coach.look(desk, 1, 0) is None  # type: ignore[arg-type]
    coach.ask()
    first = coach.look(desk, 1, 0)  # type: ignore[arg-type]
    coach.ask()
    second = coach.look(desk, 1, 0)  # type: ignore[arg-type]
    assert first is not None
    assert second is not None
    assert (first.stage, first.socket) == ("hint_glass", None)
    assert second.stage == "hint_move"
    assert second.home == first.home
    assert second.glass is not None
    assert second.socket in session.snapshot().targets[second.glass]


def until_answered(mind: ProcessMind, situation: Situation, key: str, now_ms: int) -> int:
    """Ask until there is an answer; the virtual time then."""
    until_s = time.monotonic() + WITHIN_S
    while mind.turn(situation, key, now_ms, 50) is None:
        assert time.monotonic() < until_s, mind.problem
        now_ms += 20
        time.sleep(0.02)
    return now_ms


def test_an_engine_that_dies_is_told_of_and_started_again() -> None:
    mind = ProcessMind(3)
    situation = Situation(position=Position.start())
    try:
        now_ms = until_answered(mind, situation, "first", 1)
        assert mind.pid is not None
        before = mind.pid
        os.kill(before, signal.SIGKILL)
        now_ms = until_answered(mind, situation, "second", now_ms)
        assert mind.pid not in (None, before)
        assert mind.problem is not None
        assert "signal 9" in mind.problem or "pipes" in mind.problem
    finally:
        mind.close()


def test_the_engines_process_is_nice_and_bounded() -> None:
    mind = ProcessMind(3)
    try:
        until_answered(mind, Situation(position=Position.start()), "first", 1)
        assert mind.pid is not None
        assert os.getpriority(os.PRIO_PROCESS, mind.pid) >= min(19, os.nice(0) + NICE)
        with open(f"/proc/{mind.pid}/limits", encoding="utf-8") as limits:
            data = next(line for line in limits if line.startswith("Max data size"))
        assert int(data.split()[3]) == 200 << 20
    finally:
        mind.close()


def test_paces_are_measured_from_the_pictures() -> None:
    session = Session(Settings(level=1))
    session.advance(0)
    paces = Paces(first_ms=5_000)
    paces.see(session.snapshot())
    assert paces.now_ms() == {"red": 5_000, "black": 5_000}


def test_there_is_nothing_to_think_about_before_play() -> None:
    picture = Session(Settings(level=1, occupied=())).snapshot()
    assert situation_of(picture, Settings(level=1).glass_ms) is None
    seat = Seat("red", 5, DirectMind(5), Settings(level=1).glass_ms)
    seat.see(picture)
    assert seat.turn(picture) is None
    assert seat.advice(picture).stage == ""
