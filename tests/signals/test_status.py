"""What players want to know now, in short texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_pi.referee.snapshot import RightView, Snapshot, ViolationView
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.language import LANGUAGES, Language
from tamsk_pi.signals.status import countdown, status
from tamsk_pi.signals.words import Words
from tests.core.edges_strategy import games


def snapshot(level: int = 3, **changes: Any) -> Snapshot:
    """In the midst of play: a move has been made."""
    return attrs.evolve(Session(Settings(level=level)).snapshot(), **{"last_move": ("D1", "D2"), **changes})


def test_whose_turn_it_is() -> None:
    assert status(snapshot(), Words({"red": "Ada"})) == ("Ada to move.",)
    assert status(snapshot(phase="carrying"), Words({}, "de")) == ("Rot hält eine Sanduhr.",)


def test_all_problems_of_a_set_up_at_once() -> None:
    session = Session(Settings(level=3, occupied=("A1", "A4", "C3", "D7", "G1", "G4")))
    session.feed(Edge(0, "ring", "D2", 1))
    session.advance(1_000)
    assert status(session.snapshot(), Words()) == (
        "Set up the board.",
        "Take the glass off C3.",
        "Put a glass on D1.",
        "Take the rings off D2.",
        "Black chooses on which side of the board the timer stands.",
    )


def test_what_is_due_and_owed() -> None:
    rights = (RightView("move", "red", "D2", 4_000), RightView("penalty", "black", None, 9_000))
    picture = snapshot(
        to_move="black", rights=rights, penalty_lamp="D3", timer_armed_against="black", penalty_owed=("red",),
        skip_owed=("black",), faults=("socket:D1", "tilt:R1"),
    )  # fmt: skip
    assert status(picture, Words()) == (
        "Black to move.",
        "Red may drop a ring on D2.",
        "Black may drop a penalty ring on any socket that is not full.",
        "The penalty lamp is at D3.",
        "The timer runs against Black.",
        "Red is owed a penalty ring after the next move.",
        "The next turn of Black is skipped.",
        "Not trusted now: the sensor of D1, the tilt sensor of R1.",
    )


@pytest.mark.parametrize(
    ("violation", "line"),
    [
        (
            ViolationView("not_adjacent", "red", "R2", "D1", "E4", 0),
            "The middle red hourglass (R2) was placed on E4, which does not touch D1. Put it back on D1.",
        ),
        (
            ViolationView("not_flipped", "red", "R2", "D1", None, 0),
            "The middle red hourglass (R2) is in hand: put it back on D1 as it stood there.",
        ),
        (
            ViolationView("opening_order", "red", "R2", None, None, 0),
            "The middle red hourglass (R2) is in hand: leave it off the board.",
        ),
        (ViolationView("ring_not_due", None, None, None, "D2", 0), "No ring is due on D2. Take it off again."),
        (
            ViolationView("ring_removed", "black", None, None, None, 0),
            "A ring that counts came back to the holder of Black. Put it back where it lay.",
        ),
        (
            ViolationView("turning_not_seen", "red", "R2", "D1", "D2", 0),
            "The middle red hourglass (R2) was placed on D2, and no sensor saw it being turned over. "
            "If it was, Red confirms it by a press of the button.",
        ),
    ],
)
def test_what_is_wrong_and_how_to_put_it_right(violation: ViolationView, line: str) -> None:
    assert status(snapshot(phase="mending", violations=(violation,)), Words())[1:] == (line,)


@pytest.mark.parametrize(("left_ms", "said"), [(9_999, "10 Sekunden"), (1_000, "1 Sekunde"), (1, "1 Sekunde")])
def test_a_glass_that_is_about_to_run_out_is_counted_down(left_ms: int, said: str) -> None:
    picture = snapshot(now_ms=50_000)
    glass = attrs.evolve(picture.glasses["R1"], moved=True, stops_at_ms=50_000 + left_ms)
    picture = attrs.evolve(picture, glasses={**picture.glasses, "R1": glass})
    told = f"Die linke rote Sanduhr (R1) läuft in {said} ab."
    assert countdown(picture, Words({}, "de")) == {"R1": told}
    assert countdown(attrs.evolve(picture, now_ms=50_000 + left_ms), Words({}, "de")) == {}
    assert countdown(attrs.evolve(picture, level=1), Words({}, "de")) == {}


def test_nothing_is_asked_for_while_paused_or_over() -> None:
    wrong = (ViolationView("not_adjacent", "red", "R2", "D1", "E4", 0),)
    assert status(snapshot(phase="paused", to_move=None, violations=wrong), Words()) == ("Paused: nothing is judged.",)
    assert status(snapshot(phase="over", to_move=None, violations=wrong), Words()) == ("The game is over.",)


@settings(max_examples=60, deadline=None)
@given(games(), st.sampled_from(LANGUAGES))
def test_the_state_of_any_game_can_be_told(game: tuple[Settings, Sequence[Edge]], language: Language) -> None:
    of, edges = game
    session, words = Session(of), Words({}, language)
    for edge in edges:
        session.feed(edge)
        lines = [*status(session.snapshot(), words), *countdown(session.snapshot(), words).values()]
        assert lines
        for line in lines:
            assert line.isprintable()
            assert "?" not in line
            assert "None" not in line
            assert not line[0].islower()
