"""What is printed goes to whoever reads it: one who stops reading early, a full disk, or nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main

CASES = Path(__file__).parents[1] / "cases"
GAME = str(CASES / "game-level3-rulebook-6.trace.jsonl")
SHORT = str(CASES / "turned-too-late.trace.jsonl")
PRINTING = [
    ("replay", GAME),
    ("replay", "--json", GAME),
    ("replay", "--record", GAME),
    ("explain", GAME),
    ("report", GAME, "-o", "-"),
    ("perft", "--depth", "2", "--divide"),
    ("config", "show"),
    ("--help",),
]
RUN = [sys.executable, "-m", "tamsk_pi"]
names = pytest.mark.parametrize("arguments", PRINTING, ids=lambda arguments: " ".join(arguments[:2])[:20])


@names
def test_a_reader_that_stops_early_ends_it_without_a_word(arguments: tuple[str, ...]) -> None:
    """With the status of one who has read it all: where a text fits into the pipe nobody can tell."""
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*RUN, *arguments], stdout=write, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


@names
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is not there")
def test_a_full_disk_under_the_output_is_told_in_one_line(arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*RUN, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert (done.returncode, done.stderr) == (1, "tamsk-pi: No space left on device\n")


def test_without_standard_input_or_output_there_is_no_traceback() -> None:
    closed = ["sh", "-c", '"$@" <&- >&-', "sh", *RUN]
    written = subprocess.run([*closed, "report", GAME, "-o", "-"], stderr=subprocess.PIPE, timeout=60, check=False)
    assert (written.returncode, written.stderr) == (0, b"")
    asked = subprocess.run([*closed, "replay", "-"], stderr=subprocess.PIPE, timeout=60, check=False)
    assert (asked.returncode, asked.stderr) == (2, b"tamsk-pi: -: standard input is closed\n")


def test_a_trace_that_is_none_keeps_no_other_from_being_judged(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone.jsonl")
    done = CliRunner().invoke(main, ["replay", "--json", SHORT, gone, SHORT])
    assert done.exit_code == 2
    assert done.stderr == f"tamsk-pi: {gone}: No such file or directory\n"
    assert done.stdout.count('"code": "not_flipped"') == 2
