"""The search at levels 2 and 3: sand, the opening duty, stopping glasses, the timer and the penalty ring."""

from __future__ import annotations

import attrs
import pytest

from tamsk_pi.engine.going_on import IllegalTurn, after
from tamsk_pi.engine.masks import PLACE_OF
from tamsk_pi.engine.sand_state import Clockwork
from tamsk_pi.engine.situation import GlassSand, Situation
from tamsk_pi.engine.think import Limits, best_thought
from tamsk_pi.engine.timer import timer_wait_ms
from tamsk_pi.engine.tree import packed
from tamsk_pi.rules.board import GLASSES
from tamsk_pi.rules.notation import Move, Turn, parse_turn
from tamsk_pi.rules.position import Position
from tamsk_pi.rules.sand import Sand


def moved(left_ms: int, full_ms: int = 180_000, other_ms: int = 180_000) -> GlassSand:
    return GlassSand(left_ms, full_ms, other_ms, moved=True, out=not left_ms)


def situation(level: int = 2, /, **sand: GlassSand) -> Situation:
    """The usual set-up with every glass moved already and plenty of sand, but for those given."""
    told = {g: moved(100_000) for g in GLASSES} | sand
    return Situation(position=Position.start(), level=level, sand=told)


def code(origin: str, to: str) -> int:
    return packed(PLACE_OF[origin], PLACE_OF[to])


def test_turning_makes_f_into_one_minus_f_at_both_ends_own_times() -> None:
    told = situation(R1=moved(130_000, 180_500, 179_000))
    clock = Clockwork(told)
    then = clock.after(clock.root, code("A4", "B4"))
    lying = Sand({"a": 180_500, "b": 179_000}, "a", 130_000).turned(clock.paces[0])
    assert then.stops[0] - then.t_ms == pytest.approx(lying.left_ms(clock.paces[0]), abs=1)


def test_going_on_turns_sand_as_the_rules_do() -> None:
    told = situation(R1=moved(130_000, 180_500, 179_000), B2=moved(3_000))
    then = after(told, parse_turn("A4-B4", "red"), 5_000)
    lying = Sand({"a": 180_500, "b": 179_000}, "a", 130_000).turned(5_000)
    assert then.sand["R1"] == GlassSand(lying.left_ms(5_000), 179_000, 180_500, moved=True)
    assert then.sand["B2"].out
    assert then.sand["B1"].left_ms == 95_000


@pytest.mark.parametrize(
    ("text", "why"), [("A4-C4", "no glass"), ("+D2 A4-B4", "claim"), ("A4-B4 &C3", "penalty"), ("skip", "owes no turn")]
)
def test_what_the_rules_forbid_is_no_going_on(text: str, why: str) -> None:
    with pytest.raises(IllegalTurn, match=why):
        after(situation(), parse_turn(text, "red"))


def test_the_opening_duty_is_kept() -> None:
    told = situation(R2=GlassSand())
    clock = Clockwork(told)
    assert {c >> 6 & 63 for c in clock.codes(clock.root)} == {PLACE_OF["D1"]}
    turn = best_thought(told, Limits(nodes=1_000)).turn
    assert isinstance(turn.action, Move)
    assert turn.action.origin == "D1"


def test_a_glass_that_has_stopped_is_not_moved() -> None:
    told = situation(R1=moved(0))
    clock = Clockwork(told)
    assert PLACE_OF["A4"] not in {c >> 6 & 63 for c in clock.codes(clock.root)}


@pytest.mark.parametrize("strength", [7, 10])
@pytest.mark.parametrize("glass", ["R1", "R2", "R3"])
def test_the_glass_that_is_about_to_stop_is_saved(glass: str, strength: int) -> None:
    told = situation(**{glass: moved(6_000)})
    turn = best_thought(told, Limits(nodes=2_000), strength=strength).turn
    assert isinstance(turn.action, Move)
    assert told.position.glasses[glass] == turn.action.origin


def test_a_penalty_ring_is_dropped_with_the_move_where_one_is_owed() -> None:
    told = attrs.evolve(situation(3), penalty_owed=frozenset({"red"}))
    turn = best_thought(told, Limits(nodes=1_500)).turn
    assert isinstance(turn.action, Move)
    assert turn.action.penalty is not None
    then = after(told, turn)
    assert then.position.rings_left["red"] == 30
    assert not then.penalty_owed


def test_equal_rings_are_decided_by_the_sand() -> None:
    told = situation(R1=moved(150_000), B1=moved(90_000))
    clock = Clockwork(told)
    assert clock.last_to_stop(clock.root) == 0


def test_the_timer_is_turned_when_the_other_side_dawdles_to_our_harm() -> None:
    # Black's glasses stop soon after; red has plenty. Black, who waits, wants red to hurry.
    dying = {g: moved(24_000) for g in ("B1", "B2", "B3")}
    assert timer_wait_ms(situation(3, **dying)) is not None


def test_the_timer_is_left_alone_when_dawdling_costs_who_dawdles() -> None:
    dying = {g: moved(20_000) for g in ("R1", "R2", "R3")}
    assert timer_wait_ms(situation(3, **dying)) is None


@pytest.mark.parametrize(
    ("changes", "level"), [({"timer_left_ms": 9_000}, 3), ({"expires_ms": 9_000}, 3), ({}, 2), ({}, 1)]
)
def test_the_timer_is_turned_only_when_it_can_be(changes: dict[str, int], level: int) -> None:
    assert timer_wait_ms(attrs.evolve(situation(level), **changes)) is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"level": 4}, "level 4"),
        ({"sand": {"R9": GlassSand()}}, "no such glass"),
        ({"sand": {"R1": GlassSand(5, 4)}}, "not possible"),
        ({"paces_ms": {"red": 0, "black": 1}}, "pace"),
    ],
)
def test_an_impossible_situation_is_refused(values: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Situation(position=Position.start(), **values)  # type: ignore[arg-type]


def test_a_claimed_ring_counts() -> None:
    told = attrs.evolve(situation(), claim="D4")
    then = after(told, Turn("red", Move("A4", "B4", "dropped"), claim="D4"))
    assert then.position.rings["D4"] == 1
    assert then.position.rings_left["red"] == 30
