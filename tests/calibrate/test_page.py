"""What docs/calibration.md shows is what the commands print: `...` stands for lines left out."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "calibration.md"
SHOWN = re.findall(r"^```\n\$ tamsk-pi (.*)\n((?:.*\n)*?)```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def undated(line: str) -> str:
    return re.sub(r'"\d{4}-\d\d-\d\d"', '"DATE"', line)


def test_there_are_outputs_to_look_at() -> None:
    assert len(SHOWN) == 3


@pytest.mark.parametrize(("command", "output"), SHOWN, ids=[command for command, _ in SHOWN])
def test_the_output_shown_is_what_is_printed(
    command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "en")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    printed = [undated(line) for line in CliRunner().invoke(main, shlex.split(command)).output.splitlines()]
    at = 0
    skip = False
    for line in map(undated, output.splitlines()):
        if line == "...":
            skip = True
            continue
        if skip:
            assert line in printed[at:], f"{line!r} is not printed"
            at = printed.index(line, at)
        assert printed[at] == line
        at, skip = at + 1, False
    assert skip or at == len(printed)
