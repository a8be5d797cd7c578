"""`tamsk-pi hub soak`: everything that goes wrong on a club night, done to real processes, and a table of it.

Each row plays games on simulated boards, does its fault to them, and then holds the hub's copies against the files of
the boards, byte for byte: `lost` and `twice` count the lines that are missing, or there once too often.
"""

from __future__ import annotations

import json
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import attrs
from sqlalchemy import Engine, select

from tamsk_pi.club.settings import ClubSettings
from tamsk_pi.club.topics import Place
from tamsk_pi.hub.broker import Broker, BrokerSettings
from tamsk_pi.hub.database import open_database
from tamsk_pi.hub.demo import find_mosquitto, free_port
from tamsk_pi.hub.event.book import make_event
from tamsk_pi.hub.intake import whole_trace
from tamsk_pi.hub.setup import HubConfig, SetupPlan, board_user, read_config, set_up
from tamsk_pi.hub.sim_board import SimClub, SimPlan
from tamsk_pi.hub.tables import ALARMS, GAMES
from tamsk_pi.journal import SUFFIX

EVENT: Final = "soak"
PATIENCE_S: Final = 180.0
BOARDS: Final = 4
SPARE: Final = 4
"""Boards for the faults that are one board's own."""


@attrs.frozen(kw_only=True)
class SoakPlan:
    """What to do. `kills`: of the hub; `cut_s`: how long the broker hangs; `speed`: of the boards."""

    folder: Path
    seed: int = 1
    kills: int = 100
    cut_s: float = 10.0
    speed: float = 60.0


@attrs.frozen
class Row:
    """One line of the table. `again_s`: from the end of the fault until the hub had everything."""

    fault: str
    times: int
    lines: int
    lost: int
    twice: int
    named: str
    again_s: float | None = None

    @property
    def is_good(self) -> bool:
        return self.lost == 0 and self.twice == 0 and self.named != ""


class Scene:
    """The broker, the hub's process and the database."""

    def __init__(self, plan: SoakPlan) -> None:
        self.plan: Final = plan
        self.rng: Final = random.Random(plan.seed)
        self.folder: Final = plan.folder / "hub"
        self.port: Final = free_port()
        set_up(SetupPlan(folder=self.folder, event=EVENT, boards=BOARDS + SPARE, port=self.port))
        self.config: Final[HubConfig] = read_config(self.folder)
        self.engine: Final[Engine] = open_database(self.config.database)
        make_event(self.engine, name=EVENT, title="", system="swiss", rounds=1, boards=BOARDS + SPARE)
        self._broker: subprocess.Popen[bytes] | None = None
        self._hub: subprocess.Popen[bytes] | None = None
        self._rounds = 0

    def close(self) -> None:
        self.kill_hub()
        self.kill_broker()
        self.engine.dispose()

    def start_broker(self) -> None:
        config = str(self.folder / "mosquitto.conf")
        self._broker = subprocess.Popen([find_mosquitto(), "-c", config], stderr=subprocess.DEVNULL)

    def kill_broker(self) -> None:
        if self._broker is not None:
            self._broker.kill()
            self._broker.wait()
            self._broker = None

    def freeze_broker(self, seconds: float) -> None:
        assert self._broker is not None
        self._broker.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self._broker.send_signal(signal.SIGCONT)

    def start_hub(self) -> int:
        command = [sys.executable, "-m", "tamsk_pi", "hub", "run", "--folder", str(self.folder), "--port", "0"]
        self._hub = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        return self._hub.pid

    def kill_hub(self) -> None:
        if self._hub is not None:
            self._hub.kill()
            self._hub.wait()
            self._hub = None

    def broker_settings(self, board: int, password_of: int | None = None) -> BrokerSettings:
        """How a board, or who plays it, is known at the broker."""
        file = self.folder / "boards" / str(password_of or board) / "password"
        return BrokerSettings(port=self.port, user=board_user(EVENT, board), password_file=str(file))

    def plan_of(self, board: int, *, password_of: int | None = None) -> tuple[SimPlan, ClubSettings]:
        """A board that will play one new game in a folder of its own."""
        self._rounds += 1
        folder = self.plan.folder / f"games-{self._rounds}"
        known = self.broker_settings(board, password_of)
        sim = SimPlan(folder=folder, seed=f"{self.plan.seed}/{self._rounds}", level=2, speed=self.plan.speed)
        club = ClubSettings(
            event=EVENT,
            board=board,
            host="127.0.0.1",
            port=self.port,
            user=known.user,
            password_file=known.password_file,
            folder=str(folder),
        )
        return sim, club

    @contextmanager
    def boards(self) -> Iterator[list[SimClub]]:
        clubs = [SimClub(*self.plan_of(number)) for number in range(1, BOARDS + 1)]
        for club in clubs:
            club.start()
        try:
            yield clubs
        finally:
            for club in clubs:
                club.close()

    def copies(self) -> list[bytes]:
        with self.engine.connect() as connection:
            ids = connection.execute(select(GAMES.c.id)).scalars().all()
            return [whole_trace(connection, number) for number in ids]

    def alarms(self) -> set[str]:
        with self.engine.connect() as connection:
            return set(connection.execute(select(ALARMS.c.kind)).scalars())

    def compare(self, folders: Sequence[Path]) -> tuple[int, int, int]:
        """Lines of the boards' files, and how many of them the hub lacks, or has twice."""
        lines = lost = twice = 0
        copies = self.copies()
        for folder in folders:
            for path in folder.glob(f"*{SUFFIX}"):
                wanted = path.read_bytes()
                lines += wanted.count(b"\n")
                best = max(copies, key=lambda copy: _common(copy, wanted), default=b"")
                if best != wanted:
                    kept, told = best.count(b"\n"), wanted.count(b"\n")
                    lost += max(1, told - kept) if kept <= told else 0
                    twice += max(0, kept - told)
        return lines, lost, twice

    def settle(self, clubs: Sequence[SimClub]) -> tuple[int, int, int, float]:
        """Let the games end and the hub catch up; the comparison, and how long the catching up took (s)."""
        folders = [club.folder for club in clubs]
        wait_for(lambda: not any(club.playing for club in clubs))
        began_s = time.monotonic()
        wait_for(lambda: self.compare(folders)[1:] == (0, 0))
        return (*self.compare(folders), time.monotonic() - began_s)


def _common(one: bytes, other: bytes) -> int:
    shorter = min(len(one), len(other))
    if one[:shorter] == other[:shorter]:
        return shorter
    return next(i for i in range(shorter) if one[i] != other[i])


def wait_for(what: Callable[[], object], patience_s: float = PATIENCE_S) -> bool:
    """Wait until it is so; False where it never came."""
    until_s = time.monotonic() + patience_s
    while time.monotonic() < until_s:
        if what():
            return True
        time.sleep(0.1)
    return False


def soak(plan: SoakPlan) -> Iterator[Row]:
    """Do every fault in turn; each row as it is known. `DemoError` where Mosquitto is missing."""
    find_mosquitto()
    scene = Scene(plan)
    try:
        scene.start_broker()
        scene.start_hub()
        for fault in (
            _broker_killed,
            _cut,
            _hub_killed,
            _board_killed,
            _disk_full,
            _duplicates,
            _wrong_password,
            _foreign_topic,
            _garbage,
            _false_rulings,
            _two_boards,
            _clocks,
        ):
            yield fault(scene)
    finally:
        scene.close()


def _broker_killed(scene: Scene) -> Row:
    with scene.boards() as clubs:
        for _ in range(3):
            time.sleep(scene.rng.uniform(0.5, 2))
            scene.kill_broker()
            time.sleep(scene.rng.uniform(0.5, 2))
            scene.start_broker()
        *compared, again_s = scene.settle(clubs)
        named = _problems(clubs, "broker")
    return Row("broker killed and started", 3, *_three(compared), named, again_s)


def _cut(scene: Scene) -> Row:
    with scene.boards() as clubs:
        time.sleep(1)
        scene.freeze_broker(scene.plan.cut_s)
        *compared, again_s = scene.settle(clubs)
    named = f"{scene.plan.cut_s * scene.plan.speed / 60:.0f} min of the game"
    return Row("broker hangs", 1, *_three(compared), named, again_s)


def _hub_killed(scene: Scene) -> Row:
    done = 0
    lines = lost = twice = 0
    longest_s = 0.0
    while done < scene.plan.kills:
        with scene.boards() as clubs:
            while done < scene.plan.kills and any(club.playing for club in clubs):
                time.sleep(scene.rng.uniform(0.02, 1.5))
                scene.kill_hub()
                scene.start_hub()
                done += 1
            *compared, again_s = scene.settle(clubs)
        lines, lost, twice = lines + compared[0], lost + compared[1], twice + compared[2]
        longest_s = max(longest_s, again_s)
    return Row("hub killed at random moments", done, int(lines), int(lost), int(twice), "copies compared", longest_s)


def _board_killed(scene: Scene) -> Row:
    sim, club = scene.plan_of(BOARDS + 1)
    told = {"plan": {**attrs.asdict(sim), "folder": str(sim.folder)}, "club": attrs.asdict(club)}
    times = 5
    for last in (False,) * times + (True,):
        if last:
            told["plan"]["speed"] = 0.0
        command = [sys.executable, "-m", "tamsk_pi.hub.sim_board"]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
            assert process.stdin is not None
            process.stdin.write(json.dumps(told).encode() + b"\n")
            process.stdin.flush()
            if last:
                wait_for(lambda: _ended(sim.folder) and scene.compare([sim.folder])[1:] == (0, 0))
            else:
                time.sleep(scene.rng.uniform(1, 3))
            process.kill()
    named = "rulings the same" if "rulings_differ" not in scene.alarms() else ""
    return Row("board killed and resumed", times, *scene.compare([sim.folder]), named)


def _ended(folder: Path) -> bool:
    return any(b'"end": true' in path.read_bytes()[-64:] for path in folder.glob(f"*{SUFFIX}"))


def _disk_full(scene: Scene) -> Row:
    """The kernel lets no file of the hub's process grow; then it does again."""
    with scene.boards() as clubs:
        time.sleep(1)
        assert scene._hub is not None
        pid = scene._hub.pid
        unlimited = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (4_096, unlimited[1]))
        time.sleep(4)
        lacking = scene.compare([club.folder for club in clubs])[1]
        resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)
        *compared, again_s = scene.settle(clubs)
    named = f"{lacking} lines waited" if lacking else ""
    return Row("disk full at the hub", 1, *_three(compared), named, again_s)


def _duplicates(scene: Scene) -> Row:
    sim, club = scene.plan_of(BOARDS + 1)
    source = SimClub(attrs.evolve(sim, speed=0.0), club)
    source.board.play()
    lines = [line + b"\n" for line in next(sim.folder.glob(f"*{SUFFIX}")).read_bytes().split(b"\n")[:-1]]
    batches = [(first, b"".join(lines[first : first + 7])) for first in range(0, len(lines), 7)]
    broker = Broker(scene.broker_settings(BOARDS + 1), lambda *_: None, takes_lines=False)
    broker.open()
    try:
        wait_for(lambda: broker.problem is None)
        sent = 0

        def send_all() -> bool:
            nonlocal sent
            mixed = [*batches, *scene.rng.choices(batches, k=10)]
            scene.rng.shuffle(mixed)
            for first, data in mixed:
                broker.publish(club.place.topic("lines", "mixed", first), data)
            sent += len(mixed)
            time.sleep(0.2)
            return scene.compare([sim.folder])[1:] == (0, 0)

        wait_for(send_all)
    finally:
        broker.close()
    return Row("duplicates and reordering", sent, *scene.compare([sim.folder]), "copies compared")


def _refused(scene: Scene, fault: str, club: tuple[SimPlan, ClubSettings], wanted: str) -> Row:
    """A board of which nothing may come in: it says why, and its game stays where it is."""
    wrong = SimClub(*club)
    wrong.start()
    try:
        wait_for(lambda: _problems([wrong], wanted))
        named = _problems([wrong], wanted)
    finally:
        wrong.close()
    return Row(fault, 1, 0, 0, 0, named)


def _wrong_password(scene: Scene) -> Row:
    board = BOARDS + 2
    return _refused(scene, "wrong password", scene.plan_of(board, password_of=1), "refuses this board")


def _foreign_topic(scene: Scene) -> Row:
    sim, club = scene.plan_of(BOARDS + 2)
    known = scene.broker_settings(BOARDS + 1)
    foreign = attrs.evolve(club, user=known.user, password_file=known.password_file)
    return _refused(scene, "another's topic", (sim, foreign), "does not take what this board writes")


def _send(scene: Scene, board: int, game: str, parts: Sequence[tuple[str, bytes]]) -> None:
    broker = Broker(scene.broker_settings(board), lambda *_: None, takes_lines=False)
    broker.open()
    try:
        wait_for(lambda: broker.problem is None)
        for kind, data in parts:
            broker.publish(Place(EVENT, board).topic(kind, game, 0), data)
        time.sleep(0.5)
    finally:
        broker.close()


def _alarmed(scene: Scene, fault: str, kind: str) -> Row:
    named = kind if wait_for(lambda: kind in scene.alarms()) else ""
    return Row(fault, 1, 0, 0, 0, named)


def _garbage(scene: Scene) -> Row:
    _send(scene, BOARDS + 3, "garbage", [("lines", b'{"format": "tamsk-trace"}\n\xff\xfe\n')])
    return _alarmed(scene, "garbage", "no_trace")


def _false_rulings(scene: Scene) -> Row:
    sim, club = scene.plan_of(BOARDS + 3)
    SimClub(attrs.evolve(sim, speed=0.0), club).board.play()
    trace = next(sim.folder.glob(f"*{SUFFIX}")).read_bytes()
    lie = json.dumps({"n": 0, "ruling": {"t": 0, "ruling": "game_over", "winner": "red"}}).encode() + b"\n"
    _send(scene, BOARDS + 3, "lie", [("lines", trace[: trace.rfind(b"\n", 0, 100_000) + 1]), ("rulings", lie)])
    return _alarmed(scene, "a trace that does not judge as it says", "rulings_differ")


def _two_boards(scene: Scene) -> Row:
    clubs = [SimClub(*scene.plan_of(BOARDS + 4)) for _ in range(2)]
    for club in clubs:
        club.start()
    try:
        row = _alarmed(scene, "two boards with one number", "two_boards")
        *compared, again_s = scene.settle(clubs)
    finally:
        for club in clubs:
            club.close()
    return attrs.evolve(row, lines=int(compared[0]), lost=int(compared[1]), twice=int(compared[2]), again_s=again_s)


def _clocks(scene: Scene) -> Row:
    state: dict[str, Any] = {"instance": "late", "heard": True, "game": None, "clock_ms": 0}
    broker = Broker(scene.broker_settings(BOARDS + 3), lambda *_: None, takes_lines=False)
    broker.open()
    try:
        wait_for(lambda: broker.problem is None)
        broker.publish(Place(EVENT, BOARDS + 3).topic("state"), json.dumps(state))
        return _alarmed(scene, "clocks that disagree", "clock")
    finally:
        broker.close()


def _problems(clubs: Sequence[SimClub], wanted: str) -> str:
    found = [problem for club in clubs for problem in club.problems if problem is not None and wanted in problem]
    return found[0] if found else ""


def _three(compared: Sequence[float]) -> tuple[int, int, int]:
    lines, lost, twice = compared
    return int(lines), int(lost), int(twice)


def table_line(row: Row) -> str:
    """One line of the table."""
    again = "" if row.again_s is None else f"{row.again_s:.1f} s"
    named = row.named if len(row.named) <= 60 else f"{row.named[:57]}..."
    return f"{row.fault:<40} {row.times:>5} {row.lines:>7} {row.lost:>5} {row.twice:>5} {again:>8}  {named or '-'}"


HEAD: Final = (
    f"{'fault':<40} {'times':>5} {'lines':>7} {'lost':>5} {'twice':>5} {'again':>8}  named, or how it was seen"
)
