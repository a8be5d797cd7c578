"""rules.md, *Sand* and *Tie-break*, and what an expired timer costs in each edition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_pi.rules.editions import EDITIONS
from tamsk_pi.rules.sand import Sand
from tamsk_pi.rules.tie_break import last_to_stop, too_close

ALIKE = {"a": 180_000, "b": 180_000}


def test_all_upper_chambers_start_empty() -> None:
    assert Sand(ALIKE).left_ms(0) == 0


def test_an_empty_glass_turned_over_runs_its_whole_time() -> None:
    assert Sand(ALIKE).turned(1_000).left_ms(1_000) == 180_000


def test_turning_is_no_restart() -> None:
    """A glass turned over after 10 s has 10 s left."""
    assert Sand(ALIKE).turned(0).turned(10_000).left_ms(10_000) == 10_000


def test_each_end_up_has_its_own_time() -> None:
    """A full upper chamber runs out in the glass's own time, measured for each of its ends up; f becomes 1 - f."""
    sand = Sand({"a": 100_000, "b": 200_000}).turned(0)
    assert (sand.up, sand.left_ms(0)) == ("b", 200_000)
    half = sand.turned(100_000)
    assert (half.up, half.left_ms(100_000)) == ("a", 50_000)


@pytest.mark.parametrize(("fallen_ms", "left_ms"), [(1, 0), (2, 1), (3, 1), (4, 1), (5, 2), (7, 2)])
def test_the_time_left_is_rounded_to_the_nearest_ms(fallen_ms: int, left_ms: int) -> None:
    """Rounded to the nearest whole ms at each turning: here b runs three times as long as a."""
    sand = Sand({"a": 100, "b": 300}, "b", 300)
    assert sand.turned(fallen_ms).left_ms(fallen_ms) == left_ms


@given(
    st.integers(1, 10**6),
    st.integers(1, 10**6),
    st.lists(st.integers(0, 10**6), max_size=30),
)
def test_sand_is_never_below_none_nor_above_a_full_chamber(a_ms: int, b_ms: int, pauses_ms: list[int]) -> None:
    sand, t_ms = Sand({"a": a_ms, "b": b_ms}), 0
    for pause_ms in pauses_ms:
        t_ms += pause_ms
        sand = sand.turned(t_ms)
        assert 0 <= sand.left_ms(t_ms) <= sand.full_ms[sand.up]
        assert sand.stops_at_ms is None or sand.stops_at_ms > t_ms


def test_the_owner_of_the_last_glass_wins() -> None:
    assert last_to_stop({"R1": 5_000, "B1": 6_000, "R2": 5_500}) == "black"


def test_last_ones_of_both_sides_in_the_same_ms_are_dropped() -> None:
    """Where the last ones are of both sides and stop in the same millisecond, drop them and look at the next."""
    assert last_to_stop({"R1": 6_000, "B1": 6_000, "R2": 5_000}) == "red"
    assert last_to_stop({"R1": 6_000, "B1": 6_000}) is None


def test_last_ones_of_one_side_in_the_same_ms_are_not_dropped() -> None:
    assert last_to_stop({"R1": 6_000, "R2": 6_000, "B1": 5_000}) == "red"


@pytest.mark.parametrize(("within_ms", "watched"), [(1_000, ()), (1_001, ("B1", "R1")), (0, ())])
def test_a_tie_is_too_close_when_less_than_that_decides(within_ms: int, watched: tuple[str, ...]) -> None:
    """A tie-break decided by less than twice the tolerance is not decided by the model."""
    assert too_close({"R1": 6_000, "B1": 5_000, "B2": 1_000}, within_ms) == watched


def test_glasses_of_one_side_need_no_watching() -> None:
    assert too_close({"R1": 6_000, "R2": 5_999, "B1": 1_000}, 2_000) == ()


@pytest.mark.parametrize(
    ("name", "begun", "not_begun"),
    [
        ("rulebook", "penalty_ring", "penalty_ring"),
        ("wikipedia", "penalty_ring", "nothing"),
        ("schmidt1998", "skip", "skip"),
    ],
)
def test_what_an_expiry_costs(name: str, begun: str, not_begun: str) -> None:
    assert (EDITIONS[name].begun, EDITIONS[name].not_begun) == (begun, not_begun)
    assert len(EDITIONS) == 3
