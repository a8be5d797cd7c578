"""What a hub costs: 256 simulated boards on this machine, and its intake beside a subscriber that does nothing.

Each figure is taken with a real Mosquitto on loopback; without it there are none.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import attrs

from tamsk_pi.club.topics import Place
from tamsk_pi.hub.broker import Broker, BrokerSettings
from tamsk_pi.hub.database import open_database
from tamsk_pi.hub.event.book import make_event
from tamsk_pi.sim.match import Match
from tamsk_pi.trace import End, header_line, record_line
from tests.club.mosquitto import mosquitto

BOARDS: Final = 256
EVENT: Final = "bench"
BATCH: Final = 8
"""Lines a message, as a board sends them that catches up a little."""
BATCHES: Final = 16
"""So many of them a game: what is measured must end on a machine that is loaded, too."""
LIVE_S: Final = 16.0
EVERY_S: Final = 4.0
"""How often each board has news: a hand moves something every few seconds."""


def _trace() -> list[bytes]:
    match = Match("bench", level=2)
    match.play(longest_ms=240_000)
    settings = match.session.settings
    lines = [header_line(settings), *(record_line(edge, settings) for edge in match.edges)]
    return [line.encode() for line in [*lines[: BATCH * BATCHES - 1], record_line(End(match.session.now_ms), settings)]]


@attrs.define
class _Usage:
    cpu_s: float
    rss_mb: float


def _usage(pid: int) -> _Usage:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    ticks = os.sysconf("SC_CLK_TCK")
    return _Usage((int(fields[11]) + int(fields[12])) / ticks, pages * os.sysconf("SC_PAGE_SIZE") / 1e6)


@contextmanager
def _hub_process(url: str, port: int) -> Iterator[tuple[int, int]]:
    """A hub with its page, as a process: its pid and the page's port."""
    command = [sys.executable, "-m", "tests.bench.club_hub", url, str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        page = int(process.stdout.readline())
        try:
            yield process.pid, page
        finally:
            process.kill()


class _Senders:
    """All boards through one connection: publishes a batch a board and waits for the hub's word, as a board does."""

    def __init__(self, port: int, lines: list[bytes]) -> None:
        self._batches = [(n, b"".join(lines[n : n + BATCH])) for n in range(0, len(lines), BATCH)]
        self._answered: dict[int, int] = dict.fromkeys(range(1, BOARDS + 1), 0)
        self._wanted = len(lines)
        self._left = BOARDS
        self._follows = False
        self._changed = threading.Condition()
        self._heard = False
        self._broker = Broker(BrokerSettings(port=port), self._hear, takes_lines=False)
        self._broker.open()
        while self._broker.problem is not None:
            time.sleep(0.01)
        with self._changed:
            # A hub that has not subscribed yet hears nothing: ask until it answers.
            while not self._heard:
                self._broker.publish(Place(EVENT, 1).topic("lines", "ready", 0), b"")
                self._changed.wait(0.5)

    def _hear(self, topic: Any, payload: bytes, retained: bool) -> None:
        if topic.what != "kept":
            return
        board, count = topic.place.board, json.loads(payload)["count"]
        with self._changed:
            self._heard = True
            if count > self._answered[board] or not count:
                self._answered[board] = count
                self._left -= count == self._wanted
                self._changed.notify()
            else:
                return
        if self._follows:
            self.send(board, count // BATCH)

    def send(self, board: int, batch: int) -> bool:
        """The batch of this number, if the board has so many."""
        if batch >= len(self._batches):
            return False
        first, data = self._batches[batch]
        self._broker.publish(Place(EVENT, board).topic("lines", f"game-{board}", first), data)
        return True

    def send_all(self, first: int) -> int:
        """Everything from batch `first` on, at full speed, the next batch of a board as the last is answered; lines."""
        self._follows = True
        with self._changed:
            self._left = BOARDS
        for board in self._answered:
            self.send(board, first)
        with self._changed:
            while self._left:
                before = sum(self._answered.values())
                self._changed.wait_for(lambda: not self._left, 3)
                if self._left and sum(self._answered.values()) == before:
                    # What was lost on the way is sent again, as a board does.
                    for board, count in self._answered.items():
                        self.send(board, count // BATCH)
        return BOARDS * (self._wanted - self._batches[first][0])

    def close(self) -> None:
        self._broker.close()


def _follow_page(port: int, seen: dict[int, tuple[int, float]], stop: threading.Event) -> None:
    """Read the page's stream; for each board the game's time that was shown last, and when."""
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", f"/feed?event={EVENT}")
    stream = connection.getresponse()
    while not stop.is_set():
        line = stream.readline()
        if not line:
            return
        now_s = time.monotonic()
        for board in json.loads(line)["boards"]:
            if "now_ms" in board:
                seen.setdefault(board["board"], []).append((board["now_ms"], now_s))  # type: ignore[arg-type,attr-defined]


def _latencies(senders: _Senders, page: int, times: list[int]) -> list[float]:
    """From a board's publishing to the page's showing it, in s, while all boards play."""
    seen: dict[int, Any] = {}
    stop = threading.Event()
    follower = threading.Thread(target=_follow_page, args=(page, seen, stop), daemon=True)
    follower.start()
    sent: dict[tuple[int, int], float] = {}
    until_s, batch = time.monotonic() + LIVE_S, 0
    while time.monotonic() < until_s:
        for board in range(1, BOARDS + 1):
            sent[board, batch] = time.monotonic()
            senders.send(board, batch)
            time.sleep(EVERY_S / BOARDS)
        batch += 1
    time.sleep(2)
    stop.set()
    found = []
    for (board, number), at_s in sent.items():
        shown = [when_s for now_ms, when_s in seen.get(board, []) if when_s >= at_s and now_ms >= times[number]]
        if shown:
            found.append(min(shown) - at_s)
    _Senders.batches_sent = batch  # type: ignore[attr-defined]
    return found


def _bare_rate(folder: Path, lines: list[bytes]) -> float:
    """Lines a second into a bare aiomqtt subscriber: the same messages, from one publisher at full speed."""
    batches = [(n, b"".join(lines[n : n + BATCH])) for n in range(0, len(lines), BATCH)]
    with mosquitto(folder, "max_queued_messages 0", "max_inflight_messages 0") as broker:
        command = [sys.executable, "-m", "tests.bench.club_bare", str(broker.port), str(len(batches) * BOARDS)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            sender = Broker(BrokerSettings(port=broker.port), lambda *_: None, takes_lines=False)
            sender.open()
            while sender.problem is not None:
                time.sleep(0.01)
            for first, data in batches:
                for board in range(1, BOARDS + 1):
                    sender.publish(Place(EVENT, board).topic("lines", f"game-{board}", first), data)
            took_s = float(process.stdout.readline())
            sender.close()
        return len(lines) * BOARDS / took_s


def _wait_until_judged(database: Path) -> None:
    """Wait until the hub has told of every line what it judges."""
    with closing(sqlite3.connect(database)) as connection:
        while connection.execute("SELECT count(*) FROM games WHERE judged_lines < lines_count").fetchone()[0]:
            time.sleep(0.05)


def run() -> list[tuple[str, str]]:
    """The figures, or one line that says why there are none."""
    if shutil.which("mosquitto") is None and shutil.which("mosquitto", path="/usr/sbin") is None:
        return [("hub", "not measured: Mosquitto is not installed")]
    lines = _trace()
    with tempfile.TemporaryDirectory(prefix="tamsk-bench-") as name:
        folder = Path(name)
        url = f"sqlite:///{folder / 'hub.sqlite'}"
        engine = open_database(url)
        make_event(engine, name=EVENT, title="", system="swiss", rounds=1, boards=BOARDS)
        engine.dispose()
        times = [json.loads(lines[min(n + BATCH, len(lines)) - 1]).get("t", 0) for n in range(0, len(lines), BATCH)]
        with mosquitto(folder, "max_queued_messages 0") as broker, _hub_process(url, broker.port) as (pid, page):
            senders = _Senders(broker.port, lines)
            before, began_s = _usage(pid), time.monotonic()
            latencies = sorted(_latencies(senders, page, times))
            live = _usage(pid)
            live_s = time.monotonic() - began_s
            sent = getattr(_Senders, "batches_sent", 0)
            began_s = time.monotonic()
            taken = senders.send_all(sent)
            rate = taken / (time.monotonic() - began_s)
            _wait_until_judged(folder / "hub.sqlite")
            judged = taken / (time.monotonic() - began_s)
            after = _usage(pid)
            senders.close()
        size = (folder / "hub.sqlite").stat().st_size + sum(
            path.stat().st_size for path in folder.glob("hub.sqlite-wal")
        )
        # It is over in a second: the middle one of three.
        bare = statistics.median(_bare_rate(folder, lines) for _ in range(3))
    p50, p99 = statistics.median(latencies), latencies[int(len(latencies) * 0.99)]
    trace = sum(map(len, lines))
    return [
        (f"hub, {BOARDS} boards, each told every {EVERY_S:.0f} s: board to page p50", f"{p50 * 1000:.0f} ms"),
        ("the same: p99", f"{p99 * 1000:.0f} ms ({len(latencies)} of {sent * BOARDS} seen)"),
        ("the same: the hub's CPU", f"{(live.cpu_s - before.cpu_s) / live_s * 100:.0f} % of one core"),
        (f"the hub's memory, {BOARDS} games in play", f"{after.rss_mb:.0f} MB"),
        ("lines taken in and kept, at full speed", f"{rate:.0f} a second"),
        ("the same, and judged again", f"{judged:.0f} a second"),
        ("lines into a bare aiomqtt subscriber, same run", f"{bare:.0f} a second; ratio {rate / bare:.2f}"),
        ("database, a game", f"{size / BOARDS / 1000:.1f} kB (its trace has {trace / 1000:.1f} kB)"),
    ]
