"""sensing.md, "Which glass", and rules.md, *Turned over*: what the sensors say that hands did."""

from __future__ import annotations

import pytest

from tamsk_pi.sensing.edges import Edge
from tests.referee.scene import Scene


def test_the_glass_in_hand_is_the_one_that_was_lifted() -> None:
    """An open socket whose glass is known means that glass is in hand. A closed socket takes the glass in hand."""
    assert Scene(1).lift(1_000, "D1").place(2_000, "E1").says(3_000) == ["2000 move red R2 D1 E1"]


def test_with_two_in_hand_the_one_that_came_from_this_socket() -> None:
    """The one that came from this very socket."""
    scene = Scene(1).lift(1_000, "D1").lift(1_200, "A4").place(2_000, "A4").place(3_000, "D2")
    assert scene.says(4_000) == ["3000 move red R2 D1 D2"]


def test_else_the_one_whose_placing_would_be_legal() -> None:
    """Else the one whose placing there would be legal, if that is one only."""
    scene = Scene(1).lift(1_000, "A4").lift(1_200, "D1").place(2_000, "D2")
    assert scene.says(4_000) == ["2000 move red R2 D1 D2"]


def test_else_the_one_whose_tilt_changed() -> None:
    """Else the one whose tilt changed since its lift, if that is one only: to D4 no glass in hand may go."""
    scene = Scene(2).lift(1_000, "A4").lift(1_200, "D1").turn(1_500, "R2").place(2_000, "D4")
    assert scene.says(4_000) == ["2000 violation not_adjacent red R2 D4"]


def test_else_the_one_lifted_first_with_a_notice() -> None:
    """Else the one lifted first, with a `notice` of code `ambiguous`."""
    told = Scene(1).lift(1_000, "A4").lift(1_200, "D1").place(2_000, "D4").says(4_000)
    assert told == ["2000 notice ambiguous D4 R1 ['R1', 'R2']", "2000 violation not_adjacent red R1 D4"]


def test_a_socket_that_closes_with_no_glass_in_hand() -> None:
    """A `fault` (`unexpected_closed`), ignored until it opens again."""
    scene = Scene(1).place(1_000, "D4").lift(3_000, "D4").carry(5_000, "R2", "D1", "D2", turned=False)
    assert scene.says(6_000) == [
        "1000 fault unexpected_closed D4",
        "3000 fault_cleared unexpected_closed D4",
        "5000 move red R2 D1 D2",
    ]


@pytest.mark.parametrize(("apart_ms", "at_once"), [(120, True), (121, False)])
def test_two_sockets_that_close_at_once_for_one_glass(apart_ms: int, at_once: bool) -> None:
    """Within one socket settle time of each other: nothing is judged until one of them opens."""
    scene = Scene(1).lift(1_000, "D1").place(2_000, "D2").place(2_000 + apart_ms, "E1")
    told = scene.lift(4_000, "E1").says(6_000)
    if at_once:
        assert told == [
            "2000 fault ambiguous_placing R2 ['D2', 'E1']",
            "2000 move red R2 D1 D2",
            "4000 fault_cleared ambiguous_placing R2",
        ]
    else:
        assert told[0] == "2000 move red R2 D1 D2"
        assert "2121 fault unexpected_closed E1" in told


@pytest.mark.parametrize(
    ("at_ms", "told"),
    [
        (499, ["499 fault tilt_without_lift R2 D1", "1500 violation not_flipped red R2 D2"]),
        (500, ["1500 move red R2 D1 D2"]),
        (2_000, ["1500 move red R2 D1 D2"]),
        (2_001, ["1500 violation not_flipped red R2 D2", "2001 fault tilt_without_lift R2 D2"]),
    ],
    ids=["501 ms before the lift", "500 ms before", "500 ms after the placing", "501 ms after"],
)
def test_a_turning_counts_from_500_ms_before_the_lift_to_as_long_after_the_placing(at_ms: int, told: list[str]) -> None:
    """From `flip_grace_ms` (500) before the lift to as long after the placing; outside that the sensor is at fault."""
    scene = Scene(2).lift(1_000, "D1").place(1_500, "D2").turn(at_ms, "R2")
    assert scene.says(4_000, "glass_stopped") == told


def test_a_late_turning_moves_the_sand_at_its_own_time() -> None:
    """A late turning moves the sand at its own time; the move bears the time of the placing."""
    scene = Scene(2).lift(1_000, "D1").place(1_500, "D2").turn(1_900, "R2")
    assert scene.says(4_000) == ["1500 move red R2 D1 D2"]
    assert scene.picture().glasses["R2"].stops_at_ms == 1_900 + 180_000


def test_a_glass_put_back_at_home_lacks_no_turning() -> None:
    """A glass put back at home lacks none: a change after it is a fault of the sensor."""
    scene = Scene(2).lift(1_000, "D1").place(1_500, "D1").turn(1_800, "R2")
    assert scene.says(4_000) == ["1800 fault tilt_without_lift R2 D1"]


def hall(*edges: tuple[int, str, str | None], level: int = 2, tilt: bool = False) -> Scene:
    scene = Scene(level, sockets="hall", tilt=tilt)
    scene.records += [Edge(t_ms, "socket", socket, field) for t_ms, socket, field in edges]
    return scene


def test_a_hall_socket_tells_the_turning() -> None:
    """Hall sockets tell the orientation; the glass is taken to have been turned at the middle of its way."""
    scene = hall((1_000, "D1", None), (2_000, "D2", "S"))
    assert scene.says(3_000) == ["2000 move red R2 D1 D2"]
    assert scene.picture().glasses["R2"].stops_at_ms == 1_500 + 180_000
    assert hall((1_000, "D1", None), (2_000, "D2", "N")).says(3_000) == ["2000 violation not_flipped red R2 D2"]


def test_a_field_that_changes_sides_at_once_is_a_lift_and_a_placing() -> None:
    """A field that goes from `N` to `S` at once is a lift and a placing at that time, turned."""
    assert hall((1_000, "D1", "S")).says(3_000) == ["1000 violation flipped_in_place red R2 D1"]


def test_the_field_has_the_last_word_over_the_tilt() -> None:
    """With `tilt` true as well, the field in the socket has the last word."""
    scene = hall((1_000, "D1", None), (2_000, "D2", "N"), tilt=True).turn(1_500, "R2")
    assert scene.says(4_000, "glass_stopped", "fault") == ["2000 violation not_flipped red R2 D2"]


def test_without_tilt_sensors_every_move_has_turned_its_glass() -> None:
    """`tilt: false`: every move at levels 2 and 3 is taken to have turned its glass over."""
    scene = Scene(2, tilt=False).carry(2_000, "R2", "D1", "D2", turned=False)
    assert scene.says(3_000) == ["2000 move red R2 D1 D2"]
    assert scene.picture().glasses["R2"].stops_at_ms == 1_800 + 180_000


def test_noise_is_told_and_ends() -> None:
    """More edges than 40 in one second: a `fault` (`noisy`), ignored until it has been quiet for a second."""
    scene = Scene(1)
    scene.records += [Edge(1_000 + 10 * n, "socket", "D4", n % 2 == 0) for n in range(50)]
    assert scene.says(5_000) == ["1400 fault noisy socket D4", "2490 fault_cleared noisy socket D4"]
