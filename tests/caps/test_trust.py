"""A glass whose cap is not heard: named, trusted, taken over when it is back, and the same in a replay."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.trace import End, LinkDown, LinkUp, Record, TraceError, TraceReader, header_line, record_line

END_MS = 60_000


def reed(t_ms: int, socket: str, closed: bool) -> Edge:
    return Edge(t_ms, "socket", socket, closed)


def tilt(t_ms: int, glass: str, up: str) -> Edge:
    return Edge(t_ms, "tilt", glass, up)


def cap(t_ms: int, glass: str, up: str | None) -> Edge:
    return Edge(t_ms, "cap", glass, up or False)


def carry(t_ms: int, start: str, to: str) -> list[Edge]:
    return [reed(t_ms, start, False), reed(t_ms + 1_000, to, True)]


def rule(records: Sequence[Record], **fields: Any) -> list[str]:
    """The rulings: time, kind, code or glass and socket; and the same by way of a written trace."""
    settings = Settings(level=2, rings="buttons", **fields)
    session = Session(settings)
    said = [ruling for record in [*records, End(END_MS)] for ruling in session.take(record)]
    text = header_line(settings) + "".join(record_line(record, settings) for record in [*records, End(END_MS)])
    reader = TraceReader(io.BytesIO(text.encode()))
    again = Session(reader.settings)
    assert [ruling for record in reader for ruling in again.take(record)] == said
    return [line(ruling) for ruling in said if ruling.kind not in ("ready", "started")]


def line(ruling: Ruling) -> str:
    """Time, kind, and whatever of code, glass, socket and turned glasses there is."""
    told = dict(ruling.details)
    parts = [told.get(key) for key in ("code", "glass", "to")]
    parts += told.get("turned", [])  # type: ignore[arg-type]
    return " ".join(str(part) for part in (ruling.t_ms, ruling.kind, *parts) if part)


SILENT = "1000 fault cap_silent R1"


def test_an_unturned_move_is_a_violation_while_its_cap_is_heard() -> None:
    assert "violation not_flipped" in " ".join(rule(carry(2_000, "A4", "B4")))


def test_a_move_of_a_glass_whose_cap_is_silent_is_taken_to_have_turned_it() -> None:
    told = rule([cap(1_000, "R1", None), *carry(2_000, "A4", "B4")])
    assert told == [SILENT, "3000 move R1 B4"]


def test_a_violation_that_rested_on_a_cap_that_was_silent_already_is_taken_back() -> None:
    """The cap died before the move, and nobody knew; the glass may well have been turned."""
    told = rule([*carry(2_000, "A4", "B4"), cap(26_000, "R1", None), *turned(30_000, "B1", "A1", "B1", "b")])
    assert told == [
        "3000 violation not_flipped R1 B4",
        "26000 fault cap_silent R1",
        "26000 resolved not_flipped R1",
        "26000 move R1 B4",
        "31000 move B1 B1",
    ]


def test_a_violation_that_the_cap_has_lived_through_stands() -> None:
    told = rule([*carry(2_000, "A4", "B4"), cap(33_001, "R1", None)])
    assert told == ["3000 violation not_flipped R1 B4", "33001 fault cap_silent R1"]


def test_a_glass_that_is_being_put_back_then_is_judged_where_it_is_set_down() -> None:
    told = rule(
        [*carry(2_000, "A4", "B4"), reed(24_900, "B4", False), cap(25_000, "R1", None), reed(26_000, "A4", True)]
    )
    assert told == [
        "3000 violation not_flipped R1 B4",
        "25000 fault cap_silent R1",
        "26000 resolved not_flipped R1",
    ]


def test_another_violation_of_a_glass_whose_cap_falls_silent_stands() -> None:
    told = rule([*carry(2_000, "A4", "D4"), cap(20_000, "R1", None)])
    assert [one for one in told if "violation" in one or "resolved" in one] == ["3000 violation not_adjacent R1 D4"]


def test_back_after_a_violation_was_taken_back_its_end_is_unobserved() -> None:
    told = rule([*carry(2_000, "A4", "B4"), cap(26_000, "R1", None), cap(40_000, "R1", "a")])
    assert told[3:] == ["26000 move R1 B4", "40000 fault_cleared cap_silent R1", "40000 notice unobserved R1"]


def test_what_a_field_has_told_is_not_taken_back() -> None:
    records = [Edge(2_000, "socket", "A4", None), Edge(3_000, "socket", "B4", "N"), cap(20_000, "R1", None)]
    told = rule(records, sockets="hall")
    assert told == ["3000 violation not_flipped R1 B4", "20000 fault cap_silent R1"]


def test_other_glasses_are_judged_as_ever() -> None:
    told = rule([cap(1_000, "R2", None), *carry(2_000, "A4", "B4")])
    assert told[0] == "1000 fault cap_silent R2"
    assert "violation not_flipped" in told[1]


def test_a_cap_is_silent_once() -> None:
    told = rule([cap(1_000, "R1", None), cap(9_000, "R1", None)])
    assert told == [SILENT]


def test_back_with_the_end_that_was_taken_for_granted_nothing_is_told() -> None:
    told = rule([cap(1_000, "R1", None), *carry(2_000, "A4", "B4"), cap(9_000, "R1", "b")])
    assert told == [SILENT, "3000 move R1 B4", "9000 fault_cleared cap_silent R1"]


def test_back_with_another_end_it_is_unobserved_and_no_violation() -> None:
    told = rule([cap(1_000, "R1", None), *carry(2_000, "A4", "B4"), cap(9_000, "R1", "a")])
    assert told[2:4] == ["9000 fault_cleared cap_silent R1", "9000 notice unobserved R1"]
    assert "violation" not in " ".join(told)


def turned(t_ms: int, glass: str, start: str, to: str, up: str) -> list[Edge]:
    return [reed(t_ms, start, False), tilt(t_ms + 500, glass, up), reed(t_ms + 1_000, to, True)]


def test_once_it_is_back_turnings_count_again() -> None:
    opening = [
        cap(1_000, "R1", None), *carry(2_000, "A4", "B4"), cap(5_000, "R1", "b"),
        *turned(10_000, "B1", "A1", "B1", "b"), *turned(12_000, "R2", "D1", "D2", "b"),
        *turned(14_000, "B2", "D7", "D6", "b"), *turned(16_000, "R3", "G4", "F4", "b"),
        *turned(18_000, "B3", "G1", "F1", "b"),
    ]  # fmt: skip
    assert "21000 move R1 C4" in rule([*opening, *turned(20_000, "R1", "B4", "C4", "a")])
    assert "21000 violation not_flipped R1 C4" in rule([*opening, *carry(20_000, "B4", "C4")])


def test_back_in_the_hand_this_handling_is_still_trusted() -> None:
    told = rule([
        cap(1_000, "R1", None), reed(2_000, "A4", False), cap(2_500, "R1", "a"), reed(3_000, "B4", True),
    ])  # fmt: skip
    assert told[:2] == [SILENT, "2500 fault_cleared cap_silent R1"]
    assert told[2] == "3000 move R1 B4"
    assert "violation" not in " ".join(told)


def test_a_cap_that_restarts_without_having_been_missed_is_taken_over() -> None:
    assert rule([cap(4_000, "R1", "a")]) == []
    assert rule([cap(4_000, "R1", "b")]) == ["4000 notice unobserved R1"]


def test_back_while_the_link_is_down_it_turns_nothing_that_was_believed() -> None:
    """What a move was taken to have turned is what the glass is compared with."""
    records: list[Record] = [cap(1_000, "R1", None), *carry(2_000, "A4", "B4"), LinkDown(5_000)]
    standing = ("A1", "B4", "D1", "D7", "G1", "G4")
    records += [LinkUp(8_000, standing, {"R1": "a"}), cap(8_000, "R1", "b")]
    told = rule(records)
    assert "8000 fault_cleared cap_silent R1" in told
    assert "unobserved" not in " ".join(told)


def test_on_a_hall_board_the_field_has_the_last_word() -> None:
    def field(t_ms: int, socket: str, value: str | None) -> Edge:
        return Edge(t_ms, "socket", socket, value)

    kept = rule([cap(1_000, "R1", None), field(2_000, "A4", None), field(3_000, "B4", "N")], sockets="hall")
    turned = rule([cap(1_000, "R1", None), field(2_000, "A4", None), field(3_000, "B4", "S")], sockets="hall")
    assert "violation not_flipped R1" in " ".join(kept)
    assert turned == [SILENT, "3000 move R1 B4"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"t": 1, "cap": "N", "heard": false}', "cap is 'N'; allowed: R1, R2, R3, B1, B2, B3"),
        ('{"t": 1, "cap": "R1"}', "heard is missing"),
        ('{"t": 1, "cap": "R1", "heard": 1}', "heard is 1; allowed: true, false"),
        ('{"t": 1, "cap": "R1", "heard": true}', "up is missing"),
        ('{"t": 1, "cap": "R1", "heard": false, "up": "a"}', "unknown key 'up' beside 'cap'"),
    ],
)
def test_a_line_of_a_cap_that_is_none_is_named(line: str, problem: str) -> None:
    text = header_line(Settings(level=1)) + line + "\n"
    with pytest.raises(TraceError, match=rf"^line 2: {problem}"):
        list(TraceReader(io.BytesIO(text.encode())))
