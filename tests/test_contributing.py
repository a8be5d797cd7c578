"""What CONTRIBUTING.md and the hooks of a commit say is what the Makefile does."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")


def needs(target: str) -> list[str]:
    """What a target of the Makefile depends on."""
    rule = re.search(rf"^{re.escape(target)}:(.*)$", MAKEFILE, re.MULTILINE)
    assert rule is not None, f"the Makefile has no target {target}"
    return rule[1].split()


def test_a_commit_is_held_to_the_checks_of_make_check() -> None:
    entries = [shlex.split(entry) for entry in re.findall(r"^ *entry: (.*)$", HOOKS, re.MULTILINE)]
    assert entries == [["make", target] for target in needs("check")]


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\bmake ([a-z-]+)", CONTRIBUTING))))
def test_every_target_that_is_named_is_there(target: str) -> None:
    assert needs(target)


def test_the_tests_of_the_core_are_where_the_makefile_looks() -> None:
    told = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "--assume-old=.venv/.installed", "core"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    places = [word for word in shlex.split(told, comments=True) if word.startswith("tests/")]
    assert len(places) > 1
    assert [place for place in places if not (ROOT / place).exists()] == []
