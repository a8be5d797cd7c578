"""Sensors that lie: counts no hand can make, wires, buttons that hang, contacts that flicker without a rest."""

from __future__ import annotations

import pytest

from tamsk_pi.sensing.settle import Input
from tests.referee.scene import Scene


def test_a_holder_that_glitches_credits_nobody() -> None:
    """One fault, told once; no ring moves, nothing is to be put back."""
    scene = Scene(1, rings="holder").carry(1_600, "R2", "D1", "D2", turned=False)
    scene.holder(2_500, "red", 0).holder(2_700, "red", 32).holder(4_000, "red", 31)
    assert scene.says(9_000)[1:] == [
        "2500 fault impossible_count holder red",
        "2700 fault_cleared impossible_count holder red",
        "4000 ring red D2 1 move",
    ]


@pytest.mark.parametrize(("stayed_ms", "believed"), [(1_999, False), (2_000, True)])
def test_a_jump_that_has_stayed_is_one_change_at_its_own_time(stayed_ms: int, believed: bool) -> None:
    """One `ring_not_due` with `rings`, the number of them; it uses no right."""
    scene = Scene(1).carry(1_600, "R2", "D1", "D2", turned=False)
    scene.ring(3_000, "D4", 3).ring(3_000 + stayed_ms, "D4", 0)
    told = scene.says(9_000)[1:]
    if believed:
        assert told == ["3000 violation ring_not_due D4 3", "5000 resolved ring_not_due D4"]
    else:
        assert told == ["3000 fault impossible_count ring D4", "4999 fault_cleared impossible_count ring D4"]


@pytest.mark.parametrize(("count", "socket"), [(2, "A1"), (-1, "D4"), (7, "D4")])
def test_more_rings_than_fit_or_fewer_than_none_are_never_believed(count: int, socket: str) -> None:
    scene = Scene(1).ring(1_000, socket, count).ring(60_000, socket, 0)
    assert scene.says(70_000) == [
        f"1000 fault impossible_count ring {socket}",
        f"60000 fault_cleared impossible_count ring {socket}",
    ]


def test_two_rings_at_once_are_one_and_one() -> None:
    """So many a hand can drop: the first is the move's, the second is not due."""
    scene = Scene(1).carry(1_600, "R2", "D1", "D2", turned=False).ring(2_500, "D2", 2)
    assert scene.says(4_000)[1:] == ["2500 ring red D2 1 move", "2500 violation ring_not_due D2"]


@pytest.mark.parametrize(("sockets", "line"), [(("A1", "A4"), "A"), (("A1", "D1", "G1"), "1"), (("A4", "G4"), "4")])
def test_a_row_or_a_column_that_opens_in_one_ms_is_a_wire(sockets: tuple[str, ...], line: str) -> None:
    """Nothing was lifted, and nothing is amiss once it makes contact again."""
    scene = Scene(1)
    for socket in sockets:
        scene.lift(1_000, socket).place(5_000, socket)
    told = scene.carry(7_000, "R2", "D1", "D2", turned=False).says(9_000)
    assert told == [
        f"1000 fault wire {line} {list(sockets)}",
        f"5000 fault_cleared wire {line} {list(sockets)}",
        "7000 move red R2 D1 D2",
    ]


def test_two_glasses_lifted_in_one_ms_that_share_no_line_are_lifted() -> None:
    scene = Scene(1).lift(1_000, "A1").lift(1_000, "D7")
    scene.says(3_000)
    assert [g.name for g in scene.picture().glasses.values() if g.in_hand] == ["B1", "B2"]


def test_tilts_of_all_glasses_in_one_ms_turn_nothing() -> None:
    scene = Scene(2)
    for glass in ("R1", "R2", "R3", "B1", "B2", "B3"):
        scene.turn(1_000, glass)
    assert scene.says(3_000) == ["1000 fault wire tilt ['B1', 'B2', 'B3', 'R1', 'R2', 'R3']"]


def test_a_button_that_is_down_from_the_start_resigns_nothing() -> None:
    scene = Scene(1).press(0, "red", 8_000).press(9_000, "red")
    assert scene.says(12_000) == [
        "0 fault held_from_start button red",
        "8000 fault_cleared held_from_start button red",
        "9000 violation must_move red",
    ]


def test_a_contact_that_flickers_without_a_rest_is_weak() -> None:
    """Forty flickers in two seconds count as so many; the bounce of a glass that is set down as none."""
    contact = Input("socket", "D4", True, 20, 120, weak_after=10)
    told = []
    for nth in range(40):
        told.append(contact.edge(1_000 + 50 * nth, False))
        told.append(contact.edge(1_005 + 50 * nth, True))
    assert told.count(True) == 1
    assert contact.revealed == "weak"
    set_down = Input("socket", "D4", False, 20, 120, weak_after=10)
    assert not any(set_down.edge(1_000 + 25 * nth, nth % 2 == 0) for nth in range(9))


def test_a_standing_tilt_with_151_ms_between_its_edges_is_one_fault_once() -> None:
    scene = Scene(2)
    for nth in range(397):
        scene.turn(1_000 + 151 * nth, "B3")
    told = scene.says(65_000)
    assert told == ["1000 fault tilt_without_lift B3 G1"]
