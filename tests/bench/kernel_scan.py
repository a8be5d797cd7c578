"""Speed of the matrix scan: mock pins here, mock and real factories against a kernel's GPIO in the QEMU guest.

    python -m tests.bench.kernel_scan

What the emulation costs is read off mock pins, which make no system call: the ratio of guest to here is how much
slower Python runs there, and the guest's figures divided by it are what the same work would cost here.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable

from tests.kernel.guest_machine import PI_4, boot
from tests.kernel.kernel_build import KernelBuildError, cache_folder, make_kernel
from tests.kernel.test_kernel_gpio import RUN

FACTORIES = ("mock", "lgpio", "rpigpio")


def read_figures(lines: Iterable[str]) -> dict[str, float]:
    """The figures among the lines that `tests.kernel.guest.figures` wrote."""
    words = [line.split() for line in lines]
    return {name: float(value) for mark, name, value in (w for w in words if len(w) == 3) if mark == "FIGURE"}


def main() -> None:
    command = [sys.executable, "-c", "from tests.kernel.guest.figures import measure; measure('mock')"]
    here = read_figures(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())
    try:
        kernel = make_kernel(cache_folder())
    except KernelBuildError as error:
        sys.exit(f"kernel_scan: {error}")
    runs = [f"FIGURES:{factory}" for factory in FACTORIES]
    report = boot(kernel, PI_4, RUN, runs)
    if any(report.statuses.get(run) for run in runs) or len(report.statuses) < len(runs):
        sys.exit(report.console)
    guest = read_figures(report.console.splitlines())
    slower = guest["mock:scan_us"] / here["mock:scan_us"]
    for place, figures in (("here", here), ("guest", guest)):
        for name, value in figures.items():
            print(f"{place:<6} {name:<40} {value:>9.1f}")
    print(f"guest/here, mock pins: {slower:.1f} times slower")
    for factory in FACTORIES[1:]:
        work_us = guest[f"{factory}:scan_us"] / slower
        print(
            f"{factory}: {work_us:.1f} µs a scan without the emulation, {work_us * 250 / 1e4:.2f} % of a core at 250 Hz"
        )


if __name__ == "__main__":
    main()
