"""sensing.md, "Edges, bursts, settled changes": one input's edges to its settled changes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tamsk_pi.sensing.settle import NOISY_EDGES, Change, Input

GAP_MS, SETTLE_MS = 20, 120


def socket(weak_after: int = 0) -> Input:
    return Input("socket", "D4", False, GAP_MS, SETTLE_MS, weak_after)


def settled(times_ms: Sequence[int], source: Input | None = None) -> list[tuple[int, object]]:
    """Edges that change the value back and forth, from open on; the changes that settle, as (time, value)."""
    source = source or socket()
    changes: list[Change | None] = []
    for t_ms in times_ms:
        if source.due_ms is not None and source.due_ms <= t_ms:
            changes.append(source.settle())
        source.edge(t_ms, not source.value)
    if source.due_ms is not None:
        changes.append(source.settle())
    return [(change.t_ms, change.value) for change in changes if change is not None]


def test_a_change_bears_the_time_of_the_first_edge_of_its_burst() -> None:
    """Its time is the time of the first edge of the burst that brought the value."""
    assert settled([1_000, 1_004, 1_009, 1_015, 1_016]) == [(1_000, True)]


def test_a_burst_that_ends_as_it_began_is_no_change() -> None:
    """A burst that ends with the value it began from is no change at all."""
    assert settled([1_000, 1_004]) == []


def test_such_a_burst_does_not_shift_a_change_that_is_still_settling() -> None:
    """... and does not shift the time of a change that is still settling."""
    assert settled([1_000, 1_060, 1_064]) == [(1_000, True)]


@pytest.mark.parametrize(("apart_ms", "time_ms"), [(19, 1_000), (20, 1_040)])
def test_edges_closer_together_than_the_gap_are_one_burst(apart_ms: int, time_ms: int) -> None:
    """Closer together than the gap they form a burst; at the gap itself a new one begins."""
    assert settled([1_000, 1_000 + apart_ms, 1_000 + 2 * apart_ms]) == [(time_ms, True)]


@pytest.mark.parametrize(("kept_ms", "changes"), [(119, []), (120, [(1_000, True), (1_120, False)])])
def test_a_value_settles_when_it_was_kept_for_the_settle_time(kept_ms: int, changes: list[object]) -> None:
    """Kept one value for its settle time since its last edge."""
    assert settled([1_000, 1_000 + kept_ms]) == changes


def test_an_edge_that_repeats_the_value_is_none() -> None:
    source = socket()
    assert source.edge(1_000, False) is False
    assert source.due_ms is None


@pytest.mark.parametrize("apart_ms", [24, 25])
def test_more_than_40_edges_within_a_second_are_noise(apart_ms: int) -> None:
    """More edges than 40 in one second: the 41st within 1,000 ms of the first makes the input noisy."""
    source = socket()
    noisy = [source.edge(n * apart_ms, not source.value) for n in range(NOISY_EDGES + 1)]
    assert noisy == [False] * NOISY_EDGES + [apart_ms == 24]
    assert source.noisy == (apart_ms == 24)


def test_a_change_found_after_a_quiet_second_bears_that_time() -> None:
    """Ignored until it has been quiet for a second; a change that is found then bears that time."""
    assert settled(range(0, 41 * 10, 10)) == [(1_400, True)]
    assert settled(range(0, 42 * 10, 10)) == []


def test_a_weak_contact_is_told_once() -> None:
    """More flickers in a minute than the setting says, and once only."""
    source = socket(weak_after=3)
    assert [source.flickered(t_ms) for t_ms in (0, 1_000, 2_000, 3_000, 4_000)] == [False, False, False, True, False]


def test_flickers_spread_over_more_than_a_minute_are_no_weakness() -> None:
    source = socket(weak_after=3)
    assert not any(source.flickered(t_ms) for t_ms in range(0, 600_000, 20_000))


def test_what_is_forgotten_never_settles() -> None:
    source = socket()
    source.edge(1_000, True)
    source.forget()
    assert source.due_ms is None
    assert source.settled is False
