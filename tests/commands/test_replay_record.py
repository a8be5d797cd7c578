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
    """Two moves of one side, the second with a glass that was in hand already: it closes the right of the first."""
    result = CliRunner().invoke(command, ["--record", str(_trace(tmp_path))])
    assert result.exit_code == 0, result.output
    assert "D1-D2~ " in result.output
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


# -- after the arbiter's corrections

STACK = {"format": "tamsk-trace", "version": 1, "level": 1, "rings": "stack", "tolerance_ms": 0}
MOVED = (
    {"t": 500, "socket": "D1", "closed": False},
    {"t": 1000, "socket": "D2", "closed": True},
    {"t": 2000, "ring": "D2", "count": 1},
)
WRONG = ({"t": 500, "socket": "D1", "closed": False}, {"t": 1000, "socket": "D4", "closed": True})


def _record_of(folder: Path, *lines: dict[str, object]) -> tuple[int, str]:
    path = folder / "game.trace.jsonl"
    end = {"t": 20_000, "end": True}
    path.write_text("".join(f"{json.dumps(line)}\n" for line in (STACK, *lines, end)), encoding="utf-8")
    result = CliRunner().invoke(command, ["--record", str(path)])
    return result.exit_code, result.output.removeprefix(f"tamsk-pi: {path}: ")


def test_a_ring_that_the_arbiter_took_away_is_not_in_the_record(tmp_path: Path) -> None:
    status, told = _record_of(
        tmp_path, *MOVED, {"t": 5000, "arbiter": "rings", "socket": "D2", "count": 0, "side": "red"}
    )
    assert status == 0
    assert "1. D1-D2~ " in told


def test_rings_that_no_move_tells_of_leave_no_record(tmp_path: Path) -> None:
    given = {"t": 5000, "arbiter": "rings", "socket": "C3", "count": 2, "side": "red"}
    status, told = _record_of(tmp_path, *MOVED, given)
    assert status == 1
    assert told.startswith("this game cannot be written as a record: it was corrected, or not seen whole")
    assert told.count("\n") == 1


def test_a_glass_accepted_where_no_move_brought_it_leaves_no_record(tmp_path: Path) -> None:
    status, told = _record_of(tmp_path, *WRONG, {"t": 5000, "arbiter": "accept"})
    assert status == 1
    assert "(D1, D4)" in told


def test_words_by_which_a_move_is_made_are_in_the_record(tmp_path: Path) -> None:
    status, told = _record_of(tmp_path, *WRONG, {"t": 5000, "arbiter": "annul"})
    assert (status, "1. D1-D4~ " in told) == (0, True)
    placed = {"t": 5000, "arbiter": "place", "glass": "B2", "socket": "D6", "turned": False}
    status, told = _record_of(tmp_path, *MOVED, placed)
    assert (status, "D7-D6~ " in told) == (0, True)


def test_a_move_to_be_put_back_is_none_yet(tmp_path: Path) -> None:
    """A violation that is still open: the record tells the position by the rules."""
    status, told = _record_of(tmp_path, *WRONG)
    assert (status, "1." in told) == (0, False)
