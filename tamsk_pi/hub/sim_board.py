"""A board that plays by itself, for trying a hub and for hunting its faults: its files are those of a real board.

As a process (`python -m tamsk_pi.hub.sim_board`, settings on the first line of standard input) it can be killed;
started again on the same folder it goes on with the game that was cut off, as a real board does.
"""

from __future__ import annotations

import json
import queue
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final, TextIO

import attrs

from tamsk_pi.club.beside import read_word
from tamsk_pi.club.kept import rulings_path
from tamsk_pi.club.publisher import Publisher
from tamsk_pi.club.rulings_file import ruling_line
from tamsk_pi.club.settings import ClubSettings
from tamsk_pi.journal import SUFFIX
from tamsk_pi.referee.words import WORDS, Word
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sim.match import Match
from tamsk_pi.trace import End, header_line, record_line
from tamsk_pi.web.messages import MessageError, MessageReader


@attrs.frozen(kw_only=True)
class SimPlan:
    """What a board plays. `speed`: how many times faster than life; 0: as fast as it can."""

    folder: Path
    seed: str
    level: int = 3
    clumsy: float = 0.1
    speed: float = 1.0
    red: str = ""
    black: str = ""
    games: int = 1


class SimBoard:
    """Plays games into a folder, in a thread of its own or in the caller's."""

    def __init__(self, plan: SimPlan, *, stop: Event | None = None) -> None:
        self._plan: Final = plan
        self._stop: Final = stop or Event()
        self._words: Final[queue.SimpleQueue[tuple[str, Mapping[str, object], Callable[[str | None], None]]]] = (
            queue.SimpleQueue()
        )
        self._behind_s = 0.0
        self.lines = 0

    def stop(self) -> None:
        self._stop.set()

    def say(self, verb: str, details: Mapping[str, object], answer: Callable[[str | None], None]) -> None:
        """An arbiter's word; from any thread."""
        self._words.put((verb, details, answer))

    def play(self) -> None:
        """Play all games of the plan, or until stopped."""
        self._plan.folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, self._plan.games + 1):
            if not self._stop.is_set():
                self._play_one(number)

    def _play_one(self, number: int) -> None:
        plan = self._plan
        path = plan.folder / f"2026-01-01T{number // 60 % 24:02}-{number % 60:02}-00-sim-{number}{SUFFIX}"
        match = Match(f"{plan.seed}/{number}", level=plan.level, clumsy=plan.clumsy)
        settings = attrs.evolve(
            match.session.settings, red=plan.red, black=plan.black, started_at=time.strftime("%Y-%m-%dT%H:%M:%S")
        )
        already = path.read_bytes() if path.exists() else b""
        if already:
            # A game depends on its seed alone: what was kept of it is played again, and not written again.
            already = already[: already.rfind(b"\n") + 1]
            with open(path, "r+b") as torn:
                torn.truncate(len(already))
        told = rulings_path(path).read_bytes().count(b"\n") if rulings_path(path).exists() else 0
        with open(path, "a", encoding="utf-8") as trace, open(rulings_path(path), "a", encoding="utf-8") as rulings:
            _Writer(self, match, trace, rulings, already.count(b"\n"), told).run(header_line(settings))

    def wait(self, ms: int) -> None:
        """Let game time pass."""
        if self._plan.speed <= 0:
            return
        self._behind_s += ms / 1000 / self._plan.speed
        if self._behind_s >= 0.01:
            self._stop.wait(self._behind_s)
            self._behind_s = 0.0

    @property
    def stopped(self) -> bool:
        return self._stop.is_set()

    def take_words(self) -> list[tuple[str, Mapping[str, object], Callable[[str | None], None]]]:
        """What arbiters have said since the last time."""
        found = []
        while not self._words.empty():
            found.append(self._words.get())
        return found


class _Writer:
    def __init__(self, board: SimBoard, match: Match, trace: TextIO, rulings: TextIO, already: int, told: int) -> None:
        self._board = board
        self._match = match
        self._trace = trace
        self._rulings = rulings
        self._skip = already
        self._told = 0
        self._told_before = told
        """So many rulings stand in the file already."""
        self._paused_ms: int | None = None

    def run(self, header: str) -> None:
        match, board = self._match, self._board
        self._write(header)
        self._tell()
        edges = 0
        while not match.is_over and not board.stopped:
            next_ms = match.next_ms()
            now_ms = match.board.now_ms
            self._flush()
            if self._skip <= 0:
                board.wait(max(0, (now_ms + 1 if next_ms is None else next_ms) - now_ms))
            said = match.step()
            for edge in match.edges[edges:]:
                self._write(record_line(edge, match.session.settings))
            new = len(match.edges) - edges
            edges = len(match.edges)
            self._obey()
            if said and not new:
                self._mark()
            self._tell()
        if match.is_over and not board.stopped:
            self._write(record_line(End(match.session.now_ms), match.session.settings))
        self._flush()

    def _obey(self) -> None:
        session = self._match.session
        for verb, details, answer in self._board.take_words():
            if verb not in WORDS:
                answer("it could not be done; the log tells why")
                continue
            word = Word(session.now_ms, verb, details)
            self._match.rulings += session.say(word)
            self._write(record_line(word, session.settings))
            answer(None)

    def _mark(self) -> None:
        session = self._match.session
        mark = Edge(session.now_ms, "button", "arbiter", session.raw_value("button", "arbiter"))
        self._write(record_line(mark, session.settings))

    def _write(self, line: str) -> None:
        if self._skip > 0:
            self._skip -= 1
            return
        self._trace.write(line)
        self._board.lines += 1

    def _tell(self) -> None:
        fresh = list(enumerate(self._match.rulings))[self._told :]
        self._rulings.write("".join(ruling_line(i, ruling) for i, ruling in fresh if i >= self._told_before))
        self._told += len(fresh)

    def _flush(self) -> None:
        self._trace.flush()
        self._rulings.flush()


class SimClub:
    """A simulated board and its publisher, as two threads of this process."""

    def __init__(self, plan: SimPlan, club: ClubSettings) -> None:
        self.board: Final = SimBoard(plan)
        self.folder: Final = plan.folder
        self._reader: Final = MessageReader()
        self.problems: list[str | None] = []
        self.publisher: Final = Publisher(club, tell_problem=self.problems.append, hear_word=self._hear)
        self._threads: Final = (
            Thread(target=self.board.play, name=f"board {club.board}", daemon=True),
            Thread(target=self.publisher.run, name=f"publisher {club.board}", daemon=True),
        )

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    @property
    def playing(self) -> bool:
        return self._threads[0].is_alive()

    def close(self) -> None:
        self.board.stop()
        self.publisher.stop()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(10)

    def _hear(self, identity: str, said: Mapping[str, Any]) -> None:
        try:
            action = read_word(self._reader, said)
        except MessageError as error:
            self.publisher.answer(identity, str(error))
            return
        self.board.say(action.verb, action.details, lambda reason: self.publisher.answer(identity, reason))


def main() -> None:
    """A board as a process; it ends with its standard input."""
    raw = json.loads(sys.stdin.readline())
    plan = SimPlan(**{**raw["plan"], "folder": Path(raw["plan"]["folder"])})
    club = SimClub(plan, ClubSettings(**raw["club"]))
    club.start()
    sys.stdin.read()
    club.close()


if __name__ == "__main__":
    main()
