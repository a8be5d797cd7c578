"""Whole games on the virtual board whose glasses have radio caps: played by itself, with the firmware and its model."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main

PLAY = ["simulate", "--board", "bridge", "--auto", "--level", "2", "--seed", "4", "--speed", "100000"]


def played(tmp_path: Path, *more: str) -> list[str]:
    done = CliRunner().invoke(main, [*PLAY, "--out", str(tmp_path), *more])
    assert done.exit_code == 0, done.output
    return done.output.splitlines()


@pytest.mark.firmware
@pytest.mark.timeout(3_600)
def test_a_game_with_caps_is_played_to_its_end_without_a_false_violation(tmp_path: Path) -> None:
    told = played(tmp_path, "--caps")
    assert any("wins" in line or "draw" in line.lower() for line in told), told[-5:]
    assert not any("turned over" in line for line in told)


def test_caps_without_a_bridge_are_refused() -> None:
    done = CliRunner().invoke(main, ["simulate", "--auto", "--caps"])
    assert done.exit_code == 2
    assert "--caps goes with --board bridge" in done.output
