"""Runs to a time, a spread and a tolerance."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tamsk_pi.calibrate.spread import (
    BAND_LEAST_MS,
    BAND_PART,
    FINGER_MS,
    GLASS_LEAST_MS,
    GLASS_MOST_MS,
    is_enough,
    timed,
    tolerance_ms,
)

runs = st.lists(st.integers(60_000, 300_000), min_size=1, max_size=9)


def test_the_time_is_the_median_of_the_runs_that_count() -> None:
    of = timed([181_000, 180_000, 195_000, 180_400])
    assert (of.counted, of.refused) == ((181_000, 180_000, 180_400), (195_000,))
    assert (of.time_ms, of.stray_ms, of.spread_ms) == (180_400, 600, 1_000)


@given(runs)
def test_what_counts_and_what_is_refused_are_all_the_runs(runs_ms: list[int]) -> None:
    of = timed(runs_ms)
    assert sorted((*of.counted, *of.refused)) == sorted(runs_ms)
    assert min(of.counted) <= of.time_ms <= max(of.counted)


@given(runs, st.integers(2, 5))
def test_runs_that_are_enough_agree(runs_ms: list[int], repeats: int) -> None:
    if is_enough(runs_ms, repeats):
        of = timed(runs_ms)
        assert len(of.counted) >= repeats
        assert of.spread_ms <= 2 * max(BAND_LEAST_MS, BAND_PART * of.time_ms) + 1


def test_one_late_finger_is_forgiven_and_a_chance_agreement_is_not() -> None:
    assert not is_enough([180_000, 200_000, 180_000], 3)
    assert is_enough([180_000, 200_000, 180_000, 180_500], 3)
    assert not is_enough([173_228, 165_876, 178_284, 173_868, 186_456], 3)


def test_two_runs_far_apart_are_no_spread_and_nothing_is_refused_yet() -> None:
    assert timed([180_000, 200_000]).refused == ()
    assert not is_enough([180_000, 200_000], 2)


def test_the_tolerance_is_made_from_the_widest_stray() -> None:
    steady = {"R1": {"a": [180_000, 180_000, 180_000], "b": []}, "N": {"a": [15_000, 15_000], "b": []}}
    assert tolerance_ms(steady) == {"glass": GLASS_LEAST_MS, "timer": FINGER_MS}
    wide = {"R1": {"a": [180_000, 180_000, 182_000], "b": []}, "B1": {"a": [175_000, 175_100], "b": []}}
    assert tolerance_ms(wide) == {"glass": 3_300}
    assert tolerance_ms({"R1": {"a": [600_000, 580_000, 600_000, 582_100], "b": []}})["glass"] == GLASS_MOST_MS
