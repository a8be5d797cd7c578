"""Pairings and tie-breaks held against what others have published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from tamsk_pi.hub.event.berger import berger_rounds
from tamsk_pi.hub.event.history import History, Pairing, Player
from tamsk_pi.hub.event.standings import Standing, by_encounter, standings
from tamsk_pi.hub.event.swiss import next_round
from tests.hub.test_event import rounds_of, swiss_or_skip

BERGER: Final = {
    4: "1-4 2-3, 4-3 1-2, 2-4 3-1",
    10: """1-10 2-9 3-8 4-7 5-6, 10-6 7-5 8-4 9-3 1-2, 2-10 3-1 4-9 5-8 6-7, 10-7 8-6 9-5 1-4 2-3,
        3-10 4-2 5-1 6-9 7-8, 10-8 9-7 1-6 2-5 3-4, 4-10 5-3 6-2 7-1 8-9, 10-9 1-8 2-7 3-6 4-5,
        5-10 6-4 7-3 8-2 9-1""",
    12: """1-12 2-11 3-10 4-9 5-8 6-7, 12-7 8-6 9-5 10-4 11-3 1-2, 2-12 3-1 4-11 5-10 6-9 7-8,
        12-8 9-7 10-6 11-5 1-4 2-3, 3-12 4-2 5-1 6-11 7-10 8-9, 12-9 10-8 11-7 1-6 2-5 3-4,
        4-12 5-3 6-2 7-1 8-11 9-10, 12-10 11-9 1-8 2-7 3-6 4-5, 5-12 6-4 7-3 8-2 9-1 10-11,
        12-11 1-10 2-9 3-8 4-7 5-6, 6-12 7-5 8-4 9-3 10-2 11-1""",
}
"""Berger tables of the FIDE Handbook (C.05, Annex 1)."""

SWISS: Final = """\
1-9 1, 3-11 =, 5-13 0, 7-15 1, 10-2 0, 12-4 0, 14-6 1, 16-8 =
2-7 1, 6-3 0, 8-14 1, 9-10 0, 11-16 0, 13-1 =, 15-5 1, 4 half_bye, 12 bye
1-2 =, 3-8 1, 4-13 1, 5-11 1, 10-15 0, 12-14 +, 16-7 1, 6 bye, 9 half_bye
2-16 1, 4-3 =, 6-10 1, 7-5 =, 8-13 1, 11-9 +, 15-1 0, 12 zero_bye, 14 zero_bye
1-4 =, 3-2 =, 5-10 1, 8-6 0, 11-7 1, 13-14 0, 16-15 1, 9 bye, 12 zero_bye
"""
ROUND_ROBIN: Final = """\
1-5 =, 2-6 1, 3-4 1
1-2 1, 5-4 1, 6-3 0
2-5 1, 3-1 0, 4-6 =
1-4 0, 2-3 =, 5-6 -
3-5 1, 4-2 0, 6-1 0
"""
"""Both from Mario Held, Exercises in Tie-Breaking (FIDE, 2024): a round a line, White first, + and - without play."""

RESULTS: Final = {"1": "red", "0": "black", "=": "draw", "+": "red_forfeit", "-": "black_forfeit"}


def pairings_in(text: str) -> Iterator[Pairing]:
    for number, line in enumerate(text.splitlines(), start=1):
        for board, told in enumerate(line.split(", "), start=1):
            who, result = told.split()
            red, _, black = who.partition("-")
            yield Pairing(number, board, int(red), int(black) if black else None, RESULTS.get(result, result))


def event_of(text: str, players: int, rounds: int = 5) -> History:
    pairings = [pairing for pairing in pairings_in(text) if pairing.round <= rounds]
    return History([Player(n, f"P{n}", rating=2250 - 50 * n) for n in range(1, players + 1)], pairings, 5)


@pytest.mark.parametrize("players", BERGER)
def test_berger_tables_are_the_published_ones(players: int) -> None:
    assert berger_rounds(players) == rounds_of(BERGER[players])


@pytest.mark.parametrize("number", range(1, 6))
def test_a_published_swiss_is_paired_as_it_was(number: int) -> None:
    """Every round, with its colours, its byes and those who were away; a game that was not played has no colours."""
    swiss_or_skip()
    played = [pairing for pairing in pairings_in(SWISS) if pairing.round == number]
    away = [pairing.red for pairing in played if pairing.result in ("half_bye", "zero_bye")]
    found = next_round(event_of(SWISS, 16, number - 1), away)
    unplayed = {frozenset((p.red, p.black)) for p in played if p.black is not None and not p.is_played}
    assert {pair for pair in found if frozenset(pair) not in unplayed} == {
        (p.red, p.black) for p in played if p.is_played or p.result == "bye"
    }
    assert unplayed <= {frozenset(pair) for pair in found}
    assert len(found) == len(played) - len(away)


def values(table: list[Standing], name: str) -> list[float]:
    """By starting number."""
    return [one.tie_breaks[name] for one in sorted(table, key=lambda one: one.player.number)]


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("buchholz", [12.5, 13, 15.5, 15, 8.5, 12, 14.5, 13.5, 9, 13, 13.5, 11.5, 14, 11, 12, 12.5]),
        ("buchholz_cut1", [11, 12, 13, 11.5, 7.5, 11, 12.5, 12, 7.5, 11.5, 12, 9.5, 12, 9, 11, 11]),
        ("sonneborn", [8, 9.5, 10.5, 9.75, 4.25, 6.5, 3.25, 5.25, 2.25, 1.5, 5.75, 4, 4.25, 4.5, 3.5, 7.25]),
        ("wins", [2, 3, 2, 2, 2, 2, 1, 2, 0, 1, 1, 0, 1, 2, 2, 3]),
    ],
)  # fmt: skip
def test_tie_breaks_of_a_published_swiss(name: str, published: list[float]) -> None:
    assert values(standings(event_of(SWISS, 16), "swiss"), name) == published


def test_points_of_a_published_swiss() -> None:
    table = standings(event_of(SWISS, 16), "swiss")
    points = {one.player.number: one.points for one in table}
    told = {1: 3.5, 2: 4, 3: 3.5, 4: 3.5, 5: 2.5, 6: 3, 7: 1.5, 8: 2.5, 9: 1.5, 10: 1, 11: 2.5, 12: 2, 13: 1.5, 14: 2}
    assert points == {**told, 15: 2, 16: 3.5}
    assert [one.player.number for one in table][:6] == [2, 3, 4, 1, 16, 6]


def test_tie_breaks_of_a_published_round_robin() -> None:
    """A game that was lost without play counts as if it had been played."""
    table = standings(event_of(ROUND_ROBIN, 6), "round_robin")
    assert [(one.place, one.player.number) for one in table] == [(1, 1), (2, 2), (2, 3), (4, 6), (5, 5), (6, 4)]
    assert values(table, "koya") == [2, 0.5, 0.5, 1, 0.5, 0]
    assert values(table, "sonneborn") == [9.25, 6.25, 6.25, 4.25, 3.25, 2.25]
    assert values(table, "direct") == [2, 0.5, 0.5, 0.5, 1, 1.5]


def test_the_encounter_of_those_still_tied_decides() -> None:
    """4 and 6 are equal in all but the game in which 6 beat 4; 1 and 2 have as many points and are no part of that."""
    table = standings(event_of("4-2 1, 1-3 0, 6-5 =\n3-5 0, 4-6 0, 1-2 =\n2-3 1, 6-1 0, 4-5 =\n", 6), "swiss")
    assert [(one.place, one.player.number, one.points) for one in table[:5]] == [
        (1, 5, 2.0),
        (2, 6, 1.5),
        (3, 4, 1.5),
        (4, 1, 1.5),
        (5, 2, 1.5),
    ]
    assert values(table, "buchholz")[3] == values(table, "buchholz")[5]


def test_one_of_those_who_have_not_all_met_may_be_first_all_the_same() -> None:
    """1 has beaten 2 and 3, who have not met each other: whatever their game had brought, 1 is before both."""
    told = [Pairing(1, 1, 1, 2, "red"), Pairing(2, 1, 3, 1, "black")]
    history = History([Player(n, f"P{n}") for n in range(1, 4)], told, 5)
    seen: dict[int, dict[str, float]] = {n: {"direct": 0.0} for n in range(1, 4)}
    assert by_encounter([2, 3, 1], seen, history, swiss=True) == [[1], [2, 3]]
    half = [Pairing(1, 1, 1, 2, "red"), Pairing(2, 1, 3, 1, "draw")]
    assert by_encounter([1, 2, 3], seen, History(history.players, half, 5), swiss=True) == [[1, 2, 3]]
