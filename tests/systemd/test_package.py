"""The Debian package: built once, read, and installed, changed and taken away in a clean root."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tiers import lacking

CLONE = Path(__file__).parents[2]
NEEDED = {
    "dpkg-buildpackage": "dpkg-dev",
    "dh": "debhelper",
    "help2man": "help2man",
    "lintian": "lintian",
    "mmdebstrap": "mmdebstrap",
}
CONFIG = "etc/tamsk-pi/config.toml"

pytestmark = pytest.mark.timeout(1800)


def run(*command: str, root: Path | None = None, status: int = 0, **environment: str) -> str:
    """Run a command, in a root if one is given; what it printed on both streams."""
    inside = ("chroot", str(root), *command) if root else command
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"} | environment
    done = subprocess.run(inside, capture_output=True, text=True, check=False, env=env, cwd="/")
    assert done.returncode == status, f"{' '.join(inside)}: {done.stdout[-1500:]}{done.stderr[-1500:]}"
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The package, and one of a later version with the same content."""
    for program, package in NEEDED.items():
        if shutil.which(program) is None:
            lacking(f"needs {program} (Debian package {package})")
    if os.geteuid() != 0:
        lacking("needs root, to install into a root of its own")
    out = tmp_path_factory.mktemp("deb")
    script = str(CLONE / "systemd" / "build-deb.sh")
    for suffix in ("", "+later"):
        run(script, OUT=str(out), VERSION_SUFFIX=suffix)
    return sorted(out.glob("*.deb"), key=lambda path: "later" in path.name)


@pytest.fixture(scope="module")
def clean_root(tmp_path_factory: pytest.TempPathFactory, packages: list[Path]) -> Path:
    """A root with what the package depends on and nothing else, and the packages in its `/srv`."""
    root = tmp_path_factory.mktemp("root") / "root"
    wanted = "python3,python3-serial,udev,systemd,bash-completion"
    run("mmdebstrap", "--variant=apt", f"--include={wanted}", "bookworm", str(root))
    for package in packages:
        shutil.copy(package, root / "srv")
    return root


def test_lintian_has_nothing_to_say(packages: list[Path]) -> None:
    changes = next(packages[0].parent.glob("tamsk-pi_*[0-9]_all.changes"), None) or next(
        packages[0].parent.glob("*.changes")
    )
    told = run("lintian", "--fail-on", "none", "--info", "--allow-root", str(changes))
    assert [line for line in told.splitlines() if line[:2] in ("E:", "W:")] == []


def test_what_is_in_it(packages: list[Path]) -> None:
    listed = run("dpkg-deb", "--contents", str(packages[0]))
    for path in (
        "./usr/bin/tamsk-pi",
        "./lib/systemd/system/tamsk-pi.service",
        "./lib/systemd/system/tamsk-pi-kiosk.service",
        "./lib/udev/rules.d/70-tamsk-pi.rules",
        "./usr/lib/sysusers.d/tamsk-pi.conf",
        f"./{CONFIG}",
        "./usr/share/man/man1/tamsk-pi.1.gz",
        "./usr/share/bash-completion/completions/tamsk-pi",
        "./usr/share/zsh/vendor-completions/_tamsk-pi",
        "./usr/share/fish/vendor_completions.d/tamsk-pi.fish",
    ):
        assert path in listed
    # One package for every machine: nothing in it is compiled.
    assert ".so" not in [Path(line.split()[-1]).suffix for line in listed.splitlines()]
    told = run("dpkg-deb", "--info", str(packages[0]))
    assert "Architecture: all" in told
    assert "python3-serial" in told


def test_its_whole_life_in_a_clean_root(packages: list[Path], clean_root: Path) -> None:
    first, later = (f"/srv/{package.name}" for package in packages)
    trace = CLONE / "tests" / "cases" / "turned-too-late.trace.jsonl"
    shutil.copy(trace, clean_root / "srv")

    def works() -> None:
        assert run("tamsk-pi", "--version", root=clean_root).startswith("tamsk-pi, version ")
        told = run("tamsk-pi", "replay", "--json", "/srv/turned-too-late.trace.jsonl", root=clean_root)
        assert '"code": "not_flipped"' in told

    run("dpkg", "--install", first, root=clean_root)
    works()
    assert "tamsk-pi:" in (clean_root / "etc/passwd").read_text(encoding="utf-8")
    enabled = clean_root / "etc/systemd/system/multi-user.target.wants/tamsk-pi.service"
    assert enabled.is_symlink()
    unit = (clean_root / "lib/systemd/system/tamsk-pi.service").read_text(encoding="utf-8")
    assert "/opt/tamsk-pi" not in unit

    # What the user has, and what the service would have kept.
    config = clean_root / CONFIG
    config.write_text(config.read_text(encoding="utf-8") + "\nlevel = 2\n", encoding="utf-8")
    games = clean_root / "var/lib/tamsk-pi/games"
    games.mkdir(parents=True)
    shutil.copy(trace, games / "1.trace.jsonl")

    for package in (later, first, later):  # upgrade, downgrade, upgrade
        run("dpkg", "--install", package, root=clean_root)
        works()
        assert "level = 2" in config.read_text(encoding="utf-8")
        assert (games / "1.trace.jsonl").is_file()
    shown = run("tamsk-pi", "config", "show", root=clean_root)
    assert re.search(r"^level\b.*\b2\b", shown, re.MULTILINE)

    run("dpkg", "--remove", "tamsk-pi", root=clean_root)
    assert not (clean_root / "usr/bin/tamsk-pi").exists()
    assert not (clean_root / "usr/lib/tamsk-pi").exists()
    assert config.is_file()
    told = run("dpkg", "--purge", "tamsk-pi", root=clean_root)
    assert not config.exists()
    assert (games / "1.trace.jsonl").is_file()
    assert "kept the games" in told
