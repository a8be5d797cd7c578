"""Nothing that is printed may raise: whatever the locale's encoding lacks, whatever becomes of the terminal."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tamsk_pi.signals.remarks import SYSTEM_ERRORS, remark
from tamsk_pi.terminal import lasting_echo

RUN = [sys.executable, "-m", "tamsk_pi"]
GAME = Path(__file__).parents[1] / "cases" / "game-level3-rulebook-6.trace.jsonl"
NAMES = {"red": "Иван", "black": "Zoë 🎲"}
ENCODINGS = ("ascii", "latin-1", "cp437", "utf-8")


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """A game between people whose names no old encoding can spell; nor can it the file's own name."""
    header, *lines = GAME.read_text(encoding="utf-8").splitlines()
    path = tmp_path / "партия.trace.jsonl"
    path.write_text("\n".join([json.dumps({**json.loads(header), **NAMES}), *lines, ""]), encoding="utf-8")
    return path


def run(*arguments: str | Path, encoding: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    told = {**os.environ, "LANGUAGE": "en", "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", **environment}
    return subprocess.run([*RUN, *map(str, arguments)], env=told, capture_output=True, timeout=120, check=False)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(
    "command",
    ["replay", "replay --record", "replay --json", "explain", "explain --json", "report -o - --format svg"],
)
def test_every_teller_ends_well(command: str, encoding: str, named: Path) -> None:
    done = run(*command.split(), named, encoding=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_keeps_what_it_holds(encoding: str, named: Path) -> None:
    done = run("replay", "--json", named, named, encoding=encoding)
    first = json.loads(done.stdout.decode("utf-8" if encoding == "ascii" else encoding).splitlines()[0])
    assert first == {"trace": str(named)}


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
def test_a_file_whose_name_is_no_text_can_be_judged(encoding: str, tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\xfe.jsonl"
    with open(path, "wb") as stream:
        stream.write(GAME.read_bytes())
    told = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run([*RUN, "replay", path, path], env=told, capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\udcff\udcfe.jsonl" in done.stdout


@pytest.mark.parametrize("language", ["de", "es"])
def test_help_and_errors_are_spelled_as_far_as_they_can_be(language: str) -> None:
    for words in (("--help",), ("simulate", "--help"), ("replay", "--nonsense", "x"), ("config", "show")):
        done = run(*words, encoding="latin-1", LANGUAGE=language)
        assert b"Traceback" not in done.stderr
        assert done.returncode == (2 if "--nonsense" in words else 0)


def test_a_terminal_that_went_is_told_of_once_and_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Terminal(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    say = lasting_echo()
    monkeypatch.setattr(sys, "stdout", Terminal())
    say("lost")
    say("lost as well")
    monkeypatch.undo()
    say("heard again")
    assert [record.getMessage() for record in caplog.records] == [
        "what is told cannot be printed: [Errno 5] Input/output error"
    ]


@pytest.mark.parametrize("language", ["de", "es"])
def test_what_the_system_says_is_translated(language: str, tmp_path: Path) -> None:
    gone = tmp_path / "gone.jsonl"
    done = run("replay", gone, encoding="utf-8", LANGUAGE=language)
    wanted = {"de": "Datei oder Verzeichnis nicht gefunden", "es": "No existe el archivo o el directorio"}[language]
    assert done.stderr.decode() == f"tamsk-pi: {gone}: {wanted}\n"


def test_the_errors_that_are_known_are_the_systems() -> None:
    assert {number: os.strerror(number) for number in SYSTEM_ERRORS} == SYSTEM_ERRORS
    assert not [text for text in SYSTEM_ERRORS.values() for of in ("de", "es") if remark(text, of) == text]
