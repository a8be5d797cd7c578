"""`tamsk-pi simulate`: where the traces are, what is told when they cannot be kept, and that it runs without a page."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_pi.cli import main
from tests.programs import Program


def simulate(*arguments: str) -> Result:
    fast = ["simulate", "--auto", "--no-web", "--level", "1", "--speed", "100000", "--language", "en"]
    return CliRunner().invoke(main, [*fast, *arguments])


def test_the_trace_is_where_it_is_said_to_be(tmp_path: Path) -> None:
    done = simulate("--seed", "3", "--out", str(tmp_path / "new" / "folder"))
    path = tmp_path / "new" / "folder" / "simulate-3-1.trace.jsonl"
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith(f"The trace is in {path}.\n")
    assert path.read_text().endswith('"end": true}\n')


def test_a_folder_that_cannot_be_made_is_told_before_the_game(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "folder"
    done = simulate("--out", str(folder))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == f"tamsk-pi: {folder}: Not a directory\n"


def test_a_trace_that_was_not_kept_is_not_said_to_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, beginning: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tamsk_pi.journal._create", full)
    done = simulate("--out", str(tmp_path))
    path = tmp_path / "simulate-1-1.trace.jsonl"
    assert done.exit_code == 1
    assert "The trace is in" not in done.stdout
    assert done.stderr == f"tamsk-pi: {path}: the game is not being kept: No space left on device\n"


@pytest.mark.parametrize("option", ["--speed", "--clumsy"])
def test_nan_is_no_number(option: str) -> None:
    done = simulate(option, "nan")
    assert done.exit_code == 2
    assert done.stderr == f"Error: Invalid value for '{option}': nan is no number.\n"


def test_without_a_page_it_says_that_it_runs_and_how_to_end_it(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "tamsk_pi", "simulate", "--no-web", "--language", "en", "--out", str(tmp_path)]
    with Program(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "The board has no page (Ctrl-C ends).\n"
        program.send_signal(signal.SIGINT)
        assert program.communicate(timeout=30) == ("", "")
    assert program.returncode == 0


@pytest.mark.parametrize("given", [["--speed", "2"], ["--clumsy", "0.1"], ["--games", "3"], ["--json"]])
def test_what_only_a_game_that_plays_itself_can_use_is_refused_without_auto(given: list[str]) -> None:
    done = CliRunner().invoke(main, ["simulate", "--no-web", *given])
    assert done.exit_code == 2
    assert done.stderr.endswith(f"{given[0]}: only with --auto\n")


def test_a_folder_that_cannot_be_made_keeps_nothing_and_all_is_judged(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder = tmp_path / "file" / "folder"
    run = [sys.executable, "-m", "tamsk_pi", "simulate", "--no-web", "--language", "en", "--out", str(folder)]
    with Program(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "The board has no page (Ctrl-C ends).\n"
        program.send_signal(signal.SIGINT)
        _, told = program.communicate(timeout=60)
    assert program.returncode == 0
    assert told.splitlines()[0] == (
        f"tamsk-pi: {folder}: Not a directory: nothing is kept of these games; everything is judged all the same."
    )


def test_the_game_begins_at_level_1() -> None:
    done = CliRunner().invoke(main, ["simulate", "--help"])
    assert "[default: 1;" in " ".join(done.stdout.split("--level")[1].split("--rules")[0].split())


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--position", "x"], "column A: 'x' (allowed: digits, r and b)"),
        (["--position", "0/0 r 32 32"], "must be 7"),
        (["--position", "0b000r/00000/000000/0r000000b/000000/00000/0b000r r 32 32", "--auto"], "not with --auto"),
        (
            ["--position", "0b000r/00000/000000/0r000000b/000000/00000/0b000r r 32 32", "--setup", "free"],
            "not with --setup free",
        ),
        (["--position", "0000/00000/000000/0000000/000000/00000/0000 r 32 32 free"], "all six glasses"),
    ],
)
def test_a_position_that_cannot_be_begun_from_is_refused(given: list[str], told: str) -> None:
    done = CliRunner().invoke(main, ["simulate", "--no-web", *given])
    assert done.exit_code == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
