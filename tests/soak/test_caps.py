"""The soak on a board with radio caps: turnings told late through lossy air are judged as with wires."""

from __future__ import annotations

import json
import random

import attrs
import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main
from tamsk_pi.devices.caps import HOLD_MS
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sim.acts import Knock, Lift, Seat, Turn
from tamsk_pi.sim.board import VirtualBoard
from tamsk_pi.sim.sensors import QUIET
from tamsk_pi.soak import caps
from tamsk_pi.soak.caps import CapSoakBoard
from tamsk_pi.soak.plan import FAULTS, Order, plan_game
from tamsk_pi.soak.run import soak
from tamsk_pi.soak.tally import Tally


def played(order: Order, games: int) -> Tally:
    tally, _ = soak(order, range(games), 1, lambda game: None)
    return tally


@pytest.mark.parametrize("loss", [0.0, 0.4, 0.8])
def test_games_with_caps_are_judged_to_the_millisecond(loss: float) -> None:
    tally = played(Order(faults=(), cap_loss=loss), 6)
    assert tally.is_clean, tally.problems
    assert tally.moves > 100


def test_all_faults_together_with_caps() -> None:
    tally = played(Order(seed=5, cap_loss=0.4), 9)
    assert tally.is_clean, tally.problems
    assert tally.recoveries > 5


def test_edges_that_are_not_held_long_enough_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this, all that is clean would say nothing."""
    monkeypatch.setattr(caps, "HOLD_MS", 10)
    assert not played(Order(faults=(), cap_loss=0.4), 6).is_clean


def test_what_no_witness_can_judge_with_caps_is_left_out() -> None:
    assert plan_game(Order(), 0).faults == FAULTS
    assert set(FAULTS) - set(plan_game(Order(cap_loss=0.0), 0).faults) == {"kill", "power", "stuck", "noisy"}


def test_every_board_has_tilts_to_be_told() -> None:
    plans = [plan_game(Order(cap_loss=0.4), number) for number in range(60)]
    assert all(plan.fitted.tilt for plan in plans)
    assert {plan.fitted.sockets for plan in plans} == {"reed", "hall"}


def told(board: CapSoakBoard, until_ms: int) -> list[tuple[int, Edge]]:
    """Every edge with the time at which it came out."""
    return [(t_ms, edge) for t_ms in range(0, until_ms, 5) for edge in board.run_to(t_ms)]


def turned_and_moved() -> VirtualBoard:
    board = VirtualBoard(1, habits=QUIET)
    board.plan([(1_000, Lift("R1", "red")), (1_400, Turn("R1")), (1_500, Seat("R1", "B4"))])
    return board


def test_a_turning_keeps_its_time_and_its_place_and_comes_late() -> None:
    came = told(CapSoakBoard(turned_and_moved(), random.Random(1), 0.4), 3_000)
    assert [(edge.t_ms, edge.kind) for _, edge in came] == [(1_000, "socket"), (1_400, "tilt"), (1_500, "socket")]
    assert all(HOLD_MS < t_ms - edge.t_ms <= HOLD_MS + 10 for t_ms, edge in came)


def test_what_is_held_is_there_to_be_shown() -> None:
    board = CapSoakBoard(turned_and_moved(), random.Random(1), 0.0)
    told(board, 1_105)
    held = board.held()
    assert held is not None
    assert [edge.t_ms for _, edge in held.edges] == [1_000]
    assert (held.read_ms, board.alive_at_ms()) == (1_100, 1_100 - HOLD_MS)


def test_a_knock_is_no_turning() -> None:
    board = VirtualBoard(1, habits=attrs.evolve(QUIET, knock_ms=15))
    board.plan([(1_000, Lift("R1", "red")), (1_400, Turn("R1")), (1_500, Seat("R1", "B4"))])
    board.plan([(200, Knock("B1")), (600, Knock("B1"))])
    assert [edge.name for _, edge in told(CapSoakBoard(board, random.Random(1), 0.0), 3_000)] == ["A4", "R1", "B4"]


def test_the_command_takes_a_share_of_losses() -> None:
    ran = CliRunner().invoke(main, ["soak", "--games", "2", "--faults", "none", "--caps", "40", "--json"])
    assert ran.exit_code == 0, ran.output
    assert json.loads(ran.output)["clean"] is True
    wrong = CliRunner().invoke(main, ["soak", "--games", "2", "--caps", "90"])
    assert wrong.exit_code == 2
    assert "90 is not in the range 0<=x<=80" in wrong.output
