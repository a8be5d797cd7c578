"""What the README shows is what the program says: its commands are run, and their output compared."""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from tamsk_pi.cli import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")

RUN_HERE = re.compile(r"tamsk-pi (replay|explain|report|perft|config explain|simulate --auto)\b")
"""What can be run anywhere; the others need a board, or somebody to end them."""

ANYTHING = "..."
"""A line that stands for any number of lines."""


@attrs.frozen
class Example:
    """A command of the README, and the lines that are said to come of it."""

    command: str
    output: tuple[str, ...]


def examples() -> Iterator[Example]:
    for block in re.findall(r"^```\n(.*?)^```$", README, re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, *output = part.splitlines()
            yield Example(command, tuple(output))


def runnable() -> list[Example]:
    return [example for example in examples() if RUN_HERE.search(example.command)]


def pattern_of(output: tuple[str, ...]) -> str:
    return "".join("(?:.*\n)*?" if line == ANYTHING else re.escape(line) + "\n" for line in output)


def test_there_are_examples_of_each_kind() -> None:
    found = {match[1] for example in runnable() if (match := RUN_HERE.search(example.command))}
    assert found == {"replay", "explain", "report", "perft", "config explain", "simulate --auto"}


@pytest.mark.parametrize("example", runnable(), ids=lambda example: example.command)
def test_an_example_says_what_it_is_said_to(example: Example, tmp_path: Path) -> None:
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", example.command],
        cwd=tmp_path,
        env={**os.environ, **home, "LANGUAGE": "en", "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    assert re.fullmatch(pattern_of(example.output), done.stdout), done.stdout


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_is_named(command: str) -> None:
    assert re.search(rf"`{command}`|tamsk-pi {command}\b", README), f"the README says nothing of {command}"


@pytest.mark.parametrize("target", re.findall(r"\]\(([^)#]+)", README))
def test_what_is_linked_is_there(target: str) -> None:
    assert target.startswith("https://") or (ROOT / target).exists()
