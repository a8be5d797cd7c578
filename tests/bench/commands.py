"""Whole commands: start-up, memory, idling."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_TAMSK_PI: Final = (sys.executable, "-m", "tamsk_pi")
_CASE: Final = Path(__file__).parents[1] / "cases" / "wrong-glass.trace.jsonl"
_IDLE_S: Final = 10


def _run(*arguments: str) -> tuple[float, int]:
    """Wall seconds and peak resident kB of a command."""
    began = time.perf_counter()
    child = subprocess.Popen([*_TAMSK_PI, *arguments], stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    return time.perf_counter() - began, usage.ru_maxrss


def _first_ruling_s() -> float:
    began = time.perf_counter()
    with subprocess.Popen([*_TAMSK_PI, "replay", "--json", str(_CASE)], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline()
        took_s = time.perf_counter() - began
        child.stdout.read()
    return took_s


def _idle(folder: str) -> tuple[float, int]:
    """CPU seconds in ten idle seconds of `simulate --no-web`, start-up taken off, and its peak resident kB."""
    costs = []
    peak_kb = 0
    for seconds in (1, 1 + _IDLE_S):
        child = subprocess.Popen([*_TAMSK_PI, "simulate", "--no-web", "--out", folder], stdout=subprocess.DEVNULL)
        time.sleep(seconds)
        child.send_signal(signal.SIGTERM)
        _, _, usage = os.wait4(child.pid, 0)
        child.returncode = 0
        costs.append(usage.ru_utime + usage.ru_stime)
        peak_kb = max(peak_kb, usage.ru_maxrss)
    return costs[1] - costs[0], peak_kb


def run() -> list[tuple[str, str]]:
    """Start-up and peak memory of `replay` and `simulate`, and what idling costs."""
    _run("replay", str(_CASE))
    replay_s, replay_kb = _run("replay", str(_CASE))
    with TemporaryDirectory() as folder:
        auto = ("simulate", "--auto", "--no-web", "--seed", "7", "--level", "3", "--speed", "1e6", "--out", folder)
        auto_s, auto_kb = _run(*auto)
        idle_cpu_s, idle_kb = _idle(folder)
    return [
        ("start to first ruling (replay)", f"{_first_ruling_s():.2f} s"),
        ("replay of a short trace, whole command", f"{replay_s:.2f} s, {replay_kb / 1024:.1f} MB"),
        ("simulate --auto, one whole level-3 game", f"{auto_s:.2f} s, {auto_kb / 1024:.1f} MB"),
        (f"simulate --no-web, {_IDLE_S} s idle", f"{idle_cpu_s / _IDLE_S:.1%} of a core, {idle_kb / 1024:.1f} MB"),
    ]
