"""Runs in the guest, as root, beside the service: does to it what happens to a box, and looks what follows.

Plain asserts: the guest's own Python has no test tools. The first that fails ends it, with its traceback and the
service's log on the console.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
CHIP = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")
OUTPUTS = {"turn_red": 12, "turn_black": 16, "alarm": 20, "ready": 21, "buzzer": 18}
TRACING = Path("/sys/kernel/tracing")
CGROUP = Path("/sys/fs/cgroup/system.slice/tamsk-pi.service")
CLOSED = Path("/run/board/closed")
"""Which contacts are closed, for the wires in the service's process."""
START = frozenset({"A1", "D1", "G1", "A4", "G4", "D7"})
WRONG = START - {"D1"} | {"D3"}
"""Red has moved to a socket that is not adjacent."""
ARBITERS_BUTTON = "C7"
PAGE = "http://127.0.0.1:8037/"
GAMES = Path("/var/lib/tamsk-pi/games")
SERVICE = "tamsk-pi.service"
WITHOUT_OFF = Path("/run/systemd/system/tamsk-pi.service.d/no-off.conf")
PERSIST = Path("/sys/module/gpio_sim_oot/parameters/persist_outputs")
"""Whether a line stays an output, as it was, when its owner is gone."""
WAITING = "waiting for the next game"
WATCHING = "watching a game at level 1"
CUT_OFF = "a game was cut off: let it go on, or set it aside"
LONGEST_S = 60
"""How long nothing at all may happen; while anything changes, however slowly, it is waited for."""


def shown() -> dict[str, str]:
    keys = (
        "ActiveState",
        "SubState",
        "StatusText",
        "MainPID",
        "NRestarts",
        "Result",
        "ActiveEnterTimestampMonotonic",
        "ExecMainStartTimestampMonotonic",
    )
    told = subprocess.run(
        ["systemctl", "show", SERVICE, *(f"--property={key}" for key in keys)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return dict(line.split("=", 1) for line in told.splitlines())


class Patience:
    """A limit that follows progress: it begins anew whenever what is looked at has changed."""

    def __init__(self) -> None:
        self._seen: object = None
        self._since_s = time.monotonic()

    def is_over(self, seen: object) -> bool:
        """Whether this, which is seen now, has been all that was seen for `LONGEST_S`."""
        if seen != self._seen:
            self._seen, self._since_s = seen, time.monotonic()
        return time.monotonic() - self._since_s > LONGEST_S


def comes_to(**wanted: str) -> dict[str, str]:
    """Wait until the service shows this; what it shows then."""
    patience = Patience()
    while not wanted.items() <= (now := shown()).items():
        assert not patience.is_over(now), f"wanted {wanted}, got {now}"
        time.sleep(0.3)
    return now


class Record:
    """Every level that the kernel gave the outputs since this was made, however slowly it is looked at.

    By the kernel's own tracepoint: a tone of half a second may have come and gone between two looks at its line.
    """

    def __init__(self) -> None:
        if not (TRACING / "trace").exists():
            subprocess.run(["mount", "-t", "tracefs", "tracefs", str(TRACING)], check=True)
        labels = {path.parent: path.read_text().strip() for path in Path("/sys/class/gpio").glob("gpiochip*/label")}
        (chip,) = [folder for folder, label in labels.items() if label.startswith("pinctrl-")]
        base = int((chip / "base").read_text())
        self._names = {base + line: name for name, line in OUTPUTS.items()}
        event = TRACING / "events/gpio/gpio_value"
        (event / "filter").write_text(" || ".join(f"(get == 0 && gpio == {number})" for number in self._names))
        (TRACING / "trace_clock").write_text("mono")
        self.forget()
        (event / "enable").write_text("1")

    def forget(self) -> None:
        """What is told from now on is what happens from now on."""
        (TRACING / "trace").write_text("")

    def levels(self) -> list[tuple[float, str, bool]]:
        """When an output was written (s, as `time.monotonic`), its name, and whether it was switched on, in order."""
        told = re.findall(r" (\d+\.\d+): gpio_value: (\d+) set (\d)", (TRACING / "trace").read_text())
        return [(float(at_s), self._names[int(number)], level == "1") for at_s, number, level in told]

    def comes_to(self, names: set[str], *, on: bool) -> None:
        """Wait until each of these outputs has been switched on, or off, at some time."""
        patience = Patience()
        while True:
            levels = self.levels()
            if names <= {name for _, name, was_on in levels if was_on == on}:
                return
            assert not patience.is_over(len(levels)), f"wanted {names} {on}; there were {levels[-40:]}"
            time.sleep(0.02)


def log() -> str:
    """What the service and systemd have written about it."""
    command = ["journalctl", "--unit", SERVICE, "--output=cat", "--no-pager"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def page_status() -> int:
    """How the page answers, which opens a moment after the board is read."""
    patience = Patience()
    while True:
        try:
            with urllib.request.urlopen(PAGE, timeout=LONGEST_S) as page:
                return int(page.status)
        except urllib.error.URLError:
            if patience.is_over(log()):
                raise
        time.sleep(0.3)


def high() -> set[str]:
    """The outputs that are on, as the kernel has them."""
    return {name for name, line in OUTPUTS.items() if (CHIP / f"sim_gpio{line}" / "value").read_text().strip() == "1"}


def until(is_so: Callable[[set[str]], bool], wanted: str) -> float:
    """Look at the outputs until it is so; how many seconds that took."""
    began_s, patience = time.monotonic(), Patience()
    while not is_so(now := high()):
        assert not patience.is_over(now), f"wanted {wanted}, on are only {now}"
        time.sleep(0.002)
    return time.monotonic() - began_s


def close(crossings: frozenset[str]) -> None:
    """Have these contacts closed and no others."""
    CLOSED.parent.mkdir(exist_ok=True)
    new = CLOSED.with_suffix(".new")
    new.write_text("\n".join(crossings), encoding="utf-8")
    new.rename(CLOSED)


def press_the_arbiters_button(standing: frozenset[str] = WRONG) -> None:
    """Shortly: long enough to settle, and far from the 0.8 s that would be long."""
    close(standing | {ARBITERS_BUTTON})
    time.sleep(0.15)
    close(standing)


def kill(main_pid: str) -> None:
    os.kill(int(main_pid), signal.SIGKILL)
    while Path("/proc", main_pid).exists():
        time.sleep(0.001)


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def test_it_starts_within_its_bounds() -> str:
    """As its own user, with no rights beyond its groups, in its own folder, and says what it does."""
    now = comes_to(ActiveState="active", StatusText=WAITING)
    process = Path("/proc") / now["MainPID"]
    status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines() if ":\t" in line)
    assert status["Uid"].split()[0] != "0"
    assert status["NoNewPrivs"] == "1"
    assert status["CapEff"].strip("0") == ""
    assert os.readlink(process / "cwd") == "/run/tamsk-pi"
    node = Path("/dev/gpiochip0")
    assert (node.group(), stat.S_IMODE(node.stat().st_mode)) == ("gpio", 0o660)  # by the udev rule
    assert GAMES.parent.owner() == "tamsk-pi"
    assert page_status() == 200
    return now["MainPID"]


def test_play_begins_with_the_glasses_on_their_sockets() -> None:
    """Before that nothing is kept. Where no sensor tells of rings, somebody says when the game begins."""
    assert not high() & {"ready", "alarm", "buzzer"}
    assert not list(GAMES.glob("*.jsonl"))
    close(START)
    time.sleep(1)
    press_the_arbiters_button(START)
    until(lambda on: "ready" in on, "`ready`")
    comes_to(ActiveState="active", StatusText=WATCHING)
    assert GAMES.owner() == "tamsk-pi"


def test_a_kill_is_followed_by_off_and_a_new_start(main_pid: str) -> None:
    """While a violation is told, so that lamps are lit and the buzzer's line swings or has just swung."""
    record = Record()
    close(WRONG)
    record.comes_to({"alarm", "buzzer"}, on=True)
    before = high()
    record.forget()
    began_s = time.monotonic()
    kill(main_pid)
    after, gone_s = high(), time.monotonic() - began_s
    assert "ready" in before & after, "there is nothing that `off` could switch off"
    record.comes_to(set(OUTPUTS), on=False)
    dark_s = max(at_s for at_s, _, on in record.levels()[: len(OUTPUTS)] if not on) - began_s
    tell(f"FIGURE on before kill -9: {' '.join(sorted(before))}; when the process was gone: {' '.join(sorted(after))}")
    tell(f"FIGURE from kill -9 to the process gone: {gone_s:.2f} s; to every output off: {dark_s:.2f} s")
    comes_to(ActiveState="active", NRestarts="1")


def test_off_was_run_and_could_switch_everything_off() -> None:
    told = log()
    assert "status=9/KILL" in told, told
    assert "Traceback" not in told, told
    assert "tamsk-pi: " not in told, told  # how `off` tells what it could not do
    assert "Control process exited" not in told, told


def test_the_game_that_was_cut_off_is_offered_and_goes_on() -> str:
    comes_to(ActiveState="active", StatusText=CUT_OFF)
    until(lambda on: {"turn_red", "turn_black"} <= on and "ready" not in on, "the turn lamps, which offer it")
    assert len(list(GAMES.glob("*.jsonl"))) == 1
    press_the_arbiters_button()
    now = comes_to(StatusText=WATCHING)
    until(lambda on: "ready" in on, "`ready`")
    return now["MainPID"]


def film() -> dict[str, object]:
    """The one game that is kept, as the replay page gets it: judged by a process of its own, below the service."""
    (game,) = GAMES.glob("*.jsonl")
    with urllib.request.urlopen(f"{PAGE}games/{game.name}/film", timeout=LONGEST_S) as answer:
        told: dict[str, object] = json.loads(gzip.decompress(answer.read()))
    return told


def test_a_game_is_judged_anew_under_the_units_own_filters_and_limits() -> None:
    assert film()["format"] == "tamsk-film"
    told = log()
    assert "that judges" not in told, told  # how the page tells in the log what went wrong


def test_a_process_that_takes_all_memory_ends_and_the_game_goes_on(main_pid: str) -> None:
    hog = f"import os; open('{CGROUP}/cgroup.procs', 'w').write(str(os.getpid())); b'x' * 420_000_000"
    done = subprocess.run([sys.executable, "-c", hog], check=False)
    assert done.returncode == -signal.SIGKILL
    comes_to(ActiveState="active", MainPID=main_pid, StatusText=WATCHING)
    assert film()["format"] == "tamsk-film"


def test_a_loop_that_hangs_is_ended_by_the_watchdog() -> None:
    now = comes_to(ActiveState="active", StatusText=WATCHING)
    active_s = time.monotonic() - int(now["ActiveEnterTimestampMonotonic"]) / 1e6
    time.sleep(max(0.0, 12 - active_s))  # longer than the watchdog waits: a loop that goes round is left alone
    assert shown()["MainPID"] == now["MainPID"]
    record = Record()
    os.kill(int(now["MainPID"]), signal.SIGSTOP)
    assert "ready" in high()
    record.comes_to({"ready"}, on=False)
    after = comes_to(ActiveState="active", NRestarts="2", StatusText=CUT_OFF)
    assert after["MainPID"] != now["MainPID"]
    told = log()
    assert "Watchdog timeout" in told, told


def test_it_ends_when_told_to() -> None:
    press_the_arbiters_button()
    until(lambda on: "ready" in on, "`ready`")
    subprocess.run(["systemctl", "stop", SERVICE], check=True)
    assert shown()["Result"] == "success"
    assert not high()


def test_without_off_a_kill_leaves_the_lamps_lit() -> str:
    """It is `off` that makes them dark, and the tests above could fail. Gives back the next process."""
    WITHOUT_OFF.parent.mkdir(parents=True)
    shutil.copy("/box/no-off.conf", WITHOUT_OFF)
    subprocess.run(["systemctl", "daemon-reload"], check=True)
    subprocess.run(["systemctl", "start", SERVICE], check=True)
    now = comes_to(ActiveState="active", StatusText=CUT_OFF)
    press_the_arbiters_button()
    until(lambda on: "ready" in on, "`ready`")
    record = Record()
    kill(now["MainPID"])
    after = comes_to(ActiveState="active", NRestarts="1", StatusText=CUT_OFF)
    record.comes_to({"ready"}, on=False)
    darkened_s = next(at_s for at_s, name, on in record.levels() if name == "ready" and not on)
    assert darkened_s >= int(after["ExecMainStartTimestampMonotonic"]) / 1e6  # by the next process
    return after["MainPID"]


def test_a_kernel_that_takes_outputs_back_needs_no_off(main_pid: str) -> None:
    """What `dtparam=strict_gpiod` does on a Pi: a line whose owner is gone is no output any more."""
    PERSIST.write_text("0")
    press_the_arbiters_button()
    until(lambda on: "ready" in on, "`ready`")
    began_s = time.monotonic()
    kill(main_pid)
    after, gone_s = high(), time.monotonic() - began_s
    assert not after
    tell(f"FIGURE from kill -9 to every output off, where the kernel takes them back: {gone_s:.2f} s")


def step(test: Callable[..., T], *given: str) -> T:
    """One test, told on the console: whoever waits for the guest hears that it goes on."""
    tell(f"STEP {test.__name__} at {time.monotonic():.0f} s")
    return test(*given)


def main() -> None:
    try:
        main_pid = step(test_it_starts_within_its_bounds)
        step(test_play_begins_with_the_glasses_on_their_sockets)
        step(test_a_kill_is_followed_by_off_and_a_new_start, main_pid)
        step(test_off_was_run_and_could_switch_everything_off)
        main_pid = step(test_the_game_that_was_cut_off_is_offered_and_goes_on)
        step(test_a_game_is_judged_anew_under_the_units_own_filters_and_limits)
        step(test_a_process_that_takes_all_memory_ends_and_the_game_goes_on, main_pid)
        step(test_a_loop_that_hangs_is_ended_by_the_watchdog)
        step(test_it_ends_when_told_to)
        next_pid = step(test_without_off_a_kill_leaves_the_lamps_lit)
        step(test_a_kernel_that_takes_outputs_back_needs_no_off, next_pid)
    except Exception:
        # Whatever went wrong: the guest is gone with this, and its log would be too.
        tell(log())
        raise


if __name__ == "__main__":
    main()
