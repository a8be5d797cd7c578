"""`tamsk-pi match` and `tamsk-pi engine` as programs: good engines, and wrong, dead and silent ones."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tamsk_pi.engine_match.by_uti import UtiPlayer
from tamsk_pi.engine_match.figures import Score, elo_of, elo_text
from tamsk_pi.engine_match.players import EngineHere, Greedy
from tamsk_pi.engine_match.refereed import RefereedGame
from tamsk_pi.sensing.settings import Settings

OURS = shlex.join([sys.executable, "-m", "tamsk_pi", "engine", "--strength", "2"])

ENGINE = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "uti": print("utiok", flush=True)
    if word == "isready": print("readyok", flush=True)
    if word == "go": {go}
"""


def engine(tmp_path: Path, go: str) -> str:
    """The command of an engine that does this when it is to think."""
    path = tmp_path / "engine.py"
    path.write_text(ENGINE.format(go=go), encoding="utf-8")
    return shlex.join([sys.executable, str(path)])


def match(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tamsk_pi", "match", *arguments],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )


@pytest.mark.parametrize(
    ("go", "why"),
    [
        ("print('bestmove D1-D3', flush=True)", "it asked for D1-D3"),
        ("print('bestmove pass', flush=True)", "answered pass"),
        ("print('bestmove', flush=True)", "0 turns"),
        ("print('bestmove A1-A2', flush=True)", "none of its glasses"),
        ("sys.exit(3)", "ended with status 3"),
    ],
)
def test_a_bad_engine_loses_its_games_in_one_line_and_nothing_else(tmp_path: Path, go: str, why: str) -> None:
    done = match(OURS, engine(tmp_path, go), "--games", "2", "--opening", "0", "--json")
    assert done.returncode == 1, done.stderr
    first, second, total = (json.loads(line) for line in done.stdout.splitlines())
    for game in (first, second):
        assert game["reason"] == "failed"
        assert why in game["fault"]
        assert "\n" not in game["fault"]
        assert game["winner"] == game["first"]
    assert total["won"] == 2


def test_a_slow_engine_loses(tmp_path: Path) -> None:
    player = UtiPlayer(engine(tmp_path, "pass"), "movetime 1", 0.5)
    player.new_game(1)
    sides = {"red": player, "black": EngineHere(1)}
    outcome = RefereedGame(sides, Settings(level=1)).play()  # type: ignore[arg-type]
    player.close()
    assert (outcome.winner, outcome.reason) == ("black", "failed")
    assert "no bestmove within 0.5 s" in outcome.fault


def test_a_command_that_is_none_loses() -> None:
    done = match("/no/such/engine", OURS, "--games", "1")
    assert done.returncode == 1
    assert "cannot be started" in done.stdout


def test_a_match_of_two_engines_is_played_and_summed_up() -> None:
    done = match(OURS, OURS, "--games", "2", "--level", "3", "--nodes", "60", "--json")
    assert done.returncode == 0, done.stderr
    *games, total = (json.loads(line) for line in done.stdout.splitlines())
    assert [game["first"] for game in games] == ["red", "black"]
    assert all(not game["violations"] and not game["fault"] for game in games)
    assert games[0]["turns"][:4] == games[1]["turns"][:4]
    assert total["won"] + total["lost"] + total["drawn"] == 2


def test_both_limits_at_once_are_refused() -> None:
    done = match(OURS, OURS, "--movetime", "5", "--nodes", "5")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_games_here_end_without_a_violation(level: int) -> None:
    for number in range(4):
        game = RefereedGame(
            {"red": EngineHere(4, seed=number), "black": Greedy(seed=number)}, Settings(level=level), opening=3,
            seed=number,
        )  # fmt: skip
        outcome = game.play()
        assert outcome.reason not in ("failed", "too long")
        assert not list(game.violations())
        assert not outcome.forfeits


def test_elo_is_what_the_points_say() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(0.75) == pytest.approx(190.8, abs=0.1)
    assert elo_of(1.0) is None
    score = Score(won=150, lost=40, drawn=10)
    assert score.share == pytest.approx(0.775)
    assert score.share_error == pytest.approx(0.0562, abs=0.001)
    assert elo_text(score).startswith("+215 ±")
    assert elo_text(Score(won=3)) == "more than can be told"


def test_the_engine_takes_little_memory() -> None:
    """60 MB, with the tables full: asked of the system at the end.

    Not by `getrusage`: its peak outlives exec, and so counts the pages of whatever large process started this one.
    """
    script = (
        "import re,pathlib;from tamsk_pi.engine.think import *;from tamsk_pi.engine.situation import *;"
        "from tamsk_pi.rules.position import Position;"
        "best_thought(Situation(position=Position.start()),Limits(nodes=600000));"
        "print(re.search(r'VmHWM:\\s*(\\d+) kB',pathlib.Path('/proc/self/status').read_text())[1])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=280)
    assert int(done.stdout) <= 60 * 1024
