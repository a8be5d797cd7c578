"""The units as systemd itself judges them, and what they promise."""

from __future__ import annotations

import configparser
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import COMMANDS, main
from tamsk_pi.web.access import WebSettings
from tamsk_pi.web.film_worker import MEMORY_BYTES
from tests.tiers import lacking

UNITS = Path(__file__).parents[2] / "systemd"
SERVICE = UNITS / "tamsk-pi.service"
KIOSK = UNITS / "tamsk-pi-kiosk.service"
REFEREE_BYTES = 100_000_000
"""What the referee itself takes at most, with the page and many viewers."""
MOST_EXPOSURE = 2.0
MOST_EXPOSURE_OF_KIOSK = 2.5


@pytest.fixture
def analyze() -> str:
    path = shutil.which("systemd-analyze")
    if path is None:
        lacking("needs systemd-analyze: apt-get install systemd")
    return path


def keys_of(unit: Path) -> dict[str, list[str]]:
    """Every `section.key` of a unit and its values, in order."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in unit.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(f"{section}.{key}", []).append(value)
    return found


@pytest.mark.parametrize("unit", [SERVICE, KIOSK], ids=lambda unit: unit.stem)
def test_the_unit_is_clean(analyze: str, unit: Path, tmp_path: Path) -> None:
    """With stand-ins for the programs, which need not be installed here."""
    text = re.sub(r"^(Exec\w+=-?)/\S+", r"\g<1>/bin/true", unit.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (tmp_path / unit.name).write_text(text, encoding="utf-8")
    if unit is KIOSK:
        shutil.copy(SERVICE, tmp_path)
        test_the_unit_is_clean(analyze, SERVICE, tmp_path)
    done = subprocess.run(
        [analyze, "verify", "--man=no", str(tmp_path / unit.name)], capture_output=True, text=True, check=False
    )
    ours = [line for line in (done.stdout + done.stderr).splitlines() if "tamsk" in line]
    assert (done.returncode, ours) == (0, [])


def test_a_key_that_does_not_exist_would_be_found(analyze: str, tmp_path: Path) -> None:
    unit = tmp_path / "tamsk-bad.service"
    unit.write_text("[Service]\nExecStart=/bin/true\nProtectEverything=yes\n", encoding="utf-8")
    done = subprocess.run([analyze, "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False)
    assert "ProtectEverything" in done.stderr


def test_the_service_is_hardly_exposed(analyze: str) -> None:
    done = subprocess.run(
        [analyze, "security", "--offline=true", f"--threshold={int(MOST_EXPOSURE * 10)}", "--no-pager", str(SERVICE)],
        capture_output=True,
        text=True,
        check=False,
    )
    told = re.search(r"Overall exposure level for tamsk-pi\.service: ([\d.]+)", done.stdout)
    assert told is not None, done.stderr
    assert float(told[1]) <= MOST_EXPOSURE
    assert done.returncode == 0


def test_what_is_left_open_is_left_open_for_a_reason(analyze: str) -> None:
    done = subprocess.run(
        [analyze, "security", "--offline=true", "--json=short", str(SERVICE)], capture_output=True, check=True
    )
    exposed = {item["json_field"] for item in json.loads(done.stdout) if item["exposure"] not in (None, "0.0")}
    assert exposed <= {
        "RootDirectoryOrRootImage",
        "SupplementaryGroups",  # the devices' groups
        "PrivateDevices",  # its pins
        "SystemCallFilter_resources",  # what judges for the replay page lowers its rank
        "DeviceAllow",
        "RestrictAddressFamilies_AF_UNIX",  # systemd's notify socket
        "RestrictAddressFamilies_AF_INET_INET6",  # the page
        "PrivateNetwork",
        "IPAddressDeny",  # the network it is in
        "ProcSubset",  # which Pi this is
        "PrivateUsers",  # the devices' groups again
        "UMask",
    }


def test_the_kiosk_is_little_exposed(analyze: str) -> None:
    """More than the service: it is a browser, which brings its own sandbox and compiles scripts."""
    done = subprocess.run(
        [analyze, "security", "--offline=true", "--no-pager", str(KIOSK)], capture_output=True, text=True, check=False
    )
    told = re.search(r"Overall exposure level for tamsk-pi-kiosk\.service: ([\d.]+)", done.stdout)
    assert told is not None, done.stderr
    assert float(told[1]) <= MOST_EXPOSURE_OF_KIOSK


def test_the_kiosks_browser_keeps_no_lock_from_one_start_to_the_next() -> None:
    """Chromium's `SingletonLock` bears the host's name: after that was changed it would start no more."""
    keys = keys_of(KIOSK)
    (folder,) = re.findall(r"--user-data-dir=%t/(\S+?)/", keys["Service.ExecStart"][0])
    assert keys["Service.RuntimeDirectory"] == [folder]
    assert "Service.RuntimeDirectoryPreserve" not in keys


def test_the_kiosk_reaches_the_page_and_nothing_else() -> None:
    keys = keys_of(KIOSK)
    assert keys["Service.IPAddressDeny"] == ["any"]
    assert keys["Service.IPAddressAllow"] == ["localhost"]
    assert keys["Service.ExecStart"][0].endswith(f"http://127.0.0.1:{WebSettings().port}/")


def test_it_is_watched_and_comes_back() -> None:
    keys = keys_of(SERVICE)
    assert keys["Service.Type"] == ["notify"]
    assert keys["Service.NotifyAccess"] == ["main"]
    assert 2 <= int(keys["Service.WatchdogSec"][0]) <= 30
    assert keys["Service.Restart"] == ["always"]
    assert keys["Unit.StartLimitIntervalSec"] == ["0"]


def test_what_judges_for_the_replay_page_fits_into_it() -> None:
    keys = keys_of(SERVICE)
    assert keys["Service.OOMPolicy"] == ["continue"]
    most, unit = re.fullmatch(r"(\d+)(M)", keys["Service.MemoryMax"][0]).groups()  # type: ignore[union-attr]
    assert unit == "M"
    assert int(most) * 2**20 >= MEMORY_BYTES + REFEREE_BYTES
    # The filter's lines are read in order: what the last one allows is allowed.
    assert keys["Service.SystemCallFilter"] == ["@system-service", "~@privileged @resources", "setpriority"]


def test_lgpio_can_make_its_pipe() -> None:
    keys = keys_of(SERVICE)
    assert keys["Service.WorkingDirectory"] == [f"%t/{keys['Service.RuntimeDirectory'][0]}"]


def test_the_commands_it_runs_are_there() -> None:
    keys = keys_of(SERVICE)
    runs = [*keys["Service.ExecStart"], *keys["Service.ExecStopPost"]]
    for line in runs:
        program, command, *options = line.lstrip("-").split()
        assert program == "/opt/tamsk-pi/bin/tamsk-pi"
        assert command in COMMANDS
        told = CliRunner().invoke(main, [command, "--help"])
        assert told.exit_code == 0
        assert set(options) <= set(re.findall(r"--[\w-]+", told.output))
    assert [line.split()[1] for line in runs] == ["referee", "off"]


def test_every_user_and_group_is_made() -> None:
    made = {tuple(line.split()[:2]) for line in (UNITS / "sysusers.conf").read_text(encoding="utf-8").splitlines()}
    keys = keys_of(SERVICE)
    assert ("u", keys["Service.User"][0]) in made
    everywhere = {"dialout"}  # in every Debian; systemd tells of one that is made twice
    assert {("g", group) for group in keys["Service.SupplementaryGroups"][0].split() if group not in everywhere} <= made
    assert ("u", keys_of(KIOSK)["Service.User"][0]) in made


def test_the_back_off_is_a_drop_in_for_the_service() -> None:
    parsed = configparser.ConfigParser()
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read(UNITS / "back-off.conf", encoding="utf-8")
    assert int(parsed["Service"]["RestartSteps"]) > 0
    assert int(parsed["Service"]["RestartMaxDelaySec"]) > int(keys_of(SERVICE)["Service.RestartSec"][0])
