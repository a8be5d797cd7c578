"""Completion by the Tab key: what a shell asks for, and the script that has it ask."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import COMMANDS, main
from tamsk_pi.commands.completion import SHELLS, VARIABLE

RUN = [sys.executable, "-m", "tamsk_pi"]


def completed(words: str) -> set[str]:
    """What bash is offered for the last of these words."""
    environment = {**os.environ, VARIABLE: "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    # The name by which it is called makes the name of the variable.
    source = "from tamsk_pi.cli import main; main(prog_name='tamsk-pi')"
    done = subprocess.run(
        [sys.executable, "-c", source], env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    return {line.partition(",")[2] for line in done.stdout.splitlines()}


def test_commands_options_and_values_are_completed() -> None:
    assert completed("tamsk-pi re") == {name for name in COMMANDS if name.startswith("re")}
    assert {"--json", "--record"} <= completed("tamsk-pi replay --")
    assert completed("tamsk-pi play --rules ") == {"rulebook", "wikipedia", "schmidt1998"}
    assert completed("tamsk-pi completion ") == set(SHELLS)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_one_that_the_shell_reads(shell: str, tmp_path: Path) -> None:
    told = CliRunner().invoke(main, ["completion", shell])
    assert told.exit_code == 0
    assert f"{VARIABLE}={shell}_complete" in told.output
    script = tmp_path / "script"
    script.write_text(told.output, encoding="utf-8")
    if shutil.which(shell):
        subprocess.run([shell, "-n", str(script)], check=True, timeout=60)


def test_another_shell_is_refused_in_one_line() -> None:
    told = CliRunner().invoke(main, ["completion", "tcsh"], env={"LANGUAGE": "en"})
    assert told.exit_code == 2
    assert told.stderr.splitlines()[-1].startswith("Error: ")
