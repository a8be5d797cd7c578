"""Edges that come late: put in their place, held for as long as that takes, and counted where it was not long
enough."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.inputs import TRAVELLING
from firmware_bridge.protocol import CapHealth
from tamsk_pi.devices.caps import HOLD_MS, UNHEARD_MS, CapWatch, LateEdges, Merge
from tamsk_pi.sensing.edges import Edge


def tilt(t_ms: int, glass: str = "R1", up: str = "b") -> Edge:
    return Edge(t_ms, "tilt", glass, up)


def test_a_late_edge_takes_its_place() -> None:
    merge = Merge()
    merge.push(Edge(1000, "socket", "D1", False))
    merge.push(Edge(1200, "socket", "D2", True))
    assert merge.pop(1250) == []
    merge.push(tilt(1100))
    assert [edge.t_ms for edge in merge.pop(1600)] == [1000, 1100, 1200]
    assert merge.late == {}


def test_an_edge_at_the_very_time_that_is_told_waits() -> None:
    merge = Merge()
    merge.push(tilt(1000))
    assert merge.pop(1000 + HOLD_MS) == []
    assert merge.told_ms == 1000
    assert len(merge.pop(1001 + HOLD_MS)) == 1


def test_what_comes_too_late_is_moved_up_and_counted_by_glass() -> None:
    merge = Merge()
    merge.pop(2000)
    merge.push(tilt(1000, "B2"))
    merge.push(tilt(1001, "B2", "a"))
    merge.push(Edge(1500, "socket", "D1", True))
    assert [edge.t_ms for edge in merge.pop(2500)] == [1700, 1700, 1700]
    assert merge.late == {"B2": 2}


@given(
    st.lists(st.tuples(st.integers(0, 5_000), st.integers(0, HOLD_MS - 1)), max_size=40),
    st.lists(st.integers(1, 400), max_size=40),
)
def test_whatever_comes_within_the_hold_comes_out_in_order_and_unchanged(
    edges: list[tuple[int, int]], steps: list[int]
) -> None:
    """Edges with their lateness, asked for at any moments: none is moved, none is lost."""
    merge = Merge()
    arriving = sorted((t_ms + late_ms, t_ms) for t_ms, late_ms in edges)
    out: list[Edge] = []
    now_ms = 0
    for step in [*steps, 20_000]:
        while arriving and arriving[0][0] <= now_ms + step:
            at_ms, t_ms = arriving.pop(0)
            out += merge.pop(at_ms)
            merge.push(tilt(t_ms))
        now_ms += step
        out += merge.pop(now_ms)
    assert [edge.t_ms for edge in out] == sorted(t_ms for t_ms, _ in edges)
    assert merge.late == {}


def test_time_is_told_only_after_what_is_certain_by_then_could_be_taken() -> None:
    late, posted = LateEdges(), list[Edge]()

    def post(edges: Sequence[Edge]) -> None:
        posted.extend(edges)

    late.push([tilt(1000)])
    assert late.ask(1200, post) == 900
    assert late.ask(1400, post) == 900, "posted just now"
    assert [edge.t_ms for edge in posted] == [1000]
    assert late.ask(1400, post) == 1100


def test_what_is_dropped_is_not_posted() -> None:
    late, posted = LateEdges(), list[Edge]()
    late.push([tilt(1000)])
    late.drop()
    late.ask(5000, posted.extend)
    assert posted == []


def caps(**others: CapHealth) -> list[CapHealth]:
    fine = CapHealth(1_000, ends="a")
    return [others.get(glass, fine) for glass in TRAVELLING]


UP = dict.fromkeys(TRAVELLING, "a")


def test_a_cap_is_silent_once_and_taken_over_once() -> None:
    watch = CapWatch()
    assert watch.take_health(0, caps(), UP) == []
    silent = caps(R2=CapHealth(UNHEARD_MS, ends="a"))
    assert watch.take_health(1, silent, UP) == [Edge(1, "cap", "R2", False)]
    assert watch.take_health(2, silent, UP) == []
    assert watch.silent() == ["R2"]
    assert watch.take_health(3, caps(R2=CapHealth(100, ends="b")), UP) == [Edge(3, "cap", "R2", "b")]
    assert watch.take_health(4, caps(R2=CapHealth(5_100, ends="b")), UP | {"R2": "b"}) == []


def test_a_cap_that_was_never_heard_is_silent() -> None:
    watch = CapWatch()
    assert watch.take_health(0, caps(B3=CapHealth(None)), UP) == [Edge(0, "cap", "B3", False)]


def test_two_on_one_address_are_not_trusted() -> None:
    watch = CapWatch()
    assert watch.take_health(0, caps(R1=CapHealth(100, ends="b", twins=True)), UP) == [Edge(0, "cap", "R1", False)]


def test_an_end_that_differs_is_taken_over_and_no_turning() -> None:
    watch = CapWatch()
    assert watch.take_health(7, caps(R1=CapHealth(100, ends="b")), UP) == [Edge(7, "cap", "R1", "b")]


def test_neither_and_both_ends_are_no_end() -> None:
    watch = CapWatch()
    for ends in ("", "ab"):
        assert watch.take_health(0, caps(R1=CapHealth(100, ends=ends)), UP) == []
