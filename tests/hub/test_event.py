"""Rounds, results and standings, held against published tables and counts by hand."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from sqlalchemy import Engine, insert, select, update

from tamsk_pi.hub.database import open_database, wall_ms
from tamsk_pi.hub.event.berger import berger_rounds
from tamsk_pi.hub.event.book import Book, EventError, make_event
from tamsk_pi.hub.event.exchange import (
    event_as_json,
    load_event,
    pairings_as_csv,
    players_as_csv,
    players_from_csv,
    standings_as_csv,
)
from tamsk_pi.hub.event.history import History, Pairing, Player
from tamsk_pi.hub.event.printing import pairings_page, standings_page
from tamsk_pi.hub.event.results import take_result
from tamsk_pi.hub.event.standings import standings
from tamsk_pi.hub.event.swiss import next_round
from tamsk_pi.hub.tables import GAMES, PAIRINGS
from tamsk_pi.signals.language import LANGUAGES
from tests.tiers import lacking

FIDE_6 = """1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1"""
FIDE_8 = """1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, 3-8 4-2 5-1 6-7, 8-7 1-6 2-5 3-4,
4-8 5-3 6-2 7-1"""
"""The Berger tables for 5 or 6 and for 7 or 8 players, as the FIDE Handbook prints them (C.05, Annex 1)."""


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return open_database(f"sqlite:///{tmp_path / 'hub.sqlite'}")


def rounds_of(text: str) -> list[list[tuple[int, int]]]:
    return [[tuple(map(int, pair.split("-"))) for pair in round_.split()] for round_ in text.split(",")]  # type: ignore[misc]


@pytest.mark.parametrize(("players", "published"), [(6, FIDE_6), (8, FIDE_8)])
def test_berger_tables_are_the_published_ones(players: int, published: str) -> None:
    assert berger_rounds(players) == rounds_of(published)
    without = [
        [(0 if r > players - 1 else r, 0 if b > players - 1 else b) for r, b in one] for one in rounds_of(published)
    ]
    assert berger_rounds(players - 1) == without


@pytest.mark.parametrize("players", range(2, 17))
def test_everybody_meets_everybody_once_and_colours_are_even(players: int) -> None:
    rounds = berger_rounds(players)
    met = [frozenset(pair) for one in rounds for pair in one if 0 not in pair]
    assert sorted(map(sorted, met)) == sorted(map(list, itertools.combinations(range(1, players + 1), 2)))
    for player in range(1, players + 1):
        reds = sum(red == player and black != 0 for one in rounds for red, black in one)
        blacks = sum(black == player and red != 0 for one in rounds for red, black in one)
        assert abs(reds - blacks) <= 1
    twice = berger_rounds(players, twice=True)
    assert len(twice) == 2 * len(rounds)
    assert twice[len(rounds)] == [(black, red) for red, black in rounds[0]]


def swiss_or_skip() -> None:
    try:
        import py4swiss  # noqa: F401
    except ImportError:
        lacking("py4swiss is not there; pip install 'tamsk-pi[swiss]'")


def people(count: int) -> list[Player]:
    return [Player(n, f"P{n}", rating=2000 - n) for n in range(1, count + 1)]


def test_the_first_round_of_a_swiss_is_the_handbooks() -> None:
    """FIDE C.04.3: upper half against lower half in order, the top seeds' colours alternate, the last one has a bye."""
    swiss_or_skip()
    assert next_round(History(people(8), [], 5)) == [(1, 5), (6, 2), (3, 7), (8, 4)]
    assert next_round(History(people(7), [], 5)) == [(1, 4), (5, 2), (3, 6), (7, None)]


def test_the_second_round_of_a_swiss_as_worked_out_by_hand() -> None:
    """Winners 1, 2, 3, 4 and losers 5 to 8 meet among themselves; who had red gets black."""
    swiss_or_skip()
    first = [
        Pairing(1, 1, 1, 5, "red"),
        Pairing(1, 2, 6, 2, "black"),
        Pairing(1, 3, 3, 7, "red"),
        Pairing(1, 4, 8, 4, "black"),
    ]
    found = next_round(History(people(8), first, 5))
    assert {frozenset(pair) for pair in found} == {frozenset(p) for p in ((1, 3), (2, 4), (5, 7), (6, 8))} or {
        frozenset(pair) for pair in found
    } == {frozenset(p) for p in ((1, 4), (2, 3), (5, 8), (6, 7))}
    assert next(pair for pair in found if 2 in pair)[0] == 2


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_swiss_pairs_nobody_twice(engine: Engine, seed: int) -> None:
    import random

    swiss_or_skip()
    rng = random.Random(seed)
    make_event(engine, name="open", title="Open", system="swiss", rounds=6, boards=8)
    book = Book(engine, "open")
    book.add_players([Player(0, f"P{n}", rating=1500 + n) for n in range(11)])
    for number in range(1, 7):
        for pairing in book.pair():
            if pairing.black is not None:
                book.set_result(number, pairing.board, rng.choice(("red", "black", "draw")), "Eva")
        if number == 4:
            book.withdraw("P3")
    history = book.history()
    met = [frozenset((p.red, p.black)) for p in history.pairings if p.black is not None]
    assert len(met) == len(set(met))
    byes = [p.red for p in history.pairings if p.black is None]
    assert len(byes) == len(set(byes))
    gone = next(p.number for p in history.players if p.name == "P3")
    assert not any(p.round > 4 and gone in (p.red, p.black) for p in history.pairings)
    with pytest.raises(EventError, match="all 6 rounds are paired"):
        book.pair()


def test_a_round_waits_for_the_results_of_the_last(engine: Engine) -> None:
    make_event(engine, name="rr", title="", system="round_robin", rounds=0, boards=4)
    book = Book(engine, "rr")
    book.add_players(people(5))
    first = book.pair()
    assert [(p.red, p.black, p.result) for p in first] == [(2, 5, None), (3, 4, None), (1, None, "zero_bye")]
    with pytest.raises(EventError, match="no result at board 1, 2"):
        book.pair()
    assert book.unpair() == 1
    book.pair()
    book.set_result(1, 1, "draw", "Eva")
    with pytest.raises(EventError, match="has results already"):
        book.unpair()
    with pytest.raises(EventError, match="'bye' is no result here"):
        book.set_result(1, 2, "bye", "Eva")
    with pytest.raises(EventError, match="nobody can be entered"):
        book.add_players([Player(0, "Late")])


def test_tie_breaks_counted_by_hand() -> None:
    """Four players, three rounds: A beats B, C, draws D; B beats C and D; C beats D by forfeit."""
    pairings = [
        Pairing(1, 1, 1, 4, "draw"),
        Pairing(1, 2, 2, 3, "red"),
        Pairing(2, 1, 4, 3, "black_forfeit"),
        Pairing(2, 2, 1, 2, "red"),
        Pairing(3, 1, 2, 4, "red"),
        Pairing(3, 2, 3, 1, "black"),
    ]
    table = standings(History(people(4), pairings, 3), "swiss")
    assert [(s.place, s.player.number, s.points) for s in table] == [(1, 1, 2.5), (2, 2, 2.0), (3, 3, 1.0), (4, 4, 0.5)]
    first, third = table[0].tie_breaks, table[2].tie_breaks
    assert first["buchholz"] == 2.0 + 1.0 + 0.5
    assert first["buchholz_cut1"] == 3.0
    assert first["sonneborn"] == 2.0 + 1.0 + 0.25
    assert first["wins"] == 2
    # The forfeit counts as a game against oneself, and is no win.
    assert third["buchholz"] == 2.0 + 1.0 + 2.5
    assert third["sonneborn"] == 1.0
    assert third["wins"] == 0


def test_equal_players_share_a_place_and_the_direct_encounter_decides() -> None:
    drawn = [Pairing(1, 1, 1, 2, "draw"), Pairing(1, 2, 3, 4, "draw")]
    assert [s.place for s in standings(History(people(4), drawn, 3), "round_robin")] == [1, 1, 1, 1]
    cycle = [
        Pairing(1, 1, 2, 1, "red"),
        Pairing(2, 1, 1, 3, "red"),
        Pairing(2, 2, 2, 3, "black"),
        Pairing(3, 1, 1, 4, "red"),
    ]
    table = standings(History(people(4), [*cycle, Pairing(3, 2, 2, 4, "red")], 3), "round_robin")
    assert [s.player.number for s in table][:2] == [2, 1]


def game_row(
    engine: Engine, board: int, *, result: str | None, red: str = "", black: str = "", over_ms: int = 0
) -> int:
    with engine.begin() as connection:
        number: int = connection.execute(
            insert(GAMES)
            .values(
                event=1,
                board=board,
                name=f"g{wall_ms()}-{board}-{result}",
                red=red,
                black=black,
                level=1,
                started_at="",
                lines_count=0,
                lines_bytes=0,
                lines_chain="",
                rulings_count=0,
                rulings_bytes=0,
                rulings_chain="",
                over=True,
                over_ms=over_ms or wall_ms(),
                result=result,
                reason="rings",
                length_ms=1,
                moves=1,
                first_ms=1,
                last_ms=1,
            )
            .returning(GAMES.c.id)
        ).scalar_one()
    return number


def tell(engine: Engine, game: int) -> list[str]:
    with engine.begin() as connection:
        return [alarm.kind for alarm in take_result(connection, game)]


def result_at(book: Book, board: int) -> str | None:
    return next(p.result for p in book.history().pairings if p.board == board)


def test_results_come_from_the_games_and_the_arbiter_has_the_last_word(engine: Engine) -> None:
    make_event(engine, name="rr", title="", system="round_robin", rounds=0, boards=4)
    book = Book(engine, "rr")
    book.add_players(people(4))
    before = game_row(engine, 1, result="red", over_ms=wall_ms() - 60_000)
    book.pair()
    # A game that was over before the round was paired is none of it.
    assert tell(engine, before) == []
    assert result_at(book, 1) is None
    game = game_row(engine, 1, result="red")
    tell(engine, game)
    assert result_at(book, 1) == "red"
    # Its end is annulled: the result goes with it, and comes back as it is then.
    for result in (None, "black"):
        with engine.begin() as connection:
            connection.execute(update(GAMES).where(GAMES.c.id == game).values(result=result))
        tell(engine, game)
        assert result_at(book, 1) == result
    book.set_result(1, 1, "draw", "Eva")
    tell(engine, game)
    assert result_at(book, 1) == "draw"
    book.set_result(1, 1, None, "Eva")
    tell(engine, game)
    assert result_at(book, 1) == "black"
    # Other names than the pairing's: nothing is taken.
    assert tell(engine, game_row(engine, 2, result="red", red="Somebody", black="Else")) == ["no_player"]
    assert result_at(book, 2) is None
    with engine.connect() as connection:
        assert connection.execute(select(PAIRINGS.c.game).where(PAIRINGS.c.board == 1)).scalar() == game
    # Nothing more comes of a game that is over: its result is there at once when the arbiter's word is taken back.
    book.set_result(1, 1, "red_forfeit", "Eva")
    book.set_result(1, 1, None, "Eva")
    assert result_at(book, 1) == "black"
    assert next(p.by for p in book.history().pairings if p.board == 1) is None


def test_byes_that_are_asked_for(engine: Engine) -> None:
    swiss_or_skip()
    make_event(engine, name="open", title="", system="swiss", rounds=3, boards=4)
    book = Book(engine, "open")
    book.add_players(people(7))
    paired = book.pair({"P2": "half_bye", "5": "zero_bye"})
    assert [(p.red, p.black, p.result) for p in paired[-3:]] == [
        (7, None, "bye"),
        (2, None, "half_bye"),
        (5, None, "zero_bye"),
    ]
    assert len({p.board for p in paired}) == len(paired) == 5
    assert {number: book.history().points(number) for number in (2, 5, 7)} == {2: 0.5, 5: 0.0, 7: 1.0}
    for board in (1, 2):
        book.set_result(1, board, "draw", "Eva")
    second = book.pair()
    assert {2, 5} <= {p.red for p in second} | {p.black for p in second}
    for board in (1, 2, 3):
        book.set_result(2, board, "draw", "Eva")
    book.withdraw("P3")
    for byes, problem in (
        ({"P9": "half_bye"}, "'P9' is no player"),
        ({"P2": "bye"}, "'bye' is no bye to ask for"),
        ({"P2": "half_bye", "2": "zero_bye"}, "P2 has withdrawn, or is named twice"),
        ({"P3": "half_bye"}, "P3 has withdrawn, or is named twice"),
    ):
        with pytest.raises(EventError, match=problem):
            book.pair(byes)
    make_event(engine, name="rr", title="", system="round_robin", rounds=0, boards=4)
    other = Book(engine, "rr")
    other.add_players(people(4))
    with pytest.raises(EventError, match="in a Swiss only"):
        other.pair({"P2": "half_bye"})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1: columns are missing"),
        ("club\nA", "line 1: columns are club"),
        ("name,elo\nA,1", "line 1: columns are name, elo"),
        ("name,rating\nA,x", "line 2: rating is 'x'"),
        ("name,rating\nA,1\nB,99999", "line 3: rating is '99999'"),
        ("name\nA,1,2", "line 2: more fields than columns"),
    ],
)
def test_a_csv_that_is_none_is_told_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(EventError, match=problem):
        players_from_csv(text)


@pytest.mark.parametrize(
    ("name", "problem"),
    [(" ", "is no name"), ("a\nb", "is no name"), ("x" * 61, "is no name"), ("Ada", "entered already")],
)
def test_a_player_who_cannot_be_entered(engine: Engine, name: str, problem: str) -> None:
    make_event(engine, name="rr", title="", system="round_robin", rounds=0, boards=4)
    book = Book(engine, "rr")
    book.add_players([Player(0, "ada")])
    with pytest.raises(EventError, match=problem):
        book.add_players([Player(0, name)])
    assert len(book.history().players) == 1


def test_players_and_events_go_out_and_come_in_again(engine: Engine) -> None:
    make_event(engine, name="rr", title="Évent & <b>", system="round_robin", rounds=0, boards=4)
    book = Book(engine, "rr")
    text = players_as_csv([Player(0, 'A "B", C', "<club>", 1800), Player(0, "=1+1"), *people(3)])
    assert "'=1+1" in text
    book.add_players(players_from_csv("\ufeff" + text))
    book.pair()
    book.set_result(1, 1, "red", "Eva")
    told = event_as_json(book)
    told["event"]["name"] = "again"
    again = load_event(engine, json.dumps(told))
    assert event_as_json(again) == told
    assert standings_as_csv(again.table()) == standings_as_csv(book.table())
    assert pairings_as_csv(again) == pairings_as_csv(book)
    for language in LANGUAGES:
        for page in (pairings_page(book, language), standings_page(book, language)):
            assert "&lt;b&gt;" in page
            assert "<b>" not in page


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": "x"}, "format must be"),
        ({"players": 3}, "must be there"),
        ({"players": [{"number": 2, "name": "A"}]}, "numbered from 1"),
        ({"players": [{"number": True, "name": "A"}]}, "player 1: number is True"),
        ({"pairings": [{"round": 1, "board": 1, "red": 9, "black": 1}]}, "pairing 1 names no players"),
        ({"event": {"name": "x"}}, "event must hold"),
    ],
)
def test_an_event_that_is_none_makes_none(engine: Engine, change: dict[str, object], problem: str) -> None:
    make_event(engine, name="rr", title="", system="round_robin", rounds=0, boards=4)
    book = Book(engine, "rr")
    book.add_players(people(2))
    told = event_as_json(book)
    told["event"]["name"] = "again"
    with pytest.raises(EventError, match=problem):
        load_event(engine, json.dumps({**told, **change}))
    with pytest.raises(EventError, match="no event again"):
        Book(engine, "again")
