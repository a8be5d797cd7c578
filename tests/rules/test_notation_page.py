"""The examples of docs/notation.md hold."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main
from tamsk_pi.rules.board import COLUMN_HEIGHTS
from tamsk_pi.rules.position import Position
from tamsk_pi.rules.record import format_record, parse_record

PAGE = Path(__file__).parents[2] / "docs" / "notation.md"


def blocks(language: str) -> list[str]:
    """The page's fenced blocks of one language."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert found, f"no {language} block in {PAGE.name}"
    return found


def indented() -> list[str]:
    """The page's indented blocks, without their indent."""
    text = re.sub(r"^```.*?^```$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    found = re.findall(r"(?:^    .*\n(?:\n(?=    ))?)+", text, flags=re.MULTILINE)
    return [re.sub("^    ", "", block, flags=re.MULTILINE) for block in found]


def test_the_python_examples() -> None:
    # One after the other in one session, as a reader would type them.
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks("pycon")), {}, PAGE.name, str(PAGE), 0)
    complaints: list[str] = []
    results = doctest.DocTestRunner(verbose=False).run(examples, out=complaints.append)
    assert results.failed == 0, "".join(complaints)
    assert results.attempted > 15


@pytest.mark.parametrize("block", blocks("console"))
def test_the_commands(block: str) -> None:
    calls = re.findall(r"^\$ tamsk-pi (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.MULTILINE)
    assert calls
    for arguments, output in calls:
        assert CliRunner().invoke(main, shlex.split(arguments)).output == output


def test_the_position_and_the_record_shown() -> None:
    position, record = indented()
    assert Position.parse(position) == Position.start()
    assert format_record(parse_record(record)) == record
    assert "4, 5, 6, 7, 6, 5 and 4" in PAGE.read_text(encoding="utf-8")
    assert COLUMN_HEIGHTS == (4, 5, 6, 7, 6, 5, 4)
