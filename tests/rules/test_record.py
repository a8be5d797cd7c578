"""The record of a game: from rulings, to text and back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import CAPACITY, RINGS_PER_SIDE, Player, opponent
from tamsk_pi.rules.notation import Move, PenaltyRing, Turn
from tamsk_pi.rules.record import (
    Record,
    RecordBuilder,
    RecordError,
    Result,
    build_record,
    format_record,
    parse_record,
)
from tests.rules.strategies import records, results

CASES = sorted((Path(__file__).parent.parent / "cases").glob("*.rulings.json"))

SAMPLE = """\
[Event "Club night"]
[Level "3"]
[Rules "rulebook"]
[Red "Ada"]
[Black "Lin"]
[Result "red 4-7 rings"]

1. D1-D2 {[%t 6.2]} G1-F1x {[%t 9.8]}
2. D2-E2 F1-E1x
"""


def move(t_ms: int, player: Player, origin: str | None, to: str) -> Ruling:
    return Ruling(t_ms, "move", {"player": player, "glass": "R1", "from": origin, "to": to})


def ring(t_ms: int, player: Player, socket: str, count: int, reason: str) -> Ruling:
    return Ruling(t_ms, "ring", {"player": player, "socket": socket, "count": count, "reason": reason})


def lost(t_ms: int, player: Player, kind: str) -> Ruling:
    return Ruling(t_ms, kind, {"player": player})


def over(winner: Player | None, red: int, black: int, reason: str) -> Ruling:
    return Ruling(99_000, "game_over", {"winner": winner, "reason": reason, "red": red, "black": black})


def turns_of(*rulings: Ruling) -> list[str]:
    """The numbered lines of the record that these rulings make, times left out."""
    record = build_record({"level": 3}, rulings)
    untimed = [Turn(turn.player, turn.action, turn.claim) for turn in record.turns]
    return format_record(Record({}, tuple(untimed))).splitlines()


def test_the_sample_of_the_contract_both_ways() -> None:
    record = parse_record(SAMPLE)
    assert format_record(record) == SAMPLE
    assert record.tags["Event"] == "Club night"
    assert record.result == Result("red", red=4, black=7, reason="rings")
    assert record.turns == (
        Turn("red", Move("D1", "D2", "dropped"), t_ms=6_200),
        Turn("black", Move("G1", "F1", "filled"), t_ms=9_800),
        Turn("red", Move("D2", "E2", "dropped")),
        Turn("black", Move("F1", "E1", "filled")),
    )


def test_the_sample_of_the_contract_from_rulings() -> None:
    header = {"event": "Club night", "level": 3, "rules": "rulebook", "red": "Ada", "black": "Lin", "tilt": True}
    record = build_record(
        header,
        [
            Ruling(0, "started"),
            move(6_200, "red", "D1", "D2"),
            ring(7_000, "red", "D2", 1, "move"),
            move(9_800, "black", "G1", "F1"),
            ring(9_900, "black", "F1", 1, "move"),
            Ruling(9_950, "glass_stopped", {"glass": "R1"}),
            over("red", 4, 7, "rings"),
        ],
    )
    assert format_record(record) == SAMPLE.removesuffix("2. D2-E2 F1-E1x\n")


@given(records())
def test_a_record_survives_its_text(record: Record) -> None:
    assert parse_record(format_record(record)) == record


@given(results)
def test_a_result_survives_its_text(result: Result) -> None:
    assert Result.parse(result.text()) == result


def cases_of(path: Path) -> tuple[dict[str, object], list[Ruling]]:
    header = json.loads(path.with_name(path.name.replace(".rulings.json", ".trace.jsonl")).read_text().split("\n")[0])
    rulings = json.loads(path.read_text())["rulings"]
    return header, [Ruling(r.pop("t"), r.pop("ruling"), r) for r in rulings]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name.removesuffix(".rulings.json"))
def test_the_record_of_a_whole_game_accounts_for_every_ring(path: Path) -> None:
    header, rulings = cases_of(path)
    record = build_record(header, rulings)
    assert parse_record(format_record(record)) == record

    placed: Counter[str] = Counter()
    last_mover: Player | None = None
    for index, turn in enumerate(record.turns):
        assert turn.player == ("red" if index % 2 == 0 else "black")
        if turn.claim is not None and last_mover is not None:
            placed[opponent(last_mover)] += 1
        if isinstance(turn.action, Move):
            placed[turn.player] += (turn.action.ring != "none") + (turn.action.penalty is not None)
            last_mover = turn.player
    assert placed == Counter(r.get("player") for r in rulings if r.kind == "ring")
    if record.result is not None:
        assert record.result.red == RINGS_PER_SIDE - placed["red"]
        assert record.result.black == RINGS_PER_SIDE - placed["black"]


def test_the_cases_hold_what_the_test_above_is_about() -> None:
    reasons = Counter(r.get("reason") for path in CASES for r in cases_of(path)[1] if r.kind == "ring")
    assert set(reasons) == {"move", "claim", "penalty"}


@pytest.mark.parametrize("socket", CAPACITY)
def test_x_says_that_the_ring_filled_the_socket(socket: str) -> None:
    full = CAPACITY[socket]
    for count in range(1, full + 1):
        mark = "x" if count == full else ""
        free = turns_of(move(1, "red", None, socket), ring(2, "red", socket, count, "move"))
        assert free == [f"1. *-{socket}{mark}"]
        penalty = turns_of(move(1, "red", "D1", "D2"), ring(2, "red", socket, count, "penalty"))
        assert penalty == [f"1. D1-D2~ &{socket}{mark}"]


def test_a_late_ring_belongs_to_the_move_that_gave_the_right() -> None:
    assert turns_of(
        move(1_000, "red", "D1", "D2"),
        move(2_000, "black", "G1", "F1"),
        ring(2_500, "red", "D2", 1, "move"),
        ring(2_600, "black", "F1", 1, "move"),
        ring(2_700, "red", "C3", 3, "penalty"),
    ) == ["1. D1-D2 &C3x G1-F1x"]


def test_a_claim_stands_before_the_turn_it_came_before() -> None:
    assert turns_of(
        move(1_000, "red", "D1", "D2"),
        ring(6_000, "black", "D2", 1, "claim"),
        move(8_000, "black", "G1", "F1"),
    ) == ["1. D1-D2~ +D2 G1-F1~"]
    # Black passed, and claims while red has lifted its next glass.
    assert turns_of(
        move(1_000, "red", "D1", "D2"),
        lost(1_000, "black", "pass"),
        ring(6_000, "black", "D2", 1, "claim"),
        move(8_000, "red", "D2", "D3"),
    ) == ["1. D1-D2~ pass", "2. +D2 D2-D3~"]


def test_a_claim_that_ends_the_game_stands_alone() -> None:
    record = build_record(
        {"level": 1},
        [
            move(1_000, "red", "D1", "D2"),
            ring(6_000, "black", "D2", 1, "claim"),
            over("black", 20, 0, "last_ring"),
        ],
    )
    assert record.turns[-1] == Turn("black", None, "D2", 6_000)
    assert format_record(record).endswith('[Result "black 20-0 last_ring"]\n\n1. D1-D2~ {[%t 1.0]} +D2 {[%t 6.0]}\n')
    assert parse_record(format_record(record)) == record


def test_lost_turns_stand_in_their_places() -> None:
    assert turns_of(
        lost(16_000, "red", "forfeit"),
        move(20_000, "black", "A1", "B2"),
        lost(20_000, "red", "skip"),
        move(30_000, "black", "B2", "C3"),
        lost(30_000, "red", "pass"),
    ) == ["1. forfeit A1-B2~", "2. skip B2-C3~", "3. pass"]


def test_two_turns_of_one_side_in_a_row_leave_the_other_half_empty() -> None:
    # Only an arbiter can bring this about.
    text = format_record(
        build_record(
            {"level": 1},
            [
                move(1_000, "red", "D1", "D2"),
                move(2_000, "red", "D2", "D3"),
                move(3_000, "black", "G1", "F1"),
                move(4_000, "black", "F1", "F2"),
            ],
        )
    )
    lines = ["1. D1-D2~ {[%t 1.0]}", "2. D2-D3~ {[%t 2.0]} G1-F1~ {[%t 3.0]}", "3... F1-F2~ {[%t 4.0]}"]
    assert text.splitlines()[-3:] == lines
    assert [turn.player for turn in parse_record(text).turns] == ["red", "red", "black", "black"]


def annulled(verdict: Ruling) -> Ruling:
    return Ruling(verdict.t_ms + 5_000, "notice", {"code": "annulled", "verdict": verdict.as_json()})


def test_an_annulled_forfeit_is_taken_out_again_and_its_claim_is_not() -> None:
    timeout = Ruling(35_000, "timeout", {"player": "black", "begun": False})
    builder = RecordBuilder({"level": 3})
    for ruling in (
        move(1_000, "red", "D1", "D2"),
        ring(6_000, "black", "D2", 1, "claim"),
        timeout,
        lost(35_000, "black", "forfeit"),
        lost(35_000, "red", "skip"),
    ):
        builder.add(ruling)
    assert [turn.action for turn in builder.record().turns[1:]] == ["forfeit", "skip"]
    builder.add(annulled(timeout))
    assert builder.record().turns[1:] == (Turn("black", None, "D2", 6_000),)
    builder.add(move(50_000, "black", "G1", "F1"))
    assert builder.record().turns[1:] == (Turn("black", Move("G1", "F1"), "D2", 50_000),)


def test_an_annulled_end_is_no_end() -> None:
    end = over("black", 30, 30, "full_socket")
    builder = RecordBuilder({"level": 1})
    builder.add(move(1_000, "red", "D1", "D2"))
    builder.add(end)
    assert builder.record().result == Result("black", 30, 30, "full_socket")
    builder.add(annulled(end))
    assert builder.record().result is None
    assert builder.record().tags["Result"] == "*"


def test_other_annulled_verdicts_leave_the_record_as_it_is() -> None:
    builder = RecordBuilder({"level": 3})
    for ruling in (move(1_000, "red", "D1", "D2"), lost(2_000, "black", "forfeit"), move(3_000, "red", "D2", "D3")):
        builder.add(ruling)
    before = builder.record()
    builder.add(annulled(Ruling(4_000, "timeout", {"player": "black", "begun": True})))
    builder.add(annulled(Ruling(4_000, "violation", {"player": "black", "code": "not_adjacent"})))
    assert builder.record() == before


@pytest.mark.parametrize(
    ("header", "tags"),
    [
        ({"level": 1}, {"Level": "1", "Rules": "rulebook", "Result": "*"}),
        (
            {"level": 3, "rules": "schmidt1998", "setup": "free", "red": "Ada", "black": "", "event": None},
            {"Level": "3", "Rules": "schmidt1998", "Setup": "free", "Red": "Ada", "Result": "*"},
        ),
        (
            {"level": 2, "setup": "corners", "started_at": "2026-03-01T19:30:00+01:00", "event": 'The "Sand" Cup'},
            {
                "Event": 'The "Sand" Cup',
                "Started": "2026-03-01T19:30:00+01:00",
                "Level": "2",
                "Rules": "rulebook",
                "Result": "*",
            },
        ),
    ],
)
def test_tags_come_from_the_settings(header: Mapping[str, object], tags: Mapping[str, str]) -> None:
    record = build_record(header, [])
    assert list(record.tags.items()) == list(tags.items())
    assert parse_record(format_record(record)) == record


def test_any_name_can_be_written_as_utf8() -> None:
    record = Record({"Red": 'a"b\\c\n]\ud800 ☃\u2028'})
    text = format_record(record)
    assert text.count("\n") == 1
    assert parse_record(text.encode().decode()) == record


@pytest.mark.parametrize(
    ("t_ms", "text"), [(0, "0.0"), (6_200, "6.2"), (10_000, "10.0"), (2_935, "2.935"), (61_050, "61.05"), (7, "0.007")]
)
def test_times_are_exact_to_the_ms(t_ms: int, text: str) -> None:
    record = Record({}, (Turn("red", "pass", t_ms=t_ms),))
    assert format_record(record) == f"1. pass {{[%t {text}]}}\n"
    assert parse_record(format_record(record)) == record


@pytest.mark.parametrize(
    "text",
    [
        "1. D1-D2 {a fine move [%t 6.2]} {so it is} G1-F1x {[%t 9.8]}\n2. D2-E2 F1-E1x\n",
        "{A game} 1. D1-D2{[%t 6.2]}\r\nG1-F1x {[%t 9.8]} 2. D2-E2\r\n\r\n\tF1-E1x",
    ],
)
def test_other_comments_and_other_lines_are_read_over(text: str) -> None:
    assert parse_record(text).turns == parse_record(SAMPLE).turns


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[Level "3"]\n[Level "2"]\n', "line 2: a second tag Level"),
        ("[Level 3]\n", "line 1: '[Level 3]' is no tag: it is written [NAME \"VALUE\"]"),
        ('[Level "3" "4"]\n', "line 1: the value of tag Level is not one text in quotes"),
        (
            '\n[Result "red won"]\n',
            "line 2: 'red won' is no result (allowed: red, black or draw, then RED-BLACK rings left, then one of "
            "rings, tie_break, last_ring, full_socket, resigned, agreed, arbiter; or *)",
        ),
        ("D1-D2\n", "line 1: 'D1-D2' where a number was due, such as 1."),
        ('[Level "1"]\n\n1. D1-D2 G1-F1\nD2-D3\n', "line 4: 'D2-D3' where a number was due, such as 2."),
        ("1. D1-D2\n3. D2-D3\n", "line 2: number 3 where 2 was due"),
        ("1. D1-D2\n2.\n\n3. D2-D3\n", "line 2: number 2 without a turn"),
        ("1.\n", "line 1: number 1 without a turn"),
        ("1. D1-D2\n   G1-F9\n2. D2-D3\n", "line 2: 'G1-F9' is no move"),
        ("1. D1-D2\n   G1-F7\n2. D2-D3\n", "line 2: no such socket: F7"),
        ("1. D1-D2 {[%t 6.2]\n", "line 1: a comment that does not end: '}' is missing"),
        ("1. D1-D2 {[%t 6.2]} {[%t 6.3]}\n", "line 1: a time belongs after a turn, one after each"),
        ("1. {[%t 6.2]} D1-D2\n", "line 1: a time belongs after a turn, one after each"),
        ("1. +D2\n2. D1-D2\n", "line 2: +D2: only at the end of a game can a claim stand without a move"),
        ("1. &D2\n", "line 1: '&D2' is no move"),
        ('1. D1-D2\n[Level "1"]\n', "line 2: '[Level' is no move"),
    ],
)
def test_what_is_no_record_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    assert str(caught.value).startswith(message)


@given(st.text(alphabet='12. DG-F+&x~{}[]%t"pas\n', max_size=40) | st.text(max_size=40))
def test_whatever_is_read_survives_being_written(text: str) -> None:
    try:
        record = parse_record(text)
    except RecordError as error:
        complaint = str(error)
        record = Record({})
    else:
        complaint = ""
    assert "\n" not in complaint
    assert parse_record(format_record(record)) == record


@pytest.mark.parametrize(
    ("rulings", "message"),
    [
        ([ring(5, "red", "D2", 1, "move")], "ring at 5 ms: no move of red has a ring due at D2"),
        (
            [move(1, "red", "D1", "D2"), ring(5, "red", "D3", 1, "move")],
            "ring at 5 ms: no move of red has a ring due at D3",
        ),
        (
            [move(1, "red", "D1", "D2"), ring(2, "red", "D2", 1, "move"), ring(5, "red", "D2", 2, "move")],
            "ring at 5 ms: no move of red has a ring due at D2",
        ),
        (
            [move(1, "red", "D1", "D2"), ring(2, "red", "D4", 1, "penalty"), ring(5, "red", "D4", 2, "penalty")],
            "ring at 5 ms: no move of red is without its penalty ring",
        ),
        (
            [move(1, "red", "D1", "D2"), ring(2, "black", "D2", 1, "claim"), ring(5, "black", "D2", 2, "claim")],
            "ring at 5 ms: two claims between one move and the next",
        ),
        (
            [move(1, "red", "D1", "D2"), ring(5, "red", "D2", 1, "gift")],
            "ring at 5 ms: no such reason: 'gift' (allowed: move, claim, penalty)",
        ),
        ([move(1, "red", "D1", "H2")], "move at 1 ms: to: no such socket: 'H2'"),
        ([Ruling(1, "pass")], "pass at 1 ms: no such player: None"),
        ([over("red", 4, 7, "boredom")], "'red 4-7 boredom' is no result"),
        ([Ruling(1, "notice", {"code": "annulled"})], "notice at 1 ms: annulled, but no verdict is named"),
    ],
)
def test_rulings_that_contradict_each_other_make_no_record(rulings: list[Ruling], message: str) -> None:
    with pytest.raises(RecordError) as caught:
        build_record({"level": 1}, rulings)
    assert str(caught.value).startswith(message)


def test_a_record_that_could_not_be_read_back_is_refused() -> None:
    with pytest.raises(RecordError, match="'a b' is no name for a tag"):
        Record({"a b": ""})
    with pytest.raises(RecordError, match="is no result"):
        Record({"Result": "?"})
    with pytest.raises(RecordError, match="only at the end of a game"):
        Record({}, (Turn("red", None, "D2"), Turn("black", Move("G1", "F1", "none", PenaltyRing("D4")))))
