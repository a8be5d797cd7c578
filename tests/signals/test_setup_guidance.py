"""Before play: all problems of the position at once, two lamp patterns, black's choice of the timer's side."""

from __future__ import annotations

from typing import Literal

import pytest

from tamsk_pi.rules.board import START
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.signals.standing import STATES
from tamsk_pi.signals.status import status
from tamsk_pi.signals.words import Words
from tests.signals.stage import Stage, lift, place, turn

CORNERS = tuple(START.values())
BLACK_CHOOSES = "Black chooses on which side of the board the timer stands."


def wrong(level: int = 1, mode: Literal["play", "referee"] = "referee") -> Stage:
    """Two corners empty, two glasses where none belong, and a ring."""
    closed = (*CORNERS[2:], "C3", "E3")
    edges = [Edge(100, "ring", "D4", 1), lift(5_000, "C3"), place(6_000, CORNERS[0]), lift(7_000, "E3")]
    edges += [place(8_000, CORNERS[1]), Edge(9_000, "ring", "D4", 0)]
    return Stage(Settings(level=level, occupied=closed), mode, edges, ready=False)


@pytest.mark.parametrize("mode", ["play", "referee"])
def test_all_problems_are_told_at_once_and_go_as_they_are_mended(mode: Literal["play", "referee"]) -> None:
    stage = wrong(mode=mode)
    stage.run_to(4_000)
    told = list(status(stage.session.snapshot(), Words()))
    assert told[0] == "Set up the board."
    assert sorted(told[1:]) == [
        f"Put a glass on {CORNERS[0]}.",
        f"Put a glass on {CORNERS[1]}.",
        "Take the glass off C3.",
        "Take the glass off E3.",
        "Take the rings off D4.",
    ]
    stage.run_to(8_500)
    assert list(status(stage.session.snapshot(), Words())) == ["Set up the board.", "Take the rings off D4."]
    stage.run_to(9_500)
    assert stage.session.snapshot().phase == "to_move"


@pytest.mark.parametrize("mode", ["play", "referee"])
def test_what_is_to_be_taken_away_and_what_is_missing_blink_differently(mode: Literal["play", "referee"]) -> None:
    """Not told apart by colour alone: a board with one lamp at each socket shows as much."""
    stage = wrong(mode=mode)
    stage.run_to(4_500)
    assert {s for _, frame in stage.frames for s in frame.red_sockets} == {"C3", "E3", "D4"}
    assert {s for _, frame in stage.frames for s in frame.green_sockets} == set(CORNERS[:2])
    assert STATES["take_away"].rhythm != STATES["put_here"].rhythm
    away, here = stage.changes_of("C3", "red"), stage.changes_of(CORNERS[0], "green")
    assert len(away) > 3 * len(here) > 0
    last = stage.run_to(9_500)
    assert not last.red_sockets
    assert not last.green_sockets


def test_it_is_ready_when_it_is_right() -> None:
    stage = wrong()
    stage.run_to(12_000)
    rulings = [r.kind for r in stage.session.referee.fetch()]
    assert rulings == []
    assert stage.session.snapshot().setup_problems == ()
    assert stage.session.snapshot().phase == "to_move"


@pytest.mark.parametrize(("level", "told"), [(1, False), (2, False), (3, True)])
def test_at_level_3_black_is_told_to_choose_the_timers_side(level: int, told: bool) -> None:
    """While the board is set up, and as long as nothing has been moved or turned."""
    stage = wrong(level)
    stage.run_to(4_000)
    assert (BLACK_CHOOSES in status(stage.session.snapshot(), Words())) == told
    assert bool(stage.changes_of("turn_black")) == told


@pytest.mark.parametrize("act", [[turn(1_000, "N")], [lift(1_000, "D1"), turn(1_200, "R2"), place(1_500, "D2")]])
def test_a_board_that_was_set_up_at_once_tells_it_until_play_begins(act: list[Edge]) -> None:
    stage = Stage(Settings(level=3), "play", act)
    stage.run_to(900)
    assert BLACK_CHOOSES in status(stage.session.snapshot(), Words())
    stage.run_to(3_000)
    assert BLACK_CHOOSES not in status(stage.session.snapshot(), Words())
