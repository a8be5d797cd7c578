"""`tamsk-pi explain`: which rulings are chosen, in words and as JSON, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_pi.cli import main

TRACE = """\
{"format": "tamsk-trace", "version": 1, "level": 1}
{"t": 1000, "socket": "D1", "closed": false}
{"t": 1600, "socket": "D3", "closed": true}
{"t": 3000, "ring": "D4", "count": 1}
{"t": 9000, "end": true}
"""


@pytest.fixture
def trace(tmp_path: Path) -> str:
    path = tmp_path / "game.trace.jsonl"
    path.write_text(TRACE)
    return str(path)


def explain(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["explain", "--language", "en", *arguments], input=text)


def chosen(*arguments: str) -> list[tuple[int, str]]:
    result = explain("--json", *arguments)
    assert result.exit_code == 0, result.output
    told = [json.loads(line) for line in result.stdout.splitlines()]
    return [(one["ruling"]["t"], one["ruling"].get("code", one["ruling"]["ruling"])) for one in told]


@pytest.mark.parametrize(
    ("arguments", "rulings"),
    [
        ((), [(3_000, "ring_not_due")]),
        (("--last",), [(3_000, "ring_not_due")]),
        (("--ruling", "1"), [(0, "ready")]),
        (("--ruling", "3"), [(1_600, "not_adjacent")]),
        (("--at", "2999"), [(1_600, "not_adjacent")]),
        (("--at", "0"), [(0, "ready"), (0, "started")]),
        (("--violations",), [(1_600, "not_adjacent"), (3_000, "ring_not_due")]),
    ],
)
def test_which_rulings_are_explained(trace: str, arguments: tuple[str, ...], rulings: list[tuple[int, str]]) -> None:
    assert chosen(*arguments, trace) == rulings


def test_an_explanation_in_words(trace: str) -> None:
    result = explain("--ruling", "3", trace)
    assert result.exit_code == 0
    lines = [line.strip() for line in result.stdout.splitlines()]
    assert lines[0].startswith("00:01.600  The middle red hourglass (R2) was placed on D3, which does not touch D1.")
    assert "00:01.000  D1 opens" in lines
    assert "00:01.600  D3 closes" in lines
    assert 'rules.md, "Violations"; The rules of TAMSK, by Kris Burm' in lines
    assert "The middle red hourglass (R2): not moved yet" in lines
    assert lines[-1] == "Red was to move."


def test_a_trace_on_standard_input() -> None:
    assert "No ring is due on D4" in explain("-", text=TRACE).stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--ruling", "9"), "there is no such ruling; the trace gives 4"),
        (("--last", "--violations"), "--last, --violations: choose one"),
        (("--at", "-5"), "-5 is not in the range"),
    ],
)
def test_what_is_refused_in_one_line(trace: str, arguments: tuple[str, ...], told: str) -> None:
    result = explain(*arguments, trace)
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Traceback" not in result.output


def test_what_is_no_trace_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(TRACE.replace('"closed": true', '"closed": 7'))
    result = explain(str(path))
    assert result.exit_code == 2
    assert "line 3: closed is 7" in result.stderr
    missing = explain(str(tmp_path / "none"))
    assert missing.exit_code == 2
    assert "No such file" in missing.stderr


def test_a_trace_without_violations_has_none_to_explain(tmp_path: Path) -> None:
    path = tmp_path / "clean.jsonl"
    path.write_text(TRACE.splitlines(keepends=True)[0])
    result = explain("--violations", str(path))
    assert (result.exit_code, result.stdout) == (0, "")
