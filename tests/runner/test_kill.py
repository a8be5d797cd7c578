"""A program that is killed loses nothing that had settled: started again, it has the game that was cut off.

`TAMSK_KILLS=1000` kills so many times; the default is a sample.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs
import pytest

from tamsk_pi.app.auto import AutoGame, play
from tamsk_pi.commands.replay import rulings_of
from tamsk_pi.commands.virtual_board import rig_maker
from tamsk_pi.journal import SUFFIX
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.runner.desk import Desk, NoKeeper
from tamsk_pi.runner.resume import find_cut_off, go_on
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sim.match import Match
from tamsk_pi.sim.truth import Fitted
from tamsk_pi.soak.kept import KeptJournal
from tamsk_pi.trace import TraceReader, record_line
from tests.runner.board import FakeBoard

KILLS = int(os.environ.get("TAMSK_KILLS", "200"))
KILLS_PER_GAME = 20
BOOT = "one run of the machine"

UNSETTLED_MS = 800
"""What was done this short before may not have settled."""

BOARDS = (Fitted(), Fitted(rings="holder"), Fitted(sockets="hall"), Fitted(sockets="hall", tilt=False, rings="buttons"))


def board_of(match: Match) -> FakeBoard:
    board = FakeBoard()
    board.values = {(kind, name): value for (kind, name), value in match.board.inputs.items()}
    return board


class LiveGame:
    """A simulated game on a desk, as a program plays it. `cut` kills a copy of that program; this one plays on."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.rng = random.Random(seed)
        self.match = Match(
            f"kill/{seed}",
            level=1 + seed % 3,
            rules=("rulebook", "wikipedia", "schmidt1998")[seed // 3 % 3],
            clumsy=0.2,
            fitted=BOARDS[seed % len(BOARDS)],
        )
        self.board, self.kept, self.folder = board_of(self.match), KeptJournal(), folder
        self.desk = Desk.begin(attrs.evolve(self.match.session.settings, boot=BOOT), self.board, self.kept, 0)
        self.last_edge_ms = 0

    @property
    def now_ms(self) -> int:
        return self.match.board.now_ms

    def step(self) -> None:
        """To the next moment at which something happens."""
        known = len(self.match.edges)
        self.match.step()
        edges = self.match.edges[known:]
        self.board.alive_ms = self.now_ms
        self.board.edges(*edges)
        self.kept.pass_time(self.now_ms)
        self.desk.take_edges(edges)
        self.desk.go_round(self.now_ms)
        if edges:
            self.last_edge_ms = edges[-1].t_ms

    def cut(self) -> tuple[Desk, list[Ruling]]:
        """Kill the program at a random byte and start it again: the desk that goes on, and what it ruled anew."""
        torn = record_line(Edge(self.now_ms, "button", "arbiter", False), self.desk.session.settings)
        path = self.folder / f"killed{SUFFIX}"
        path.write_bytes(self.kept.cut(self.rng, torn.encode()))
        cut_off = find_cut_off(self.folder)
        assert cut_off is not None
        ruled = list(cut_off.rulings)
        desk, origin_ms = go_on(cut_off, self.board, self.now_ms, BOOT, keeper=KeptJournal())
        assert origin_ms == 0
        desk.go_round(self.now_ms)
        return desk, ruled


def state(picture: Snapshot) -> Snapshot:
    """A game but for what a cut ends by the rules: rights are void, and so is an armed timer."""
    return attrs.evolve(picture, rights=(), timer_armed_against=None, timer_expires_at_ms=None, penalty_lamp=None)


def games(folder: Path) -> Iterator[LiveGame]:
    for seed in range(-(-KILLS // KILLS_PER_GAME)):
        yield LiveGame(seed, folder)


def test_killed_at_random_bytes_and_moments_it_has_the_game_that_was_cut_off(tmp_path: Path) -> None:
    killed = compared = 0
    for game in games(tmp_path):
        moments = sorted(game.rng.randrange(0, 200_000) for _ in range(KILLS_PER_GAME))
        for moment_ms in moments:
            while game.now_ms < moment_ms and not game.match.is_over:
                game.step()
            resumed, ruled = game.cut()
            killed += 1
            assert ruled == game.desk.rulings, "what was ruled is ruled again, and nothing else"
            assert not [r for r in resumed.rulings[len(ruled) :] if r.kind == "violation"]
            quiet = game.last_edge_ms < game.now_ms - UNSETTLED_MS
            if quiet and game.desk.snapshot().phase in ("to_move", "carrying", "mending"):
                assert resumed.session.link_is_up, "the board is as it was, so that nobody need be asked"
                assert state(resumed.snapshot()) == state(game.desk.snapshot())
                compared += 1
    assert killed >= KILLS
    assert compared > killed / 5


def test_the_comparison_finds_a_journal_that_was_synced_too_late(tmp_path: Path) -> None:
    """What the test above rests on can fail: a journal that keeps everything but the last second."""
    lost = 0
    for seed in range(4):
        game = LiveGame(seed, tmp_path)
        while game.now_ms < 60_000:
            game.step()
            done = [line for line in game.kept.data.splitlines(keepends=True) if b'"t": ' in line]
            if len(done) > 3 and game.desk.rulings and game.desk.rulings[-1].t_ms > game.now_ms - 400:
                game.kept.data = bytearray(b"".join(game.kept.data.splitlines(keepends=True)[:-1]))
                game.kept.write("", urgent=True)
                _, ruled = game.cut()
                lost += ruled != game.desk.rulings
                break
    assert lost


# -- a real process, really killed

PATIENCE_S = 60


def simulate(folder: Path) -> Sequence[str]:
    options = ("--auto", "--no-web", "--level", "3", "--seed", "5", "--clumsy", "0.1", "--speed", "150")
    return (sys.executable, "-m", "tamsk_pi", "simulate", *options, "--out", str(folder))


def wait_for_lines(path: Path, lines: int) -> None:
    until_s = time.monotonic() + PATIENCE_S
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        assert time.monotonic() < until_s, f"{path} does not get {lines} lines"
        time.sleep(0.01)


@pytest.mark.parametrize("lines", [60, 150])
def test_a_process_killed_with_sigkill_is_gone_on_with(tmp_path: Path, lines: int) -> None:
    path = tmp_path / f"simulate-5-1{SUFFIX}"
    child = subprocess.Popen(simulate(tmp_path), stdout=subprocess.DEVNULL)
    try:
        wait_for_lines(path, lines)
        os.kill(child.pid, signal.SIGKILL)
        assert child.wait(PATIENCE_S) == -signal.SIGKILL
    finally:
        child.kill()
        child.wait(PATIENCE_S)
    cut_off = find_cut_off(tmp_path)
    assert cut_off is not None
    settings = cut_off.session.settings
    game = AutoGame(attrs.evolve(settings, origin_ms=0), "5/1", 0.1)
    whole = play(game, rig_maker("matrix", diodes=True, say=print), lambda of: NoKeeper())
    assert len(cut_off.rulings) > 5
    assert cut_off.rulings == whole[: len(cut_off.rulings)], "as the game would have gone without the kill"

    board = FakeBoard()
    with path.open("rb") as stream:
        board.edges(*(record for record in TraceReader(stream, drop_torn_end=True) if isinstance(record, Edge)))
    before, ruled = cut_off.session.snapshot(), len(cut_off.rulings)
    board.alive_ms = 1_000_000
    desk, _ = go_on(cut_off, board, 1_000_000, "another run")
    desk.go_round(1_000_000)
    desk.accept_board(1_000_000)
    after = desk.snapshot()
    assert (after.rings, after.rings_left) == (before.rings, before.rings_left)
    # A move that was finished in the dark counts, and then it is the other side's turn.
    moves = sum(ruling.kind == "move" for ruling in desk.rulings[ruled:])
    assert moves <= 1
    assert (after.to_move == before.to_move) == (moves == 0)
    assert after.phase != "paused"
    desk.close(1_000_000)
    with path.open("rb") as stream:
        assert list(rulings_of(TraceReader(stream)))[: len(desk.rulings)] == desk.rulings, "it is one trace again"


PRINT_KILLS = int(os.environ.get("TAMSK_PRINT_KILLS", "5"))
"""How often a program is killed while it prints."""


def test_nothing_was_printed_that_is_not_kept(tmp_path: Path) -> None:
    """Keep first, tell then: whatever moment it is killed at, the file tells every ruling that was printed."""
    rng = random.Random(20)
    printed_in_all = 0
    for number in range(PRINT_KILLS):
        folder = tmp_path / str(number)
        options = ("--auto", "--no-web", "--json", "--level", "3", "--seed", str(number), "--clumsy", "0.2")
        command = (
            sys.executable,
            "-u",
            "-m",
            "tamsk_pi",
            "simulate",
            *options,
            "--speed",
            "3000",
            "--out",
            str(folder),
        )
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(rng.randint(3, 60))]
        os.kill(child.pid, signal.SIGKILL)
        lines += child.stdout.readlines()
        child.stdout.close()
        child.wait(PATIENCE_S)
        [path] = folder.glob(f"*{SUFFIX}")
        with path.open("rb") as stream:
            kept = [ruling.json_line() for ruling in rulings_of(TraceReader(stream, last_line="whole"))]
        whole = [line.decode().rstrip("\n") for line in lines if line.endswith(b"\n") and b'"ruling"' in line]
        assert whole == kept[: len(whole)], f"seed {number}: printed and not kept"
        printed_in_all += len(whole)
    assert printed_in_all >= 3 * PRINT_KILLS
