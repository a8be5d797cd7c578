"""Speed of the matrix scan: mock pins here, mock and real factories against a kernel's GPIO in the QEMU guest.

What the emulation costs is read off mock pins, which make no system call: the ratio of guest to here is how much
slower Python runs there, and the guest's figures divided by it are what the same work would cost here.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterable

from tests.kernel.guest_machine import PI_4, boot
from tests.kernel.guests import RUN
from tests.kernel.kernel_build import KernelBuildError, cache_folder, make_kernel

FACTORIES = ("mock", "lgpio", "rpigpio")


def read_figures(lines: Iterable[str]) -> dict[str, float]:
    """The figures among the lines that `tests.kernel.guest.figures` wrote."""
    words = [line.split() for line in lines]
    return {name: float(value) for mark, name, value in (w for w in words if len(w) == 3) if mark == "FIGURE"}


def measured() -> tuple[dict[str, float], dict[str, float]]:
    """The figures on mock pins here, and those of every factory in the guest. `KernelBuildError` without a guest."""
    if importlib.util.find_spec("lgpio") is None or importlib.util.find_spec("RPi") is None:
        raise KernelBuildError("needs lgpio and rpi-lgpio: make kernel-tools")
    kernel = make_kernel(cache_folder())
    command = [sys.executable, "-c", "from tests.kernel.guest.figures import measure; measure('mock')"]
    here = read_figures(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())
    runs = [f"FIGURES:{factory}" for factory in FACTORIES]
    report = boot(kernel, PI_4, RUN, runs)
    if [report.statuses.get(run) for run in runs] != [0] * len(runs):
        raise KernelBuildError(f"the guest failed: {report.console[-2000:]}")
    return here, read_figures(report.console.splitlines())


def run() -> list[tuple[str, str]]:
    """What a scan takes and costs, with and without the emulation; or why there is nothing to tell."""
    try:
        here, guest = measured()
    except KernelBuildError as error:
        return [("scan in a guest", f"not measured: {error}")]
    slower = guest["mock:scan_us"] / here["mock:scan_us"]
    figures = [
        (
            "matrix scan, mock pins",
            f"{here['mock:scan_us']:.1f} µs; {here['mock:cpu_percent']:.1f} % of a core at 250 Hz",
        ),
        ("Python in the guest, by mock pins", f"{slower:.1f} times slower"),
    ]
    for factory in FACTORIES:
        scan_us, cpu = guest[f"{factory}:scan_us"], guest[f"{factory}:cpu_percent"]
        rate, late = guest[f"{factory}:scans_per_s"], guest[f"{factory}:late_scans"]
        name = f"matrix scan, {factory} in the guest"
        figures.append((name, f"{scan_us:.0f} µs; {cpu:.1f} % of its core at {rate:.0f} scans/s, {late:.0f} late"))
        figures.append(
            (f"{name}, less the emulation", f"{scan_us / slower:.1f} µs; {scan_us / slower / 40:.2f} % at 250 Hz")
        )
    return figures
