"""`tamsk-pi analyse`: what each move of a kept game was worth."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main
from tamsk_pi.coach.analysis import analyse
from tamsk_pi.rules.board import PLAYERS
from tamsk_pi.sim.match import Match
from tamsk_pi.trace import TraceReader, record_line


@pytest.fixture(scope="module")
def trace() -> bytes:
    match = Match(12, level=2)
    match.play()
    settings = match.session.settings
    lines = [json.dumps(match.header) + "\n", *(record_line(edge, settings) for edge in match.edges)]
    return "".join(lines).encode()


def test_every_move_is_judged_and_none_beats_the_best(trace: bytes) -> None:
    told: list[int] = []
    found = analyse(TraceReader(BytesIO(trace)), 150, told.append)
    assert len(found.moves) + found.unjudged >= 40
    assert found.unjudged <= 2
    assert told == list(range(1, len(found.moves) + 1))
    for move in found.moves:
        assert move.lost >= 0
        assert (move.better is None) == (move.lost == 0)
        sign = 1 if move.player == "red" else -1
        assert sign * (move.best_score - move.score) == move.lost
        assert move.line
    assert all(glass.cost >= 0 for glass in found.glasses)


def test_the_worst_moves_are_the_dearest(trace: bytes) -> None:
    found = analyse(TraceReader(BytesIO(trace)), 150)
    for side in PLAYERS:
        worst = found.worst(side)
        assert len(worst) == 3
        dearest = sorted((m.lost for m in found.moves if m.player == side), reverse=True)[:3]
        assert [move.lost for move in worst] == dearest


def test_it_is_the_same_every_time(trace: bytes) -> None:
    assert analyse(TraceReader(BytesIO(trace)), 100) == analyse(TraceReader(BytesIO(trace)), 100)


def test_the_command_prints_a_table_and_json(trace: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.trace.jsonl"
    path.write_bytes(trace)
    table = CliRunner().invoke(main, ["analyse", "--nodes", "60", str(path)])
    assert table.exit_code == 0
    assert "worst moves" in table.output
    as_json = CliRunner().invoke(main, ["analyse", "--json", "--nodes", "60", str(path)])
    *moves, game = (json.loads(line) for line in as_json.stdout.splitlines())
    assert [move["number"] for move in moves] == list(range(1, len(moves) + 1))
    assert set(game) == {"glasses", "worst", "unjudged"}


@pytest.mark.parametrize("text", ["", "no trace\n"])
def test_what_is_no_trace_is_told_in_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bad"
    path.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["analyse", str(path)])
    assert done.exit_code == 2
    assert done.stderr.startswith(f"tamsk-pi: {path}: ")
    assert done.stderr.count("\n") == 1
