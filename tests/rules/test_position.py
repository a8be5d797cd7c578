"""Positions and their text form."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_pi.rules.board import CAPACITY, SOCKETS, START
from tamsk_pi.rules.position import Position, PositionError
from tests.rules.strategies import positions

START_TEXT = "0b000r/00000/000000/0r000000b/000000/00000/0b000r r 32 32"


def problems_of(text: str) -> tuple[str, ...]:
    with pytest.raises(PositionError) as caught:
        Position.parse(text)
    return caught.value.problems


def read(text: str) -> tuple[Position | None, tuple[str, ...]]:
    """The position, or None and the problems."""
    try:
        return Position.parse(text), ()
    except PositionError as error:
        return None, error.problems


def test_the_start_has_the_text_of_the_contract() -> None:
    assert Position.start().text() == str(Position.start()) == START_TEXT
    start = Position.parse(START_TEXT)
    assert start == Position.start()
    assert dict(start.glasses) == dict(START)
    assert set(start.rings.values()) == {0}
    assert start.to_move == "red"
    assert dict(start.rings_left) == {"red": 32, "black": 32}


def test_the_text_reads_from_the_bottom_of_each_column() -> None:
    position = Position.parse("1000r/02r000/000000/000b4b000/00002b0/0000r0/0001 b 27 27")
    ringed = {socket: rings for socket, rings in position.rings.items() if rings}
    assert ringed == {"A1": 1, "B2": 2, "D4": 4, "E5": 2, "G4": 1}
    assert dict(position.glasses) == {"R1": "A4", "R2": "B2", "R3": "F4", "B1": "D3", "B2": "D4", "B3": "E5"}
    assert position.to_move == "black"
    assert dict(position.rings_left) == {"red": 27, "black": 27}


@given(positions())
def test_a_position_survives_its_text_up_to_the_numbers_of_its_glasses(position: Position) -> None:
    read = Position.parse(position.text())
    assert read == position.numbered()
    assert hash(read) == hash(position.numbered())
    assert read.text() == position.text()
    assert read.numbered() == read


@given(positions(), st.data())
def test_glasses_are_numbered_in_the_order_of_the_text(position: Position, data: st.DataObject) -> None:
    glasses = Position.parse(position.text()).glasses
    for colour in "RB":
        places = [SOCKETS.index(glasses[name]) for name in sorted(glasses) if name[0] == colour]
        assert places == sorted(places)
        assert [name for name in glasses if name[0] == colour] == [f"{colour}{n + 1}" for n in range(len(places))]


@given(st.text(alphabet="0123459rb/ xfe\n\t²٣", max_size=80) | st.text(max_size=40))
def test_any_other_text_is_refused_with_problems_not_with_another_error(text: str) -> None:
    position, problems = read(text)
    assert (position is None) == bool(problems)
    assert all(problem and "\n" not in problem for problem in problems)
    assert position is None or position.text() == " ".join(text.split())


@given(st.data())
def test_one_changed_character_never_goes_unnoticed(data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(START_TEXT) - 1))
    character = data.draw(st.characters(codec="ascii", categories=("L", "N", "P", "S")))
    changed = START_TEXT[:index] + character + START_TEXT[index + 1 :]
    position, problems = read(changed)
    if position is None:
        assert problems
    else:  # the same character, or the other side's turn
        assert position.text() == changed
        assert changed in (START_TEXT, START_TEXT.replace(" r ", " b "))


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", ("missing: the columns, the side to move, red's rings left, black's rings left",)),
        ("0b000r/00000/000000/0r000000b/000000/00000/0b000r r", ("missing: red's rings left, black's rings left",)),
        (
            "0b000r/00000/000000/0r000000b/000000/00000/0b000r w 32 32",
            ("side to move: 'w' (allowed: r or b)",),
        ),
        (
            "0b000r/00000/000000/0r000000b/000000/00000/0b000r r 32 32 loose",
            ("too much: 'loose' (after the rings left only 'free' may stand)",),
        ),
        (
            "0b000r/00000/000000/0r000000b/000000/00000 r 32 32",
            ("6 columns (must be 7, separated by '/')",),
        ),
        (
            "0b000r/00000/00000/0r000000b/000000/00000/0b000r r 32 32",
            ("column C: 5 sockets (must be 6)",),
        ),
        (
            "0b000r/000000/000000/0r000000b/000000/00000/0b000r r 32 32",
            ("column B: 6 sockets (must be 5)",),
        ),
        (
            "0b000r/000?00/000000/0r000000b/000000/00000/0b000r r 32 32",
            ("column B: '?' (allowed: digits, r and b)",),
        ),
        (
            "b0000r/00000/000000/0r000000b/000000/00000/0b000r r 32 32",
            ("column A: a glass before the first socket's digit", "black glasses: 2 on the board (exactly 3 allowed)"),
        ),
        (
            "0b000r/00000/000000/0rb0000000/000000/00000/0b000r r 32 32",
            ("column D: 8 sockets (must be 7)", "D1: 2 glasses in one socket"),
        ),
        (
            "0b000r/00000/000000/0r000r000b/000000/00000/0b000r r 32 32",
            ("red glasses: 4 on the board (exactly 3 allowed)",),
        ),
        (
            "0b000/00000/000000/0r000000b/000000/00000/0b000r r 32 32",
            ("red glasses: 2 on the board (exactly 3 allowed)",),
        ),
        (
            "0b000/00000/000000/0r000000b/000000/00000/0br00r r 32 32 free",
            ("column G: 3 sockets (must be 4)", "G1: 2 glasses in one socket"),
        ),
        (
            "0b0r0r0r/00000/000000/0r000000b/000000/00000/0b000r r 32 32 free",
            ("red glasses: 5 on the board (at most 3 allowed)",),
        ),
        (
            "2b000r/00000/000000/0r000000b/000000/00000/0b000r r 31 31",
            ("A1: 2 rings (allowed: 0 to 1)",),
        ),
        (
            "0b000r/00000/000000/0r000000b/000000/00000/0b000r r 32 31",
            ("rings: 0 on the board and 32 + 31 left make 63 (must be 64)",),
        ),
        (
            "0b000r/00000/000000/0r000000b/000000/00000/0b000r r 33 31",
            ("red's rings left: 33 (allowed: 0 to 32)",),
        ),
        (
            "0b000r/00000/000000/0r000000b/000000/00000/0b000r r -1 032",
            ("red's rings left: '-1' (allowed: 0 to 32)", "black's rings left: '032' (allowed: 0 to 32)"),
        ),
    ],
)
def test_each_problem_is_named(text: str, problems: tuple[str, ...]) -> None:
    assert problems_of(text) == problems


def test_everything_that_is_wrong_is_named_at_once() -> None:
    assert set(problems_of("2b000r/000x0/0000000/0rr000000bb/000000/00000/0b000r w 33 q loose")) == {
        "too much: 'loose' (after the rings left only 'free' may stand)",
        "column B: 'x' (allowed: digits, r and b)",
        "column B: 4 sockets (must be 5)",
        "column C: 7 sockets (must be 6)",
        "D1: 2 glasses in one socket",
        "D7: 2 glasses in one socket",
        "red glasses: 4 on the board (exactly 3 allowed)",
        "black glasses: 4 on the board (exactly 3 allowed)",
        "side to move: 'w' (allowed: r or b)",
        "black's rings left: 'q' (allowed: 0 to 32)",
        "A1: 2 rings (allowed: 0 to 1)",
        "red's rings left: 33 (allowed: 0 to 32)",
    }


def test_long_input_is_not_repeated_at_length() -> None:
    assert len(str(PositionError(problems_of("y" * 10_000 + " " + "r" * 10_000 + " 3" + "2" * 10_000)))) < 600


def test_a_position_built_by_hand_is_judged_alike_and_at_once() -> None:
    with pytest.raises(PositionError) as caught:
        Position(
            glasses={**START, "R2": "A4", "B1": "H9", "N": "D4"},
            rings={"D4": 5, "X1": 1, "A1": True},
            to_move="green",  # type: ignore[arg-type]
            rings_left={"red": -1},
            setup="loose",  # type: ignore[arg-type]
        )
    assert caught.value.problems == (
        "B1 stands in no socket: 'H9'",
        "no such glass: 'N' (allowed: R1, R2, R3, B1, B2, B3)",
        "A4: 2 glasses in one socket (R1, R2)",
        "rings around no socket: 'X1'",
        "A1: True is no number of rings",
        "side to move: 'green' (allowed: red or black)",
        "rings left: given for 'red', needed for red and black",
        "setup: 'loose' (allowed: corners or free)",
        "D4: 5 rings (allowed: 0 to 4)",
        "red's rings left: -1 (allowed: 0 to 32)",
    )


def test_fewer_glasses_stand_only_where_the_text_says_free() -> None:
    empty = "0000/00000/000000/0000000/000000/00000/0000 r 32 32"
    assert problems_of(empty) == (
        "red glasses: 0 on the board (exactly 3 allowed)",
        "black glasses: 0 on the board (exactly 3 allowed)",
    )
    position = Position.parse(f"{empty} free")
    assert position == Position.start("free")
    assert position.text() == f"{empty} free"
    assert position.unplaced("black") == ("B1", "B2", "B3")
    assert position.moves("red") == tuple((None, socket) for socket in SOCKETS)
    placed = position.after(None, "D4").after(None, "A1")
    assert placed.text() == "1b000/00000/000000/0001r000/000000/00000/0000 r 31 31 free"
    assert placed.unplaced("red") == ("R2", "R3")
    assert (None, "D4") not in placed.moves("red")


def test_a_position_cannot_be_changed_not_even_through_what_it_was_made_of() -> None:
    rings = {"D4": 0}
    position = Position(START, rings, "red", {"red": 32, "black": 32})
    rings["D4"] = 4
    assert position == Position.start()
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        position.to_move = "black"  # type: ignore[misc]
    with pytest.raises(TypeError):
        position.rings["D4"] = 1  # type: ignore[index]


def test_moves_lead_to_adjacent_sockets_that_are_vacant_and_not_full() -> None:
    # R2 on D1: C1 is full, E1 holds a glass, D2 has room for one more.
    position = Position.parse("0b000r/00000/100000/0r100000/0b00000/00000/0b000r r 31 31")
    assert [to for origin, to in position.moves("red") if origin == "D1"] == ["D2"]
    assert position.moves("black")[:3] == (("A1", "A2"), ("A1", "B1"), ("A1", "B2"))


@given(positions())
def test_a_move_changes_one_glass_one_ring_and_the_turn(position: Position) -> None:
    player = position.to_move
    moves = position.moves(player) if position.rings_left[player] else ()
    for origin, to in moves:
        then = position.after(origin, to)
        assert then.to_move != player
        assert then.rings[to] == position.rings[to] + 1 <= CAPACITY[to]
        assert then.rings_left[player] == position.rings_left[player] - 1
        assert set(then.glasses.items()) - set(position.glasses.items()) == {
            (next(glass for glass, socket in then.glasses.items() if socket == to), to)
        }


def test_a_move_that_is_none_is_refused() -> None:
    start = Position.start()
    with pytest.raises(ValueError, match="red cannot go from D1 to D3"):
        start.after("D1", "D3")
    with pytest.raises(ValueError, match="red cannot go from off the board to D4"):
        start.after(None, "D4")
    without_rings = Position.parse("1b111r/12221/123321/1r23432b1/123221/10001/1b100r r 0 9")
    with pytest.raises(ValueError, match="red has no ring left"):
        without_rings.after("G4", "G3")
    assert start.passed().to_move == "black"
