"""A turning's time is told by the sand before and after it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tamsk_pi.report.sand_line import SandLine, turned_at_ms
from tamsk_pi.rules.sand import Sand

FULL = st.integers(10_000, 240_000)


@given(a=FULL, b=FULL, gaps=st.lists(st.integers(1, 200_000), min_size=1, max_size=12))
def test_the_time_of_every_turning_is_found_again(a: int, b: int, gaps: list[int]) -> None:
    sand, t_ms = Sand({"a": a, "b": b}), 0
    line = SandLine(sand, 0)
    turnings = []
    for gap in gaps:
        t_ms += gap
        turned = sand.turned(t_ms)
        if turned.stops_at_ms is None:
            return
        found_ms = turned_at_ms(sand, turned)
        assert found_ms is not None
        # The model keeps whole ms, so the time is as exact as they are.
        assert abs(found_ms - t_ms) <= 3
        turnings.append(found_ms)
        # It is seen a moment later, as on a real board.
        line.look(turned, t_ms + 400)
        sand = turned
    times = [point.t_ms for point in line.points(t_ms + 400)]
    assert times == sorted(times)


def test_what_is_no_turning_has_no_time() -> None:
    full = {"a": 100_000, "b": 100_000}
    assert turned_at_ms(Sand(full), Sand(full)) is None
    assert turned_at_ms(Sand(full, "a", 5_000), Sand(full, "b")) is None
    # It would have been turned over before the game began.
    assert turned_at_ms(Sand(full, "a", 50_000), Sand(full, "b", 40_000)) is None


def test_a_word_of_the_arbiters_shows_at_once() -> None:
    full = {"a": 100_000, "b": 100_000}
    line = SandLine(Sand(full), 0)
    line.look(Sand(full, "a", 70_000), 10_000)
    assert [(p.t_ms, p.left_ms) for p in line.points(90_000)] == [
        (0, 0),
        (10_000, 0),
        (10_000, 60_000),
        (70_000, 0),
        (90_000, 0),
    ]
