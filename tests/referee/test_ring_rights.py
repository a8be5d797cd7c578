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


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("home", ["A4", "A1", "D2"])
def test_no_lift_closes_a_right(level: int, home: str) -> None:
    """People straighten glasses, touch others and nudge the table."""
    scene = opening(level).lift(2_000, home).place(2_400, home).ring(3_000, "D2")
    assert scene.says(4_000)[-1] == "3000 ring red D2 1 move"


def test_at_level_1_a_move_right_does_not_close_by_itself() -> None:
    """Level 1: when the next move is completed."""
    assert opening(1).ring(600_000, "D2").says(601_000)[-1] == "600000 ring red D2 1 move"


@pytest.mark.parametrize(
    ("moved_ms", "ring_ms", "told"),
    [
        (2_000, 4_000, "4000 ring red D2 1 move"),
        (2_000, 4_001, "4001 violation ring_not_due D2"),
        (3_999, 4_000, "4000 ring red D2 1 move"),
        (4_000, 4_400, "4400 violation ring_not_due D2"),
        (9_000, 9_400, "9400 violation ring_not_due D2"),
    ],
)
def test_at_level_1_the_next_move_closes_a_move_right_but_not_within_its_window(
    moved_ms: int, ring_ms: int, told: str
) -> None:
    """Not before `ring_window_ms` after the placing: a quick reply takes no ring."""
    scene = opening(1).carry(moved_ms, "B1", "A1", "A2", turned=False).ring(ring_ms, "D2")
    assert told in scene.says(12_000)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_its_own_next_move_closes_a_sides_move_right_at_the_latest(level: int) -> None:
    turned = level > 1
    scene = opening(level).carry(1_600, "B1", "A1", "A2", turned=turned).carry(2_300, "R1", "A4", "A3", turned=turned)
    assert scene.ring(2_700, "D2").says(6_000)[-1] == "2700 violation ring_not_due D2"


def test_at_level_1_the_claim_opens_beside_the_move_right_and_the_owner_is_sensed() -> None:
    """`ring_window_ms` after the placing; the one that is used ends the other."""
    for side, at_ms, reason in (("black", 4_001, "claim"), ("red", 4_001, "move"), ("red", 60_000, "move")):
        scene = opening(1, rings="holder").holder(at_ms, side, 31)
        assert scene.says(70_000)[-1] == f"{at_ms} ring {side} D2 1 {reason}"
        assert scene.picture().rights == ()
    too_early = opening(1, rings="holder").holder(4_000, "black", 31)
    assert len(too_early.says(9_000)) == 1, "before its right opens a ring may be in the hand"


def test_at_level_1_a_ring_is_the_movers_unless_the_other_side_holds_one_of_its_glasses() -> None:
    """The other side drops a ring there and then moves."""
    assert opening(1).ring(9_000, "D2").says(10_000)[-1] == "9000 ring red D2 1 move"
    assert opening(1).lift(8_000, "A1").ring(9_000, "D2").says(10_000)[-1] == "9000 ring black D2 1 claim"
    assert opening(1).lift(3_500, "A1").ring(4_000, "D2").says(10_000)[-1] == "4000 ring red D2 1 move"
    assert opening(1).lift(8_000, "A4").ring(9_000, "D2").says(10_000)[-1] == "9000 ring red D2 1 move"


def test_a_side_says_by_a_press_that_the_ring_was_its_own() -> None:
    """Short, within 5,000 ms after that ruling, once for each right: the ruling is given anew."""
    scene = opening(1).ring(9_000, "D2").press(14_000, "black").press(14_400, "red").press(14_800, "black")
    assert scene.says(16_000)[1:] == [
        "9000 ring red D2 1 move",
        "14000 ring black D2 1 claim red",
        "14800 violation must_move black",
    ], "red is too late, and black has said so once"
    assert scene.picture().rings_left == {"red": 32, "black": 31}
    late = opening(1).ring(9_000, "D2").press(14_001, "black")
    assert late.says(16_000)[2:] == ["14001 violation must_move black"]


def test_at_levels_2_and_3_the_mover_may_say_that_a_claimed_ring_was_its_own() -> None:
    """A ring of its own that fell a moment late; but nobody has a claim to a ring that fell in time."""
    scene = opening(2).ring(4_500, "D2").press(6_000, "red")
    assert scene.says(8_000)[1:] == ["4500 ring black D2 1 claim", "6000 ring red D2 1 move black"]
    in_time = opening(2).ring(3_500, "D2").press(4_500, "black")
    assert in_time.says(8_000)[1:] == ["3500 ring red D2 1 move", "4500 violation must_move black"]


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


def test_a_penalty_ring_is_lost_at_the_owners_next_move() -> None:
    """... or when its side completes its own next move; a lift closes nothing."""
    scene = penalty().carry(5_000, "B1", "A1", "A2").carry(6_000, "R1", "A4", "A3")
    assert scene.lift(7_000, "G1").ring(7_500, "D4").says(9_000)[-1] == "7500 ring black D4 1 penalty"
    scene = penalty().carry(5_000, "B1", "A1", "A2").carry(6_000, "R1", "A4", "A3").carry(7_000, "B3", "G1", "G2")
    assert scene.ring(7_500, "D4").says(9_000)[-1] == "7500 violation ring_not_due D4"


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


def test_in_mode_holder_one_ring_may_be_in_the_hand() -> None:
    """Put back before the move it was nothing; a second one is a violation that names the side."""
    scene = Scene(rings="holder").holder(1_000, "red", 31).holder(2_000, "red", 32).holder(3_000, "red", 31)
    assert scene.holder(4_000, "red", 30).holder(5_000, "red", 31).says(6_000) == [
        "4000 violation ring_not_due red",
        "5000 resolved ring_not_due red",
    ]


def test_in_mode_holder_the_next_move_takes_the_ring_that_is_in_the_hand() -> None:
    scene = Scene(1, rings="holder").holder(500, "red", 31).carry(2_000, "R2", "D1", "D2", turned=False)
    assert scene.says(9_000) == ["2000 move red R2 D1 D2", "2000 ring red D2 1 move"]
    assert scene.picture().rights == ()


@pytest.mark.parametrize(
    ("back_ms", "told"),
    [
        (5_000, ["5000 notice ring_undone red D2 0", "7000 ring red D2 1 move"]),
        (5_001, ["5001 violation ring_removed red", "7000 resolved ring_removed red"]),
    ],
)
def test_in_mode_holder_a_ring_out_of_the_hand_may_go_back_within_the_window(back_ms: int, told: list[str]) -> None:
    """Put back within `ring_window_ms` after it, the ring is undone and the right open again."""
    scene = Scene(1, rings="holder").holder(500, "red", 31).carry(2_000, "R2", "D1", "D2", turned=False)
    assert scene.holder(back_ms, "red", 32).holder(7_000, "red", 31).says(9_000)[2:] == told


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
