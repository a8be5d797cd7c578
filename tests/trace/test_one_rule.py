"""One rule for all readers: what a command reads of a file that was cut short or edited, every other reads too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main
from tamsk_pi.trace import TORN
from tamsk_pi.web.film import film_of
from tamsk_pi.web.games import FolderGames

TRACE = (Path(__file__).parents[1] / "cases" / "game-level2-rulebook-1.trace.jsonl").read_bytes()
LINES = TRACE.splitlines(keepends=True)

COMMANDS = {
    "replay": ("replay", "--json"),
    "replay --record": ("replay", "--record"),
    "explain": ("explain", "--json"),
    "report": ("report", "--format", "html", "--output", "-"),
}

HARMLESS: dict[str, Callable[[bytes], bytes]] = {
    "blank lines at the end": lambda trace: trace + b"\n  \r\n\n",
    "a blank line without its newline": lambda trace: trace + b"  ",
    "a byte-order mark": lambda trace: b"\xef\xbb\xbf" + trace,
    "CRLF": lambda trace: trace.replace(b"\n", b"\r\n"),
    "CRLF, byte-order mark and blank line": lambda t: b"\xef\xbb\xbf" + t.replace(b"\n", b"\r\n") + b"\r\n",
    "no newline at the end": lambda trace: trace.rstrip(b"\n"),
}


def told(command: str, path: Path) -> tuple[int, str, str]:
    """Status, standard output and standard error."""
    arguments = [*COMMANDS[command], str(path)]
    result = CliRunner().invoke(main, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.trace.jsonl"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("what", HARMLESS)
def test_what_an_editor_leaves_changes_nothing(path: Path, command: str, what: str) -> None:
    path.write_bytes(TRACE)
    whole = told(command, path)
    path.write_bytes(HARMLESS[what](TRACE))
    assert whole[0] == 0
    assert told(command, path) == whole


@pytest.mark.parametrize("command", COMMANDS)
def test_a_torn_last_line_is_left_out_and_told(path: Path, command: str) -> None:
    path.write_bytes(b"".join(LINES[:-3]))
    status, out, err = told(command, path)
    assert (status, err) == (0, "")
    path.write_bytes(b"".join(LINES[:-3]) + LINES[-3][:11])
    torn_status, torn_out, torn_err = told(command, path)
    assert (torn_status, torn_err) == (0, f"tamsk-pi: {path}: {TORN}\n")
    if command != "report":
        # The report's sheet says so too.
        assert torn_out == out


@pytest.mark.parametrize("command", COMMANDS)
def test_a_blank_line_within_is_named(path: Path, command: str) -> None:
    path.write_bytes(b"".join([*LINES[:5], b"\n", *LINES[5:]]))
    status, _, err = told(command, path)
    assert status == 2
    assert "line 6: not JSON: a blank line may stand at the end only" in err


@pytest.mark.parametrize("what", HARMLESS)
def test_the_page_reads_the_same(path: Path, what: str) -> None:
    path.write_bytes(HARMLESS[what](TRACE))
    (game,) = FolderGames(path.parent).listed()
    assert game.level == 2
    film = film_of(path.read_bytes(), drop_torn_end=True)
    path.write_bytes(TRACE)
    assert json.dumps(film) == json.dumps(film_of(path.read_bytes()))
