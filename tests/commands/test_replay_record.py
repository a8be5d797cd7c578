"""`tamsk-pi replay --record`: also games that the arbiter has led astray, and one that no notation has a form for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.commands.replay import command
from tamsk_pi.rules import record

HEADER = {"format": "tamsk-trace", "version": 1, "level": 2, "rings": "buttons", "tolerance_ms": 0}


def _trace(folder: Path) -> Path:
    lines = [
        HEADER,
        {"t": 500, "socket": "A4", "closed": False},
        {"t": 600, "socket": "D1", "closed": False},
        {"t": 800, "tilt": "R2", "up": "b"},
        {"t": 1000, "socket": "D2", "closed": True},
        {"t": 1600, "arbiter": "turn", "side": "red"},
        {"t": 1700, "tilt": "R1", "up": "b"},
        {"t": 1800, "socket": "A3", "closed": True},
        {"t": 2500, "button": "red", "down": True},
        {"t": 2600, "button": "red", "down": False},
        {"t": 2900, "button": "red", "down": True},
        {"t": 3000, "button": "red", "down": False},
        {"t": 9000, "end": True},
    ]
    path = folder / "game.trace.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def test_a_ring_is_written_to_the_move_that_gave_the_right(tmp_path: Path) -> None:
    """Two moves of one side, the second with a glass that was in hand already: both rings may still be dropped."""
    result = CliRunner().invoke(command, ["--record", str(_trace(tmp_path))])
    assert result.exit_code == 0, result.output
    assert "D1-D2 " in result.output
    assert "A4-A3x " in result.output


def test_what_cannot_be_written_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> record.Record:
        raise record.RecordError("ring at 5 ms: no move of red has a ring due at D3")

    monkeypatch.setattr("tamsk_pi.commands.replay.build_record", refuse)
    path = _trace(tmp_path)
    result = CliRunner().invoke(command, ["--record", str(path)])
    assert result.exit_code == 1
    assert result.output == (
        f"tamsk-pi: {path}: this game cannot be written as a record: "
        "ring at 5 ms: no move of red has a ring due at D3\n"
    )
