"""Ctrl-C in what works for long: what was done is told, and the status is one that no verdict has."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main
from tamsk_pi.commands.interrupting import INTERRUPTED, interruptible
from tamsk_pi.rules.perft import by_first_move
from tamsk_pi.rules.position import Position
from tamsk_pi.trace import TraceReader

GAME = Path(__file__).parents[1] / "cases" / "game-level3-rulebook-6.trace.jsonl"
RUN = [sys.executable, "-m", "tamsk_pi"]


@contextmanager
def running(*arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """The command, which reads what it is sent and is gone afterwards."""
    process = subprocess.Popen(
        [*RUN, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LANGUAGE": "en", **environment},
        # Who runs the tests in the background of a script has had it ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def interrupted(process: subprocess.Popen[str]) -> tuple[str, str]:
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=60)


def test_perft_tells_the_first_moves_that_are_counted() -> None:
    with running("perft", "--depth", "9", "--divide") as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        out, err = interrupted(process)
    assert ": " in first
    assert "total" not in out
    counted = int(first.split(": ")[1]) + sum(int(line.split(": ")[1]) for line in out.splitlines())
    moves = 1 + len(out.splitlines())
    assert err == f"tamsk-pi: interrupted: {moves} first moves are counted, with {counted} sequences\n"
    assert process.returncode == INTERRUPTED


def test_a_count_that_was_interrupted_prints_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted_until_interrupted(position: Position, depth: int) -> Iterator[tuple[str, int]]:
        yield from itertools.islice(by_first_move(position, depth), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr("tamsk_pi.commands.perft.by_first_move", counted_until_interrupted)
    done = CliRunner().invoke(main, ["perft", "--depth", "2"], env={"LANGUAGE": "en"})
    assert (done.stdout, done.exit_code) == ("", INTERRUPTED)
    assert done.stderr == "tamsk-pi: interrupted: 2 first moves are counted, with 18 sequences\n"


@pytest.mark.parametrize("as_json", [False, True])
def test_a_game_that_plays_itself_keeps_what_was_played(as_json: bool, tmp_path: Path) -> None:
    options = ["--auto", "--speed", "50", "--games", "3", "--out", str(tmp_path), *(["--json"] if as_json else [])]
    with running("simulate", *options) as process:
        assert process.stdout is not None
        for _ in range(5):
            assert process.stdout.readline()
        out, err = interrupted(process)
    assert (err, process.returncode) == ("", INTERRUPTED)
    (path,) = tmp_path.iterdir()
    last = out.splitlines()[-1]
    if as_json:
        assert json.loads(last) == {"trace": str(path), "interrupted": True}
    else:
        assert last == f"Interrupted in game 1 of 3; what was played of it is in {path}."
    with path.open("rb") as stream:
        assert len(list(TraceReader(stream))) > 5


def test_reading_what_still_comes_is_left_without_a_word() -> None:
    with running("replay", "-") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.writelines(GAME.read_text(encoding="utf-8").splitlines(keepends=True)[:200])
        process.stdin.flush()
        assert process.stdout.readline()
        _, err = interrupted(process)
    assert (err, process.returncode) == ("", INTERRUPTED)


def test_a_second_interruption_ends_the_telling() -> None:
    def tell() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), interruptible(tell):
        raise KeyboardInterrupt
