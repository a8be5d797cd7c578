"""`referee` where a game was cut off and nobody said what is to become of it: it waits, and decides nothing."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main
from tamsk_pi.journal import SUFFIX
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.trace import header_line, record_line

PATIENCE_S = 60
OF = Settings(level=1)
MOVE = (Edge(1_000, "socket", "D1", False), Edge(1_400, "socket", "D2", True), Edge(1_600, "button", "arbiter", False))


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "games" / f"2026-01-31T20-15-00-1-1{SUFFIX}"
    path.parent.mkdir()
    path.write_text(header_line(OF) + "".join(record_line(edge, OF) for edge in MOVE))
    return path


@pytest.fixture
def referee(tmp_path: Path, journal: Path) -> Iterator[subprocess.Popen[str]]:
    """The command as a service runs it, without a terminal, on mock pins."""
    config = tmp_path / "config"
    (config / "tamsk-pi").mkdir(parents=True)
    (config / "tamsk-pi" / "config.toml").write_text(f'[journal]\nfolder = "{journal.parent}"\n')
    program = subprocess.Popen(
        [
            sys.executable,
            "-u",
            "-m",
            "tamsk_pi",
            "referee",
            "--pin-factory",
            "mock",
            "--level",
            "1",
            "--language",
            "en",
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={"XDG_CONFIG_HOME": str(config), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
    )
    with program:
        yield program
        program.kill()


def test_without_a_terminal_it_waits_and_says_for_what(referee: subprocess.Popen[str], journal: Path) -> None:
    """It neither hangs nor decides silently."""
    assert referee.stdout is not None
    assert referee.stdout.readline() == f"{journal} is a game that was cut off.\n"
    told = ""
    while "A game was cut off." not in told:
        told = referee.stdout.readline()
        assert told, "it ended without a word"
    referee.send_signal(signal.SIGTERM)
    assert referee.wait(PATIENCE_S) == 0
    assert [path.name for path in journal.parent.iterdir()] == [journal.name]


def test_going_on_and_setting_aside_at_once_is_refused() -> None:
    done = CliRunner().invoke(main, ["play", "--resume", "--discard"])
    assert done.exit_code == 2
    assert done.stderr.endswith("--resume, --discard: choose one\n")
