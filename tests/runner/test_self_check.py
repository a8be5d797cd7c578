"""The self-check of a live board: on every view, and on the terminal, until the first move."""

from __future__ import annotations

import pytest

from tamsk_pi.runner.telling import Telling
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.self_check import Suspect
from tamsk_pi.signals.language import Language
from tests.runner.board import FakeBoard
from tests.runner.test_desk_and_loop import ORIGIN_MS, go, loop_at, move
from tests.runner.test_offer import Views


def broken() -> FakeBoard:
    board = FakeBoard()
    board.values["socket", "E3"] = True
    board.values["button", "red"] = True
    return board


def test_suspects_are_named_before_play_and_not_after_the_first_move() -> None:
    board = FakeBoard()
    board.values["button", "red"] = True
    loop, clock = loop_at(board)
    go(loop, clock, board, ORIGIN_MS + 100)
    assert loop.desk.picture(ORIGIN_MS + 100).suspects == (Suspect("button_down", "button", "red"),)
    loop.post(board.edges(*move(ORIGIN_MS + 1_000)))
    go(loop, clock, board, ORIGIN_MS + 2_000)
    assert loop.desk.picture(ORIGIN_MS + 2_000).suspects == ()


def test_a_sensor_that_flickers_is_named_while_the_game_has_not_begun() -> None:
    board = FakeBoard()
    board.values["socket", "D1"] = False
    loop, clock = loop_at(board)
    for start_ms in (1_000, 2_000, 3_000, 4_000):
        loop.post(
            [Edge(ORIGIN_MS + start_ms, "socket", "E3", True), Edge(ORIGIN_MS + start_ms + 40, "socket", "E3", False)]
        )
    go(loop, clock, board, ORIGIN_MS + 5_000)
    assert loop.desk.picture(ORIGIN_MS + 5_000).suspects == (Suspect("flickers", "socket", "E3"),)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ["The sensor of E3 says that a glass stands there", "The button of Red is held down, or stuck."]),
        ("de", ["Der Sensor von E3 meldet", "Der Taster von Rot ist gedrückt oder klemmt."]),
        ("es", ["El sensor de E3 dice", "El botón de Rojo está pulsado o atascado."]),
    ],
)
def test_the_terminal_names_them_in_every_language(language: Language, told: list[str]) -> None:
    board, views = broken(), Views()
    loop, clock = loop_at(board, watcher=views)
    go(loop, clock, board, ORIGIN_MS + 100)
    lines = [line.strip() for line in Telling(language, "referee", by_place=True).lines(views.seen[-1])]
    for beginning in told:
        assert any(line.startswith(beginning) for line in lines), lines
