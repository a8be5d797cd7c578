"""Lamps and tones follow from what was ruled and from what holds, at their times."""

from __future__ import annotations

import itertools
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import RightView, SetupProblem, Snapshot, ViolationView
from tamsk_pi.rules.board import NEIGHBOURS
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.conductor import STALE_MS, Conductor, Mode
from tamsk_pi.signals.rhythm import RHYTHMS_MS
from tamsk_pi.signals.table import ALARM_AFTER_MS, BLINK_MS, SAME_FAULT_MS, SIGNALS
from tests.core.edges_strategy import games
from tests.signals.stage import Stage, lift, place, turn

LEVEL_1 = Settings(level=1)
LEVEL_2 = Settings(level=2)
MODES: tuple[Mode, ...] = ("play", "referee")
DARK = {"turn_red": False, "turn_black": False, "alarm": False, "ready": True}


def snapshot(**changes: Any) -> Snapshot:
    """The start of a level-2 game with something else about it."""
    return attrs.evolve(Session(LEVEL_2).snapshot(), **changes)


def not_adjacent(mended_ms: int | None = None) -> list[Edge]:
    """D1's glass goes to E4, which is settled at 1,620, and back in time."""
    edges = [lift(1_000, "D1"), place(1_500, "E4")]
    if mended_ms is not None:
        edges += [lift(mended_ms, "E4"), place(mended_ms + 100, "D1")]
    return edges


@pytest.mark.parametrize("mode", MODES)
def test_a_game_may_be_shown_and_sounded_before_its_clock_is_at_0(mode: Mode) -> None:
    """Play begins at 0 when the board is set up; a loop that begins a game may well ask before that."""
    conductor = Conductor(mode)
    conductor.tell([Ruling(-1_000, "fault", {"code": "noisy", "kind": "socket", "input": "D1"})])
    conductor.frame(-1_000, ready=True)
    assert conductor.tones(-1_000) == ()
    assert conductor.tones(-1_000 + ALARM_AFTER_MS) == (SIGNALS["fault"].tones if mode == "play" else ())
    assert conductor.tones(-10) == ()


# -- alarms


@pytest.mark.parametrize("mode", MODES)
def test_light_comes_first_and_sound_700_ms_later(mode: Mode) -> None:
    stage = Stage(LEVEL_1, mode, not_adjacent())
    stage.run_to(10_000)
    lit_ms = stage.changes_of("alarm")[0][0]
    assert lit_ms == 1_800
    assert stage.sounds == [(lit_ms + ALARM_AFTER_MS, SIGNALS["violation"].tones)]


@pytest.mark.parametrize("mode", MODES)
def test_what_is_mended_before_the_sound_is_never_sounded(mode: Mode) -> None:
    stage = Stage(LEVEL_1, mode, not_adjacent(mended_ms=1_900))
    frame = stage.run_to(10_000)
    assert stage.sounds == []
    assert [lit for _, lit in stage.changes_of("alarm")][:2] == [True, False]
    assert frame.panel["alarm"] is False
    assert not frame.red_sockets


def test_a_fault_sounds_once_however_long_it_lasts() -> None:
    stage = Stage(LEVEL_1, "play", not_adjacent())
    stage.run_to(300_000)
    assert len(stage.sounds) == 1


def test_what_is_not_mended_blinks_for_a_while_and_then_shines() -> None:
    stage = Stage(LEVEL_1, "play", not_adjacent())
    stage.run_to(120_000)
    changes = stage.changes_of("alarm")
    assert changes[-1] == (1_800 + BLINK_MS, True)
    stage.session.feed(lift(130_000, "E4"))
    stage.session.feed(place(131_000, "D1"))
    assert stage.run_to(132_000).panel["alarm"] is False


def test_a_glass_that_stands_wrongly_blinks_fast_and_its_home_slowly() -> None:
    stage = Stage(LEVEL_1, "referee", not_adjacent())
    stage.run_to(9_000)
    assert "E4" in {s for _, f in stage.frames for s in f.red_sockets}
    fast, slow = stage.changes_of("E4", "red"), stage.changes_of("D1", "green")
    assert {after[0] - before[0] for before, after in itertools.pairwise(fast[1:])} == {150}
    assert {after[0] - before[0] for before, after in itertools.pairwise(slow[1:])} == {600}


def test_once_it_is_in_hand_only_its_home_is_shown() -> None:
    stage = Stage(LEVEL_1, "play", [*not_adjacent(), lift(5_000, "E4")])
    stage.run_to(8_000)
    later = [f for t, f in stage.frames if t > 5_200]
    assert not any(f.red_sockets for f in later)
    assert {s for f in later for s in f.green_sockets} == {"D1"}


def test_a_second_violation_on_one_glass_takes_the_place_of_the_first() -> None:
    # From E4 it is set down on F4 before the first one has sounded: that is sounded, and once.
    stage = Stage(LEVEL_1, "play", [*not_adjacent(), lift(1_800, "E4"), place(2_000, "F4")])
    stage.run_to(20_000)
    assert [t for t, _ in stage.sounds] == [2_300 + ALARM_AFTER_MS]


def test_a_full_socket_is_shown_for_a_time_and_then_over() -> None:
    conductor = Conductor("referee")
    lost = {"code": "full_socket", "player": "red", "glass": "R2", "to": "D2", "home": "D1"}
    conductor.tell([Ruling(1_000, "violation", lost), Ruling(1_000, "game_over", {"winner": "black"})])
    conductor.look(snapshot(phase="over", result="full_socket", to_move=None))
    assert conductor.frame(1_000, ready=True).red_sockets == {"D2"}
    assert conductor.tones(1_000) == ()
    assert conductor.tones(1_700) == SIGNALS["violation:full_socket"].tones
    frame = conductor.frame(11_000, ready=True)
    assert (frame.panel, frame.red_sockets) == (DARK, frozenset())
    assert conductor.next_change_ms() is None


def test_a_full_socket_that_is_annulled_shows_one_meaning_all_the_same() -> None:
    conductor = Conductor("play")
    conductor.tell([Ruling(1_000, "violation", {"code": "full_socket", "player": "red", "glass": "R2", "to": "D2"})])
    conductor.look(snapshot(rights=(RightView("claim", "black", "D2", None),)))
    frame = conductor.frame(1_200, ready=True)
    assert (frame.red_sockets, frame.green_sockets) == (frozenset({"D2"}), frozenset())


def test_a_button_pressed_for_no_ring_is_noted_and_has_nothing_to_mend() -> None:
    stage = Stage(attrs.evolve(LEVEL_1, rings="buttons"), "referee", [_press(1_000, True), _press(1_100, False)])
    stage.run_to(10_000)
    assert len(stage.sounds) == 1
    changes = stage.changes_of("alarm")
    assert not changes[-1][1]
    assert 1_300 < changes[-1][0] - changes[0][0] <= 1_500


def _press(t_ms: int, down: bool) -> Edge:
    return Edge(t_ms, "button", "black", down)


def test_a_ring_taken_off_blinks_where_it_belongs_and_otherwise_than_one_to_be_taken_off() -> None:
    one = snapshot(violations=(ViolationView("ring_removed", None, None, None, "D2", 0),))
    other = snapshot(violations=(ViolationView("ring_not_due", None, None, None, "D2", 0),))
    conductor = Conductor("referee")
    conductor.look(one)
    assert conductor.frame(0, ready=True).green_sockets == {"D2"}
    assert conductor.next_change_ms() == RHYTHMS_MS["slow"][0]
    conductor.look(other)
    assert conductor.frame(0, ready=True).red_sockets == {"D2"}
    assert conductor.next_change_ms() == RHYTHMS_MS["fast"][0]


@pytest.mark.parametrize("key", [k for k, signal in SIGNALS.items() if signal.lamp == "alarm" and signal.lamp_for_ms])
def test_a_blink_with_a_time_is_over_after_it(key: str) -> None:
    kind, _, code = key.partition(":")
    conductor = Conductor("play")
    conductor.look(snapshot())
    conductor.tell([Ruling(1_000, kind, {"code": code} if code else {})])
    assert any(conductor.frame(t_ms, ready=True).panel["alarm"] for t_ms in range(1_000, 2_000, 20))
    ends_ms = 1_000 + SIGNALS[key].lamp_for_ms
    assert not any(conductor.frame(t_ms, ready=True).panel["alarm"] for t_ms in range(ends_ms, ends_ms + 3_000, 20))


# -- faults, pauses, history


def test_the_same_fault_of_the_same_input_is_not_sounded_again_and_again() -> None:
    conductor = Conductor("play")
    conductor.look(snapshot())
    heard = []
    for t_ms in range(0, 2 * SAME_FAULT_MS, 5_000):
        conductor.tell([Ruling(t_ms, "fault", {"code": "noisy", "kind": "socket", "input": "D1"})])
        assert conductor.frame(t_ms, ready=True).panel["alarm"]
        heard += [t_ms] if conductor.tones(t_ms + ALARM_AFTER_MS) else []
        conductor.tell([Ruling(t_ms + 1_000, "fault_cleared", {"code": "noisy", "kind": "socket", "input": "D1"})])
        assert not conductor.frame(t_ms + 1_000, ready=True).panel["alarm"]
    assert heard == [0]
    conductor.tell([Ruling(t_ms + 1_000, "fault", {"code": "noisy", "kind": "socket", "input": "D2"})])
    conductor.frame(t_ms + 1_000, ready=True)
    assert conductor.tones(t_ms + 1_000 + ALARM_AFTER_MS), "another input is another fault"


def test_the_referee_box_shows_a_sensor_fault_and_keeps_silent() -> None:
    conductor = Conductor("referee")
    conductor.look(snapshot())
    conductor.tell([Ruling(0, "fault", {"code": "noisy", "kind": "socket", "input": "D1"})])
    assert conductor.frame(0, ready=True).panel["alarm"]
    assert conductor.tones(ALARM_AFTER_MS) == ()


def test_a_pause_is_shown_until_it_ends_and_nothing_else_is_asked_for() -> None:
    conductor = Conductor("play")
    conductor.tell([Ruling(0, "paused", {"reason": "link"})])
    wrong = ViolationView("not_adjacent", "red", "R2", "D1", "E4", 0)
    conductor.look(snapshot(phase="paused", violations=(wrong,)))
    frame = conductor.frame(0, ready=False)
    assert frame.panel == {**dict.fromkeys(DARK, False), "alarm": True}
    assert not frame.red_sockets | frame.green_sockets
    assert conductor.tones(0) == SIGNALS["paused"].tones
    conductor.look(snapshot())
    assert conductor.frame(1_000, ready=True).panel["alarm"] is False


def test_of_a_game_that_is_resumed_only_what_still_holds_is_told() -> None:
    conductor = Conductor("play")
    wrong = ViolationView("not_adjacent", "red", "R2", "D1", "E4", 60_000)
    told = {"code": "not_adjacent", "player": "red", "glass": "R2", "to": "E4", "home": "D1"}
    conductor.tell(
        [
            Ruling(0, "ready"),
            Ruling(20_000, "violation", {"code": "wrong_glass", "player": "red", "glass": "B1", "to": "B1"}),
            Ruling(22_000, "resolved", {"code": "wrong_glass", "glass": "B1"}),
            Ruling(30_000, "timeout", {"player": "red", "begun": False}),
            Ruling(60_000, "violation", told),
        ]
    )
    now_ms = 60_000 + 10 * STALE_MS
    conductor.look(snapshot(phase="mending", violations=(wrong,)))
    assert conductor.frame(now_ms, ready=True).panel["alarm"]
    assert conductor.tones(now_ms) == ()
    assert conductor.tones(now_ms + ALARM_AFTER_MS) == SIGNALS["violation"].tones
    conductor.look(snapshot())
    assert not conductor.frame(now_ms + 1_000, ready=True).panel["alarm"]


# -- several at once


def test_a_weightier_sound_cuts_a_lighter_one_short_and_never_the_other_way_round() -> None:
    conductor = Conductor("play")
    conductor.look(snapshot())
    conductor.tell([Ruling(0, "glass_stopped", {"glass": "R1"})])
    conductor.frame(0, ready=True)
    assert conductor.tones(0) == SIGNALS["glass_stopped"].tones
    conductor.tell([Ruling(10, "timeout", {"player": "red", "begun": True})])
    conductor.tell([Ruling(10, "glass_stopped", {"glass": "R2"})])
    conductor.frame(10, ready=True)
    assert conductor.tones(10) == SIGNALS["timeout"].tones
    length_ms = SIGNALS["timeout"].length_ms
    assert conductor.tones(10 + length_ms - 1) == ()
    assert conductor.next_change_ms() is not None
    assert conductor.tones(10 + length_ms) == SIGNALS["glass_stopped"].tones
    assert conductor.tones(20_000) == ()


def test_a_sound_that_is_no_longer_news_is_left_out() -> None:
    conductor = Conductor("play")
    conductor.look(snapshot())
    conductor.tell([Ruling(0, "glass_stopped", {"glass": "R1"})])
    conductor.frame(0, ready=True)
    assert conductor.tones(5_000) == ()


def test_of_two_alarms_the_weightier_one_is_lit() -> None:
    conductor = Conductor("play")
    conductor.tell([Ruling(0, "violation", {"code": "ring_removed", "socket": "D2"})])
    conductor.tell([Ruling(0, "timeout", {"player": "red", "begun": True})])
    conductor.look(snapshot(violations=(ViolationView("ring_removed", None, None, None, "D2", 0),)))
    conductor.frame(0, ready=True)
    # Both blink slowly here; the timeout's end is not the ring's.
    assert conductor.frame(3_600, ready=True).panel["alarm"], "the ring is still missing"


# -- what helps the players


def test_play_shows_whose_turn_it_is_and_where_a_lifted_glass_may_go() -> None:
    stage = Stage(LEVEL_1, "play", [lift(1_000, "D1"), place(5_000, "D2")])
    assert stage.frame_at(0).panel == {**DARK, "turn_red": True}
    stage.run_to(4_000)
    assert stage.frame_at(3_999).green_sockets == set(NEIGHBOURS["D1"])
    assert [lit for _, lit in stage.changes_of("turn_red")][:3] == [True, False, True], "blinks while in hand"
    frame = stage.run_to(6_000)
    assert (frame.panel["turn_red"], frame.panel["turn_black"]) == (False, True)


def test_a_ring_that_is_due_is_shown_where_it_belongs_until_its_time_is_up() -> None:
    edges = [lift(1_000, "D1"), turn(1_200, "R2"), place(2_000, "D2")]
    stage = Stage(LEVEL_2, "play", edges)
    stage.run_to(20_000)
    shown = [(t, lit) for t, lit in stage.changes_of("D2", "green") if t > 2_300]
    assert shown[:3] == [(2_400, True), (3_000, False), (3_600, True)]
    assert [t for t, lit in shown if lit and t > 6_000], "the other side's claim follows"
    referee = Stage(LEVEL_2, "referee", edges)
    referee.run_to(20_000)
    assert referee.changes_of("D2", "green") == []


def test_a_glass_that_runs_out_blinks_and_blinks_faster_and_stops() -> None:
    ends = {g: {"a": 20_000, "b": 20_000} for g in ("R1", "R2", "R3", "B1", "B2", "B3", "N")}
    edges = [lift(1_000, "D1"), turn(1_200, "R2"), place(2_000, "D2")]
    stage = Stage(attrs.evolve(LEVEL_2, glass_ms=ends), "play", edges)
    stage.run_to(40_000)
    changes = stage.changes_of("D2", "red")
    stop_ms = 21_200
    assert changes[0][0] >= stop_ms - 10_000
    assert changes[-1][0] <= stop_ms
    assert not changes[-1][1]
    early = [t for t, lit in changes if not lit and t < stop_ms - 5_000]
    late = [t for t, lit in changes if not lit and t >= stop_ms - 5_000]
    assert len(late) > 2 * len(early)
    assert (stop_ms, SIGNALS["glass_stopped"].tones) in [(t - 1, s) for t, s in stage.sounds]


def test_the_conductor_wants_to_be_asked_when_a_glass_begins_to_run_out() -> None:
    picture = snapshot()
    glass = attrs.evolve(picture.glasses["R1"], moved=True, stops_at_ms=50_000)
    conductor = Conductor("play")
    conductor.look(attrs.evolve(picture, glasses={**picture.glasses, "R1": glass}))
    assert not conductor.frame(0, ready=True).red_sockets
    assert conductor.next_change_ms() == 40_000
    assert conductor.frame(40_000, ready=True).red_sockets == {"A4"}
    assert not conductor.frame(50_000, ready=True).red_sockets
    assert conductor.next_change_ms() is None


def test_set_up_tells_take_away_from_put_here_by_rhythm_too() -> None:
    problems = (SetupProblem("C3", "take_glass"), SetupProblem("D2", "take_rings"), SetupProblem("D1", "put_glass"))
    for mode in MODES:
        conductor = Conductor(mode)
        conductor.look(snapshot(phase="setting_up", to_move=None, setup_problems=problems))
        shown = conductor.frame(0, ready=False)
        assert shown.red_sockets == {"C3", "D2"}
        assert shown.green_sockets == {"D1"}
        assert conductor.frame(200, ready=False).red_sockets == frozenset()
        assert conductor.frame(200, ready=False).green_sockets == {"D1"}
        assert conductor.frame(700, ready=False).green_sockets == frozenset()


@pytest.mark.parametrize("mode", MODES)
def test_a_penalty_ring_that_falls_due_is_shown_in_every_mode(mode: Mode) -> None:
    conductor = Conductor(mode)
    right = RightView("penalty", "black", None, 9_000)
    conductor.look(snapshot(to_move="red", rights=(right,), penalty_lamp="D2"))
    frame = conductor.frame(0, ready=True)
    assert frame.panel["turn_black"]
    assert frame.green_sockets == {"D2"}


# -- the referee box


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_referee_box_is_dark_and_silent_while_all_is_legal(level: int) -> None:
    edges = [lift(1_000, "D1"), turn(1_200, "R2"), place(2_000, "D2"), Edge(2_500, "ring", "D2", 1)]
    edges += [lift(6_000, "D7"), turn(6_200, "B2"), place(7_000, "D6"), lift(9_000, "A4")]
    stage = Stage(Settings(level=level), "referee", edges)
    stage.run_to(175_000)
    assert [f for _, f in stage.frames] == [stage.frames[0][1]]
    assert stage.frames[0][1].panel == DARK
    assert stage.sounds == []


@pytest.mark.parametrize("ready", [True, False])
def test_ready_is_what_the_runner_says(ready: bool) -> None:
    assert Stage(LEVEL_1, "referee", ready=ready).frames[0][1].panel["ready"] is ready


# -- for anything that may happen


@settings(max_examples=80, deadline=None)
@given(games(), st.sampled_from(MODES))
def test_anything_that_may_happen_is_shown_within_bounds(game: tuple[Settings, list[Edge]], mode: Mode) -> None:
    """A socket never shows two meanings, the conductor is not asked without need, and every pattern ends."""
    of, edges = game
    stage = Stage(of, mode, edges)
    edges_end_ms = edges[-1].t_ms if edges else 0
    stage.run_to(edges_end_ms + 5_000)
    for _, frame in stage.frames:
        assert not frame.red_sockets & frame.green_sockets
        assert set(frame.panel) == set(DARK)
    heard = [t for t, _ in stage.sounds]
    assert len(heard) == len(set(heard))
    assert stage.rounds < 200 + 60 * len(edges) + (edges_end_ms + 5_000) // 20
    # An alarm that waits for nothing is over after its time, one that waits to be mended shines steadily.
    quiet_from_ms = stage.session.now_ms + BLINK_MS + 70_000
    stage.run_to(quiet_from_ms)
    sounds, alarms = len(stage.sounds), len(stage.changes_of("alarm"))
    stage.run_to(quiet_from_ms + 2_000)
    told = [r for r in _rulings(of, edges, quiet_from_ms + 2_000) if r.t_ms > quiet_from_ms - BLINK_MS - 1_000]
    if not told:
        assert len(stage.sounds) == sounds
        assert len(stage.changes_of("alarm")) == alarms


def _rulings(of: Settings, edges: list[Edge], end_ms: int) -> list[Ruling]:
    session = Session(of)
    return [r for edge in edges for r in session.feed(edge)] + list(session.advance(end_ms))


@settings(max_examples=60, deadline=None)
@given(games(), st.sampled_from(MODES), st.randoms(use_true_random=False))
def test_nothing_changes_before_the_conductor_says_so(
    game: tuple[Settings, list[Edge]], mode: Mode, random: object
) -> None:
    of, edges = game
    session, conductor = Session(of), Conductor(mode)
    for edge in edges:
        conductor.tell(session.feed(edge))
    conductor.look(session.snapshot())
    now_ms = session.now_ms
    for _ in range(30):
        frame = conductor.frame(now_ms, ready=True)
        conductor.tones(now_ms)
        change_ms = conductor.next_change_ms()
        if change_ms is None:
            break
        assert change_ms > now_ms
        between_ms = random.randint(now_ms, change_ms - 1)  # type: ignore[attr-defined]
        assert conductor.frame(between_ms, ready=True) == frame
        assert conductor.tones(between_ms) == ()
        now_ms = change_ms
