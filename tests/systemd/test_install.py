"""`make install` and `make uninstall` into a folder, as a package build would run them."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.programs import Program

CLONE = Path(__file__).parents[2]
CONFIG = "etc/tamsk-pi/config.toml"
INSTALLED = (
    "opt/tamsk-pi/bin/tamsk-pi",
    "usr/local/bin/tamsk-pi",
    "usr/local/share/bash-completion/completions/tamsk-pi",
    "usr/local/share/zsh/site-functions/_tamsk-pi",
    "usr/local/share/fish/vendor_completions.d/tamsk-pi.fish",
    "usr/local/lib/systemd/system/tamsk-pi.service",
    "usr/local/lib/systemd/system/tamsk-pi-kiosk.service",
    "usr/local/lib/sysusers.d/tamsk-pi.conf",
    "etc/udev/rules.d/70-tamsk-pi.rules",
)


def make(target: str, dest: Path) -> str:
    """Run a target; what it printed."""
    done = subprocess.run(
        ["make", "--no-print-directory", target, f"DESTDIR={dest}", f"PYTHON={sys.executable}"],
        cwd=CLONE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def all_files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dest = tmp_path_factory.mktemp("image")
    make("install", dest)
    return dest


def test_everything_is_there_and_runs(installed: Path) -> None:
    assert set(INSTALLED) | {CONFIG} <= all_files(installed)
    command = str(installed / "usr/local/bin/tamsk-pi")
    assert installed / "opt/tamsk-pi/lib/click" in (installed / "opt/tamsk-pi/lib").iterdir()
    told = subprocess.run([command, "--version"], capture_output=True, text=True, check=True, cwd="/")
    assert told.stdout.startswith("tamsk-pi, version ")
    where = subprocess.run([command, "config", "check"], capture_output=True, text=True, check=True, cwd="/")
    assert "board profile matrix" in where.stdout


def test_what_is_installed_judges_a_game_for_the_replay_page(installed: Path) -> None:
    """In a process of its own, which must find the program where it was installed."""
    trace = next((CLONE / "tests/cases").glob("wrong-glass*.trace.jsonl"))
    command = [str(installed / "usr/local/bin/tamsk-pi"), "replay", "--page", "--no-browser", "--port", "0", str(trace)]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    with Program(command, stdout=subprocess.PIPE, text=True, cwd="/", env=environment) as page:
        assert page.stdout is not None
        try:
            url = re.search(r"http://\S+", page.stdout.readline())
            assert url is not None
            with urllib.request.urlopen(f"{url[0]}games/{trace.name}/film", timeout=120) as film:
                assert json.loads(gzip.decompress(film.read()))["format"] == "tamsk-film"
        finally:
            page.terminate()


def test_the_installed_configuration_is_a_valid_one(installed: Path) -> None:
    command = [str(installed / "usr/local/bin/tamsk-pi"), "config", "check", str(installed / CONFIG)]
    subprocess.run(command, check=True, capture_output=True)


def test_installing_again_changes_nothing_and_keeps_the_configuration(installed: Path) -> None:
    before = all_files(installed)
    (installed / CONFIG).write_text("level = 2\n", encoding="utf-8")
    stray = installed / "opt/tamsk-pi/lib/tamsk_pi/gone_in_this_version.py"
    stray.touch()
    assert f"kept {installed / CONFIG}" in make("install", installed)
    assert (installed / CONFIG).read_text(encoding="utf-8") == "level = 2\n"
    assert {name for name in all_files(installed) if "__pycache__" not in name} == {
        name for name in before if "__pycache__" not in name
    }


def test_uninstalling_leaves_the_configuration_and_may_be_repeated(installed: Path) -> None:
    make("install", installed)
    for _ in range(2):
        make("uninstall", installed)
        assert all_files(installed) == {CONFIG}


@pytest.mark.parametrize("script", ["install.sh", "uninstall.sh"])
def test_the_scripts_are_sound_shell(script: str) -> None:
    subprocess.run(["sh", "-n", str(CLONE / "systemd" / script)], check=True)


@pytest.mark.parametrize("target", ["install", "uninstall"])
def test_who_is_not_root_is_refused_before_anything_is_done(target: str, tmp_path: Path) -> None:
    nobody = tmp_path / "id"
    nobody.write_text("#!/bin/sh\necho 1000\n", encoding="utf-8")
    nobody.chmod(0o755)
    done = subprocess.run(
        ["make", target, f"PYTHON={sys.executable}"],
        cwd=CLONE,
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert f"must be root: sudo make {target}" in done.stderr
