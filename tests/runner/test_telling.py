"""A live game on a terminal: every ruling once, what is to be done, and never a stall."""

from __future__ import annotations

import threading
from typing import Literal

import attrs
import pytest

from tamsk_pi.runner.loop import View
from tamsk_pi.runner.telling import Telling, TerminalTeller
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.frames import LampFrame

LOST = 1_500
"""More views than a terminal that blocks has room for."""


class Game:
    """A session whose views are asked for."""

    def __init__(self, settings: Settings, game: int = 1) -> None:
        self.session = Session(settings)
        self.game = game
        self.rulings = list(self.session.advance(0))

    def view(self, *edges: Edge, until_ms: int = 0) -> View:
        for edge in edges:
            self.rulings += self.session.feed(edge)
        self.rulings += self.session.advance(max(until_ms, self.session.now_ms))
        lamps = LampFrame({})
        return View(self.game, self.session.snapshot(), tuple(self.rulings), lamps, ready=True, problem=None)


def move(t_ms: int, here: str, there: str) -> tuple[Edge, Edge]:
    return Edge(t_ms, "socket", here, False), Edge(t_ms + 500, "socket", there, True)


def test_every_ruling_is_told_once_and_what_is_to_be_done_with_it() -> None:
    game = Game(Settings(level=1, red="Ada"))
    telling = Telling("en", "play", by_place=True)
    assert list(telling.lines(game.view())) == [
        "00:00.0  The board is set up.",
        "00:00.0  The game begins: Ada moves first.",
        "         Ada to move.",
    ]
    assert list(telling.lines(game.view(until_ms=500))) == []
    assert list(telling.lines(game.view(*move(61_000, "D1", "D2"), until_ms=62_000))) == [
        "01:01.5  Ada moves the middle red hourglass (R2) from D1 to D2.",
        "         Black to move.",
        "         Ada may drop a ring on D2.",
    ]
    assert list(telling.lines(game.view())) == []


def test_the_referee_tells_rulings_and_what_keeps_the_game_from_beginning() -> None:
    game = Game(Settings(level=1, occupied=("A1", "A4", "D7", "G1", "G4")))
    telling = Telling("de", "referee", by_place=True)
    assert list(telling.lines(game.view())) == [
        "         Bitte das Brett aufbauen.",
        "         Bitte eine Sanduhr auf D1 stellen.",
    ]
    assert list(telling.lines(game.view(Edge(1_000, "socket", "D1", True), until_ms=2_000))) == [
        "00:01.0  Das Brett ist aufgebaut.",
        "00:01.0  Das Spiel beginnt: Rot zieht zuerst.",
    ]


@pytest.mark.parametrize(("mode", "told"), [("play", 1), ("referee", 0)])
def test_a_glass_that_runs_out_is_pointed_out_once(mode: Literal["play", "referee"], told: int) -> None:
    ends = {g: {"a": 20_000, "b": 20_000} for g in ("R1", "R2", "R3", "B1", "B2", "B3", "N")}
    game = Game(Settings(level=2, glass_ms=ends))
    telling = Telling("en", mode, by_place=True)
    lift, place = move(1_000, "D1", "D2")
    list(telling.lines(game.view(lift, Edge(1_200, "tilt", "R2", "b"), place)))
    lines = [line for t_ms in range(2_000, 21_000, 250) for line in telling.lines(game.view(until_ms=t_ms))]
    assert sum("runs out in 10 seconds" in line for line in lines) == told
    assert sum("runs out in" in line for line in lines) == told


def test_the_next_game_is_told_from_its_beginning_and_with_its_names() -> None:
    telling = Telling("en", "referee", by_place=True)
    first, second = Game(Settings(level=1, red="Ada")), Game(Settings(level=1, red="Lin"), game=2)
    assert "00:00.0  The game begins: Ada moves first." in list(telling.lines(first.view()))
    assert "00:00.0  The game begins: Lin moves first." in list(telling.lines(second.view()))


def test_a_terminal_that_blocks_stalls_nothing_and_gets_what_it_missed() -> None:
    let_go, said = threading.Event(), list[str]()

    def say(line: str) -> None:
        assert let_go.wait(20)
        said.append(line)

    teller = TerminalTeller(Telling("en", "referee", by_place=True), say)
    game = Game(Settings(level=1))
    view = game.view()
    for number in range(LOST):
        teller.show(attrs.evolve(view, ready=number % 2 == 0))
    teller.close(wait_s=0.01)
    assert said == []
    let_go.set()
    teller.close(wait_s=20)
    assert said == ["00:00.0  The board is set up.", "00:00.0  The game begins: Red moves first."]


def test_why_ready_is_out_is_said_once_each_time() -> None:
    game = Game(Settings(level=1))
    telling = Telling("en", "referee", by_place=True)
    view = game.view()
    list(telling.lines(view))
    failing = attrs.evolve(view, problem="the game is not being kept: no space", ready=False)
    said = ["         Not ready: the game is not being kept: no space."]
    assert list(telling.lines(failing)) == said
    assert list(telling.lines(failing)) == []
    assert list(telling.lines(view)) == []
    assert list(telling.lines(failing)) == said
