"""The table of rules.md, "Ring rights", with its exact instants, and the three ways of noticing rings."""

from __future__ import annotations

import pytest

from tests.referee.scene import Scene, glass_ms


def opening(level: int = 2, **settings: object) -> Scene:
    """Red has moved R2 to D2 at 1 s."""
    return Scene(level, **settings).carry(1_000, "R2", "D1", "D2", turned=level > 1)


@pytest.mark.parametrize(
    ("at_ms", "told"),
    [(4_000, "4000 ring red D2 1 move"), (4_001, "4001 ring black D2 1 claim")],
    ids=["at the last instant", "a ms later"],
)
def test_a_move_right_closes_3_s_after_the_placing(at_ms: int, told: str) -> None:
    """Levels 2, 3: `ring_window_ms` after the placing; an action at t beats a deadline at t; then it is a claim."""
    assert opening().ring(at_ms, "D2").says(9_000)[-1] == told


@pytest.mark.parametrize("lifter", ["red", "black"])
def test_at_level_1_a_move_right_closes_at_the_next_lift_by_either_side(lifter: str) -> None:
    """Level 1: at the next lift by either side. Then an unused move right leaves a claim behind."""
    home = "A4" if lifter == "red" else "A1"
    scene = opening(1).lift(60_000, home).ring(60_500, "D2")
    assert scene.says(61_000)[-1] == "60500 ring black D2 1 claim"


def test_at_level_1_a_move_right_does_not_close_by_itself() -> None:
    """Level 1: at the next lift by either side."""
    assert opening(1).ring(600_000, "D2").says(601_000)[-1] == "600000 ring red D2 1 move"


def test_levels_2_and_3_close_at_the_movers_own_next_lift() -> None:
    """... or at the mover's own next lift; the other side's lift closes nothing."""
    assert opening().lift(2_000, "A1").ring(2_500, "D2").says(3_000)[-1] == "2500 ring red D2 1 move"
    assert opening().lift(2_000, "A4").ring(2_500, "D2").says(3_000)[-1] == "2500 ring black D2 1 claim"


def test_a_ring_elsewhere_is_not_due() -> None:
    """A ring right is for the socket the mover moved to."""
    assert opening().ring(1_500, "D3").says(3_000)[-1] == "1500 violation ring_not_due D3"


def test_one_move_one_ring() -> None:
    """After a move it may drop one ring."""
    scene = opening().ring(1_500, "D2").ring(2_500, "D2", 2)
    assert scene.says(9_000)[-1] == "2500 violation ring_not_due D2"


def test_a_claim_closes_with_the_next_completed_move() -> None:
    """Claim: closes when the next move is completed."""
    scene = opening().carry(6_000, "B1", "A1", "A2").ring(6_500, "D2")
    assert scene.says(7_000)[-1] == "6500 violation ring_not_due D2"


def test_no_claim_where_a_move_was_completed_since() -> None:
    """Opens when an unused move ring right closes, provided no move was completed since."""
    scene = opening().carry(2_000, "B1", "A1", "A2").ring(4_500, "D2")
    assert scene.says(5_000)[-1] == "4500 violation ring_not_due D2"


def test_the_move_right_runs_on_after_the_other_sides_move() -> None:
    """The other side may move as soon as the glass is released; it does not wait for the ring."""
    assert opening().carry(2_000, "B1", "A1", "A2").ring(2_500, "D2").says(3_000)[-1] == "2500 ring red D2 1 move"


def test_no_claim_on_a_full_socket() -> None:
    """That same socket, if still not full: C1 holds one ring, and the move's own ring fills it."""
    scene = Scene().carry(1_000, "R2", "D1", "C1").ring(1_500, "C1")
    scene.says(9_000)
    assert scene.picture().rights == ()


def penalty(**settings: object) -> Scene:
    """Level 3: black turned the timer at 1 s, red had not begun at 3 s; black owes itself a ring after its move."""
    return Scene(3, glass_ms=glass_ms(timer_ms=2_000), **settings).turn(1_000, "N")


def test_a_penalty_ring_goes_on_any_socket_and_closes_after_10_s() -> None:
    """Any socket that is not full; opens when the side owed completes its next move; `penalty_window_ms` later."""
    for at_ms, last in (
        (15_000, "15000 ring black D4 1 penalty"),
        (15_001, "15001 violation ring_not_due D4"),
    ):
        told = penalty().carry(5_000, "B1", "A1", "A2").ring(at_ms, "D4").says(16_000)
        assert told[:4] == [
            "1000 timer_started black",
            "3000 timeout red False",
            "3000 forfeit red",
            "5000 move black B1 A1 A2",
        ]
        assert told[-1] == last


def test_a_penalty_ring_is_lost_at_the_owners_next_lift() -> None:
    """... or at its own next lift."""
    scene = penalty().carry(5_000, "B1", "A1", "A2").carry(6_000, "R1", "A4", "A3").lift(7_000, "G1").ring(7_500, "D4")
    assert scene.says(8_000)[-1] == "7500 violation ring_not_due D4"


def test_a_ring_is_credited_in_order() -> None:
    """The move ring right for that socket; an open penalty right; a claim on that socket."""
    scene = penalty().carry(5_000, "B1", "A1", "B2").ring(5_500, "B2").ring(6_500, "B2", 2)
    assert scene.says(7_000)[-2:] == ["5500 ring black B2 1 move", "6500 ring black B2 2 penalty"]


def test_buttons_drop_the_ring_of_a_move_then_of_a_claim() -> None:
    """`rings: buttons`: drops the ring of an open move right, else of an open claim."""
    assert opening(rings="buttons").press(2_000, "red").says(3_000)[-1] == "2000 ring red D2 1 move"
    assert opening(rings="buttons").press(5_000, "black").says(6_000)[-1] == "5000 ring black D2 1 claim"


@pytest.mark.parametrize("mode", ["buttons", "holder"])
def test_the_penalty_lamp_starts_at_the_destination_and_goes_on_with_each_press(mode: str) -> None:
    """Moves the lamp on; long sets the penalty ring at the lamp, or (`holder`) a ring that leaves the holder."""
    scene = penalty(rings=mode).carry(5_000, "B1", "A1", "A2")
    if mode == "buttons":
        # The first press drops the ring of the move. It fills A2, so that the lamp goes on to A3 by itself.
        scene.press(6_000, "black")
    else:
        scene.holder(6_000, "black", 31)
    scene.press(7_000, "black")
    if mode == "buttons":
        scene.press(8_000, "black", for_ms=900)
    else:
        scene.holder(8_000, "black", 30)
    told = scene.says(10_000)
    assert told[-2:] == ["6000 ring black A2 1 move", "8000 ring black A4 1 penalty"]


def test_in_mode_holder_a_long_press_sets_nothing() -> None:
    """Only `rings: buttons` has a meaning for a long press; the ring that leaves the holder is the ring."""
    scene = penalty(rings="holder").carry(5_000, "B1", "A1", "B2").press(7_000, "black", for_ms=900)
    assert "ring" not in scene.says(8_000)[-1]


def test_in_mode_holder_a_ring_taken_for_nothing_is_to_go_back() -> None:
    """Where only the holders are sensed, a violation names the side."""
    scene = Scene(rings="holder").holder(1_000, "red", 31).holder(2_000, "red", 32).holder(3_000, "red", 31)
    assert scene.says(4_000) == [
        "1000 violation ring_not_due red",
        "2000 resolved ring_not_due red",
        "3000 violation ring_not_due red",
    ]


def test_in_mode_holder_a_counted_ring_put_back_is_a_violation() -> None:
    """A counted ring was taken off."""
    scene = opening(rings="holder").holder(1_500, "red", 31).holder(2_500, "red", 32).holder(3_500, "red", 31)
    assert scene.says(4_500)[1:] == [
        "1500 ring red D2 1 move",
        "2500 violation ring_removed red",
        "3500 resolved ring_removed red",
    ]


def test_a_side_that_drops_its_last_ring_wins_at_once() -> None:
    """A side that drops its last ring wins at once."""
    scene = opening(1).word(1_200, "rings", socket="D4", count=1, side="red")
    scene.session.referee.game.rings_left["red"] = 2
    assert scene.ring(1_500, "D2").says(3_000)[-2:] == ["1500 ring red D2 1 move", "1500 game_over red last_ring 0 32"]
