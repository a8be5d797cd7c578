"""The arbiter's words, pauses, and a link that was down: nothing that went unwatched is called illegal."""

from __future__ import annotations

import pytest

from tamsk_pi.referee.words import WORDS, Word
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.trace import LinkUp
from tests.referee.scene import Scene, glass_ms

HOMES = ("A1", "A4", "D1", "D7", "G1", "G4")


def wrong() -> Scene:
    """Red has set R2 down too far away."""
    return Scene().carry(1_000, "R2", "D1", "D3")


def test_pause_and_resume() -> None:
    """Nothing is judged in between; differences are told on going on, never called illegal."""
    scene = Scene().word(1_000, "pause").lift(1_500, "D1").place(2_000, "D4").word(3_000, "resume")
    assert scene.says(4_000) == [
        "1000 paused arbiter",
        "3000 notice unobserved ['D1'] ['D4']",
        "3000 resumed",
    ]
    assert scene.picture().glasses["R2"].socket == "D4"


def test_the_arbiters_button_pauses_and_goes_on() -> None:
    """Short: pause and go on."""
    scene = Scene().press(1_000, "arbiter").press(2_000, "arbiter")
    assert scene.says(3_000) == ["1000 paused arbiter", "2000 resumed"]


def test_long_and_held_are_recheck_and_annul() -> None:
    """Long: recheck the last verdict; held: annul it."""
    told = wrong().press(2_000, "arbiter", for_ms=900).press(4_000, "arbiter", for_ms=3_500).says(9_000)
    assert told[1] == "2000 notice recheck"
    assert told[2].startswith("7000 notice annulled {")
    assert told[3:] == ["7000 resolved not_adjacent R2", "7000 move red R2 D1 D3"]


def test_annul_a_verdict_on_a_glass_makes_a_move_of_it() -> None:
    """Takes the last verdict back: but for it the placing was a move."""
    told = wrong().word(2_000, "annul").says(3_000)
    assert told[-2:] == ["2000 resolved not_adjacent R2", "2000 move red R2 D1 D3"]


def test_annul_a_wrong_glass_leaves_it_where_it_stands() -> None:
    """What was no move of the side to move is none either when it is excused."""
    scene = Scene().carry(1_000, "B1", "A1", "A2").word(2_000, "annul")
    assert scene.says(3_000)[-1] == "2000 resolved wrong_glass B1"
    assert scene.picture().to_move == "red"
    assert scene.picture().glasses["B1"].socket == "A2"


def test_annul_a_verdict_on_a_ring() -> None:
    """The ring may lie there, and is nobody's."""
    scene = Scene().ring(1_000, "D4").word(2_000, "annul")
    scene.says(3_000)
    assert scene.picture().violations == ()
    assert scene.picture().rings["D4"] == 0


def test_annul_a_timer_running() -> None:
    """What was armed is armed again."""
    scene = Scene(3).turn(1_000, "N").turn(2_000, "N").word(3_000, "annul")
    scene.says(4_000)
    assert scene.picture().timer_armed_against == "red"


def test_annul_a_timeout_gives_the_turn_back() -> None:
    """Turn and penalty are as they were, and the timer is not armed."""
    scene = Scene(3, glass_ms=glass_ms(timer_ms=2_000)).turn(1_000, "N").word(4_000, "annul")
    scene.says(9_000)
    assert scene.picture().to_move == "red"
    assert scene.picture().penalty_owed == ()
    assert scene.picture().timer_armed_against is None


def test_annul_the_end_lets_the_game_go_on() -> None:
    """Nothing ends in a state that only a restart clears."""
    scene = Scene(1).press(1_000, "red", for_ms=3_500).word(6_000, "annul")
    told = scene.carry(8_000, "R2", "D1", "D2", turned=False).says(9_000)
    assert told[0] == "4000 game_over black resigned 32 32"
    assert told[-1] == "8000 move red R2 D1 D2"
    assert scene.picture().result is None


def test_after_the_next_move_there_is_nothing_to_annul() -> None:
    """Until the next move is completed."""
    scene = Scene().press(500, "red").carry(2_000, "R2", "D1", "D2").word(3_000, "annul")
    assert scene.says(4_000)[-1] == "3000 notice refused annul there is no verdict since the last move"


def test_recheck_changes_nothing() -> None:
    """The last ruling is to be looked at again: a notice, nothing changes."""
    scene = wrong().word(2_000, "recheck")
    assert scene.says(3_000)[-1] == "2000 notice recheck"
    assert scene.picture().phase == "mending"


def test_accept_leaves_nothing_to_mend() -> None:
    """The position as it stands is right."""
    scene = wrong().ring(1_500, "D4").word(2_500, "accept")
    assert scene.says(3_000)[-2:] == ["2500 resolved not_adjacent R2", "2500 notice accepted"]
    assert scene.picture().violations == ()


def test_rings_corrects_a_count_and_a_side() -> None:
    """So many rings count there; the difference is taken from or given to that side."""
    scene = Scene().word(1_000, "rings", socket="D4", count=3, side="black")
    scene.word(2_000, "rings", socket="D4", count=1, side="black")
    scene.says(3_000)
    assert scene.picture().rings["D4"] == 1
    assert scene.picture().rings_left == {"red": 32, "black": 31}


def test_rings_beyond_the_capacity_are_refused() -> None:
    """A word that makes no sense now is refused with a notice."""
    told = Scene().word(1_000, "rings", socket="A1", count=2, side="red").says(2_000)
    assert told == ["1000 notice refused rings the socket does not hold so many rings"]


def test_glass_stopped_and_running() -> None:
    """The sand is not as the model has it."""
    scene = Scene().carry(1_000, "R2", "D1", "D2").word(2_000, "glass", glass="R2", state="stopped")
    scene.word(3_000, "glass", glass="R2", state="running", left_ms=500)
    told = scene.says(4_000)
    assert told[1:] == [
        "2000 glass_stopped R2",
        "2000 notice glass_corrected R2 stopped",
        "3000 notice glass_corrected R2 running",
        "3500 glass_stopped R2",
    ]
    assert scene.picture().glasses["R2"].out


def test_a_glass_that_runs_needs_its_time() -> None:
    """A glass that runs needs left_ms."""
    told = Scene().word(1_000, "glass", glass="R2", state="running").says(2_000)
    assert told[0].startswith("1000 notice refused glass ")


def test_place_moves_a_glass_whatever_the_sensors_told() -> None:
    """The glass was lifted and set down there, whatever the sensors told."""
    scene = Scene().word(1_000, "place", glass="R2", socket="D2", turned=True)
    assert scene.says(2_000) == ["1000 move red R2 D1 D2"]


@pytest.mark.parametrize("sockets", ["reed", "hall"])
def test_a_sensor_that_sees_a_placed_glass_late_takes_no_other_for_it(sockets: str) -> None:
    """Another glass is in hand when the sensor of the socket named by the arbiter closes at last."""
    closed, opened = ("S", None) if sockets == "hall" else (True, False)
    scene = Scene(sockets=sockets)
    scene.records += [
        Word(1_000, "place", {"glass": "R2", "socket": "D2", "turned": True}),
        Edge(2_000, "socket", "D7", opened),
        Edge(3_000, "socket", "D2", closed),
    ]
    assert scene.says(5_000) == ["1000 move red R2 D1 D2"]
    glasses = scene.session.snapshot().glasses
    assert (glasses["R2"].socket, glasses["B2"].in_hand) == ("D2", True)


def test_place_where_another_stands_is_refused() -> None:
    """Never two glasses in a socket."""
    told = Scene().word(1_000, "place", glass="R2", socket="A1", turned=True).says(2_000)
    assert told == ["1000 notice refused place another glass stands there"]


def test_a_dead_socket_is_not_listened_to() -> None:
    """Do not listen to this socket any more, or listen again."""
    scene = Scene().word(1_000, "dead", socket="D4", dead=True).place(2_000, "D4").lift(3_000, "D4")
    scene.word(4_000, "dead", socket="D4", dead=False)
    told = scene.says(5_000)
    assert told[0] == "1000 notice socket_dead D4"
    assert "4000 notice socket_alive D4" in told
    assert not any("unexpected_closed" in line for line in told)


def test_a_fault_is_told_again_after_its_socket_was_dead_and_is_alive() -> None:
    """A fault of one input is told once until it has been cleared."""
    scene = Scene().place(1_000, "D4").word(2_000, "dead", socket="D4", dead=True).lift(3_000, "D4")
    told = scene.word(4_000, "dead", socket="D4", dead=False).place(5_000, "D4").says(6_000)
    assert "4000 fault_cleared unexpected_closed D4" in told
    assert [line for line in told if "fault unexpected" in line] == [
        "1000 fault unexpected_closed D4",
        "5000 fault unexpected_closed D4",
    ]


def test_the_word_that_tells_which_glass_closed_a_socket_clears_its_fault() -> None:
    told = Scene(1).place(1_000, "D2").word(2_000, "place", glass="R2", socket="D2", turned=False).says(3_000)
    assert "2000 fault_cleared unexpected_closed D2" in told
    assert told[-1] == "2000 move red R2 D1 D2"


def test_penalty_and_turn() -> None:
    """This side is owed a penalty ring, or is not; it is this side's turn."""
    scene = Scene(3).word(1_000, "penalty", side="black", given=True).word(2_000, "turn", side="black")
    scene.says(3_000)
    assert scene.picture().penalty_owed == ("black",)
    assert scene.picture().to_move == "black"
    taken = Scene(3).word(1_000, "penalty", side="black", given=True).word(2_000, "penalty", side="black", given=False)
    taken.says(3_000)
    assert taken.picture().penalty_owed == ()


def test_a_second_penalty_takes_the_place_of_the_first() -> None:
    """A penalty right closes when its side completes its own next move, which opens the second; its lamp is lit."""
    scene = Scene(rings="buttons").word(100, "penalty", side="red", given=True)
    scene.carry(1_000, "R2", "D1", "D2")
    scene.word(1_500, "penalty", side="red", given=True).word(1_600, "turn", side="red")
    scene.carry(2_500, "R1", "A4", "A3").press(4_000, "red", 900)
    told = scene.says(5_000)
    assert [line for line in told if " ring " in line] == ["4000 ring red A3 1 penalty"]
    assert scene.session.snapshot().penalty_lamp is None


@pytest.mark.parametrize("winner", ["red", None])
def test_end(winner: str | None) -> None:
    """The game is over."""
    assert Scene().word(1_000, "end", winner=winner).says(2_000) == [f"1000 game_over {winner} arbiter 32 32"]


DETAILS = {"socket": "D4", "count": 1, "side": "red", "glass": "R1", "state": "stopped"}
DETAILS |= {"turned": True, "dead": True, "given": True, "winner": None}


@pytest.mark.parametrize("word", [word for word in WORDS if word != "dead"])
def test_no_word_is_obeyed_before_the_game_has_begun(word: str) -> None:
    """Before play there is nothing to rule on."""
    details = {key: DETAILS[key] for key in WORDS[word]}
    told = Scene(occupied=()).word(1_000, word, **details).says(2_000)
    assert told == [f"1000 notice refused {word} the game has not begun"]


def test_a_sensor_declared_dead_does_not_keep_the_game_from_beginning() -> None:
    """The game does not start, or starts with the socket declared dead and shown: stuck closed, or stuck open."""
    stuck = Scene(1, occupied=(*HOMES, "D4")).word(1_000, "dead", socket="D4", dead=True)
    assert stuck.carry(3_000, "R2", "D1", "D2", turned=False).says(4_000) == [
        "1000 notice socket_dead D4",
        "3000 move red R2 D1 D2",
    ]
    missing = Scene(1, occupied=tuple(s for s in HOMES if s != "G4")).word(1_000, "dead", socket="G4", dead=True)
    missing.word(2_000, "place", glass="R3", socket="G3", turned=False)
    assert missing.says(4_000) == ["1000 notice socket_dead G4", "2000 move red R3 G4 G3"]


def test_a_sensor_that_is_alive_again_before_play_counts_again() -> None:
    scene = Scene(1, occupied=(*HOMES[:-1], "D4")).word(1_000, "dead", socket="D4", dead=True)
    scene.word(2_000, "dead", socket="D4", dead=False).place(3_000, "G4")
    scene.says(4_000)
    assert [(p.socket, p.what) for p in scene.picture().setup_problems] == [("D4", "take_glass")]


@pytest.mark.parametrize("word", WORDS)
def test_every_word_may_be_said_at_any_time(word: str) -> None:
    """No word can break a game: with a glass in hand, during a violation, after the end."""
    details = {key: DETAILS[key] for key in WORDS[word]}
    for scene in (
        Scene(3).lift(500, "D1"),
        Scene(3).carry(900, "R1", "A4", "D4"),
        Scene(3).word(400, "end", winner="red"),
        Scene(3).word(400, "pause"),
        Scene(3).word(400, "end", winner="red").word(600, "annul"),
    ):
        scene.word(1_000, word, **details).word(2_000, "resume")
        scene.says(60_000)
        assert scene.picture().phase != "paused"


# -- a link that was down


def test_while_the_link_is_down_nothing_is_judged() -> None:
    """Differences are a `notice` (`unobserved`), never a violation."""
    scene = Scene().link_down(1_000).lift(1_500, "D1").link_up(3_000, *HOMES[:2], "D4", *HOMES[3:])
    assert scene.says(4_000) == [
        "1000 paused link",
        "3000 notice unobserved ['D1'] ['D4']",
        "3000 resumed",
    ]


def test_what_had_not_settled_when_the_link_went_stays_unknown() -> None:
    """A lift that had not settled is no lift."""
    scene = Scene().lift(950, "D1").link_down(1_000).link_up(3_000, *HOMES)
    assert scene.says(4_000) == ["1000 paused link", "3000 resumed"]


def test_glasses_that_stopped_meanwhile_are_told_with_their_own_times() -> None:
    """At `link up`: glasses that stopped meanwhile are announced with their own times."""
    scene = Scene(glass_ms=glass_ms(5_000)).carry(1_000, "R2", "D1", "D2").link_down(2_000)
    told = scene.link_up(9_000, "A1", "A4", "D2", "D7", "G1", "G4", up={"R2": "b"}).says(10_000)
    assert told[1:] == ["2000 paused link", "5800 glass_stopped R2", "9000 resumed"]


def stands_still(gap: str, scene: Scene, **up: str) -> Scene:
    """From 2,000 to 62,000 ms nothing is judged."""
    occupied = ("A1", "A4", "D2", "D7", "G1", "G4")
    if gap == "link":
        return scene.link_down(2_000).link_up(62_000, *occupied, up={"R2": "b", **up})
    if gap == "pause":
        return scene.word(2_000, "pause").word(62_000, "resume")
    return scene.word(2_000, "end", winner="red").word(62_000, "annul")


GAPS = ("link", "pause", "annulled end")


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize(("ring_ms", "told"), [(64_000, "64000 ring red D2 1 move"), (64_001, "64001 ring black D2")])
def test_ring_rights_stand_still(gap: str, ring_ms: int, told: str) -> None:
    """Open again afterwards, with the time that it had left: two seconds of three."""
    scene = stands_still(gap, Scene().carry(1_000, "R2", "D1", "D2")).ring(ring_ms, "D2")
    assert scene.says(70_000)[-1].startswith(told)


@pytest.mark.parametrize("gap", GAPS)
def test_a_right_is_void_where_rings_changed_meanwhile(gap: str) -> None:
    """Unless rings at its socket changed meanwhile; what lapsed is told."""
    scene = Scene().carry(1_000, "R2", "D1", "D2")
    if gap == "link":
        scene.link_down(2_000).link_up(62_000, "A1", "A4", "D2", "D7", "G1", "G4", up={"R2": "b"}, D2=1)
    else:
        stands_still(gap, scene.ring(30_000, "D2"))
    assert "62000 notice lapsed move red D2" in scene.says(65_000)
    assert scene.picture().rights == ()


def test_in_mode_holder_a_right_is_void_where_its_sides_holder_changed_meanwhile() -> None:
    for side, void in (("red", True), ("black", False)):
        scene = Scene(rings="holder").carry(1_000, "R2", "D1", "D2").word(2_000, "pause").holder(30_000, side, 31)
        told = scene.word(62_000, "resume").says(62_500)
        assert ("62000 notice lapsed move red D2" in told) == void
        assert (scene.picture().rights == ()) == void


@pytest.mark.parametrize("gap", GAPS)
def test_an_armed_timer_goes_on_if_its_sand_still_runs(gap: str) -> None:
    """Sand does not stand still. It is void if it ran out meanwhile, was turned, or if nobody knows how long it was."""
    long_timer = glass_ms(timer_ms=80_000)
    runs = stands_still(gap, Scene(3, glass_ms=long_timer).carry(1_000, "R2", "D1", "D2").turn(1_500, "N"), N="b")
    assert "81500 timeout black False" in runs.says(90_000)
    ran_out = stands_still(gap, Scene(3).carry(1_000, "R2", "D1", "D2").turn(1_500, "N"), N="b")
    assert "62000 notice lapsed timer red" in ran_out.says(90_000)
    scene = Scene(3, glass_ms=long_timer).carry(1_000, "R2", "D1", "D2").turn(1_500, "N")
    if gap != "link":
        scene.turn(30_000, "N")
    turned = stands_still(gap, scene, N="a")
    assert "62000 notice lapsed timer red" in turned.says(90_000)


def test_an_armed_timer_is_void_where_nobody_knows_how_long_the_gap_was() -> None:
    scene = Scene(3).carry(1_000, "R2", "D1", "D2").turn(1_500, "N").link_down(2_000)
    occupied = ("A1", "A4", "D2", "D7", "G1", "G4")
    scene.records.append(LinkUp(3_000, occupied, {"R2": "b", "N": "b"}, gap_known=False))
    assert "3000 notice lapsed timer red" in scene.says(3_500)


def test_rings_that_came_meanwhile_are_nobodys() -> None:
    """Never a violation."""
    scene = Scene().link_down(1_000).link_up(3_000, *HOMES, D4=2)
    assert scene.says(4_000)[1:] == ["3000 notice unobserved {'D4': 2}", "3000 resumed"]
    assert scene.picture().violations == ()
    assert scene.picture().rings["D4"] == 0


def test_a_game_goes_on_after_the_link() -> None:
    """The next move is judged from where the glasses stand."""
    scene = Scene(1).link_down(1_000).link_up(2_000, *HOMES).carry(3_000, "R2", "D1", "D2", turned=False)
    assert scene.says(4_000)[-1] == "3000 move red R2 D1 D2"
