"""Takes lines of games into the database: each once, in order, and acknowledged only when it is kept.

A batch of messages is one transaction, whatever boards they are of. A board is told how many of its lines are kept
and their sum, so that duplicates, gaps and batches in another order come to nothing: the board goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import attrs
from sqlalchemy import Connection, Engine, bindparam, insert, select, update

from tamsk_pi.club.chain import START, carried_on, count_lines
from tamsk_pi.club.topics import Kind, Place
from tamsk_pi.hub.alarms import Alarm, raise_alarms
from tamsk_pi.hub.database import wall_ms
from tamsk_pi.hub.tables import EVENTS, GAMES, LINES
from tamsk_pi.trace import MAX_LINE_BYTES
from tamsk_pi.trace_header import HeaderError, read_header

MAX_GAME_BYTES: Final = 16_000_000
"""More than the longest game with contacts that bounce; a board that sends more sends no game."""
MAX_BATCH_BYTES: Final = 120_000

Key = tuple[Place, str]
"""Which game: the board, and the game's name there."""


@attrs.frozen
class Message:
    """Lines that a board sent: `first` is the number of the first, from 0. Without any it asks how far the hub is."""

    place: Place
    kind: Kind
    game: str
    first: int
    data: bytes


@attrs.frozen
class Kept:
    """What the board is told: so many lines of this kind are kept, and their sum; or why none are taken."""

    place: Place
    kind: Kind
    game: str
    count: int
    chain: str
    refused: str | None = None

    def text(self) -> str:
        """The payload."""
        told: dict[str, object] = {"count": self.count, "chain": self.chain}
        return json.dumps(told if self.refused is None else {**told, "refused": self.refused})


@attrs.frozen
class News:
    """Lines that are new."""

    id: int
    place: Place
    game: str
    kind: Kind
    first: int
    data: bytes


@attrs.define
class _Counted:
    count: int
    bytes: int
    chain: str


class Intake:
    """Takes batches in. One thread calls it."""

    def __init__(self, engine: Engine, *, wall_ms: Callable[[], int] = wall_ms) -> None:
        self._engine: Final = engine
        self._wall_ms: Final = wall_ms
        self._events: dict[str, tuple[int, int]] = {}
        """An event's id and its number of boards."""
        self._ids: dict[Key, int] = {}

    def take(self, messages: Sequence[Message]) -> tuple[list[Kept], list[News]]:
        """Keep what is new. An exception of SQLAlchemy's: nothing of it is kept, and nobody is to be answered."""
        try:
            with self._engine.begin() as connection:
                return _Batch(connection, self._events, self._ids, self._wall_ms()).take(messages)
        except BaseException:
            # What was learnt in a transaction that was rolled back need not be so.
            self._ids.clear()
            raise

    def forget_events(self) -> None:
        """An event was changed elsewhere."""
        self._events.clear()


class _Batch:
    def __init__(
        self, connection: Connection, events: dict[str, tuple[int, int]], ids: dict[Key, int], now_ms: int
    ) -> None:
        self._connection = connection
        self._events = events
        self._ids = ids
        self._now_ms = now_ms
        self._counts: dict[int, dict[Kind, _Counted]] = {}
        self._changed: set[int] = set()
        self._rows: list[dict[str, object]] = []
        self._alarms: list[Alarm] = []

    def take(self, messages: Sequence[Message]) -> tuple[list[Kept], list[News]]:
        self._find({(m.place, m.game) for m in messages})
        answers: dict[tuple[Key, Kind], Kept] = {}
        news: list[News] = []
        for message in messages:
            kept, fresh = self._take(message)
            answers[(message.place, message.game), message.kind] = kept
            if fresh is not None:
                news.append(fresh)
        self._write()
        return list(answers.values()), news

    def _event(self, name: str) -> tuple[int, int] | None:
        if name not in self._events:
            row = self._connection.execute(select(EVENTS.c.id, EVENTS.c.boards).where(EVENTS.c.name == name)).first()
            if row is not None:
                self._events[name] = (row.id, row.boards)
        return self._events.get(name)

    def _find(self, keys: Iterable[Key]) -> None:
        """Find the rows of these games and hold them, in one order, so that two hubs never wait for each other."""
        unknown = [key for key in keys if key not in self._ids]
        for place, game in unknown:
            event = self._event(place.event)
            if event is not None:
                found = self._connection.execute(
                    select(GAMES.c.id).where(
                        GAMES.c.event == event[0], GAMES.c.board == place.board, GAMES.c.name == game
                    )
                ).scalar()
                if found is not None:
                    self._ids[place, game] = found
        wanted = sorted({self._ids[key] for key in keys if key in self._ids})
        c = GAMES.c
        rows = self._connection.execute(
            select(c.id, c.lines_count, c.lines_bytes, c.lines_chain, c.rulings_count, c.rulings_bytes, c.rulings_chain)
            .where(c.id.in_(wanted))
            .order_by(c.id)
            .with_for_update()
        )
        for row in rows:
            self._counts[row.id] = {
                "lines": _Counted(row.lines_count, row.lines_bytes, row.lines_chain),
                "rulings": _Counted(row.rulings_count, row.rulings_bytes, row.rulings_chain),
            }

    def _take(self, message: Message) -> tuple[Kept, News | None]:
        place, game, kind = message.place, message.game, message.kind
        event = self._event(place.event)
        if event is None:
            return Kept(place, kind, game, 0, START, f"the event {place.event} is not known here"), None
        if place.board > event[1]:
            return Kept(place, kind, game, 0, START, f"the event has boards 1 to {event[1]} only"), None
        number = self._ids.get((place, game))
        problem = _problem_with(message.data)
        if number is None:
            if problem is not None or not (kind == "lines" and message.first == 0 and message.data):
                return self._refusal(event[0], message, _Counted(0, 0, START), problem)
            number = self._new_game(event[0], message)
        counted = self._counts[number][kind]
        if problem is None and message.data and counted.bytes + len(message.data) > MAX_GAME_BYTES:
            problem = f"a game has at most {MAX_GAME_BYTES} bytes"
        if problem is not None:
            return self._refusal(event[0], message, counted, problem)
        fresh = None
        if message.data and message.first == counted.count:
            fresh = News(number, place, game, kind, message.first, message.data)
            self._rows.append(
                {
                    "game": number,
                    "kind": kind,
                    "first": message.first,
                    "count": count_lines(message.data),
                    "taken_ms": self._now_ms,
                    "data": message.data,
                }
            )
            counted.chain = carried_on(counted.chain, message.data)
            counted.count += count_lines(message.data)
            counted.bytes += len(message.data)
            self._changed.add(number)
        elif message.data and message.first < counted.count and self._differs(number, message):
            detail = f"line {message.first + 1} of the {kind} came again and was another one"
            self._alarms.append(Alarm(event[0], place.board, game, "copy_differs", detail))
        return Kept(place, kind, game, counted.count, counted.chain), fresh

    def _refusal(
        self, event: int, message: Message, counted: _Counted, problem: str | None
    ) -> tuple[Kept, News | None]:
        if problem is not None:
            self._alarms.append(Alarm(event, message.place.board, message.game, "garbage", problem))
        return Kept(message.place, message.kind, message.game, counted.count, counted.chain, problem), None

    def _new_game(self, event: int, message: Message) -> int:
        header = _header_of(message.data)
        number: int = self._connection.execute(
            insert(GAMES)
            .values(
                event=event,
                board=message.place.board,
                name=message.game,
                **header,
                lines_count=0,
                lines_bytes=0,
                lines_chain=START,
                rulings_count=0,
                rulings_bytes=0,
                rulings_chain=START,
                over=False,
                length_ms=0,
                moves=0,
                first_ms=self._now_ms,
                last_ms=self._now_ms,
            )
            .returning(GAMES.c.id)
        ).scalar_one()
        self._ids[message.place, message.game] = number
        self._counts[number] = {"lines": _Counted(0, 0, START), "rulings": _Counted(0, 0, START)}
        return number

    def _differs(self, number: int, message: Message) -> bool:
        kept = b"".join(
            row.data
            for row in self._connection.execute(
                select(LINES.c.data)
                .where(LINES.c.game == number, LINES.c.kind == message.kind, LINES.c.first >= message.first)
                .order_by(LINES.c.first)
            )
        ) + b"".join(
            row["data"]  # type: ignore[misc]
            for row in self._rows
            if (row["game"], row["kind"]) == (number, message.kind) and row["first"] >= message.first  # type: ignore[operator]
        )
        # A batch that was cut elsewhere is compared as far as both reach, where both begin with one line.
        first_kept = self._connection.execute(
            select(LINES.c.first).where(
                LINES.c.game == number, LINES.c.kind == message.kind, LINES.c.first == message.first
            )
        ).scalar()
        begins_here = first_kept is not None or any(
            (row["game"], row["kind"], row["first"]) == (number, message.kind, message.first) for row in self._rows
        )
        shorter = min(len(kept), len(message.data))
        return begins_here and kept[:shorter] != message.data[:shorter]

    def _write(self) -> None:
        if self._rows:
            self._connection.execute(insert(LINES), self._rows)
        if self._changed:
            values = []
            for number in sorted(self._changed):
                lines, rulings = self._counts[number]["lines"], self._counts[number]["rulings"]
                values.append(
                    {
                        "row": number,
                        "lines_count": lines.count,
                        "lines_bytes": lines.bytes,
                        "lines_chain": lines.chain,
                        "rulings_count": rulings.count,
                        "rulings_bytes": rulings.bytes,
                        "rulings_chain": rulings.chain,
                        "last_ms": self._now_ms,
                    }
                )
            self._connection.execute(update(GAMES).where(GAMES.c.id == bindparam("row")), values)
        raise_alarms(self._connection, self._alarms, self._now_ms)


def _problem_with(data: bytes) -> str | None:
    if not data:
        return None
    if len(data) > MAX_BATCH_BYTES:
        return f"a message has at most {MAX_BATCH_BYTES} bytes"
    if not data.endswith(b"\n"):
        return "what was sent does not end with a whole line"
    if len(data) > MAX_LINE_BYTES and max(map(len, data.split(b"\n"))) >= MAX_LINE_BYTES:
        return f"a line has at most {MAX_LINE_BYTES} bytes"
    return None


def _header_of(data: bytes) -> dict[str, Any]:
    """What a header tells for the list of games; of a line that is none nothing, as it is kept all the same."""
    try:
        raw = json.loads(data.partition(b"\n")[0])
        settings = read_header(raw)
    except (ValueError, HeaderError, TypeError, AttributeError, RecursionError):
        return {"red": "", "black": "", "level": 0, "started_at": ""}
    return {
        "red": settings.red[:60],
        "black": settings.black[:60],
        "level": settings.level,
        "started_at": settings.started_at[:40],
    }


def kept_lines(connection: Connection, game: int, kind: Kind, first: int = 0) -> Iterable[tuple[int, bytes]]:
    """The kept lines of a game from number `first` on, in order, as they are stored: number of the first, and bytes."""
    rows = connection.execute(
        select(LINES.c.first, LINES.c.data)
        .where(LINES.c.game == game, LINES.c.kind == kind, LINES.c.first >= first)
        .order_by(LINES.c.first)
    )
    for row in rows:
        yield row.first, row.data


def whole_trace(connection: Connection, game: int, kind: Kind = "lines") -> bytes:
    """The hub's copy of a game's file, byte for byte."""
    return b"".join(data for _, data in kept_lines(connection, game, kind))


__all__ = ["Intake", "Kept", "Message", "News", "kept_lines", "whole_trace"]
