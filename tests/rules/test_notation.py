"""Turns in notation, both ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_pi.rules.notation import (
    Move,
    NotationError,
    PenaltyRing,
    Turn,
    format_move,
    format_turn,
    parse_move,
    parse_turn,
)
from tests.rules.strategies import lone_claims, moves, turns

TURNS = [
    ("D1-D2", Turn("red", Move("D1", "D2", "dropped"))),
    ("G1-F1x", Turn("red", Move("G1", "F1", "filled"))),
    ("D1-D2~", Turn("red", Move("D1", "D2", "none"))),
    ("*-D4", Turn("red", Move(None, "D4", "dropped"))),
    ("*-A1x", Turn("red", Move(None, "A1", "filled"))),
    ("+D2 G1-F1", Turn("red", Move("G1", "F1", "dropped"), claim="D2")),
    ("G1-F1 &C3", Turn("red", Move("G1", "F1", "dropped", PenaltyRing("C3")))),
    ("G1-F1~ &C3x", Turn("red", Move("G1", "F1", "none", PenaltyRing("C3", filled=True)))),
    ("+D2 G1-F1x &C3", Turn("red", Move("G1", "F1", "filled", PenaltyRing("C3")), claim="D2")),
    ("pass", Turn("red", "pass")),
    ("forfeit", Turn("red", "forfeit")),
    ("+D2 skip", Turn("red", "skip", claim="D2")),
    ("+D2", Turn("red", None, claim="D2")),
]


@pytest.mark.parametrize(("text", "turn"), TURNS)
def test_every_form_both_ways(text: str, turn: Turn) -> None:
    assert format_turn(turn) == text
    assert parse_turn(text, "red") == turn


@given(turns | lone_claims)
def test_a_turn_survives_its_notation(turn: Turn) -> None:
    assert parse_turn(format_turn(turn), turn.player, turn.t_ms) == turn


@given(moves)
def test_a_move_survives_its_notation(move: Move) -> None:
    assert parse_move(format_move(move)) == move


@given(st.text(alphabet="ABDG1279x~+&*- pasorfeitk", max_size=20) | st.text(max_size=20))
def test_whatever_is_read_is_written_the_same(text: str) -> None:
    try:
        turn = parse_turn(text, "black")
    except NotationError as error:
        complaint = str(error)
    else:
        complaint = ""
        assert format_turn(turn) == " ".join(text.split())
    assert "\n" not in complaint


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a turn with neither a claim nor a move is none"),
        ("D1D2", "'D1D2' is no move (allowed: FROM-TO, with x or ~ after it or neither, or pass, forfeit, skip)"),
        ("d1-d2", "'d1-d2' is no move (allowed: FROM-TO, with x or ~ after it or neither, or pass, forfeit, skip)"),
        ("D1-D2x~", "'D1-D2x~' is no move (allowed: FROM-TO, with x or ~ after it or neither, or pass, forfeit, skip)"),
        ("D1-A5", "no such socket: A5"),
        ("G5-F1", "no such socket: G5"),
        ("+A7 D1-D2", "no such socket: A7"),
        ("+D2x D1-D2", "'+D2x' is no claim (allowed: +SOCKET, such as +D2)"),
        ("D1-D2 &", "'&' is no penalty ring (allowed: &SOCKET or &SOCKETx, such as &C3)"),
        ("D1-D2 &C7", "no such socket: C7"),
        ("D1-D2 &C3 &C4", "'&C4' cannot stand there: a turn is [+SOCKET] MOVE [&SOCKET]"),
        ("pass &C3", "'&C3' cannot stand there: a turn is [+SOCKET] MOVE [&SOCKET]"),
        ("D1-D2 +D2", "'+D2' cannot stand there: a turn is [+SOCKET] MOVE [&SOCKET]"),
        ("D1-D2 G1-F1", "'G1-F1' cannot stand there: a turn is [+SOCKET] MOVE [&SOCKET]"),
        ("&C3 D1-D2", "'&C3' is no move (allowed: FROM-TO, with x or ~ after it or neither, or pass, forfeit, skip)"),
        (
            "y" * 999,
            f"'{'y' * 19}…' is no move (allowed: FROM-TO, with x or ~ after it or neither, or pass, forfeit, skip)",
        ),
    ],
)
def test_what_is_no_turn_is_refused_with_what_may_stand_there(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_turn(text, "red")
    assert str(caught.value) == message


@pytest.mark.parametrize("text", ["pass", "+D2", "+D2 D1-D2"])
def test_a_turn_is_not_always_one_move(text: str) -> None:
    with pytest.raises(NotationError, match="is not one move"):
        parse_move(text)


def test_a_move_names_sockets_that_exist() -> None:
    with pytest.raises(NotationError, match="to: no such socket: 'D8'"):
        Move("D7", "D8")
    with pytest.raises(NotationError, match="origin: no such socket: 'd7'"):
        Move("d7", "D6")
    with pytest.raises(NotationError, match="socket: no such socket: ''"):
        PenaltyRing("")
    with pytest.raises(NotationError, match="a time before the game's start: -1 ms"):
        Turn("red", "pass", t_ms=-1)
