"""The 15-second timer in three editions, passes and skips, closing and the tie-break."""

from __future__ import annotations

from typing import TypeVar

import pytest

from tamsk_pi.rules.board import CAPACITY, SOCKETS
from tamsk_pi.sensing.settings import Tolerance
from tests.referee.scene import Scene, glass_ms

SHORT_TIMER = glass_ms(timer_ms=2_000)

AnyScene = TypeVar("AnyScene", bound=Scene)


def timed(rules: str = "rulebook") -> Scene:
    """Black turns the timer, of 2 s, at 1 s."""
    return Scene(3, rules=rules, glass_ms=SHORT_TIMER).turn(1_000, "N")


@pytest.mark.parametrize(
    ("rules", "owed", "skipped"),
    [("rulebook", ("black",), ()), ("wikipedia", (), ()), ("schmidt1998", (), ("red",))],
)
def test_expired_and_not_begun(rules: str, owed: tuple[str, ...], skipped: tuple[str, ...]) -> None:
    """Turn forfeited; the same penalty ring, no ring, or its next turn is skipped as well."""
    scene = timed(rules)
    assert scene.says(4_000)[1:] == ["3000 timeout red False", "3000 forfeit red"]
    assert scene.picture().penalty_owed == owed
    assert scene.picture().skip_owed == skipped
    assert scene.picture().to_move == "black"


@pytest.mark.parametrize(
    ("rules", "owed", "skipped"),
    [("rulebook", ("black",), ()), ("wikipedia", ("black",), ()), ("schmidt1998", (), ("red",))],
)
def test_expired_with_the_turn_begun(rules: str, owed: tuple[str, ...], skipped: tuple[str, ...]) -> None:
    """Begun: the move may be completed, ring and all, and completing it costs the penalty."""
    scene = timed(rules).lift(2_900, "D1").turn(3_200, "R2").place(3_500, "D2").ring(4_000, "D2")
    told = scene.says(5_000)
    assert told[1:] == ["3000 timeout red True", "3500 move red R2 D1 D2", "4000 ring red D2 1 move"]
    assert scene.picture().penalty_owed == owed
    assert scene.picture().skip_owed == skipped


def test_a_skip_is_told_when_the_turn_would_have_come() -> None:
    """A skip is announced when that turn would have come and the side could have moved."""
    scene = timed("schmidt1998").carry(5_000, "B1", "A1", "A2")
    assert scene.says(6_000)[-2:] == ["5000 move black B1 A1 A2", "5000 skip red"]
    assert scene.picture().to_move == "black"


def test_a_placing_at_the_very_instant_of_expiry_is_in_time() -> None:
    """A placing at the very instant of expiry is in time; one ms later it is not."""
    assert "timeout" not in " ".join(timed().carry(3_000, "R2", "D1", "D2").says(6_000))
    assert "3000 timeout red True" in timed().carry(3_001, "R2", "D1", "D2").says(6_000)


def test_turned_at_the_very_instant_of_its_expiry_it_is_armed_anew() -> None:
    """Turned over at the very instant of its own expiry it is armed anew, and the old expiry lapses."""
    told = timed().turn(3_000, "N").says(6_000)
    assert told[1:] == ["3000 timer_started black", "5000 timeout red False", "5000 forfeit red"]


def test_a_violation_begun_counts_as_a_turn_begun() -> None:
    """The turn had begun if the side to move holds one of its glasses, or a glass violation is open."""
    told = timed().carry(2_000, "R2", "D1", "D3").says(6_000)
    assert told[-1] == "3000 timeout red True"


def test_a_wrong_glass_neither_disarms_the_timer_nor_begins_the_turn() -> None:
    """Nobody gets rid of it by touching the other side's glass."""
    assert timed().carry(2_000, "B1", "A1", "A2").says(6_000)[1:] == [
        "2000 violation wrong_glass black B1 A2",
        "3000 timeout red False",
        "3000 forfeit red",
    ]


@pytest.mark.parametrize(("after_ms", "armed"), [(0, False), (300, False), (301, True)])
def test_turned_right_after_a_placing_the_timer_was_meant_for_that_move(after_ms: int, armed: bool) -> None:
    """Within `release_ms` after a placing that completed a move: it arms nothing."""
    scene = Scene(3).carry(2_000, "R2", "D1", "D2").turn(2_000 + after_ms, "N")
    told = scene.says(4_000)
    assert (f"{2_000 + after_ms} timer_started red" in told) == armed
    assert (scene.picture().timer_armed_against == "black") == armed


@pytest.mark.parametrize(("at_ms", "waived"), [(6_000, True), (6_001, False)])
def test_the_side_said_to_have_started_the_timer_may_say_that_it_was_not(at_ms: int, waived: bool) -> None:
    """By a short press within 5,000 ms of `timer_started`: then it is void."""
    scene = Scene(3).turn(1_000, "N").press(at_ms, "black").press(at_ms + 500, "red")
    told = scene.says(20_000)
    assert (f"{at_ms} notice timer_waived black" in told) == waived
    assert ("16000 forfeit red" in told) == (not waived)
    assert f"{at_ms + 500} violation must_move red" in told, "whose turn it is can waive nothing"


def test_a_button_that_a_ring_right_is_open_for_waives_nothing() -> None:
    """Where no ring right of its own is open for a button."""
    scene = Scene(3, rings="buttons").carry(1_000, "R2", "D1", "D2").turn(2_000, "N").press(3_000, "red")
    assert scene.says(5_000)[1:] == ["2000 timer_started red", "3000 ring red D2 1 move"]
    assert scene.picture().timer_armed_against == "black"


def test_while_a_violation_is_open_turning_the_timer_arms_nothing() -> None:
    """While a glass violation is open, turning it arms nothing."""
    scene = Scene(3, glass_ms=SHORT_TIMER).carry(1_000, "R2", "D1", "D3").turn(2_000, "N")
    assert scene.says(9_000) == ["1000 violation not_adjacent red R2 D3"]


@pytest.mark.parametrize("level", [1, 2])
def test_below_level_3_there_is_no_timer(level: int) -> None:
    """The 15-second timer may be used at level 3."""
    assert Scene(level).turn(1_000, "N").says(40_000) == []


def test_within_the_tolerance_the_timer_is_given_the_benefit_of_the_doubt() -> None:
    """Turned over within the tolerance of the model's stop: noted (`notice`, `close_call`), no violation."""
    scene = Scene(3, glass_ms=SHORT_TIMER, tolerance=Tolerance(timer_ms=700)).turn(1_000, "N").turn(2_300, "N")
    assert scene.says(2_900)[1:] == ["2300 notice close_call N 3000", "2300 timer_started black"]


def test_within_the_tolerance_a_late_move_is_noted() -> None:
    """Every judgement that rests on the sand model alone is widened."""
    scene = Scene(3, glass_ms=SHORT_TIMER, tolerance=Tolerance(timer_ms=700)).turn(1_000, "N")
    told = scene.carry(3_700, "R2", "D1", "D2").says(5_000)
    assert told[1:] == ["3700 notice close_call N 3000", "3700 move red R2 D1 D2"]


def test_a_glass_lifted_within_the_tolerance_still_moves() -> None:
    """A glass lifted within the tolerance of the model's stop is given the benefit of the doubt and noted."""
    scene = Scene(glass_ms={**glass_ms(), "R2": {"a": 5_000, "b": 5_000}}, tolerance=Tolerance(glass_ms=2_000))
    scene.carry(1_000, "R2", "D1", "D2").carry(2_000, "B1", "A1", "A2").carry(3_000, "R1", "A4", "A3")
    scene.carry(4_000, "B2", "D7", "D6").carry(5_000, "R3", "G4", "G3").carry(5_500, "B3", "G1", "G2")
    told = scene.carry(7_000, "R2", "D2", "D3").says(9_000)
    assert told[-3:] == ["5800 glass_stopped R2", "6600 notice close_call R2 5800", "7000 move red R2 D2 D3"]


def fill(scene: AnyScene, *but: str) -> AnyScene:
    """All sockets but some are full, by nobody's rings."""
    for socket in SOCKETS:
        if socket not in but:
            scene.session.referee.game.table.rings[socket] = CAPACITY[socket]
    return scene


def test_a_side_that_cannot_move_passes_at_once() -> None:
    """A turn that comes to a side that cannot move is passed at once."""
    scene = fill(Scene(1), "D2", "D3").carry(1_000, "R2", "D1", "D2", turned=False)
    assert scene.says(2_000) == ["1000 move red R2 D1 D2", "1000 pass black"]


def test_a_skip_and_the_other_sides_pass_come_at_one_instant() -> None:
    """If the other side then cannot move, its pass follows at the same instant and the turn is back."""
    scene = fill(Scene(1), "D2", "D3", "A2")
    scene.session.referee.game.skip_owed.add("black")
    assert scene.carry(1_000, "R2", "D1", "D2", turned=False).says(2_000)[-1] == "1000 skip black"
    stuck = fill(Scene(1), "D2", "A2")
    stuck.session.referee.game.skip_owed.add("black")
    told = stuck.carry(1_000, "R2", "D1", "D2", turned=False).says(2_000)
    assert told == ["1000 move red R2 D1 D2", "1000 skip black", "1000 pass red"]


def last_move(level: int = 1, **settings: object) -> Scene:
    """Red's move to D2 leaves neither side another one."""
    return fill(Scene(level, **settings), "D2").carry(1_000, "R2", "D1", "D2", turned=level > 1)


def test_closing_waits_for_the_last_ring_right() -> None:
    """When neither side can move, open rights may still be used; the game is over when the last is used or closed."""
    assert last_move().ring(1_500, "D2").says(9_000)[1:] == [
        "1500 ring red D2 1 move",
        "1500 game_over red rings 31 32",
    ]


def test_closing_gives_a_level_1_right_3_s_and_the_claim_after_it_as_long() -> None:
    """A level-1 move right also closes `ring_window_ms` after that moment, and a claim as long after it opens."""
    assert last_move().ring(7_000, "D2").says(9_000)[-1] == "7000 game_over black rings 32 31"
    assert last_move().says(9_000)[-1] == "7000 game_over None rings 32 32"


def test_equal_at_level_1_is_a_draw() -> None:
    """Equal at level 1: a draw."""
    assert last_move().says(9_000)[-1] == "7000 game_over None rings 32 32"


def test_equal_at_levels_2_and_3_the_last_glass_to_stop_wins() -> None:
    """Order all moved glasses by the time at which they stopped or will stop; the owner of the last one wins."""
    assert last_move(2).says(9_000)[-1] == "7000 game_over red tie_break 32 32"


def too_close_to_call() -> Scene:
    """R2 stops at 180.8 s and B2 a second later, by the model; the tolerance is 2 s."""
    scene = fill(Scene(2, tolerance=Tolerance(glass_ms=2_000)), "D2", "D6")
    return scene.carry(1_000, "R2", "D1", "D2").carry(2_000, "B2", "D7", "D6")


@pytest.mark.parametrize(
    ("red_ms", "black_ms", "over_ms", "winner"),
    [
        (181_000, 182_500, 182_500, "black"),
        (182_700, 181_000, 182_700, "red"),
        (181_000, 181_900, 181_900, None),
        (181_000, 182_000, 182_000, None),
        (181_000, 182_001, 182_001, "black"),
        (20_000, 181_000, 181_000, "black"),
        (181_500, 20_000, 181_500, "black"),
        (183_900, 184_500, 183_800, "black"),
        (182_500, None, 183_800, "red"),
        (None, None, 183_800, "black"),
    ],
)
def test_a_tie_closer_than_twice_the_tolerance_is_left_to_the_players(
    red_ms: int | None, black_ms: int | None, over_ms: int, winner: str | None
) -> None:
    """They watch the last glasses and take each off as it stops. That tells its stop only within the tolerance of the
    model's time; what opens within a second of each other stopped together, and the next ones decide."""
    scene = too_close_to_call()
    for t_ms, socket in ((red_ms, "D2"), (black_ms, "D6")):
        if t_ms is not None:
            scene.lift(t_ms, socket)
    told = scene.says(190_000, "glass_stopped")
    assert "8000 notice watch_glasses ['B2', 'R2']" in told
    assert [line for line in told if "game_over" in line] == [f"{over_ms} game_over {winner} tie_break 32 32"]


def test_resigning_and_agreeing() -> None:
    """Held: resigns; both sides at once: draw agreed."""
    assert Scene().press(1_000, "red", for_ms=3_500).says(9_000) == ["4000 game_over black resigned 32 32"]
    both = Scene().press(1_000, "red", for_ms=4_500).press(1_500, "black", for_ms=4_000)
    assert both.says(9_000) == ["4500 game_over None agreed 32 32"]


def test_a_glass_off_the_board_for_30_s_is_noticed() -> None:
    """A glass in hand for more than 30 s: a `notice` (`glass_off_board`)."""
    assert Scene().lift(1_000, "D1").says(40_000) == ["31000 notice glass_off_board R2"]
