"""Runs in the guest, as root, beside the service: does to it what happens to a box, and looks what follows.

Plain asserts: the guest's own Python has no test tools. The first that fails ends it, with its traceback and the
service's log on the console.
"""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

CHIP = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")
LAMPS = {"turn_red": 12, "turn_black": 16, "alarm": 20, "ready": 21}
SERVICE = "tamsk-pi.service"
LONGEST_S = 60


def shown() -> dict[str, str]:
    keys = ("ActiveState", "SubState", "StatusText", "MainPID", "NRestarts", "Result")
    told = subprocess.run(
        ["systemctl", "show", SERVICE, *(f"--property={key}" for key in keys)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return dict(line.split("=", 1) for line in told.splitlines())


def comes_to(**wanted: str) -> dict[str, str]:
    """Wait until the service shows this; what it shows then."""
    end_s = time.monotonic() + LONGEST_S
    while not wanted.items() <= (now := shown()).items():
        assert time.monotonic() < end_s, f"wanted {wanted}, got {now}"
        time.sleep(0.3)
    return now


def log() -> str:
    """What the service and systemd have written about it."""
    command = ["journalctl", "--unit", SERVICE, "--output=cat", "--no-pager"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def levels() -> dict[str, bool]:
    return {name: (CHIP / f"sim_gpio{line}" / "value").read_text().strip() == "1" for name, line in LAMPS.items()}


def close_socket(column_line: int) -> None:
    """Pull a column low: every contact of it seems closed."""
    (CHIP / f"sim_gpio{column_line}" / "pull").write_text("pull-down")


def test_it_starts_within_its_bounds() -> str:
    """As its own user, with no rights beyond its groups, in its own folder, and says what it does."""
    now = comes_to(ActiveState="active", StatusText="watching a game at level 1")
    process = Path("/proc") / now["MainPID"]
    status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines() if ":\t" in line)
    assert status["Uid"].split()[0] != "0"
    assert status["NoNewPrivs"] == "1"
    assert status["CapEff"].strip("0") == ""
    assert os.readlink(process / "cwd") == "/run/tamsk-pi"
    node = Path("/dev/gpiochip0")
    assert (node.group(), stat.S_IMODE(node.stat().st_mode)) == ("gpio", 0o660)  # by the udev rule
    assert Path("/var/lib/tamsk-pi/games").owner() == "tamsk-pi"
    with urllib.request.urlopen("http://127.0.0.1:8037/", timeout=LONGEST_S) as page:
        assert page.status == 200
    return now["MainPID"]


def test_a_kill_is_followed_by_off_and_a_new_start(main_pid: str) -> None:
    assert any(levels().values()), "nothing is lit that could go out"
    os.kill(int(main_pid), signal.SIGKILL)
    began_s = time.monotonic()
    while any(levels().values()):
        assert time.monotonic() - began_s < LONGEST_S, f"still lit after a kill: {levels()}"
        time.sleep(0.01)
    dark_s = time.monotonic() - began_s
    comes_to(SubState="auto-restart")
    sys.stdout.write(
        f"from kill -9 to every lamp dark: {dark_s:.2f} s, to `off` having ended: {time.monotonic() - began_s:.1f} s,"
        " in the guest\n"
    )
    assert not any(levels().values())
    comes_to(ActiveState="active", NRestarts="1")


def test_off_was_run_and_could_switch_everything_off() -> None:
    told = log()
    assert "status=9/KILL" in told, told
    assert "Traceback" not in told, told
    assert "tamsk-pi: " not in told, told  # how `off` tells what it could not do
    assert "Control process exited" not in told, told


def test_a_loop_that_hangs_is_ended_by_the_watchdog() -> None:
    now = comes_to(ActiveState="active", StatusText="watching a game at level 1")
    time.sleep(12)  # longer than the watchdog waits: a loop that goes round is left alone
    assert shown()["MainPID"] == now["MainPID"]
    os.kill(int(now["MainPID"]), signal.SIGSTOP)
    after = comes_to(ActiveState="active", NRestarts="2", StatusText="watching a game at level 1")
    assert after["MainPID"] != now["MainPID"]
    told = log()
    assert "Watchdog timeout" in told, told


def test_it_ends_when_told_to() -> None:
    subprocess.run(["systemctl", "stop", SERVICE], check=True)
    assert shown()["Result"] == "success"
    assert not any(levels().values())


def main() -> None:
    try:
        test_a_kill_is_followed_by_off_and_a_new_start(test_it_starts_within_its_bounds())
        test_off_was_run_and_could_switch_everything_off()
        test_a_loop_that_hangs_is_ended_by_the_watchdog()
        test_it_ends_when_told_to()
    except Exception:
        sys.stdout.write(log())
        raise


if __name__ == "__main__":
    main()
