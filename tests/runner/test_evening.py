"""A whole evening at one board, on each command: games at three levels, a rematch, a game broken off, a power cut, a
sensor that dies, lamps alone; nothing is restarted, and every game is in a file of its own."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Literal

import pytest

from tamsk_pi.commands.replay import rulings_of
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.sim.faults import Stuck
from tamsk_pi.trace import TraceReader
from tests.runner.evenings import Evening, settings

MODES: tuple[Literal["play", "referee"], ...] = ("play", "referee")


class PowerCutError(Exception):
    """The plug is pulled."""


def traced(path: Path) -> tuple[Settings, list[str]]:
    with path.open("rb") as stream:
        reader = TraceReader(stream)
        return reader.settings, [ruling.kind for ruling in rulings_of(reader)]


@pytest.mark.parametrize("mode", MODES)
def test_a_whole_evening(tmp_path: Path, mode: Literal["play", "referee"], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    evening = Evening(tmp_path, settings(red="Ada", black="Lin", rings="holder"))
    objects: list[int] = []

    def count_objects() -> None:
        gc.collect()
        objects.append(len(gc.get_objects()))

    def phase() -> str:
        return evening.picture.phase

    def before_the_cut() -> None:
        # The board is set up as it is switched on: the first game begins.
        assert phase() == "to_move"
        evening.play_moves(6)
        evening.resign("red")
        count_objects()
        # Level 2, chosen by red's button while the board is set up in another order.
        evening.go(6_000)
        evening.clear()
        assert phase() == "setting_up"
        evening.press("red")
        evening.put("B2", "R1", "B3")
        evening.put("R3", "B1")
        assert evening.loop.evening.games == 1
        evening.put("R2")
        evening.wait_for_game(2)
        assert evening.loop.desk.session.settings.level == 2
        evening.play(evening.is_over)
        count_objects()
        # A rematch with sides swapped, at level 3.
        choices = evening.loop.evening.choices.swapped().next_level()
        evening.loop.evening.choose(choices)
        evening.go(6_000)
        evening.clear()
        evening.put("R1", "R2", "R3", "B1", "B2", "B3")
        evening.wait_for_game(3)
        assert evening.loop.desk.session.settings.red == "Lin"
        evening.play_moves(5)
        # Broken off by the arbiter's word; the next one is played by other rules.
        assert evening.loop.evening.say("new_game", {}, evening.now_ms) is None
        evening.clear()
        evening.press("black")
        evening.put("B3", "B2", "B1", "R3", "R2", "R1")
        evening.wait_for_game(4)
        assert evening.loop.desk.session.settings.rules == "wikipedia"
        evening.play_moves(5)
        count_objects()
        raise PowerCutError

    with pytest.raises(PowerCutError):
        evening.run(mode, before_the_cut)
    assert len(evening.files()) == 4

    def after_the_cut() -> None:
        assert evening.loop.desk.is_offered
        evening.go(2_000)
        evening.press("arbiter")
        assert evening.picture.phase in ("to_move", "carrying")
        evening.play_moves(3)
        for side in ("red", "black"):
            evening.rig.hands.press(side, side, evening.now_ms, "held")
        evening.until(evening.is_over)
        evening.go(6_000)
        # A corner's sensor dies between two games: it is told, and the arbiter's word lets the game begin without it.
        evening.clear()
        evening.rig.board.switch_on(Stuck(("socket", "G4"), False))
        evening.put("R1", "R2", "R3", "B1", "B2", "B3")
        evening.go(10_000)
        assert [(p.socket, p.what) for p in evening.picture.setup_problems] == [("G4", "put_glass")]
        assert evening.loop.evening.say("dead", {"socket": "G4", "dead": True}, evening.now_ms) is None
        evening.wait_for_game(2)
        evening.go(200)
        assert evening.loop.desk.session.settings.level == 3
        assert evening.picture.phase == "to_move"
        evening.resign("black")
        evening.go(6_000)

    evening.run(mode, after_the_cut)
    files = evening.files()
    assert len(files) == 5
    games = [traced(path) for path in files]
    assert [game.level for game, _ in games] == [1, 2, 3, 3, 3]
    assert [game.rules for game, _ in games] == ["rulebook", "rulebook", "rulebook", "wikipedia", "wikipedia"]
    assert [game.red for game, _ in games] == ["Ada", "Ada", "Lin", "Lin", "Lin"]
    assert [kinds.count("game_over") for _, kinds in games] == [1, 1, 0, 1, 1]
    assert all(kinds[:2] == ["ready", "started"] for _, kinds in games[:4])
    assert all(path.read_text().endswith('"end": true}\n') for path in files)
    # What one game leaves behind is nothing: the program does not grow with the evening.
    assert objects[2] - objects[1] < 20_000


@pytest.mark.parametrize("mode", MODES)
def test_what_was_ruled_live_is_what_the_files_tell(tmp_path: Path, mode: Literal["play", "referee"]) -> None:
    evening = Evening(tmp_path, settings(level=2))
    live: list[list[str]] = []

    def script() -> None:
        for number in (1, 2):
            evening.play(evening.is_over)
            evening.go(8_000)
            live.append([ruling.kind for ruling in evening.loop.desk.rulings])
            evening.clear()
            evening.put("R1", "B1", "R2", "B2", "R3", "B3")
            evening.wait_for_game(number + 1)

    evening.run(mode, script)
    assert [traced(path)[1] for path in evening.files()[:2]] == live


def test_the_board_is_to_be_otherwise_first(tmp_path: Path) -> None:
    """A game that is given up before its first move is not followed by the next on the spot."""
    evening = Evening(tmp_path, settings())

    def script() -> None:
        evening.go(500)
        evening.resign("red")
        evening.go(60_000)
        assert evening.loop.evening.games == 1
        assert evening.picture.phase == "over"
        evening.rig.hands.lift("red", "R2", evening.now_ms)
        evening.go(1_000)
        evening.rig.hands.put_back("red", "R2", evening.now_ms)
        evening.go(2_500)
        assert evening.loop.evening.games == 1
        evening.wait_for_game(2)

    evening.run("play", script)


@pytest.mark.parametrize("how", ["both", "arbiter"])
def test_where_rings_are_not_sensed_it_begins_by_presses(tmp_path: Path, how: Literal["both", "arbiter"]) -> None:
    evening = Evening(tmp_path, settings(rings="buttons"))

    def script() -> None:
        evening.play_moves(2)
        evening.resign("black")
        evening.go(6_000)
        evening.clear()
        evening.press("arbiter")
        evening.press_both()
        assert evening.loop.evening.games == 1, "the board is not set up"
        evening.put("R1", "R2", "R3", "B1", "B2", "B3")
        evening.go(20_000)
        assert evening.loop.evening.games == 1, "it does not begin by itself"
        if how == "both":
            evening.press_both()
        else:
            evening.press("arbiter")
        assert evening.loop.evening.games == 2
        assert evening.loop.desk.session.settings.level == 1, "two presses at once choose nothing"

    evening.run("play", script)


def test_rings_that_lie_and_holders_that_lack_some_keep_the_game_from_beginning(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settings(rings="holder"))

    def script() -> None:
        evening.play_moves(4)
        evening.resign("black")
        evening.go(6_000)
        evening.rig.hands.sweep("red", evening.now_ms)
        evening.go(10_000)
        evening.put("R1", "R2", "R3", "B1", "B2", "B3")
        evening.go(20_000)
        assert evening.loop.evening.games == 1
        lacking = evening.picture.upcoming
        assert lacking is not None
        assert sum(lacking.holders_lacking.values()) > 0
        for socket, stack in dict(evening.rig.board.foreseen().stacks).items():
            for _ in stack:
                evening.rig.hands.take_ring_off("red", socket, evening.now_ms)
                evening.go(1_500)
        evening.wait_for_game(2)

    evening.run("play", script)


def test_the_end_is_taken_back_though_the_record_was_closed(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settings())

    def script() -> None:
        evening.play_moves(3)
        evening.resign("red")
        evening.go(20_000)
        assert evening.loop.desk.is_resting
        [path] = evening.files()
        assert path.read_text().endswith('"end": true}\n')
        evening.press("arbiter", "held")
        assert not evening.loop.evening.is_between
        assert evening.loop.desk.snapshot().result is None
        evening.play_moves(3)
        evening.resign("black")
        evening.go(20_000)

    evening.run("play", script)
    [path] = evening.files()
    _, kinds = traced(path)
    assert kinds == [ruling.kind for ruling in evening.loop.desk.rulings]
    assert kinds.count("game_over") == 2


def test_lamps_alone_tell_what_is_chosen(tmp_path: Path) -> None:
    """Level on red's turn lamp, edition on black's, by how often they flash; each choice sounds."""
    evening = Evening(tmp_path, settings(level=3))

    def flashes(lamp: str) -> int:
        evening.frames.clear()
        evening.go(1_500)
        lit = [frame.panel[lamp] for _, frame in evening.frames]
        return sum(now and not before for before, now in zip([False, *lit], lit, strict=False))

    def script() -> None:
        evening.go(500)
        evening.resign("red")
        evening.go(16_000)
        assert flashes("turn_red") in (3, 4, 5)
        evening.press("red")
        assert flashes("turn_red") in (1, 2)
        evening.press("red")
        assert flashes("turn_red") in (2, 3, 4)
        assert evening.loop.evening.choices.level == 2
        evening.press("black")
        assert evening.loop.evening.choices.rules == "wikipedia"
        assert not evening.frames[-1][1].panel["ready"]

    evening.run("referee", script)


def test_the_arbiters_long_press_begins_without_a_sensor_that_is_broken(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settings())

    def script() -> None:
        evening.play_moves(3)
        evening.resign("red")
        evening.go(6_000)
        evening.clear()
        evening.press("arbiter", "long")
        assert evening.loop.evening.games == 1, "an empty board is no broken sensor"
        evening.rig.board.switch_on(Stuck(("socket", "A1"), False))
        evening.put("R1", "R2", "R3", "B1", "B2", "B3")
        evening.go(5_000)
        evening.press("arbiter", "long")
        assert evening.loop.evening.games == 2
        assert evening.picture.phase == "to_move"

    evening.run("play", script)


def test_a_board_that_is_not_set_up_as_it_is_switched_on_is_waited_for(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settings(level=3), is_empty=True)

    def script() -> None:
        evening.go(1_000)
        assert evening.picture.phase == "setting_up"
        assert evening.files() == [], "no game, no file"
        evening.press("red")
        evening.press("red")
        evening.put("R1", "R2", "R3", "B1", "B2", "B3")
        evening.until(lambda: not evening.loop.evening.is_between)

    evening.run("play", script)
    [path] = evening.files()
    assert traced(path)[0].level == 2
