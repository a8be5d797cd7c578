"""Players in and out as CSV, and a whole event as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

import attrs
from sqlalchemy import Engine

from tamsk_pi.hub.event.book import Book, EventError, make_event
from tamsk_pi.hub.event.history import Pairing, Player
from tamsk_pi.hub.event.results import BYES, POINTS
from tamsk_pi.hub.event.standings import Standing

FORMAT: Final = "tamsk-event"
VERSION: Final = 1
MAX_BYTES: Final = 4_000_000
PLAYER_COLUMNS: Final = ("name", "club", "rating")


def players_from_csv(text: str) -> list[Player]:
    """Players of a CSV with the columns name, club and rating in any order; the last two may be missing.

    `EventError` names the line and what is wrong with it. Comma or semicolon, as the first line has it.
    """
    text = text.removeprefix("\ufeff")
    if len(text) > MAX_BYTES:
        raise EventError(f"longer than {MAX_BYTES} characters")
    first = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=";" if ";" in first else ",", restkey="\0")
    names = [name.strip().lower() for name in reader.fieldnames or ()]
    unknown = [name for name in names if name not in PLAYER_COLUMNS]
    if "name" not in names or unknown or len(set(names)) != len(names):
        raise EventError(f"line 1: columns are {', '.join(names) or 'missing'}; allowed: {', '.join(PLAYER_COLUMNS)}")
    reader.fieldnames = names
    players = []
    try:
        for row in reader:
            if "\0" in row:
                raise EventError(f"line {reader.line_num}: more fields than columns")
            rating = (row.get("rating") or "0").strip() or "0"
            if not rating.isdecimal() or len(rating) > 4:
                raise EventError(f"line {reader.line_num}: rating is {rating!r}; allowed: 0 (none) to 9999")
            players.append(Player(0, (row["name"] or "").strip(), (row.get("club") or "").strip(), int(rating)))
    except csv.Error as error:
        raise EventError(f"line {reader.line_num}: {error}") from None
    return players


def _csv(rows: Sequence[Sequence[object]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([[_plain(value) for value in row] for row in rows])
    return stream.getvalue()


def _plain(value: object) -> object:
    # A name such as =1+1 must not be a formula to whoever opens the file with a spreadsheet.
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value


def players_as_csv(players: Sequence[Player]) -> str:
    return _csv([PLAYER_COLUMNS, *((p.name, p.club, p.rating) for p in players)])


def standings_as_csv(table: Sequence[Standing]) -> str:
    """Place, name, club, rating, points, played and the tie-breaks of the system."""
    names = list(table[0].tie_breaks) if table else []
    head = ["place", "number", "name", "club", "rating", "points", "played", *names]
    return _csv(
        [
            head,
            *(
                (
                    s.place,
                    s.player.number,
                    s.player.name,
                    s.player.club,
                    s.player.rating,
                    s.points,
                    s.played,
                    *s.tie_breaks.values(),
                )
                for s in table
            ),
        ]
    )


def pairings_as_csv(book: Book) -> str:
    history = book.history()
    names = {player.number: player.name for player in history.players}
    head = ["round", "board", "red", "black", "result", "reason", "by"]
    return _csv(
        [
            head,
            *(
                (
                    p.round,
                    p.board,
                    names[p.red],
                    names.get(p.black or 0, ""),
                    p.result or "",
                    p.reason or "",
                    p.by or "",
                )
                for p in history.pairings
            ),
        ]
    )


def event_as_json(book: Book) -> dict[str, Any]:
    """Everything of an event but its games."""
    history, info = book.history(), book.info
    return {
        "format": FORMAT,
        "version": VERSION,
        "event": {key: value for key, value in attrs.asdict(info).items() if key != "id"},
        "players": [attrs.asdict(player) for player in history.players],
        "pairings": [
            {key: value for key, value in attrs.asdict(pairing).items() if key != "game"}
            for pairing in history.pairings
        ],
        "standings": [
            {"place": s.place, "number": s.player.number, "points": s.points, **s.tie_breaks} for s in book.table()
        ],
    }


def read_event(text: str) -> Mapping[str, Any]:
    """An event that `event_as_json` made. `EventError` where it is none."""
    if len(text) > MAX_BYTES:
        raise EventError(f"longer than {MAX_BYTES} characters")
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        raise EventError("not JSON") from None
    if not isinstance(raw, dict) or raw.get("format") != FORMAT or raw.get("version") != VERSION:
        raise EventError(f'format must be "{FORMAT}" and version {VERSION}')
    event, players, pairings = raw.get("event"), raw.get("players"), raw.get("pairings")
    if not (isinstance(event, dict) and isinstance(players, list) and isinstance(pairings, list)):
        raise EventError("event, players and pairings must be there")
    return raw


def load_event(engine: Engine, text: str) -> Book:
    """Make an event of a file that `event_as_json` wrote, with all its players, rounds and results."""
    raw = read_event(text)
    info = raw["event"]
    if set(info) != {"name", "title", "system", "rounds", "boards"}:
        raise EventError("event must hold name, title, system, rounds and boards")
    if not all(isinstance(info[key], str) for key in ("name", "title", "system")):
        raise EventError("name, title and system must be texts")
    if not all(type(info[key]) is int for key in ("rounds", "boards")):
        raise EventError("rounds and boards must be whole numbers")
    players = [_of(Player, value, f"player {n}") for n, value in enumerate(raw["players"], start=1)]
    pairings = [_of(Pairing, value, f"pairing {n}") for n, value in enumerate(raw["pairings"], start=1)]
    if [player.number for player in players] != list(range(1, len(players) + 1)):
        raise EventError("players must be numbered from 1, in order")
    known = range(1, len(players) + 1)
    for number, pairing in enumerate(pairings, start=1):
        allowed = BYES if pairing.black is None else tuple(name for name in POINTS if name not in BYES)
        fits = pairing.red in known and (pairing.black is None or pairing.black in known)
        if not fits or pairing.red == pairing.black or pairing.round < 1 or pairing.board < 1:
            raise EventError(f"pairing {number} names no players of this event, or no board")
        if pairing.result is not None and pairing.result not in allowed:
            raise EventError(f"pairing {number}: result is {pairing.result!r}; allowed: {', '.join(allowed)}")
    make_event(engine, **info)
    book = Book(engine, info["name"])
    try:
        book.restore(players, pairings)
    except EventError:
        book.remove()
        raise
    return book


_T = TypeVar("_T", Player, Pairing)


def _of(cls: type[_T], value: object, where: str) -> _T:
    fields = {field.name: field for field in attrs.fields(cls)}
    if not isinstance(value, dict) or not set(value) <= set(fields) - {"game"}:
        raise EventError(f"{where}: allowed are {', '.join(name for name in fields if name != 'game')}")
    wrong = [k for k, v in value.items() if type(v) not in _TYPES[k]]
    if wrong:
        raise EventError(f"{where}: {wrong[0]} is {value[wrong[0]]!r}")
    try:
        return cls(**value)
    except TypeError:
        raise EventError(f"{where} lacks something it must have") from None


_NONE: Final = type(None)
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "number": (int,),
    "name": (str,),
    "club": (str,),
    "rating": (int,),
    "withdrawn_from": (int, _NONE),
    "round": (int,),
    "board": (int,),
    "red": (int,),
    "black": (int, _NONE),
    "result": (str, _NONE),
    "reason": (str, _NONE),
    "by": (str, _NONE),
}
