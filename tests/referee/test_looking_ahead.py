"""What can only be told by what comes after it: rings before their glass, closings at once, rights at their end."""

from __future__ import annotations

import pytest

from tests.referee.scene import Scene


@pytest.mark.parametrize(("late_ms", "told"), [(0, "ring red D2 1 move"), (1, "ring black D2 1 claim")])
def test_a_ring_at_the_instant_its_right_closes_is_in_time(late_ms: int, told: str) -> None:
    """Levels 2 and 3: an action beats a deadline; a moment later the claim is open."""
    scene = Scene(2).carry(1_000, "R2", "D1", "D2").ring(4_000 + late_ms, "D2")
    assert scene.says(6_000) == ["1000 move red R2 D1 D2", f"{4_000 + late_ms} {told}"]


def test_a_move_at_that_instant_does_not_take_it() -> None:
    scene = Scene(2).carry(1_000, "R2", "D1", "D2").carry(4_000, "B1", "A1", "A2").ring(4_000, "D2")
    assert "4000 ring red D2 1 move" in scene.says(6_000)


def test_a_word_to_go_on_revives_no_game_that_is_over() -> None:
    scene = Scene(1).press(1_000, "red", 3_500).word(9_000, "resume")
    assert scene.says(12_000) == ["4000 game_over black resigned 32 32"]


def test_a_ring_that_puts_one_back_waits_for_no_glass() -> None:
    """Though red's glass in hand could go there: it only mends."""
    scene = Scene(1).lift(500, "D1").place(1_000, "D2").ring(1_500, "D2").lift(2_000, "A1").place(2_500, "A2")
    scene.lift(6_000, "D2").place(6_500, "D3").lift(7_000, "G1").place(7_500, "G2")
    scene.lift(12_000, "D3").ring(12_300, "D2", 0).ring(12_700, "D2", 1).place(13_200, "D4")
    assert scene.says(16_000)[-3:] == [
        "12300 violation ring_removed D2",
        "12700 resolved ring_removed D2",
        "13200 move red R2 D3 D4",
    ]


def test_two_sockets_that_open_together_had_no_glass_set_down_in_either() -> None:
    """It stood between two tubes, and nobody can say in which of them."""
    scene = Scene(1).lift(1_000, "D1").place(1_500, "D2").place(1_530, "C1")
    scene.lift(3_000, "D2").lift(3_040, "C1").place(4_000, "E1")
    assert [told for told in scene.says(7_000) if "fault" not in told] == ["4000 move red R2 D1 E1"]


def test_what_of_two_closings_stays_is_the_rings_glass() -> None:
    """A strong magnet closes the neighbour, too; the ring came with the glass."""
    scene = Scene(1).lift(1_000, "D1").ring(1_300, "E1").place(1_500, "D2").place(1_530, "E1").lift(2_500, "D2")
    told = [line for line in scene.says(6_000) if "fault" not in line]
    assert told == ["1530 move red R2 D1 E1", "1530 ring red E1 1 move"]
