"""What was done while nobody watched must not be held against anybody later, nor leave the game without a way on."""

from __future__ import annotations

import pytest

from tamsk_pi.rules.board import RINGS_PER_SIDE
from tamsk_pi.trace import LinkUp
from tests.referee.scene import Scene, glass_ms

HOMES = ("A1", "A4", "D1", "D7", "G1", "G4")


def test_rings_taken_from_a_holder_in_the_dark_are_not_called_undue_later() -> None:
    """Never a violation: the next ring that leaves the holder is one ring, not all that left it meanwhile."""
    scene = Scene(1, rings="holder").link_down(1_000)
    scene.records.append(LinkUp(3_000, HOMES, holders={"red": RINGS_PER_SIDE - 2}))
    told = scene.carry(5_000, "R2", "D1", "D2", turned=False).holder(6_000, "red", RINGS_PER_SIDE - 3).says(8_000)
    assert told[1:3] == ["3000 notice unobserved {'red': -2}", "3000 resumed"]
    assert told[3:] == ["5000 move red R2 D1 D2", "6000 ring red D2 1 move"]


def test_a_hall_board_tells_what_was_turned_in_the_dark() -> None:
    """Moved and turned meanwhile: a move. Then lifted and put back as it stood, which is nothing."""
    occupied = ("A1", "A4", "D2", "D7", "G1", "G4")
    fields = dict.fromkeys(occupied, "N") | {"D2": "S"}
    scene = Scene(2, sockets="hall", tilt=False).link_down(1_000)
    scene.records.append(LinkUp(3_000, occupied, fields=fields))
    scene.field(5_000, "D2", None).field(6_000, "D2", "S")
    assert scene.says(8_000)[1:] == [
        "3000 notice unobserved ['D1'] ['D2']",
        "3000 resumed",
        "3000 move red R2 D1 D2",
    ]
    assert scene.picture().glasses["R2"].up == "b"
    assert scene.picture().glasses["R2"].stops_at_ms == 2_000 + 180_000, "turned half way through the dark"


def test_a_hall_board_tells_what_was_not_turned_in_the_dark() -> None:
    """Moved and not turned: the difference is told, and is neither a move nor a violation."""
    occupied = ("A1", "A4", "D2", "D7", "G1", "G4")
    scene = Scene(2, sockets="hall", tilt=False).link_down(1_000)
    scene.records.append(LinkUp(3_000, occupied, fields=dict.fromkeys(occupied, "N")))
    told = scene.word(4_000, "accept").says(8_000)
    assert told[1] == "3000 notice unobserved ['D1'] ['D2']"
    assert not [line for line in told if "violation" in line or "move" in line]


def test_a_ring_that_is_back_on_its_holder_is_in_nobodys_hand() -> None:
    """Two were taken, of which one was in the hand as far as can be told; both came back in the dark."""
    scene = Scene(1, rings="holder").holder(1_000, "red", RINGS_PER_SIDE - 2).link_down(3_000)
    scene.records.append(LinkUp(5_000, HOMES, holders={"red": RINGS_PER_SIDE}))
    told = scene.carry(7_000, "R2", "D1", "D2", turned=False).says(9_000)
    assert told[-1] == "7000 move red R2 D1 D2"
    assert scene.picture().rings["D2"] == 0


def test_a_ring_that_the_arbiter_counts_is_in_nobodys_hand() -> None:
    scene = Scene(1, rings="holder").holder(1_000, "red", RINGS_PER_SIDE - 1)
    scene.word(3_000, "rings", socket="D4", count=1, side="red")
    told = scene.carry(7_000, "R2", "D1", "D2", turned=False).says(9_000)
    assert told[-1] == "7000 move red R2 D1 D2"
    assert scene.picture().rings["D2"] == 0


def test_a_glass_that_was_turned_on_its_way_is_the_one_that_stands_there() -> None:
    """Free placement: R3 was turned over before the pause, so it is R3 that was set down during it."""
    scene = Scene(2, setup="free", occupied=()).turn(1_000, "R3").word(1_900, "pause")
    scene.place(2_000, "C4").word(5_000, "resume").word(6_000, "accept")
    scene.says(8_000)
    assert scene.picture().glasses["R3"].socket == "C4"


def test_a_placing_that_had_no_time_to_be_judged_was_in_time() -> None:
    """Free placement: the timer runs out just after the glass was set down, and then the link is cut."""
    free = Scene(3, setup="free", occupied=())
    free.turn(100, "N").turn(14_800, "R1").place(15_000, "C4").link_down(15_220)
    told = free.link_up(18_000, "C4", up=free.up).says(20_000)
    assert "15100 timeout red True" in told
    assert not [line for line in told if "forfeit" in line]


def test_a_wrong_ring_that_is_taken_off_in_the_dark_is_put_right() -> None:
    scene = Scene(1).ring(1_000, "D4").link_down(3_000).link_up(5_000, *HOMES, D4=0)
    assert scene.says(6_000)[2:] == [
        "5000 notice unobserved {'D4': -1}",
        "5000 resolved ring_not_due D4",
        "5000 resumed",
    ]
    assert scene.picture().violations == ()


def test_a_counted_ring_that_comes_back_in_the_dark_is_put_right() -> None:
    scene = Scene(1).carry(1_000, "R2", "D1", "D2", turned=False).ring(2_000, "D2").ring(4_000, "D2", 0)
    scene.link_down(6_000).link_up(8_000, "A1", "A4", "D2", "D7", "G1", "G4", D2=1)
    told = scene.says(9_000)
    assert told[2] == "4000 violation ring_removed D2"
    assert "8000 resolved ring_removed D2" in told
    assert scene.picture().violations == ()
    assert scene.picture().rings["D2"] == 1


def test_rings_beyond_the_wrong_one_are_nobodys() -> None:
    """One ring was wrong, two went: one mends it, the other is missing and that is nobody's error."""
    scene = Scene(1).carry(1_000, "R2", "D1", "D2", turned=False).ring(2_000, "D2").ring(6_000, "D2", 2)
    scene.link_down(8_000).link_up(9_000, "A1", "A4", "D2", "D7", "G1", "G4", D2=0)
    told = scene.says(10_000)
    assert told.count("9000 resolved ring_not_due D2") == 1
    assert scene.picture().violations == ()
    assert scene.picture().rings["D2"] == 1


def test_a_glass_moved_in_the_dark_without_sand_is_not_waited_for() -> None:
    """It has moved, so it may not move empty any more; a side with nothing else to move passes."""
    scene = Scene(2, glass_ms=glass_ms(4_000)).link_down(1_000)
    scene.link_up(2_000, "A1", "A4", "D4", "D7", "G1", "G4")
    scene.says(3_000)
    assert scene.picture().glasses["R2"].moved
    assert scene.picture().glasses["R2"].out
    assert "R2" not in scene.picture().targets


def test_where_no_turning_is_sensed_a_glass_moved_in_the_dark_was_turned() -> None:
    scene = Scene(2, tilt=False).link_down(1_000).link_up(2_000, "A1", "A4", "D2", "D7", "G1", "G4")
    scene.says(3_000)
    glass = scene.picture().glasses["R2"]
    assert (glass.up, glass.out) == ("b", False)
    assert glass.stops_at_ms is not None


def test_a_glass_placed_by_word_is_turned_once() -> None:
    """Where no turning is sensed, the word that tells it is not added to the turning every move is taken to have."""
    scene = Scene(2, tilt=False).word(1_000, "place", glass="R2", socket="D2", turned=True)
    assert scene.says(2_000) == ["1000 move red R2 D1 D2"]
    assert scene.picture().glasses["R2"].up == "b"
    assert scene.session.referee.game.sand["R2"].up == "b"


def test_nothing_is_asked_back_to_where_another_glass_stands_now() -> None:
    """R2 stands wrongly at D4; while paused, R1 was set into its home D1. No hand could obey "back to D1"."""
    scene = Scene(1).carry(1_000, "R2", "D1", "D4", turned=False).word(3_000, "pause")
    scene.lift(4_000, "A4").place(5_000, "D1").word(6_000, "resume")
    told = scene.says(7_000)
    assert told[0].startswith("1000 violation not_adjacent red R2")
    assert told[1:] == [
        "3000 paused arbiter",
        "6000 notice unobserved ['A4'] ['D1']",
        "6000 resolved not_adjacent R2",
        "6000 resumed",
    ]
    assert scene.picture().violations == ()
    assert scene.picture().glasses["R1"].socket == "D1"


def test_a_glass_put_back_in_the_dark_has_not_moved() -> None:
    """It stood wrongly and went home: its first move is still to come, whatever has become of its sand."""
    scene = Scene(2, glass_ms=glass_ms(4_000)).carry(1_000, "R2", "D1", "D4").link_down(2_000)
    told = scene.link_up(9_000, *HOMES, up={"R2": "a"}).says(9_100)
    assert told[-2:] == ["9000 resolved not_adjacent R2", "9000 resumed"]
    glass = scene.picture().glasses["R2"]
    assert (glass.socket, glass.moved, glass.out) == ("D1", False, False)
    assert "R2" in scene.picture().targets


def test_a_wrong_ring_that_is_back_on_its_holder_is_put_right() -> None:
    """Rings that came or went beyond it are told, and nobody's."""
    scene = Scene(1, rings="holder").holder(1_000, "red", RINGS_PER_SIDE - 2).link_down(3_000)
    scene.records.append(LinkUp(5_000, HOMES, holders={"red": RINGS_PER_SIDE - 1, "black": RINGS_PER_SIDE - 2}))
    assert scene.says(6_000) == [
        "1000 violation ring_not_due red",
        "3000 paused link",
        "5000 notice unobserved {'red': 1, 'black': -2}",
        "5000 resolved ring_not_due red",
        "5000 resumed",
    ]
    assert scene.picture().violations == ()
    assert scene.picture().rings_left == {"red": RINGS_PER_SIDE, "black": RINGS_PER_SIDE}


def test_a_counted_ring_that_has_left_its_holder_again_is_put_right() -> None:
    scene = Scene(1, rings="holder").carry(1_000, "R2", "D1", "D2", turned=False)
    scene.holder(2_000, "red", RINGS_PER_SIDE - 1).holder(4_000, "red", RINGS_PER_SIDE).link_down(6_000)
    occupied = ("A1", "A4", "D2", "D7", "G1", "G4")
    scene.records.append(LinkUp(8_000, occupied, holders={"red": RINGS_PER_SIDE - 1}))
    told = scene.says(9_000)
    assert told[2] == "4000 violation ring_removed red"
    assert "8000 resolved ring_removed red" in told
    assert scene.picture().violations == ()


def test_holders_tell_nothing_where_rings_are_noticed_otherwise() -> None:
    scene = Scene(1, rings="stack").link_down(3_000)
    scene.records.append(LinkUp(5_000, HOMES, holders={"red": 3}))
    assert scene.says(6_000) == ["3000 paused link", "5000 resumed"]


MOVED = ("A1", "A4", "D2", "D7", "G1", "G4")


@pytest.mark.parametrize(
    ("up", "occupied", "last"),
    [
        ({"R2": "b"}, MOVED, "9000 move red R2 D1 D2"),
        ({}, MOVED, "9000 move red R2 D1 D2"),
        ({"R2": "a"}, MOVED, "9000 resumed"),
        ({"R2": "b"}, ("A1", "A4", "D3", "D7", "G1", "G4"), "9000 resumed"),
        ({"R2": "b", "R1": "b"}, MOVED, "9000 resumed"),
        ({"B1": "b"}, ("A2", "A4", "D1", "D7", "G1", "G4"), "9000 resumed"),
        ({"R2": "b"}, ("A2", "A4", "D2", "D7", "G1", "G4"), "9000 resumed"),
    ],
    ids=["turned", "not told", "not turned", "not adjacent", "another turned", "the other side's", "two moved"],
)
@pytest.mark.parametrize("in_hand", [False, True])
def test_a_move_finished_in_the_dark_counts(
    up: dict[str, str], occupied: tuple[str, ...], last: str, in_hand: bool
) -> None:
    """The only difference is one glass of the side to move that stands where it could legally have gone."""
    scene = Scene(2)
    if in_hand:
        scene.lift(1_000, "D1" if "D1" not in occupied else "A1")
    scene.link_down(2_000).link_up(9_000, *occupied, up=up)
    told = scene.says(9_500)
    assert told[-1] == last
    assert not [line for line in told if "violation" in line]


def test_a_move_finished_in_the_dark_is_one_by_the_state_it_was_begun_in() -> None:
    """R2's sand ran out in the dark, after it was lifted."""
    scene = Scene(2, glass_ms=glass_ms(5_000)).carry(1_000, "R2", "D1", "D2").carry(1_500, "B1", "A1", "A2")
    scene.carry(2_000, "R1", "A4", "A3").carry(2_500, "B2", "D7", "D6").carry(3_000, "R3", "G4", "G3")
    scene.carry(3_500, "B3", "G1", "G2").lift(4_000, "D2").link_down(4_500)
    told = scene.link_up(9_000, "A2", "A3", "D3", "D6", "G2", "G3", up={"R2": "a"}).says(9_100)
    assert "9000 move red R2 D2 D3" in told


@pytest.mark.parametrize("cut", ["link", "pause"])
def test_what_had_not_settled_is_judged_afterwards(cut: str) -> None:
    """A turning might still have come: no move and no violation yet; then as the board is found."""
    for turned, last in ((False, "9000 violation not_flipped red R2 D2"), (True, "9000 move red R2 D1 D2")):
        scene = Scene(2).lift(1_000, "D1").place(1_800, "D2")
        if cut == "link":
            scene.link_down(2_200).link_up(9_000, *MOVED, up={"R2": "b" if turned else "a"})
        else:
            scene.word(2_200, "pause").word(9_000, "resume")
            if turned:
                scene.turn(4_000, "R2")
        told = scene.says(9_900)
        assert told[0].startswith("2200 paused")
        assert told[-1] == last


@pytest.mark.parametrize("cut", ["link", "pause"])
def test_what_had_not_settled_and_stands_there_no_more_is_unobserved(cut: str) -> None:
    scene = Scene(2).lift(1_000, "D1").place(1_800, "D2")
    if cut == "link":
        scene.link_down(2_200).link_up(9_000, *HOMES)
    else:
        scene.word(2_200, "pause").lift(4_000, "D2").place(5_000, "D1").word(9_000, "resume")
    assert scene.says(9_500)[1:] == ["9000 notice unobserved ['D1']", "9000 resumed"]
    assert scene.picture().glasses["R2"].socket == "D1"
    assert not scene.picture().glasses["R2"].moved


def test_at_the_end_of_a_trace_too_only_what_is_certain_is_ruled() -> None:
    """A late turning would still have been known until `flip_grace_ms` after the placing."""
    assert Scene(2).lift(1_000, "D1").place(1_800, "D2").says(2_299) == []
    assert Scene(2).lift(1_000, "D1").place(1_800, "D2").says(2_300) == ["1800 violation not_flipped red R2 D2"]
    assert Scene(2).carry(1_800, "R2", "D1", "D2").says(2_100) == ["1800 move red R2 D1 D2"]
    assert Scene(2).carry(1_800, "R2", "D1", "D2").says(2_000) == []


def test_a_dead_socket_that_lives_again_during_a_pause_is_as_it_is() -> None:
    """What changed while it was dead differs from the game, and what did not change does not."""
    word = {"socket": "D1"}
    same = Scene(1).word(1_000, "dead", dead=True, **word).word(2_000, "pause").word(3_000, "dead", dead=False, **word)
    told = same.word(4_000, "resume").says(5_000)
    assert told[-1] == "4000 resumed"
    assert not [line for line in told if "unobserved" in line]
    gone = Scene(1).word(1_000, "dead", dead=True, **word).word(2_000, "pause").lift(2_500, "D1")
    told = gone.word(3_000, "dead", dead=False, **word).word(4_000, "resume").says(5_000)
    assert told[-2:] == ["4000 notice unobserved ['D1']", "4000 resumed"]
    assert gone.picture().glasses["R2"].in_hand
