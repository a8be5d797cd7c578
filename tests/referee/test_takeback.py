"""A move taken back by those who agree on it: all is as it was, it is told what to put where, and is on record."""

from __future__ import annotations

import io

import attrs
import pytest

from tamsk_pi.commands.replay import rulings_of
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.referee.true_record import check
from tamsk_pi.referee.words import Word
from tamsk_pi.report.gather import gather
from tamsk_pi.rules.record import build_record, format_record
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.language import LANGUAGES
from tamsk_pi.signals.status import status
from tamsk_pi.signals.words import Words
from tamsk_pi.trace import TraceReader, header_line, record_line
from tamsk_pi.trace_header import write_header
from tests.referee.scene import Scene, glass_ms


def as_played(picture: Snapshot) -> Snapshot:
    """A picture without the time and the sand, which no word stops."""
    glasses = {n: attrs.evolve(g, stops_at_ms=None) for n, g in picture.glasses.items()}
    return attrs.evolve(picture, now_ms=0, glasses=glasses)


def one_move(level: int) -> Scene:
    return Scene(level).carry(1_000, "R2", "D1", "D2", turned=level > 1).ring(2_000, "D2")


def put_back(scene: Scene, at_ms: int) -> Scene:
    """R2 back on D1 as it stood, and the ring off D2."""
    return scene.carry(at_ms, "R2", "D2", "D1", turned=scene.settings.level > 1).ring(at_ms + 500, "D2", 0)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_everything_is_as_it_was_before_the_move(level: int) -> None:
    before = Scene(level)
    before.says(900)
    scene = put_back(one_move(level).word(10_000, "takeback"), 15_000)
    told = scene.says(20_000)
    assert told[2] == "10000 notice taken_back red R2 D2 D1 {'D2': 1}"
    assert told[3:] == ["15000 resolved taken_back R2", "15500 resolved ring_not_due D2"]
    assert as_played(scene.picture()) == as_played(before.picture())


def test_it_is_told_what_to_put_where() -> None:
    scene = one_move(2).word(10_000, "takeback")
    scene.says(11_000)
    picture = scene.picture()
    assert picture.to_move == "red"
    assert [(v.code, v.glass, v.home, v.socket) for v in picture.violations] == [
        ("taken_back", "R2", "D1", "D2"),
        ("ring_not_due", None, None, "D2"),
    ]
    for language in LANGUAGES:
        lines = status(picture, Words({}, language))
        assert any("D1" in line for line in lines), lines
        assert not any("?" in line for line in lines), lines


@pytest.mark.parametrize("level", [2, 3])
def test_a_glass_set_back_on_its_corner_has_not_run_out_for_good(level: int) -> None:
    """What ran while the move stood runs out on the corner, and the glass may move all the same."""
    scene = put_back(one_move(level).word(10_000, "takeback"), 15_000)
    scene.carry(90_000, "R2", "D1", "D2")
    told = scene.says(91_000)
    # 13.8 s had run through before it was turned back: so long it ran the other way.
    assert "28800 glass_stopped R2" in told
    assert told[-1] == "90000 move red R2 D1 D2"
    assert "stopped_glass" not in " ".join(told)


def test_a_glass_that_ran_out_because_of_the_move_runs_again() -> None:
    """Turned over with little sand left, it stopped; turned back, all of that sand is above again."""
    scene = Scene(2, glass_ms=glass_ms(20_000))
    scene.carry(1_000, "R2", "D1", "D2").carry(2_000, "B2", "D7", "D6")
    scene.carry(3_000, "R1", "A4", "A3").carry(4_000, "B1", "A1", "A2")
    scene.carry(5_000, "R3", "G4", "G3").carry(6_000, "B3", "G1", "G2")
    scene.carry(7_000, "R2", "D2", "D3")
    told = scene.word(25_000, "takeback").carry(26_000, "R2", "D3", "D2").says(27_000)
    # Turned over at 6.8 s it had 6 s above, and 14 s below.
    assert "12800 glass_stopped R2" in told
    assert "25000 notice taken_back red R2 D3 D2 {}" in told
    assert told[-1] == "26000 resolved taken_back R2"
    assert not scene.picture().glasses["R2"].out
    assert "R2" in scene.picture().targets


def test_rights_go_on_with_the_time_that_they_had_left() -> None:
    """Red's ring right of its move was open for 2 s more when black moved: it is again once black's is taken back."""

    def scene() -> Scene:
        return Scene(2).carry(1_000, "R2", "D1", "D2").carry(2_000, "B2", "D7", "D6").word(9_000, "takeback")

    looking = scene()
    looking.says(9_500)
    [right] = looking.picture().rights
    assert (right.kind, right.player, right.socket, right.closes_at_ms) == ("move", "red", "D2", 11_000)
    assert scene().ring(10_500, "D2").says(10_900)[-1] == "10500 ring red D2 1 move"
    assert scene().ring(11_500, "D2").says(12_000)[-1] == "11500 ring black D2 1 claim", "and then black claims"


def test_a_ring_that_came_since_by_an_older_right_is_taken_back_too() -> None:
    scene = Scene(2).carry(1_000, "R2", "D1", "D2").carry(2_000, "B2", "D7", "D6").ring(3_000, "D2").ring(3_500, "D6")
    scene.word(5_000, "takeback").says(6_000)
    picture = scene.picture()
    assert picture.rings_left == {"red": 32, "black": 32}
    assert sorted(v.socket or "" for v in picture.violations) == ["D2", "D6", "D6"]


def test_an_armed_timer_is_armed_again_while_its_sand_runs() -> None:

    def scene() -> Scene:
        moved = Scene(3).carry(1_000, "R2", "D1", "D2").turn(5_000, "N").carry(8_000, "B2", "D7", "D6")
        return moved.word(12_000, "takeback")

    looking = scene()
    assert "5000 timer_started red" in looking.says(12_500)
    picture = looking.picture()
    assert (picture.timer_armed_against, picture.timer_expires_at_ms) == ("black", 20_000)
    assert "20000 timeout black True" in scene().says(21_000)


def test_a_timer_turned_since_is_void() -> None:
    scene = Scene(3).carry(1_000, "R2", "D1", "D2").turn(5_000, "N").word(8_000, "takeback")
    scene.says(9_000)
    assert scene.picture().timer_armed_against is None


def test_in_mode_holder_the_rings_are_due_back_on_their_holders() -> None:
    scene = Scene(2, rings="holder").carry(1_000, "R2", "D1", "D2").holder(2_000, "red", 31).word(5_000, "takeback")
    told = scene.carry(7_000, "R2", "D2", "D1").holder(8_000, "red", 32).says(9_000)
    assert told[-2:] == ["7000 resolved taken_back R2", "8000 resolved ring_not_due red"]
    assert scene.picture().rings_left["red"] == 32


def test_moves_can_be_taken_back_one_after_the_other() -> None:
    scene = Scene(1).carry(1_000, "R2", "D1", "D2", turned=False).carry(2_000, "B2", "D7", "D6", turned=False)
    told = scene.word(5_000, "takeback").word(6_000, "takeback").word(7_000, "takeback").says(8_000)
    assert [line.split(" ", 2)[2] for line in told[2:]] == [
        "taken_back black B2 D6 D7 {}",
        "taken_back red R2 D2 D1 {}",
        "refused takeback there is no move to take back",
    ]
    assert scene.picture().to_move == "red"


def test_another_move_of_the_same_glass_may_follow_at_once() -> None:
    """From where it stands, as if it had been put back first."""
    scene = Scene(1).carry(1_000, "R2", "D1", "D2", turned=False).word(5_000, "takeback")
    told = scene.carry(7_000, "R2", "D2", "C1", turned=False).says(8_000)
    assert told[-2:] == ["7000 resolved taken_back R2", "7000 move red R2 D1 C1"]


def test_a_first_placing_comes_off_the_board_again() -> None:
    scene = Scene(1, setup="free", occupied=()).place(1_000, "D4").word(5_000, "takeback").lift(6_000, "D4")
    told = scene.place(9_000, "C3").says(10_000)
    assert told[-2].startswith("6000 resolved taken_back R"), "off the board it is where it came from"
    assert told[-1].endswith("None C3")


def test_a_first_placing_taken_back_holds_nothing_up() -> None:
    scene = Scene(2, setup="free", occupied=()).turn(800, "R1").place(1_000, "D4").word(5_000, "takeback")
    told = scene.lift(6_000, "D4").turn(6_500, "R1").turn(8_800, "R2").place(9_000, "C3").says(10_000)
    assert told[-2:] == ["6000 resolved taken_back R1", "9000 move red R2 None C3"]


def test_a_ring_that_is_back_on_its_holder_since_the_move_is_in_nobodys_hand() -> None:
    scene = Scene(1, rings="holder").holder(500, "black", 31).carry(1_000, "R2", "D1", "D2", turned=False)
    scene.holder(2_000, "black", 32).word(5_000, "takeback").carry(7_000, "R2", "D2", "D1", turned=False)
    scene.carry(9_000, "R2", "D1", "D2", turned=False).carry(11_000, "B2", "D7", "D6", turned=False)
    assert scene.says(13_000)[-1] == "11000 move black B2 D7 D6"
    assert scene.picture().rings["D6"] == 0


def test_rings_that_the_arbiter_has_counted_stay() -> None:
    """They lie on the board; only one on the last move's own socket is that move's."""
    scene = Scene(1, rings="buttons").carry(1_000, "R2", "D1", "D2", turned=False)
    scene.word(2_000, "rings", socket="C1", count=1, side="black").word(
        3_000, "rings", socket="D2", count=1, side="red"
    )
    told = scene.word(10_000, "takeback").says(11_000)
    assert told[-1] == "10000 notice taken_back red R2 D2 D1 {'D2': 1}"
    assert scene.picture().rings["C1"] == 1
    assert dict(scene.picture().rings_left) == {"red": 32, "black": 31}


def test_a_glass_whose_turning_nobody_tells_is_put_back_as_it_stood() -> None:
    """At home it is right, and stays right, its sand turned back; from there it may be moved, which turns it."""

    def taken_back() -> Scene:
        scene = Scene(2, tilt=False).carry(1_000, "R2", "D1", "D2", turned=False).word(10_000, "takeback")
        return scene.carry(12_000, "R2", "D2", "D1", turned=False)

    scene = taken_back()
    assert scene.says(15_000)[-1] == "12000 resolved taken_back R2"
    # It ran for 11 s: so much runs back, and then nothing.
    assert scene.picture().glasses["R2"].stops_at_ms == 11_800 + (11_800 - 800)
    told = taken_back().carry(20_000, "R2", "D1", "E1", turned=False).says(22_000)
    assert told[-1] == "20000 move red R2 D1 E1"


def test_a_glass_whose_turning_nobody_tells_goes_elsewhere_as_it_stands() -> None:
    scene = Scene(2, tilt=False).carry(1_000, "R2", "D1", "D2", turned=False).word(10_000, "takeback")
    told = scene.carry(12_000, "R2", "D2", "E1", turned=False).says(15_000)
    assert told[-2:] == ["12000 resolved taken_back R2", "12000 move red R2 D1 E1"]
    assert scene.picture().glasses["R2"].stops_at_ms == 800 + 180_000


def test_the_move_after_which_nobody_could_move() -> None:
    """A game that is closing, or in its tie-break, is going on again."""
    for phase in ("closing", "tie_break"):
        session = Session(Settings(level=2))
        for record in sorted(Scene(2).carry(1_000, "R2", "D1", "D2").records, key=lambda r: r.t_ms):
            session.take(record)
        session.advance(3_000)
        game = session.referee.game
        game.closing_ms = 3_500
        session.referee.life.go_to(phase)
        session.take(Word(4_000, "takeback"))
        session.advance(4_100)
        assert session.snapshot().phase == "mending"
        assert game.closing_ms is None


# -- the two buttons


def together(scene: Scene, t_ms: int, apart_ms: int = 80) -> Scene:
    return scene.press(t_ms, "red").press(t_ms + apart_ms, "black")


def test_both_buttons_together_twice() -> None:
    scene = one_move(2)
    told = together(together(scene, 6_000), 7_000).says(9_000)
    assert [line for line in told if "taken_back" in line] == ["7080 notice taken_back red R2 D2 D1 {'D2': 1}"]


@pytest.mark.parametrize("what", ["once", "too slowly", "one after the other", "one side twice", "both held"])
def test_nothing_else_is_taken_for_it(what: str) -> None:
    scene = one_move(2)
    if what == "once":
        together(scene, 6_000)
    elif what == "too slowly":
        together(together(scene, 6_000), 9_000)
    elif what == "one after the other":
        together(together(scene, 6_000, 500), 7_000, 500)
    elif what == "one side twice":
        scene.press(6_000, "red").press(6_500, "red").press(7_000, "red").press(7_500, "red")
    else:
        scene.press(6_000, "red", for_ms=3_500).press(6_050, "black", for_ms=3_500)
    told = scene.says(12_000)
    assert "taken_back" not in " ".join(told)
    assert ("game_over" in told[-1]) == (what == "both held")


# -- on record


def traced(scene: Scene) -> bytes:
    lines = [record_line(record, scene.settings) for record in sorted(scene.records, key=lambda r: r.t_ms)]
    return (header_line(scene.settings) + "".join(lines) + '{"t": 40000, "end": true}\n').encode()


@pytest.mark.parametrize("by", ["word", "buttons"])
def test_the_trace_the_record_and_the_report_know(by: str) -> None:
    scene = one_move(2)
    scene = scene.word(10_000, "takeback") if by == "word" else together(together(scene, 9_000), 10_000)
    scene = put_back(scene, 15_000).carry(20_000, "R2", "D1", "C1").carry(24_000, "B2", "D7", "D6")
    live = scene.says(40_000)
    trace = traced(scene)
    reader = TraceReader(io.BytesIO(trace))
    replayed = list(rulings_of(reader))
    assert [r.kind for r in replayed[2:]] == [line.split()[1] for line in live]
    text = format_record(build_record(write_header(reader.settings), replayed))
    assert "1. D1-C1~ {[%t 20.0]} D7-D6~ {[%t 24.0]}" in text
    check(build_record(write_header(reader.settings), replayed), scene.session.referee.game)
    report = gather(TraceReader(io.BytesIO(trace)))
    assert not report.flaws
    assert (report.rings[-1].red, report.rings[-1].black) == (32, 32)
    assert not report.owners.get("D2")
