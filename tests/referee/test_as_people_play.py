"""What every player does at a real board, and is not to be scolded for."""

from __future__ import annotations

import pytest

from tests.referee.scene import Scene


@pytest.mark.parametrize(("rest_ms", "told"), [(299, "1900 move red R2 D1 D2"), (300, "1300 move red R2 D1 E1")])
def test_resting_a_moment_on_a_neighbour_is_no_placing(rest_ms: int, told: str) -> None:
    """A glass is released once it has stood for `release_ms`."""
    scene = Scene(1).lift(1_000, "D1").place(1_300, "E1").lift(1_300 + rest_ms, "E1").place(1_900, "D2")
    assert scene.says(4_000)[0] == told


def test_brushing_past_a_full_socket_loses_nothing() -> None:
    scene = Scene(1).word(500, "rings", socket="E1", count=1, side="black")
    scene.lift(1_000, "D1").place(1_300, "E1").lift(1_500, "E1").place(1_900, "D2")
    assert scene.says(4_000)[1:] == ["1900 move red R2 D1 D2"]


def test_set_down_again_on_the_same_socket_it_was_placed_there() -> None:
    scene = Scene(1).lift(1_000, "D1").place(1_300, "E1").lift(1_500, "E1").place(1_900, "E1")
    assert scene.says(4_000) == ["1300 move red R2 D1 E1"]


@pytest.mark.parametrize("why", ["lift", "ring"])
def test_what_the_other_side_or_a_ring_relied_on_was_placed(why: str) -> None:
    """Unless the other side lifted a glass or a ring came meanwhile."""
    scene = Scene(1).lift(1_000, "D1").place(1_300, "E1").lift(1_500, "E1").place(1_900, "D2")
    scene = scene.lift(1_400, "A1") if why == "lift" else scene.ring(1_400, "E1")
    assert scene.says(4_000)[0] == "1300 move red R2 D1 E1"


def test_nobody_waits_for_a_glass_that_is_kept_in_the_hand() -> None:
    """Rested for a moment, then in the hand for long: the timer's ruling comes in time."""
    scene = Scene(3).turn(500, "N").lift(1_000, "D1").place(1_300, "E1").lift(1_500, "E1")
    assert "15500 timeout red True" in scene.says(16_000)


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize(("early_ms", "credited"), [(1_000, True), (1_001, False)])
def test_a_ring_may_come_before_its_glass(level: int, early_ms: int, credited: bool) -> None:
    """It is not judged before the glass is set down, or 1,000 ms have passed."""
    scene = Scene(level).carry(3_000, "R2", "D1", "D2", turned=level > 1).lift(1_500, "D1")
    scene.records = [r for r in scene.records if (r.t_ms, getattr(r, "name", "")) != (2_600, "D1")]
    told = scene.ring(3_000 - early_ms, "D2").says(5_000)
    if credited:
        assert told == ["3000 move red R2 D1 D2", "3000 ring red D2 1 move"]
    else:
        assert told == ["1999 violation ring_not_due D2", "3000 move red R2 D1 D2"]


def test_a_ring_before_a_glass_that_is_not_turned_is_judged_at_its_own_time() -> None:
    scene = Scene(2).carry(3_000, "R2", "D1", "D2", turned=False).ring(2_900, "D2")
    assert scene.says(5_000) == ["2900 violation ring_not_due D2", "3000 violation not_flipped red R2 D2"]


def test_the_ring_on_an_unturned_glass_comes_in_when_the_move_is_made_whole() -> None:
    scene = Scene(2).carry(1_600, "R2", "D1", "D2", turned=False).ring(2_200, "D2")
    scene.lift(4_000, "D2").turn(4_300, "R2").place(4_800, "D2")
    assert scene.says(7_000)[2:] == [
        "4800 resolved not_flipped R2",
        "4800 move red R2 D1 D2",
        "4800 resolved ring_not_due D2",
        "4800 ring red D2 1 move",
    ]


def test_the_ring_on_an_unturned_glass_waits_for_it_also_by_a_detour() -> None:
    scene = Scene(2).carry(1_600, "R2", "D1", "D2", turned=False).ring(2_200, "D2")
    scene.lift(4_000, "D2").turn(4_300, "R2").place(4_800, "D4").lift(6_000, "D4").place(6_800, "D2")
    assert scene.says(8_000)[-2:] == ["6800 resolved ring_not_due D2", "6800 ring red D2 1 move"]


@pytest.mark.parametrize(("early_ms", "credited"), [(0, True), (1_000, True), (1_001, False)])
def test_a_press_may_come_before_the_glass_is_down(early_ms: int, credited: bool) -> None:
    scene = Scene(1, rings="buttons").lift(1_500, "D1").place(3_000, "D2").press(3_000 - early_ms, "red")
    told = scene.says(5_000)
    assert ("3000 ring red D2 1 move" in told) == credited
    assert (f"{3_000 - early_ms} violation must_move red" in told) == (not credited)


def test_a_quick_reply_may_press_before_the_first_side_has_set_down() -> None:
    scene = Scene(1, rings="buttons").lift(1_000, "D1").lift(1_100, "A1").press(1_400, "black", 80)
    told = scene.place(1_600, "D2").place(2_000, "A2").says(5_000)
    assert told == ["1600 move red R2 D1 D2", "2000 move black B1 A1 A2", "2000 ring black A2 1 move"]


def test_a_penalty_ring_that_falls_under_a_glass_in_the_air_loses_no_game() -> None:
    """Full is judged as it was when the glass was lifted."""
    scene = Scene(1).lift(1_000, "D1").word(1_500, "rings", socket="E1", count=1, side="black").place(2_000, "E1")
    assert scene.says(4_000)[1:] == ["2000 move red R2 D1 E1"]
    scene = Scene(1).word(500, "rings", socket="E1", count=1, side="black").lift(1_000, "D1").place(2_000, "E1")
    assert scene.says(4_000)[-1].startswith("2000 game_over black full_socket")


def test_the_side_to_move_is_not_held_up_by_a_glass_of_the_other_side() -> None:
    """Only `wrong_glass` is open: its legal moves count, and the other side's glass may then go on from its home."""
    scene = Scene(1).carry(1_000, "B1", "A1", "A2", turned=False).carry(2_000, "R2", "D1", "D2", turned=False)
    scene.lift(3_000, "A2").place(3_500, "A2")
    assert scene.says(5_000) == [
        "1000 violation wrong_glass black B1 A2",
        "2000 move red R2 D1 D2",
        "3500 resolved wrong_glass B1",
        "3500 move black B1 A1 A2",
    ]


def test_a_home_that_is_taken_is_not_asked_back_for() -> None:
    scene = Scene(1).carry(1_000, "B1", "A1", "C2", turned=False)
    scene.carry(2_000, "R2", "D1", "C1", turned=False)
    assert scene.says(4_000)[0] == "1000 violation wrong_glass black B1 C2"


@pytest.mark.parametrize("first", ["B1", "R2"])
def test_two_glasses_in_the_air_are_told_apart_by_where_they_come_from(first: str) -> None:
    """Whichever lands first: the one whose placing is legal, else the one whose home touches the socket."""
    at = {"R2": ("D1", "D2"), "B1": ("A1", "A2")}
    second = "R2" if first == "B1" else "B1"
    scene = Scene(1).lift(1_000, at[second][0]).lift(1_200, at[first][0])
    scene.place(2_000, at[first][1]).place(3_000, at[second][1])
    scene.says(5_000)
    assert {g: scene.picture().glasses[g].socket for g in at} == {"R2": "D2", "B1": "A2"}


def test_a_contact_noise_ends_in_a_placing_at_the_time_it_is_quiet() -> None:
    scene = Scene(1).lift(1_000, "D1")
    for nth in range(61):
        (scene.place if nth % 2 == 0 else scene.lift)(2_000 + 10 * nth, "D2")
    assert "3600 move red R2 D1 D2" in scene.says(6_000)
