"""The soak itself: clean where it must be, and able to fail where something is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.soak.compare import Dark, Expected, compare
from tamsk_pi.soak.game import SoakGame
from tamsk_pi.soak.plan import FAULTS, FaultListError, Order, faults_from_text, plan_game
from tamsk_pi.soak.run import GROWTH_KB, WARM_UP_GAMES, Memory, Played, play_one, soak
from tamsk_pi.soak.tally import MOST_PROBLEMS, Tally


def played(order: Order, numbers: Sequence[int]) -> Tally:
    tally, _ = soak(order, numbers, 1, lambda game: None)
    return tally


def test_games_without_faults_are_judged_to_the_millisecond() -> None:
    tally = played(Order(faults=()), range(12))
    assert tally.is_clean, tally.problems
    assert (tally.games, tally.finished) == (12, 12)
    assert tally.moves > 200
    assert tally.true_violations > 20


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_injected_and_survived(fault: str) -> None:
    tally = played(Order(faults=(fault,)), range(100, 104))
    assert tally.is_clean, tally.problems
    assert tally.faults[fault] > 5
    if fault in ("stuck", "noisy", "link", "kill"):
        assert tally.recoveries > 5


def test_all_faults_together() -> None:
    tally = played(Order(seed=3), range(12))
    assert tally.is_clean, tally.problems
    assert set(FAULTS) == {name for name, count in tally.faults.items() if count}


def test_a_settle_time_that_is_too_short_is_found_out() -> None:
    """Without this, all that is clean would say nothing."""
    tally = played(Order(faults=(), settle_ms=2), range(6))
    assert not tally.is_clean
    assert tally.false_violations > 0
    assert tally.lost_events + tally.missed_violations > 0
    assert 0 < len(tally.problems) <= MOST_PROBLEMS


def test_a_game_depends_on_its_seed_and_number_alone(tmp_path: Path) -> None:
    def trace(order: Order, number: int) -> str:
        game = SoakGame(plan_game(order, number), Tally(), tmp_path)
        game.play()
        return game.trace()

    assert trace(Order(), 4) == trace(Order(), 4)
    assert trace(Order(), 4) != trace(Order(seed=2), 4)


def test_the_trace_of_a_game_that_goes_wrong_is_kept() -> None:
    wrong = play_one(Order(faults=(), settle_ms=2), 0)
    assert not wrong.tally.is_clean
    assert wrong.trace.startswith('{"format": "tamsk-trace"')
    assert '"settle_ms"' in wrong.trace.splitlines()[0]
    assert play_one(Order(faults=()), 0).trace == ""


def test_games_go_through_levels_rings_and_sensors() -> None:
    plans = [plan_game(Order(), number) for number in range(60)]
    assert {plan.level for plan in plans} == {1, 2, 3}
    assert {plan.fitted.rings for plan in plans} == {"stack", "holder", "buttons"}
    assert {(plan.fitted.sockets, plan.fitted.tilt) for plan in plans} == {
        ("reed", True),
        ("reed", False),
        ("hall", True),
        ("hall", False),
    }
    fixed = [plan_game(Order(level=2, rings="holder"), number) for number in range(9)]
    assert {(plan.level, plan.fitted.rings) for plan in fixed} == {(2, "holder")}


def test_a_list_of_faults() -> None:
    assert faults_from_text("all") == FAULTS
    assert faults_from_text("none") == ()
    assert faults_from_text("kill, bounce") == ("bounce", "kill")
    with pytest.raises(FaultListError, match="unknown fault 'kil'; allowed: all, none, or a list of bounce"):
        faults_from_text("bounce,kil")
    with pytest.raises(FaultListError, match="unknown fault ''"):
        faults_from_text("")


# -- the comparison

MOVE = Expected(5_000, "move", {"player": "red", "glass": "R2", "from": "D1", "to": "D2"})
RULED = Ruling(5_000, "move", MOVE.details)
WRONG = Expected(5_000, "violation", {"code": "not_adjacent", "glass": "R2"})


def compared(expected: list[Expected], rulings: list[Ruling], dark: Sequence[Dark] = (), slack_ms: int = 0) -> Tally:
    tally = Tally()
    compare("game 1", expected, rulings, dark, lambda t_ms: slack_ms, tally)
    return tally


def test_what_is_ruled_as_it_was_done_is_right() -> None:
    assert compared([MOVE], [RULED]) == Tally(moves=1, rulings=1)
    told = compared([WRONG], [Ruling(5_000, "violation", {**WRONG.details, "player": "red"})])
    assert (told.true_violations, told.violations) == (1, Counter({"not_adjacent": 1}))


@pytest.mark.parametrize(
    "ruling", [attrs.evolve(RULED, t_ms=5_001), attrs.evolve(RULED, details={**MOVE.details, "to": "C1"})]
)
def test_another_time_or_another_place_is_an_event_lost(ruling: Ruling) -> None:
    tally = compared([MOVE], [ruling])
    assert (tally.lost_events, tally.unfounded) == (1, 1)


def test_a_flickering_contact_may_shift_a_time() -> None:
    assert compared([MOVE], [attrs.evolve(RULED, t_ms=5_090)], slack_ms=130).lost_events == 0


def test_violations_are_false_or_missed() -> None:
    tally = compared([WRONG], [Ruling(5_000, "violation", {"code": "not_flipped", "glass": "R2"})])
    assert (tally.missed_violations, tally.false_violations) == (1, 1)
    assert tally.problems[0].startswith("game 1: not told: 5000 violation")


def test_no_ruling_serves_twice() -> None:
    assert compared([MOVE, MOVE], [RULED]).lost_events == 1


def test_in_the_dark_nothing_can_be_lost_but_no_violation_may_be_told() -> None:
    dark = [Dark(5_500, 9_000)]
    assert compared([MOVE], [], dark).lost_events == 0
    assert compared([], [attrs.evolve(RULED, t_ms=6_000)], dark).unfounded == 0
    assert compared([], [Ruling(6_000, "violation", WRONG.details)], dark).false_violations == 1


# -- memory


def test_memory_that_grows_after_the_warm_up_is_told() -> None:
    memory = Memory()
    for number in range(WARM_UP_GAMES + 1):
        memory.note(Played(number, Tally(), 7, 20_000 + number, ""))
    assert memory.is_flat
    assert memory.growth_kb == 1
    memory.note(Played(99, Tally(), 7, 20_000 + WARM_UP_GAMES + GROWTH_KB, ""))
    assert not memory.is_flat
    assert (memory.start_kb, memory.end_kb) == (20_000, 20_000 + WARM_UP_GAMES + GROWTH_KB)


def test_a_small_process_beside_a_large_one_does_not_look_like_growth() -> None:
    memory = Memory()
    memory.note(Played(0, Tally(), 1, 50_000, ""))
    memory.note(Played(1, Tally(), 2, 90_000, ""))
    assert memory.is_flat


def test_a_game_that_was_not_finished_is_not_clean() -> None:
    assert Tally(games=1, finished=1).is_clean
    assert not Tally(games=2, finished=1).is_clean
    assert not Tally(games=1, finished=1, broken_recoveries=1).is_clean
    assert not Tally(games=1, finished=1, missed_faults=1).is_clean
