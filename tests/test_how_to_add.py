"""docs/how-to-add.md tells the truth: done in a copy it works, and the files it names are all that there are."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tamsk_pi.config.load import fit_to_board, load_settings
from tamsk_pi.config.profile import load_profile, profile_path

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "how-to-add.md").read_text(encoding="utf-8")


def files_for(what: str) -> set[str]:
    """The files in the table of a section."""
    section = PAGE.split(f"## {what}\n")[1].split("\n## ")[0]
    return set(re.findall(r"^\| `(.+?)` \|", section, re.MULTILINE))


def files_that_name(pattern: str) -> set[str]:
    sources = [path for path in (ROOT / "tamsk_pi").rglob("*") if path.suffix in (".py", ".js", ".html")]
    return {
        str(path.relative_to(ROOT))
        for path in sources
        if re.search(pattern, path.read_text(encoding="utf-8")) is not None
    }


@pytest.mark.parametrize(
    ("what", "pattern"),
    [("An edition", r"schmidt1998"), ("A language", r"""["']es["']""")],
)
def test_the_files_named_are_all_that_know_one_by_name(what: str, pattern: str) -> None:
    assert files_that_name(pattern) == files_for(what)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the program that may be changed."""
    for package in ("tamsk_pi", "firmware_bridge"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def told(folder: Path, *arguments: str, language: str = "en") -> str:
    """What the copy in a folder prints."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "LANGUAGE": language}
    done = subprocess.run(
        [sys.executable, "-m", "tamsk_pi", *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_setting_is_one_field(copied: Path) -> None:
    field = """    brightness: int = option(
        Whole(1, 9), "how bright it is", default=4, reason="Half."
    )
"""
    replaced(
        copied / "tamsk_pi/config/settings.py", "    names: Names = Names()\n", f"    names: Names = Names()\n{field}"
    )
    assert "| `brightness` |" in told(copied, "config", "page")


def test_a_board_is_one_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    shutil.copy(profile_path("matrix"), file)
    replaced(file, 'name = "matrix"', 'name = "mine"')
    profile = load_profile(str(file))
    assert profile.name == "mine"
    assert fit_to_board(load_settings({"board": str(file)}, files=[]), profile).rings == profile.sensors.rings[0]


def test_a_language_is_a_code_and_a_catalogue(copied: Path) -> None:
    """The Spanish catalogue, as another language's."""
    replaced(copied / "tamsk_pi/signals/language.py", 'Literal["en", "de", "es"]', 'Literal["en", "de", "es", "fr"]')
    replaced(
        copied / "tamsk_pi/config/settings.py",
        'Literal["auto", "en", "de", "es"]',
        'Literal["auto", "en", "de", "es", "fr"]',
    )
    catalogues = copied / "tamsk_pi/signals/locale"
    shutil.copytree(catalogues / "es", catalogues / "fr")
    assert told(copied, "--help", language="fr") == told(copied, "--help", language="es")
    assert told(copied, "--help", language="fr") != told(copied, "--help")
    assert '"fr"' in told(copied, "config", "page")
