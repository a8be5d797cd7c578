"""`tamsk-pi report`: files, standard output, formats, and one line for what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_pi.cli import main
from tests.report.games import CASES, case_lines

GAME = str(CASES / "game-level3-rulebook-6.trace.jsonl")


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["report", "--language", "en", *arguments], input=stdin)


@pytest.mark.parametrize(
    ("name", "begins"), [("a.html", "<!doctype html>"), ("a.HTM", "<!doctype"), ("a.svg", "<?xml")]
)
def test_the_ending_tells_what_to_write(tmp_path: Path, name: str, begins: str) -> None:
    done = run(GAME, "-o", str(tmp_path / name))
    assert (done.exit_code, done.output) == (0, "")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


def test_a_format_that_is_named_counts(tmp_path: Path) -> None:
    assert run(GAME, "-o", str(tmp_path / "a.html"), "--format", "svg").exit_code == 0
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("<?xml")


def test_from_standard_input_to_standard_output() -> None:
    done = run("-", "-o", "-", "--format", "svg", stdin=Path(GAME).read_text(encoding="utf-8"))
    assert done.exit_code == 0
    assert done.stdout.endswith("</svg>\n")
    assert done.stderr == ""
    assert run(GAME, "-o", "-").stdout.startswith("<!doctype html>")


def test_a_language_is_chosen(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["report", GAME, "-o", "-", "--language", "es"])
    assert 'lang="es"' in done.stdout


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("", "line 1: the trace is empty"),
        ("no trace\n", "line 1: not JSON"),
        ('{"format": "tamsk-trace", "version": 1, "level": 7}\n', "line 1: level is 7"),
    ],
)
def test_what_is_no_trace_is_told_in_one_line_and_nothing_is_written(tmp_path: Path, content: str, named: str) -> None:
    trace, output = tmp_path / "x.jsonl", tmp_path / "x.html"
    trace.write_text(content)
    done = run(str(trace), "-o", str(output))
    assert done.exit_code == 2
    assert done.output.count("\n") == 1
    assert done.output.startswith(f"tamsk-pi: {trace}: {named}")
    assert not output.exists()


def test_a_broken_trace_is_told_and_its_report_written(tmp_path: Path) -> None:
    trace, output = tmp_path / "x.jsonl", tmp_path / "x.html"
    lines = case_lines("game-level3-rulebook-6")
    trace.write_text("\n".join([*lines[:300], "?", *lines[300:]]) + "\n")
    done = run(str(trace), "-o", str(output))
    assert done.exit_code == 2
    assert done.output == f"tamsk-pi: {trace}: line 301: not JSON\n"
    assert "The trace is broken; what follows is left out: line 301: not JSON." in output.read_text(encoding="utf-8")


def test_a_torn_trace_is_told_and_its_report_written(tmp_path: Path) -> None:
    trace, output = tmp_path / "x.jsonl", tmp_path / "x.html"
    trace.write_text("\n".join(case_lines("game-level3-rulebook-6")[:300]) + '\n{"t": 99')
    done = run(str(trace), "-o", str(output))
    assert done.exit_code == 0
    assert done.output == f"tamsk-pi: {trace}: the last line was cut short and is left out\n"
    assert "The last line of the trace was cut short" in output.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "status", "named"),
    [
        ((GAME,), 2, "-o"),
        ((GAME, "-o", "game.pdf"), 2, "game.pdf: what to write is told by a name that ends in .html or .svg"),
        ((GAME, "-o", "game"), 2, "--format html|svg"),
        ((GAME, "-o", "a.svg", "--format", "pdf"), 2, "--format"),
        ((GAME, "-o", "a.svg", "--language", "fr"), 2, "--language"),
        (("nowhere.jsonl", "-o", "a.svg"), 2, "nowhere.jsonl: No such file or directory"),
        ((str(CASES), "-o", "a.svg"), 2, "Is a directory"),
        ((GAME, "-o", "/nowhere/a.svg"), 1, "/nowhere/a.svg: No such file or directory"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    arguments: tuple[str, ...], status: int, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert done.exit_code == status
    assert done.output.count("\n") == 1
    assert named in done.output
    assert not list(tmp_path.iterdir())
