"""Lamps and tones: light at once, sound a moment later if it still holds, once per fault, and every pattern ends."""

from __future__ import annotations

import itertools
from pathlib import Path

import attrs
import pytest

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.session import Session
from tamsk_pi.signals import table
from tamsk_pi.signals.conductor import Conductor, Mode
from tamsk_pi.signals.frames import LampFrame
from tests.referee.scene import Scene


@attrs.define
class Shown:
    """What a scene looked and sounded like: each new frame by its time, and when tones began."""

    frames: dict[int, LampFrame] = attrs.field(factory=dict)
    sounds: list[int] = attrs.field(factory=list)

    def alarms(self) -> list[int]:
        """The times of the new frames in which the alarm lamp is lit."""
        return [t_ms for t_ms, frame in self.frames.items() if frame.panel["alarm"]]


def play(scene: Scene, mode: Mode, until_ms: int) -> Shown:
    """Show and sound a scene, looking at it every 10 ms."""
    session, conductor, shown = Session(scene.settings), Conductor(mode), Shown()
    waiting = sorted(scene.records, key=lambda record: record.t_ms)
    before: LampFrame | None = None
    for now_ms in range(0, until_ms, 10):
        rulings: list[Ruling] = []
        while waiting and waiting[0].t_ms <= now_ms:
            rulings += session.take(waiting.pop(0))
        rulings += session.advance(now_ms)
        conductor.tell(rulings)
        conductor.look(session.snapshot())
        frame = conductor.frame(now_ms, ready=True)
        if frame != before:
            shown.frames[now_ms] = before = frame
        if conductor.tones(now_ms):
            shown.sounds.append(now_ms)
    return shown


WRONG = ("R2", "D1", "D3")


def test_light_at_once_and_sound_700_ms_after_it() -> None:
    """An alarm is a light first and a sound a moment later."""
    shown = play(Scene(1).carry(1_000, *WRONG, turned=False), "referee", 4_000)
    known_ms = 1_130
    assert known_ms <= shown.alarms()[0] <= known_ms + 150
    # The sound waits from the placing on, whose time the ruling bears.
    assert shown.sounds == [1_700]


def test_what_was_put_right_in_time_does_not_sound() -> None:
    """... and only if what it tells of still holds."""
    scene = Scene(1).carry(1_000, *WRONG, turned=False).carry(1_550, "R2", "D3", "D1", turned=False)
    shown = play(scene, "referee", 6_000)
    assert shown.alarms()
    assert shown.sounds == []
    assert shown.alarms()[-1] < 1_700


def test_once_per_fault() -> None:
    """The sound comes once, however long the glass stands wrongly."""
    shown = play(Scene(1).carry(1_000, *WRONG, turned=False), "referee", 60_000)
    assert len(shown.sounds) == 1


def test_the_alarm_goes_out_when_it_is_mended() -> None:
    """Blinks until what it tells of is mended."""
    scene = Scene(1).carry(1_000, *WRONG, turned=False).carry(9_000, "R2", "D3", "D1", turned=False)
    shown = play(scene, "referee", 30_000)
    assert 8_500 < shown.alarms()[-1] < 9_300


def test_where_the_glass_stands_and_where_it_belongs_are_told_apart_by_rhythm() -> None:
    """Not by colour alone: the red lamp of its socket blinks fast, the green lamp of its home slowly."""
    session = Session(Scene(1).settings)
    scene = Scene(1).carry(1_000, *WRONG, turned=False)
    conductor = Conductor("referee")
    for record in scene.records:
        conductor.tell(session.take(record))
    conductor.tell(session.advance(1_200))
    conductor.look(session.snapshot())
    frames = [conductor.frame(t_ms, ready=True) for t_ms in range(1_200, 13_200, 50)]
    wrong = ["D3" in frame.red_sockets for frame in frames]
    home = ["D1" in frame.green_sockets for frame in frames]
    flips = [sum(a != b for a, b in itertools.pairwise(lit)) for lit in (wrong, home)]
    assert flips[0] >= 3 * flips[1] > 0


def test_a_legal_game_leaves_the_referee_box_dark_and_silent() -> None:
    """*referee* is dark and silent until something is illegal or a penalty falls due."""
    scene = Scene(2).carry(1_000, "R2", "D1", "D2").ring(1_500, "D2").carry(3_000, "B1", "A1", "A2").ring(3_500, "A2")
    shown = play(scene, "referee", 20_000)
    assert list(shown.frames) == [0]
    frame = shown.frames[0]
    assert frame.panel == {"turn_red": False, "turn_black": False, "alarm": False, "ready": True}
    assert not frame.red_sockets
    assert not frame.green_sockets


def test_play_shows_whose_turn_it_is_and_where_a_glass_may_go() -> None:
    """*play* helps: whose turn, where a lifted glass may go."""
    shown = play(Scene(1).lift(1_000, "D1"), "play", 2_000)
    first = shown.frames[0]
    assert first.panel["turn_red"]
    lit = {socket for frame in shown.frames.values() for socket in frame.green_sockets}
    assert lit == {"C1", "D2", "E1"}


@pytest.mark.parametrize("key", table.SIGNALS)
def test_every_pattern_has_an_end(key: str) -> None:
    """A tone by its length; a blink by its time, or when what it tells of is mended."""
    signal = table.SIGNALS[key]
    assert sum(tone.length_ms for tone in signal.tones) <= 2_000
    assert all(tone.length_ms > 0 and (tone.pitch_hz == 0 or 100 <= tone.pitch_hz <= 2_000) for tone in signal.tones)
    until_mended = key.split(":")[0] == "violation" or key == "paused"
    assert signal.alarm is None or signal.alarm_for_ms > 0 or until_mended


@pytest.mark.parametrize("key", [k for k in table.SIGNALS if table.SIGNALS[k].alarm and table.SIGNALS[k].alarm_for_ms])
def test_a_blink_with_a_time_is_over_after_it(key: str) -> None:
    kind, _, code = key.partition(":")
    conductor = Conductor("play")
    conductor.tell([Ruling(1_000, kind, {"code": code} if code else {})])
    assert any(conductor.frame(t_ms, ready=True).panel["alarm"] for t_ms in range(1_000, 2_000, 20))
    ends_ms = 1_000 + table.SIGNALS[key].alarm_for_ms
    assert not any(conductor.frame(t_ms, ready=True).panel["alarm"] for t_ms in range(ends_ms, ends_ms + 3_000, 20))


def test_each_rhythm_flips_when_it_says_that_it_will() -> None:
    for rhythm in table.RHYTHM_MS:
        for now_ms in range(0, 3_000, 7):
            flip_ms = table.next_flip_ms(rhythm, 0, now_ms)
            if flip_ms is None:
                assert rhythm == "steady"
                continue
            assert now_ms < flip_ms
            lit = table.is_lit(rhythm, 0, now_ms)
            assert all(table.is_lit(rhythm, 0, t_ms) == lit for t_ms in range(now_ms, flip_ms))
            assert table.is_lit(rhythm, 0, flip_ms) != lit


def test_the_page_of_signals_is_current() -> None:
    page = Path(__file__).parents[2] / "docs" / "signals.md"
    assert page.read_text(encoding="utf-8") == table.page()
