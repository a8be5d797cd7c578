"""Every violation of rules.md, "Violations", and every clause of "Mending a glass violation"."""

from __future__ import annotations

import pytest

from tests.referee.scene import Scene, glass_ms


def test_a_move_is_told_at_the_time_of_the_placing() -> None:
    """The side to move lifts one of its glasses and places it in an adjacent socket that is vacant and not full."""
    assert Scene().carry(1_000, "R2", "D1", "D2").says(2_000) == ["1000 move red R2 D1 D2"]


def test_put_back_the_same_way_up_is_nothing() -> None:
    """Putting a glass back into its own socket the same way up is no move and no violation."""
    assert Scene().carry(1_000, "R2", "D1", "D1", turned=False).says(2_000) == []


def test_wrong_glass() -> None:
    """A glass of the side not to move was moved."""
    assert Scene().carry(1_000, "B1", "A1", "A2").says(2_000) == ["1000 violation wrong_glass black B1 A2"]


def with_a_full_socket() -> Scene:
    """Level 1, red to move at 3.5 s: C1 is full and vacant, and R2 is back on D1 beside it."""
    scene = Scene(1).carry(1_000, "R2", "D1", "C1", turned=False).ring(1_500, "C1")
    scene.carry(2_500, "B2", "D7", "D6", turned=False).carry(3_000, "R2", "C1", "D1", turned=False)
    return scene.carry(3_500, "B2", "D6", "D7", turned=False)


@pytest.mark.parametrize(("glass", "home"), [("R2", "D1"), ("R1", "A4")], ids=["adjacent", "far"])
def test_full_socket(glass: str, home: str) -> None:
    """A glass placed on another socket that is full loses the game at once for the side to move, adjacent or not."""
    told = with_a_full_socket().carry(4_000, glass, home, "C1", turned=False).says(8_000)
    assert told[-2:] == [f"4000 violation full_socket red {glass} C1", "4000 game_over black full_socket 31 32"]


def test_a_full_socket_left_before_it_settled_is_not_placed() -> None:
    """Put back before it settled it was not placed."""
    scene = with_a_full_socket()
    scene.lift(4_000, "D1").place(4_300, "C1").lift(4_400, "C1").place(4_800, "D1")
    assert scene.says(8_000)[-1] == "3500 move black B2 D6 D7"


def test_stopped_glass() -> None:
    """Levels 2, 3: the glass had run out when lifted, or is out."""
    scene = Scene(glass_ms={**glass_ms(), "R2": {"a": 5_000, "b": 5_000}}).carry(1_000, "R2", "D1", "D2")
    scene.carry(2_000, "B1", "A1", "A2").carry(3_000, "R1", "A4", "A3").carry(4_000, "B2", "D7", "D6")
    scene.carry(5_000, "R3", "G4", "G3").carry(5_500, "B3", "G1", "G2").carry(7_000, "R2", "D2", "D3")
    told = scene.says(8_000)
    assert told[-2:] == ["5800 glass_stopped R2", "7000 violation stopped_glass red R2 D3"]


def test_lifted_at_the_very_instant_it_stops_still_counts_as_running() -> None:
    """A glass lifted at the very instant it stops still counts as running."""
    for lifted_ms, last in ((5_800, "6200 move red R2 D2 D3"), (5_801, "6201 violation stopped_glass red R2 D3")):
        scene = Scene(glass_ms={**glass_ms(), "R2": {"a": 5_000, "b": 5_000}}).carry(1_000, "R2", "D1", "D2")
        scene.carry(2_000, "B1", "A1", "A2").carry(3_000, "R1", "A4", "A3").carry(4_000, "B2", "D7", "D6")
        scene.carry(5_000, "R3", "G4", "G3").carry(5_500, "B3", "G1", "G2")
        scene.carry(lifted_ms + 400, "R2", "D2", "D3")
        assert last in scene.says(8_000)


def test_opening_order() -> None:
    """Each side's first moves go to its glasses that have not moved yet, until all three have."""
    scene = Scene().carry(1_000, "R2", "D1", "D2").carry(2_000, "B1", "A1", "A2").carry(3_000, "R2", "D2", "D3")
    assert scene.says(4_000)[-1] == "3000 violation opening_order red R2 D3"


def test_level_1_has_no_opening_order() -> None:
    """Opening duty: none at level 1."""
    scene = Scene(1).carry(1_000, "R2", "D1", "D2").carry(2_000, "B1", "A1", "A2").carry(3_000, "R2", "D2", "D3")
    assert scene.says(4_000)[-1] == "3000 move red R2 D2 D3"


def test_not_adjacent() -> None:
    """The socket moved to does not touch the one it came from."""
    assert Scene().carry(1_000, "R2", "D1", "D3").says(2_000) == ["1000 violation not_adjacent red R2 D3"]


def test_not_flipped() -> None:
    """Levels 2, 3: not turned over."""
    scene = Scene().carry(1_000, "R2", "D1", "D2", turned=False)
    assert scene.says(2_000) == ["1000 violation not_flipped red R2 D2"]


def test_turned_over_twice_is_not_turned_over() -> None:
    """The tilt sensor's settled value changed an odd number of times."""
    scene = Scene().lift(1_000, "D1").turn(1_300, "R2").turn(1_700, "R2").place(2_000, "D2")
    assert scene.says(4_000, "glass_stopped") == ["2000 violation not_flipped red R2 D2"]


@pytest.mark.parametrize("glass", ["R2", "B2"])
def test_flipped_in_place(glass: str) -> None:
    """Lifted and put back in its own socket the other way up: either side's glass; `player` is its owner."""
    home, owner = ("D1", "red") if glass == "R2" else ("D7", "black")
    scene = Scene().carry(1_000, glass, home, home)
    assert scene.says(2_000) == [f"1000 violation flipped_in_place {owner} {glass} {home}"]


def test_must_mend() -> None:
    """Another glass settled in another socket while a glass violation is open: it too is to be put back."""
    scene = Scene().carry(1_000, "R2", "D1", "D3").carry(2_000, "R1", "A4", "A3")
    assert scene.says(3_000)[-1] == "2000 violation must_mend red R1 A3"


def test_ring_not_due_and_taken_off() -> None:
    """A ring that no right covers; taking it off resolves it."""
    scene = Scene().ring(1_000, "D4").ring(2_000, "D4", 0)
    assert scene.says(3_000) == ["1000 violation ring_not_due D4", "2000 resolved ring_not_due D4"]


def test_a_ring_not_due_holds_nothing_up() -> None:
    """Ring violations hold nothing up: moves come as they would."""
    scene = Scene().ring(1_000, "D4").carry(2_000, "R2", "D1", "D2")
    assert scene.says(3_000)[-1] == "2000 move red R2 D1 D2"


def test_ring_removed_and_put_back() -> None:
    """A counted ring was taken off; putting it back resolves it, and until then it counts as lying there."""
    scene = Scene().carry(1_000, "R2", "D1", "D2").ring(1_500, "D2").ring(2_000, "D2", 0).ring(3_000, "D2")
    told = scene.says(4_000)
    assert told[-2:] == ["2000 violation ring_removed D2", "3000 resolved ring_removed D2"]
    assert scene.picture().rings["D2"] == 1
    assert scene.picture().rings_left["red"] == 31


def test_while_a_ring_is_removed_it_counts() -> None:
    """Until it is put back it counts as lying there."""
    scene = Scene().carry(1_000, "R2", "D1", "D2").ring(1_500, "D2").ring(2_000, "D2", 0)
    scene.says(4_000)
    assert scene.picture().rings["D2"] == 1
    assert [v.code for v in scene.picture().violations] == ["ring_removed"]


def test_timer_running() -> None:
    """Turned over while sand still runs: noted, nobody's; what was armed stands with its deadline."""
    scene = Scene(3).turn(1_000, "N").turn(2_000, "N")
    assert scene.says(40_000, "notice") == [
        "1000 timer_started black",
        "2000 violation timer_running",
        "16000 timeout red False",
        "16000 forfeit red",
    ]


def test_must_move() -> None:
    """A side that can move asks to pass; noted, nothing to mend."""
    scene = Scene().press(1_000, "red")
    assert scene.says(2_000) == ["1000 violation must_move red"]
    assert scene.picture().violations == ()


def test_a_side_not_to_move_may_press_for_nothing() -> None:
    """Nothing open and not to move: nothing, but in mode `buttons`."""
    assert Scene().press(1_000, "black").says(2_000) == []
    assert Scene(rings="buttons").press(1_000, "black").says(2_000) == ["1000 violation ring_not_due black"]


# -- mending


def test_mended_at_home_the_same_way_up() -> None:
    """At home, the same way up: `resolved`."""
    scene = Scene().carry(1_000, "R2", "D1", "D3", turned=False).carry(2_000, "R2", "D3", "D1", turned=False)
    assert scene.says(3_000)[1:] == ["2000 resolved not_adjacent R2"]
    assert scene.picture().phase == "to_move"


def test_mended_at_home_the_other_way_up() -> None:
    """At home, the other way up: `resolved`, then `flipped_in_place`, to be turned back by lifting it once more."""
    scene = Scene().carry(1_000, "R2", "D1", "D3").carry(2_000, "R2", "D3", "D1", turned=False)
    scene.carry(3_000, "R2", "D1", "D1")
    assert scene.says(4_000)[1:] == [
        "2000 resolved not_adjacent R2",
        "2000 violation flipped_in_place red R2 D1",
        "3000 resolved flipped_in_place R2",
    ]


def test_mended_by_the_move_it_should_have_been() -> None:
    """Where it could legally have gone from home, turned: `resolved`, then `move` from home, at this placing."""
    scene = Scene().carry(1_000, "R2", "D1", "D3").carry(2_000, "R2", "D3", "D2", turned=False)
    assert scene.says(3_000)[1:] == ["2000 resolved not_adjacent R2", "2000 move red R2 D1 D2"]


def test_a_move_that_lacked_its_turning_is_made_whole_in_the_same_socket() -> None:
    """A move that lacked its turning is made whole by lifting the glass and setting it down turned."""
    scene = Scene().carry(1_000, "R2", "D1", "D2", turned=False).carry(2_000, "R2", "D2", "D2")
    assert scene.says(3_000)[1:] == ["2000 resolved not_flipped R2", "2000 move red R2 D1 D2"]


def test_no_move_while_another_glass_is_still_to_be_put_back() -> None:
    """... unless another glass is still to be put back (then `must_mend`)."""
    scene = Scene().carry(1_000, "R2", "D1", "D3").carry(2_000, "R1", "A4", "B4")
    scene.carry(3_000, "R2", "D3", "D2", turned=False)
    assert scene.says(4_000)[1:] == ["2000 violation must_mend red R1 B4", "3000 violation must_mend red R2 D2"]


def test_set_down_again_where_it_wrongly_stands() -> None:
    """Set down again where it wrongly stands: nothing, unless that makes the move whole."""
    scene = Scene().carry(1_000, "R2", "D1", "D3").carry(2_000, "R2", "D3", "D3", turned=False)
    assert scene.says(3_000) == ["1000 violation not_adjacent red R2 D3"]


def test_anywhere_else_is_a_further_violation_and_resolved_names_the_last() -> None:
    """Anywhere else: a further violation with its own code. `resolved` names the code reported last."""
    scene = Scene().carry(1_000, "R2", "D1", "D3").carry(2_000, "R2", "D3", "D2")
    scene.carry(3_000, "R2", "D2", "D1", turned=False)
    assert scene.says(4_000, "glass_stopped")[1:] == [
        "2000 violation not_flipped red R2 D2",
        "3000 resolved not_flipped R2",
    ]


def test_until_it_is_mended_the_same_side_is_to_move() -> None:
    """Until it is mended the game waits: the same side is to move."""
    scene = Scene().carry(1_000, "R2", "D1", "D3").carry(2_000, "B1", "A1", "A2")
    assert scene.says(3_000)[1:] == ["2000 violation wrong_glass black B1 A2"]
    assert scene.picture().to_move == "red"


# -- a turning that no sensor saw


def test_a_turning_that_was_not_seen_is_confirmed_by_a_press() -> None:
    """Where a board asks for it, the mover may say that it did turn its glass over, before it is a violation."""
    scene = Scene(confirm_missed_turning=True).carry(1_000, "R2", "D1", "D2", turned=False).press(3_000, "red")
    assert scene.says(4_000) == [
        "1000 notice turning_not_seen R2 D2 red",
        "3000 notice turning_confirmed R2 red",
        "3000 move red R2 D1 D2",
    ]


def test_a_turning_that_nobody_confirms_is_a_violation_in_the_end() -> None:
    """Nobody pressed within five seconds."""
    scene = Scene(confirm_missed_turning=True).carry(1_000, "R2", "D1", "D2", turned=False).press(7_000, "black")
    assert scene.says(8_000) == ["1000 notice turning_not_seen R2 D2 red", "6000 violation not_flipped red R2 D2"]


def test_while_it_is_asked_about_the_glass_may_still_be_turned() -> None:
    """It was only asked about, so that nothing is resolved."""
    scene = (
        Scene(confirm_missed_turning=True).carry(1_000, "R2", "D1", "D2", turned=False).carry(2_000, "R2", "D2", "D2")
    )
    assert scene.says(9_000)[1:] == ["2000 move red R2 D1 D2"]
