"""rules.md, "Board", "A turn" and *Opening duty*: where a glass may go, and what forbids it."""

from __future__ import annotations

import pytest

from tamsk_pi.rules.board import CAPACITY, NEIGHBOURS, SOCKETS, START, owner_of
from tamsk_pi.rules.moves import Table


def table(level: int = 2, *, free: bool = False, **standing: str | None) -> Table:
    start: dict[str, str | None] = dict.fromkeys(START) if free else dict(START)
    return Table(level, free, start | standing)


def test_the_board() -> None:
    """1 on the 18 rim sockets, 2 on the next 12, 3 on the next 6, 4 at D4; 64 in all."""
    counts = [sum(fits == n for fits in CAPACITY.values()) for n in (1, 2, 3, 4)]
    assert (len(SOCKETS), counts, sum(CAPACITY.values())) == (37, [18, 12, 6, 1], 64)
    assert CAPACITY["D4"] == 4


def test_who_touches_whom() -> None:
    """So `F1` touches `E1 E2 F2 G1`, `D1` touches `C1 D2 E1`."""
    assert NEIGHBOURS["F1"] == ("E1", "E2", "F2", "G1")
    assert NEIGHBOURS["D1"] == ("C1", "D2", "E1")
    assert all(a in NEIGHBOURS[b] for a in SOCKETS for b in NEIGHBOURS[a])


def test_the_timer_belongs_to_nobody() -> None:
    with pytest.raises(ValueError, match="'N' belongs to no side"):
        owner_of("N")


def test_a_glass_goes_to_vacant_sockets_that_are_not_full() -> None:
    """An adjacent socket that holds no glass and is not full."""
    of = table(R1="D2")
    of.rings["C1"] = 1
    assert set(of.destinations("R2")) == {"E1"}


def test_a_side_with_nowhere_to_go_cannot_move() -> None:
    of = table()
    of.rings |= CAPACITY
    assert not of.can_move("red")
    of.rings["A3"] = 0
    assert of.can_move("red")
    of.out.add("R1")
    assert not of.can_move("red")


def test_opening_duty() -> None:
    """First moves go to glasses that have not moved yet, until all three have."""
    of = table()
    of.moved.add("R2")
    assert of.opening_duty("red") == ("R1", "R3")
    of.moved |= {"R1", "R3"}
    assert of.opening_duty("red") == ()
    assert table(1).opening_duty("red") == ()


def test_opening_duty_lapses_where_no_unmoved_glass_can_go() -> None:
    """Lapses while none of the unmoved glasses has a legal destination."""
    of = table(R2="D3")
    of.moved |= {"R2", "R3"}
    for socket in NEIGHBOURS["A4"]:
        of.rings[socket] = CAPACITY[socket]
    assert of.opening_duty("red") == ()
    assert set(of.targets("red")) == {"R2", "R3"}


def test_free_placement_goes_anywhere_vacant() -> None:
    """In its first three turns each side places one of its glasses on any vacant socket."""
    of = table(free=True, B1="D4")
    assert len(set(of.destinations("R1"))) == 36
    of.standing["R1"] = "A1"
    of.moved.add("R1")
    assert of.opening_duty("red") == ("R2", "R3")


def test_the_first_fault_in_order_is_told() -> None:
    """Checked in this order; the first that applies is reported."""
    of = table()
    of.moved.add("R2")
    of.rings["D4"] = 4
    assert of.fault_in_going("B1", "D4", "red", ran=False) == "wrong_glass"
    assert of.fault_in_going("R2", "D4", "red", ran=False) == "full_socket"
    assert of.fault_in_going("R2", "D5", "red", ran=False) == "stopped_glass"
    assert of.fault_in_going("R2", "D5", "red", ran=True) == "opening_order"
    assert of.fault_in_going("R1", "D5", "red", ran=False) == "not_adjacent"
    assert of.fault_in_going("R1", "A3", "red", ran=False) is None
