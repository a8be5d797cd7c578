"""sensing.md, "Order" and "Buttons", through the whole path from edges to rulings."""

from __future__ import annotations

import pytest

from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.order import Order
from tamsk_pi.sensing.settle import Change, Input
from tests.referee.scene import Scene


def order() -> Order:
    settle_ms = {"socket": 120, "tilt": 150, "ring": 150, "holder": 150, "button": 30}
    return Order(
        [
            Input("socket", "A1", True, 20, settle_ms["socket"]),
            Input("socket", "A2", False, 20, settle_ms["socket"]),
            Input("socket", "A3", False, 20, settle_ms["socket"]),
            Input("tilt", "R1", "a", 150, settle_ms["tilt"]),
            Input("ring", "A1", 0, 150, settle_ms["ring"]),
            Input("holder", "red", 32, 150, settle_ms["holder"]),
            Input("button", "red", False, 20, settle_ms["button"]),
        ]
    )


def take_all(of: Order) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    while (event := of.peek()) is not None:
        assert isinstance(event, Change)
        found.append((event.kind, event.name))
        of.pop()
    return found


def test_at_equal_times_the_kinds_come_in_order_then_by_name() -> None:
    """At equal times: tilt, then socket opened, socket closed, ring, holder, button; then by name."""
    of = order()
    for edge in (
        Edge(100, "button", "red", True),
        Edge(100, "holder", "red", 31),
        Edge(100, "ring", "A1", 1),
        Edge(100, "socket", "A3", True),
        Edge(100, "socket", "A2", True),
        Edge(100, "socket", "A1", False),
        Edge(100, "tilt", "R1", "b"),
    ):
        of.edge(edge)
    of.known_before_ms = 1_000
    of.settle()
    expected = [("tilt", "R1"), ("socket", "A1"), ("socket", "A2"), ("socket", "A3")]
    assert take_all(of) == [*expected, ("ring", "A1"), ("holder", "red"), ("button", "red")]


def test_nothing_is_certain_beyond_a_burst_that_has_not_settled() -> None:
    """A change is held back while any input has an unsettled burst that began earlier."""
    of = order()
    of.edge(Edge(100, "socket", "A2", True))
    of.edge(Edge(110, "button", "red", True))
    of.known_before_ms = 150
    of.settle()
    assert of.horizon_ms() == 100
    of.known_before_ms = 220
    of.settle()
    assert of.horizon_ms() == 220
    assert take_all(of) == [("socket", "A2"), ("button", "red")]


def test_a_press_known_sooner_than_an_earlier_placing_waits_for_it() -> None:
    """A button settles in 30 ms, a glass in 120: they are handled strictly by their time."""
    scene = Scene(1, rings="buttons").carry(1_000, "R2", "D1", "D2", turned=False).press(1_010, "red", for_ms=50)
    assert scene.says(2_000) == ["1000 move red R2 D1 D2", "1010 ring red D2 1 move"]


@pytest.mark.parametrize(
    ("for_ms", "told"),
    [
        (799, ["1000 violation must_move red"]),
        (800, []),
        (2_999, []),
        (3_000, ["4000 game_over black resigned 32 32"]),
    ],
)
def test_a_press_is_short_under_800_ms_long_from_then_and_held_at_3_s(for_ms: int, told: list[str]) -> None:
    """Short (under 800 ms), long (800 ms or more), held when it reaches 3,000 ms.

    Short and long take effect with the time of their down edge, held with that of its third second.
    """
    assert Scene().press(1_000, "red", for_ms=for_ms).says(9_000) == told


def test_a_press_holds_the_order_back_while_it_lasts() -> None:
    """So a press holds the order back while it lasts, like any change that has not settled."""
    scene = Scene(1).carry(2_000, "R2", "D1", "D2", turned=False)
    session = scene.session
    session.feed(Edge(1_000, "button", "red", True))
    for edge in scene.records:
        assert isinstance(edge, Edge)
        assert [r.kind for r in session.feed(edge) if r.kind not in ("ready", "started")] == []
    assert [r.kind for r in session.advance(2_500)] == []
    session.feed(Edge(2_600, "button", "red", False))
    assert [(r.t_ms, r.kind) for r in session.advance(4_500)] == [(2_000, "move")]


def test_both_held_at_once_is_an_agreement_whoever_began() -> None:
    """Both sides at once: draw agreed."""
    for first, second in (("red", "black"), ("black", "red")):
        scene = Scene().press(1_000, first, for_ms=6_000).press(3_900, second, for_ms=4_000)
        assert scene.says(20_000) == ["6900 game_over None agreed 32 32"]


def test_held_one_after_the_other_is_a_resignation() -> None:
    scene = Scene().press(1_000, "red", for_ms=3_100).press(5_000, "black", for_ms=3_500)
    assert scene.says(20_000) == ["4000 game_over black resigned 32 32"]
