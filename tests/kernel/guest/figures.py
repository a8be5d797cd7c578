"""How long a scan takes in the guest, and what it costs at 250 Hz. Started by `tests.bench.kernel_scan`.

No wires are played here: nothing but the driver and the kernel runs. Each line printed is `FIGURE name value`.
"""

from __future__ import annotations

import os
import sys
import time

import attrs

from tamsk_pi.config.profile import BoardProfile, load_profile
from tamsk_pi.devices.gpio.board import MatrixBoard

SCANS = 1000
LONG_S = 4.0


def figure(name: str, value: float) -> None:
    sys.stdout.write(f"FIGURE {name} {value:.1f}\n")
    sys.stdout.flush()


def scan_us(profile: BoardProfile, pin_factory: str, settle_us: int) -> float:
    """µs a scan, with nothing closed, called as fast as it goes."""
    board = MatrixBoard(profile, pin_factory=pin_factory, scan_thread=False, row_settle_us=settle_us)
    board.open()
    try:
        board.inputs()
        begin_s = time.perf_counter()
        for t_ms in range(SCANS):
            board.scan_once(t_ms)
        return (time.perf_counter() - begin_s) / SCANS * 1e6
    finally:
        board.close()


def at_rate(profile: BoardProfile, pin_factory: str) -> tuple[float, int, float]:
    """Scans a second, late scans, and % of a core, with the scan thread at the profile's rate and settling."""
    board = MatrixBoard(profile, pin_factory=pin_factory)
    board.open()
    try:
        board.start(lambda _edges: None)
        begin_s, cpu_s, scans = time.perf_counter(), time.process_time(), board.scans
        time.sleep(LONG_S)
        spent_s = time.perf_counter() - begin_s
        return (
            (board.scans - scans) / spent_s,
            board.late_scans,
            (time.process_time() - cpu_s) / spent_s * 100,
        )
    finally:
        board.close()


def measure(pin_factory: str) -> None:
    """Print every figure for one factory."""
    profile = attrs.evolve(load_profile("matrix"), socket_lamps=None)
    settle_us = profile.matrix.row_settle_us
    figure(f"{pin_factory}:scan_us", scan_us(profile, pin_factory, 0))
    figure(f"{pin_factory}:scan_us_settling_{settle_us}us", scan_us(profile, pin_factory, settle_us))
    scans_per_s, late, cpu = at_rate(profile, pin_factory)
    figure(f"{pin_factory}:scans_per_s", scans_per_s)
    figure(f"{pin_factory}:late_scans", late)
    figure(f"{pin_factory}:cpu_percent", cpu)


if __name__ == "__main__":
    measure(os.environ["PIN_FACTORY"])
