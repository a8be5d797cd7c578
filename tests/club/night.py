"""A club night for tests: a broker, a hub with its database, and boards whose files the test writes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import attrs
from sqlalchemy import select

from tamsk_pi.club.publisher import Publisher
from tamsk_pi.club.rulings_file import ruling_line
from tamsk_pi.club.settings import ClubSettings
from tamsk_pi.club.topics import Place
from tamsk_pi.hub.boards import BoardPicture
from tamsk_pi.hub.broker import BrokerSettings
from tamsk_pi.hub.database import open_database
from tamsk_pi.hub.event.book import System, make_event
from tamsk_pi.hub.intake import whole_trace
from tamsk_pi.hub.service import Hub
from tamsk_pi.hub.tables import ALARMS, GAMES
from tamsk_pi.sim.match import Match
from tamsk_pi.trace import End, Record, header_line, record_line
from tests.club.mosquitto import Mosquitto, mosquitto

EVENT: Final = "night"
PATIENCE_S: Final = 120.0
"""A machine that is loaded tenfold still gets there; nothing is judged by how long it took."""


def wait_for(what: Callable[[], Any], told: str) -> Any:
    """Wait until `what` gives something true, and return it."""
    until_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < until_s:
        found = what()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited in vain: {told}")


@attrs.frozen
class Game:
    """A whole game: its trace as lines, and its rulings as the board would keep them."""

    lines: tuple[bytes, ...]
    rulings: tuple[bytes, ...]


def play(
    seed: str, *, level: int = 2, clumsy: float = 0.1, red: str = "", black: str = "", longest_ms: int = 90_000
) -> Game:
    """A game of the virtual board, from its seed alone."""
    match = Match(seed, level=level, clumsy=clumsy)
    match.play(longest_ms=longest_ms)
    session = match.session
    settings = attrs.evolve(session.settings, red=red, black=black, started_at="2026-01-01T20:00:00")
    records: list[Record] = [*match.edges, End(session.now_ms)]
    lines = (header_line(settings), *(record_line(record, settings) for record in records))
    rulings = [ruling_line(n, ruling) for n, ruling in enumerate(match.rulings)]
    return Game(tuple(line.encode() for line in lines), tuple(line.encode() for line in rulings))


def with_word(game: Game, verb: str, at: int) -> Game:
    """The same trace with an arbiter's word before line `at`; without rulings."""
    import json

    t_ms = json.loads(game.lines[at])["t"]
    line = (json.dumps({"t": t_ms, "arbiter": verb}) + "\n").encode()
    return Game((*game.lines[:at], line, *game.lines[at:]), ())


class Board:
    """One board: a folder of games and a publisher in a thread."""

    def __init__(self, folder: Path, port: int, board: int = 1, **settings: Any) -> None:
        self.folder = folder / f"board-{board}-{len(list(folder.glob('board-*')))}"
        self.folder.mkdir()
        values = {"event": EVENT, "board": board, "host": "127.0.0.1", "port": port, "folder": str(self.folder)}
        self.settings = ClubSettings(**{**values, **settings})
        self.problems: list[str | None] = []
        self.words: list[tuple[str, Any]] = []
        self.wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000
        self.mono_s: Callable[[], float] = time.monotonic
        self.wait: Callable[[float], None] = time.sleep
        self.publisher: Publisher | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> Board:
        self.publisher = Publisher(
            self.settings,
            tell_problem=self.problems.append,
            hear_word=self._hear,
            wall_ms=lambda: self.wall_ms(),
            mono_s=lambda: self.mono_s(),
            wait=lambda seconds: self.wait(seconds),
        )
        self._thread = threading.Thread(target=self.publisher.run, daemon=True)
        self._thread.start()
        wait_for(lambda: list(self.folder.glob(".club-*.json")), "the board has looked what is over already")
        return self

    def _hear(self, identity: str, word: Any) -> None:
        self.words.append((identity, word))

    def stop(self) -> None:
        if self.publisher is not None and self._thread is not None:
            self.publisher.stop()
            self._thread.join(PATIENCE_S)
            self.publisher = None

    def path(self, number: int = 1) -> Path:
        return self.folder / f"2026-01-01T20-{number:02}-00-7-{number}.trace.jsonl"

    def write(self, game: Game, first: int = 0, last: int | None = None, *, number: int = 1) -> None:
        """Add lines of a game's trace to its file, as a journal does."""
        with open(self.path(number), "ab") as stream:
            stream.write(b"".join(game.lines[first:last]))

    def write_rulings(self, game: Game, first: int = 0, last: int | None = None, *, number: int = 1) -> None:
        path = self.path(number)
        with open(path.with_name(path.name.replace(".trace.jsonl", ".rulings.jsonl")), "ab") as stream:
            stream.write(b"".join(game.rulings[first:last]))


class Night:
    """The broker, the hub and the database."""

    def __init__(self, folder: Path, broker: Mosquitto, url: str = "") -> None:
        self.folder = folder
        self.broker = broker
        self.url = url or f"sqlite:///{folder / 'hub.sqlite'}"
        self.hub: Hub | None = None
        self.boards: list[Board] = []

    def open_hub(self, **settings: Any) -> Hub:
        self.hub = Hub(open_database(self.url), BrokerSettings(port=self.broker.port, **settings))
        self.hub.open()
        wait_for(lambda: self.hub is not None and self.hub.problem is None, "the hub hears the broker")
        return self.hub

    def close_hub(self) -> None:
        if self.hub is not None:
            self.hub.close()
            self.hub = None

    def board(self, board: int = 1, **settings: Any) -> Board:
        made = Board(self.folder, self.broker.port, board, **settings)
        self.boards.append(made)
        return made

    def games(self) -> list[Any]:
        engine = open_database(self.url, migrate=False)
        try:
            with engine.connect() as connection:
                return list(connection.execute(select(GAMES).order_by(GAMES.c.id)))
        finally:
            engine.dispose()

    def alarms(self) -> dict[str, str]:
        """Kind and detail of every alarm."""
        engine = open_database(self.url, migrate=False)
        try:
            with engine.connect() as connection:
                return {row.kind: row.detail for row in connection.execute(select(ALARMS))}
        finally:
            engine.dispose()

    def copy(self, game: int, kind: Any = "lines") -> bytes:
        engine = open_database(self.url, migrate=False)
        try:
            with engine.connect() as connection:
                return whole_trace(connection, game, kind)
        finally:
            engine.dispose()

    def has(self, path: Path) -> bool:
        """Whether the hub has this file, byte for byte, as some game."""
        wanted = path.read_bytes()
        return any(row.lines_bytes == len(wanted) and self.copy(row.id) == wanted for row in self.games())

    def picture(self, board: int = 1) -> BoardPicture | None:
        assert self.hub is not None
        return self.hub.picture(Place(EVENT, board))

    def close(self) -> None:
        for board in self.boards:
            board.stop()
        self.close_hub()


def make_database(url: str, *, boards: int = 10, system: System = "swiss") -> None:
    engine = open_database(url)
    make_event(engine, name=EVENT, title="Club night", system=system, rounds=3, boards=boards)
    engine.dispose()


@contextmanager
def club_night(folder: Path, *, url: str = "", boards: int = 10) -> Iterator[Night]:
    """Everything running, with an event of `boards` boards."""
    with ExitStack() as stack:
        broker = stack.enter_context(mosquitto(folder))
        night = Night(folder, broker, url)
        stack.callback(night.close)
        make_database(night.url, boards=boards)
        night.open_hub()
        yield night
