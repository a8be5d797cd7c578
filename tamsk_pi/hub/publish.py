"""`tamsk-pi hub publish`: keeps a folder of static files up to date, for any web server or CDN to serve.

Only what is older than the delay is told, results and standings included. Every file is replaced as a whole, and only
when it changed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import attrs
from sqlalchemy import Connection, Engine, select

from tamsk_pi.club.topics import Place
from tamsk_pi.hub.app import BOARD_STATIC, STATIC, texts_as_json
from tamsk_pi.hub.database import wall_ms
from tamsk_pi.hub.event.book import Book, event_names
from tamsk_pi.hub.event.history import History
from tamsk_pi.hub.event.printing import RESULT_SIGNS
from tamsk_pi.hub.event.standings import standings
from tamsk_pi.hub.intake import whole_trace
from tamsk_pi.hub.mini import state_of
from tamsk_pi.hub.shown_game import ShownGame
from tamsk_pi.hub.tables import GAMES, LINES
from tamsk_pi.signals.language import LANGUAGES

SITE: Final = Path(__file__).parent / "site"
FROM_HUB: Final = ("mini.js", "hub.css")
FROM_BOARD: Final = ("geometry.js", "icon.svg")
SILENT_MS: Final = 60_000
"""A live game of which nothing came for so long is shown as not heard."""


class PublishError(Exception):
    """The folder cannot be kept; one line that says why."""


@attrs.define
class _Game:
    row: Any
    place: Place
    shown: ShownGame
    fed: int = 0
    written: tuple[int, bool] | None = None
    over_due: bool = False


class Publisher:
    """Keeps one folder. `publish` brings it up to the moment."""

    def __init__(self, engine: Engine, folder: Path, *, delay_s: float, wall_ms: Callable[[], int] = wall_ms) -> None:
        self._engine: Final = engine
        self._folder: Final = folder
        self._delay_ms: Final = int(delay_s * 1000)
        self._wall_ms: Final = wall_ms
        self._games: dict[int, _Game] = {}
        self._done: dict[int, dict[str, Any]] = {}
        """Games that are over and written: their line of the archive."""
        self._hashes: dict[str, int] = {}

    def prepare(self) -> None:
        """Write the pages themselves. `PublishError`: the folder cannot be written, or holds something else."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            marker = self._folder / ".tamsk-site"
            strangers = [p for p in self._folder.iterdir() if p.name != ".tamsk-site"]
            if strangers and not marker.exists():
                raise PublishError(f"{self._folder} holds other files; choose an empty folder")
            marker.write_text("kept by tamsk-pi hub publish\n")
            for source, names in ((SITE, _names(SITE)), (STATIC, FROM_HUB), (BOARD_STATIC, FROM_BOARD)):
                for name in names:
                    self._put(name, (source / name).read_bytes())
            for language in LANGUAGES:
                self._put(f"texts/{language}.json", texts_as_json(language))
        except OSError as error:
            raise PublishError(f"{error.filename or self._folder}: {error.strerror or error}") from None

    def publish(self) -> int:
        """Bring every file up to the moment; how many changed. `PublishError` where one cannot be written."""
        due_ms = self._wall_ms() - self._delay_ms
        before = dict(self._hashes)
        try:
            with self._engine.connect() as connection:
                names = event_names(self._engine)
                self._put_json("data/events.json", {"events": names, "delay_s": self._delay_ms / 1000})
                for name in names:
                    self._publish_event(connection, Book(self._engine, name), due_ms)
            archive = sorted(self._done.values(), key=lambda line: -line["last_ms"])
            self._put_json("data/archive.json", {"games": archive})
        except OSError as error:
            raise PublishError(f"{error.filename or self._folder}: {error.strerror or error}") from None
        return sum(before.get(name) != digest for name, digest in self._hashes.items())

    def _publish_event(self, connection: Connection, book: Book, due_ms: int) -> None:
        rows = connection.execute(
            select(GAMES).where(GAMES.c.event == book.info.id, GAMES.c.first_ms <= due_ms).order_by(GAMES.c.id)
        ).all()
        newest: dict[int, _Game] = {}
        for row in rows:
            if row.id in self._done:
                continue
            game = self._games.get(row.id)
            if game is None:
                place = Place(book.info.name, row.board)
                game = self._games[row.id] = _Game(row, place, ShownGame(place, row.name))
            game.row = row
            self._feed(connection, game, due_ms)
            if game.shown.picture() is not None:
                newest[row.board] = game
        for game in [game for game in self._games.values() if game.row.event == book.info.id]:
            self._write_game(connection, game, book)
        self._put_json(f"data/{book.info.name}/live.json", self._live(book, newest, due_ms))
        self._put_event(connection, book, due_ms)
        # A finished game stays on the board's place until the next begins there.
        for number in [n for n, g in self._games.items() if n in self._done and newest.get(g.place.board) is not g]:
            del self._games[number]

    def _feed(self, connection: Connection, game: _Game, due_ms: int) -> None:
        batches = connection.execute(
            select(LINES.c.first, LINES.c.count, LINES.c.data)
            .where(
                LINES.c.game == game.row.id,
                LINES.c.kind == "lines",
                LINES.c.first >= game.fed,
                LINES.c.taken_ms <= due_ms,
            )
            .order_by(LINES.c.first)
        )
        for first, count, data in batches:
            if first == game.fed:
                game.shown.feed(data)
                game.fed += count
        result, _ = game.shown.judged.result()
        ended = game.shown.judged.session is not None and game.shown.judged.session.ended
        game.over_due = (ended or result is not None) and game.fed == game.row.lines_count

    def _write_game(self, connection: Connection, game: _Game, book: Book) -> None:
        state = (game.fed, game.over_due)
        if game.written == state or game.shown.judged.session is None:
            return
        game.written = state
        number = game.row.id
        session = game.shown.judged.session
        if not game.over_due:
            self._put_json(f"data/games/{number}.json", game.shown.as_json())
            return
        record = game.shown.record()
        files = ("trace",) if record is None else ("trace", "record")
        self._put_json(f"data/games/{number}.json", game.shown.as_json(files=files))
        self._put(f"data/games/{number}.trace.jsonl", whole_trace(connection, number))
        if record is not None:
            self._put(f"data/games/{number}.record.txt", record.encode())
        result, reason = game.shown.judged.result()
        if session.ended:
            self._done[number] = {
                "id": number,
                "event": book.info.name,
                "title": book.info.title or book.info.name,
                "board": game.row.board,
                "red": game.row.red,
                "black": game.row.black,
                "level": game.row.level,
                "started_at": game.row.started_at,
                "result": result,
                "reason": reason,
                "length_ms": session.now_ms,
                "moves": game.shown.judged.moves,
                "record": record is not None,
                "last_ms": game.row.last_ms,
            }

    def _live(self, book: Book, newest: Mapping[int, _Game], due_ms: int) -> dict[str, Any]:
        boards = []
        for board, game in sorted(newest.items()):
            heard = due_ms - game.row.last_ms < SILENT_MS or game.over_due
            picture = game.shown.picture(heard=heard)
            assert picture is not None
            assert picture.snapshot is not None
            boards.append(
                {
                    "board": board,
                    "id": game.row.id,
                    "heard": heard,
                    "over": picture.over,
                    "now_ms": picture.snapshot.now_ms,
                    "runs": heard and not picture.over and picture.snapshot.phase not in ("setting_up", "paused"),
                    "rulings": len(picture.rulings),
                    **state_of(picture),
                }
            )
        return {"title": book.info.title or book.info.name, "boards": boards, "delay_s": self._delay_ms / 1000}

    def _put_event(self, connection: Connection, book: Book, due_ms: int) -> None:
        history = _as_of(connection, book.history(connection), due_ms)
        names = {player.number: player.name for player in history.players}
        rounds: dict[int, list[dict[str, Any]]] = {}
        for pairing in history.pairings:
            rounds.setdefault(pairing.round, []).append(
                {
                    "board": pairing.board,
                    "red": names[pairing.red],
                    "black": None if pairing.black is None else names[pairing.black],
                    "result": None if pairing.result is None else RESULT_SIGNS[pairing.result],
                    "game": pairing.game,
                }
            )
        table = [
            {
                "place": s.place,
                "name": s.player.name,
                "club": s.player.club,
                "rating": s.player.rating,
                "points": s.points,
                "played": s.played,
                "tie_breaks": dict(s.tie_breaks),
            }
            for s in standings(history, book.info.system)
        ]
        told = [{"round": number, "pairings": pairings} for number, pairings in sorted(rounds.items())]
        self._put_json(f"data/{book.info.name}/event.json", {"rounds": told, "standings": table})

    def _put_json(self, name: str, value: Mapping[str, Any]) -> None:
        self._put(name, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())

    def _put(self, name: str, data: bytes) -> None:
        digest = hash(data)
        path = self._folder / name
        if self._hashes.get(name) == digest and path.exists():
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.part")
        part.write_bytes(data)
        os.replace(part, path)
        self._hashes[name] = digest


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_file())


def _as_of(connection: Connection, history: History, due_ms: int) -> History:
    """The event as it is told now: a result that came of a game waits as long as the game does."""
    late = {row.id for row in connection.execute(select(GAMES.c.id).where((GAMES.c.over_ms > due_ms) & GAMES.c.over))}
    pairings = [
        attrs.evolve(p, result=None, reason=None, game=None) if p.game in late and p.by is None else p
        for p in history.pairings
    ]
    return attrs.evolve(history, pairings=pairings)
