"""What a run says of the tiers that it left out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CONFTEST = Path(__file__).with_name("conftest.py")
TWO_SKIPPED = """
import pytest


@pytest.mark.parametrize("number", range(2))
def test_with_a_tool(number):
    pytest.skip("needs a hammer: apt-get install hammer")


def test_without_one():
    pass
"""


def test_a_run_ends_with_what_was_left_out_and_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "test_it.py").write_text(TWO_SKIPPED, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout
    assert "2 tests: needs a hammer: apt-get install hammer" in done.stdout.splitlines()
