"""Every code that a calibration can say has its words, and there are no words for what is never said."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import tamsk_pi.calibrate
from tamsk_pi.calibrate.saying import Finding, Say
from tamsk_pi.signals.calibration import FOUND, REMEDIES, REPORT, STEPS, CalibrationWords
from tamsk_pi.signals.language import LANGUAGES
from tests.calibrate.bench import found, matrix_board

PACKAGE = Path(tamsk_pi.calibrate.__file__).parent


def texts_in(*names: str) -> set[str]:
    """Every text in some files of the package."""
    trees = [ast.parse((PACKAGE / name).read_text(encoding="utf-8")) for name in names]
    return {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def first_texts_of_calls(file: str, *callees: str) -> set[str]:
    """The codes in calls of these functions."""
    tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [node for node in calls if getattr(node.func, "id", getattr(node.func, "attr", "")) in callees]
    return {
        inner.value
        for node in named
        if node.args
        for inner in ast.walk(node.args[0])
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
    }


@pytest.mark.parametrize("file", ["sockets.py", "glasses.py"])
def test_everything_said_has_words(file: str) -> None:
    said = first_texts_of_calls(file, "ask", "good", "bad", "note", "_put_question")
    assert said
    assert said <= set(STEPS)


def test_every_finding_has_words_and_a_remedy() -> None:
    codes = first_texts_of_calls("glasses.py", "Finding") | first_texts_of_calls(
        "socket_report.py", "Finding", "_stops"
    )
    assert {"dead", "glass_wanders"} <= codes
    assert {code for code in codes if not code.endswith("_")} <= set(FOUND)
    assert set(FOUND) == set(REMEDIES)


def test_no_words_wait_for_what_is_never_said() -> None:
    written = texts_in("sockets.py", "glasses.py", "socket_report.py")
    made = {"place_a_up", "place_b_up", "dead_row", "dead_column"}  # put together where they are said
    assert set(STEPS) | set(FOUND) <= written | made


@pytest.mark.parametrize("language", LANGUAGES)
def test_whole_calibrations_are_told_without_a_blank_left_open(language: str) -> None:
    words = CalibrationWords(language)  # type: ignore[arg-type]
    said: list[Say] = []
    findings: list[Finding] = []
    for faults in (
        ["columns@B+F", "weak@socket:G1"],
        ["stuck-open@socket:D4", "strong-magnet@D2+D3"],
        ["noisy@socket:A1"],
    ):
        board = matrix_board(*faults)
        findings += found(board.sockets()).findings
        said += board.said
    board = matrix_board("wandering@R2")
    board.glasses(glasses=["R2", "B1", "N"])
    said += board.said
    told = [words.step(one.code, one.blanks) for one in said]
    told += [text for one in findings for text in words.found(one.code, one.names, one.blanks)]
    assert len({one.code for one in findings}) == 5
    assert all(text and "{" not in text and "\n" not in text for text in told)
    for text in REPORT.values():
        words.text(text, command="c", done=1, count=2, path="p")
