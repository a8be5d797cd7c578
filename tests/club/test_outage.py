"""Ten minutes without a broker: time passes by a clock of the test's, and what waits costs the board no memory."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import attrs

from tamsk_pi.club.publisher import BACKOFF_MOST_S
from tamsk_pi.club.settings import ClubSettings
from tests.club.mosquitto import Mosquitto
from tests.club.night import EVENT, Board, Night, club_night, make_database, play, wait_for
from tests.programs import Program

CUT_S: Final = 600.0
BIG_BYTES: Final = 6_000_000


class CutClock:
    """The board's clock: the machine's until the cut, then the board's own waiting makes it go, until the cut is over.

    The board plays on: what its game has by then is written as the clock goes.
    """

    def __init__(self, board: Board, lines: list[tuple[int, bytes]]) -> None:
        self._board = board
        self._lines = lines
        self._passed_s = 0.0
        self._cut = False
        self.over: Final = threading.Event()
        self.mended: Final = threading.Event()

    def mono_s(self) -> float:
        return time.monotonic() + self._passed_s

    def cut(self) -> None:
        self._cut = True

    def wait(self, seconds: float) -> None:
        if not self._cut or self.mended.is_set():
            time.sleep(seconds)
            return
        self._passed_s += seconds
        due = [data for t_ms, data in self._lines if t_ms <= self._passed_s * 1000]
        if due:
            with open(self._board.path(), "ab") as stream:
                stream.write(b"".join(due))
            self._lines = self._lines[len(due) :]
        if self._passed_s >= CUT_S:
            self.over.set()
            self.mended.wait()


@contextmanager
def nobody_listens(port: int) -> Iterator[list[float]]:
    """Something in the broker's place that hangs up on everybody; when anybody called (s)."""
    calls: list[float] = []
    with socket.create_server(("127.0.0.1", port)) as server:
        server.settimeout(0.05)
        done = threading.Event()

        def hang_up() -> None:
            while not done.is_set():
                try:
                    caller, _ = server.accept()
                except TimeoutError:
                    continue
                calls.append(time.monotonic())
                caller.close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        try:
            yield calls
        finally:
            done.set()
            thread.join()


def test_ten_minutes_cut(tmp_path: Path) -> None:
    """The game is played to its end meanwhile, the board tries again at a bounded pace; then the hub has every line."""
    game = play("outage/7", level=1, longest_ms=int(CUT_S * 1000))
    times = [0, *(json.loads(line)["t"] for line in game.lines[1:])]
    before = [line for line, t_ms in zip(game.lines, times, strict=True) if t_ms <= 10_000]
    later = [(t_ms - 10_000, line) for line, t_ms in zip(game.lines, times, strict=True) if t_ms > 10_000]
    assert before
    assert CUT_S * 800 < later[-1][0] < CUT_S * 1000, "the game must last nearly as long as the cut"
    with club_night(tmp_path) as night:
        board = night.board()
        clock = CutClock(board, later)
        board.mono_s, board.wait = clock.mono_s, clock.wait
        board.start()
        board.write(attrs.evolve(game, lines=tuple(before)))
        wait_for(lambda: night.games() and night.games()[0].lines_count == len(before), "the first lines are there")
        # The hub goes too, as it would call at the broker's door itself.
        night.close_hub()
        night.broker.kill()
        with nobody_listens(night.broker.port) as calls:
            clock.cut()
            wait_for(clock.over.is_set, "ten minutes have passed at the board")
        assert CUT_S / BACKOFF_MOST_S <= len(calls) <= 2 * CUT_S / BACKOFF_MOST_S + 10
        assert night.games()[0].lines_count == len(before)
        night.broker.start()
        night.open_hub()
        clock.mended.set()
        wait_for(lambda: night.has(board.path()), "nothing is lost")
        assert board.path().read_bytes() == b"".join(game.lines)
        wait_for(lambda: night.games()[0].over, "and the game is judged to its end")


def peak_kb(pid: int) -> int:
    """The most memory that a process has had so far."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")))


def test_what_waits_costs_no_memory(tmp_path: Path) -> None:
    """Many times what ten minutes can come to, all of it written during an outage, told by the publisher's process."""
    broker = Mosquitto(tmp_path)
    broker.start()
    url = f"sqlite:///{tmp_path / 'hub.sqlite'}"
    make_database(url)
    folder = tmp_path / "games"
    folder.mkdir()
    settings = {"event": EVENT, "board": 1, "host": "127.0.0.1", "port": broker.port, "folder": str(folder)}
    night = Night(tmp_path, broker, url)
    hub = [sys.executable, "-m", "tests.club.hub_process", url, str(broker.port)]
    publish = [sys.executable, "-m", "tamsk_pi.club"]
    small = play("outage/small", longest_ms=20_000)
    first, second = (folder / f"2026-01-01T20-0{n}-00-7-{n}.trace.jsonl" for n in (1, 2))
    try:
        with (
            Program[bytes](hub) as keeper,
            Program[bytes](publish, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process,
        ):
            assert process.stdin is not None
            process.stdin.write(ClubSettings(**settings).as_line().encode())  # type: ignore[arg-type]
            process.stdin.flush()
            wait_for(lambda: list(folder.glob(".club-*.json")), "the board has looked what is over already")
            first.write_bytes(b"".join(small.lines))
            wait_for(lambda: night.has(first), "the hub has the first game")
            before_kb = peak_kb(process.pid)
            broker.kill()
            # Of no game, so that nothing but keeping it takes time: what follows the header is no record.
            line = b'{"t": 1, "what": "' + b"x" * 100 + b'"}\n'
            second.write_bytes(small.lines[0] + line * (BIG_BYTES // len(line)))
            broker.start()
            wait_for(lambda: night.has(second), "the hub has all of it")
            assert peak_kb(process.pid) - before_kb < BIG_BYTES // 1024 // 3
            keeper.kill()
    finally:
        broker.kill()
