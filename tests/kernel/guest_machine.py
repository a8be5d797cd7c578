"""Booting the guest: QEMU without acceleration, the host's files read-only, output over the serial console."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs

from tests.kernel.kernel_build import Kernel

LONGEST_S: Final = 300
"""How long a guest may say nothing on its console, not counting what others take of the processor: one that goes on is
waited for, on however busy a machine."""
_OWN_TIME: Final = ("-icount", "shift=2")
"""The guest's clock counts its instructions, 4 ns each: a busy host makes the guest's whole world slower, and not its
programs late. So it is as fast as a Pi of the first kind, on every host."""

_STATUS: Final = re.compile(r"^GUEST (\S+) rc=(\d+)\r?$", re.MULTILINE)


@attrs.frozen
class PiModel:
    """A model of Pi: its revision code, and the label of the gpiochip that is its header."""

    name: str
    revision: str
    label: str


PI_4: Final = PiModel("Pi 4", "c03111", "pinctrl-bcm2711")
PI_5: Final = PiModel("Pi 5", "d04170", "pinctrl-rp1")


@attrs.frozen
class GuestReport:
    """What the guest wrote on its console, and the exit status of each run."""

    console: str
    statuses: Mapping[str, int]


def boot(kernel: Kernel, model: PiModel, script: Path, runs: Sequence[str]) -> GuestReport:
    """Boot the guest, run `script` in it once with each word of `runs`, and wait until it has powered off."""
    clone = Path(__file__).resolve().parents[2]
    told = {"PYTHON": sys.executable, "CLONE": str(clone), "SCRIPT": str(script), "RUNS": ",".join(runs)}
    return _emulate(kernel, model, {"PERSIST": "0", **told})


def boot_systemd(kernel: Kernel, model: PiModel, image: Path, unit: str) -> GuestReport:
    """Boot the guest with the host's systemd as its first process and `unit` to start, and wait until it is off.

    The files of `image` are laid over the host's, and what the guest writes is gone with it. The kernel leaves an
    output as it was when its owner is gone, as Raspberry Pi's kernels do.
    """
    return _emulate(kernel, model, {"IMAGE": str(image), "UNIT": unit, "PERSIST": "1"})


def _emulate(kernel: Kernel, model: PiModel, told: Mapping[str, str]) -> GuestReport:
    """Never KVM, though the device may be there: under nested virtualization a stock kernel can hang in it."""
    told = {"REVISION": model.revision, "LABEL": model.label, **told}
    words = ["console=ttyS0", "quiet", "panic=1", *(f"{key}={value}" for key, value in told.items())]
    command = [
        "qemu-system-x86_64",
        "-accel",
        "tcg",
        *_OWN_TIME,
        "-cpu",
        "max",
        "-m",
        "1024",
        "-nographic",
        "-no-reboot",
    ]
    command += ["-kernel", str(kernel.image), "-initrd", str(kernel.initramfs), "-append", shlex.join(words)]
    command += ["-fsdev", "local,id=host,path=/,security_model=none,readonly=on,multidevs=remap"]
    command += ["-device", "virtio-9p-pci,fsdev=host,mount_tag=host"]
    with tempfile.TemporaryFile() as output:
        machine = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        try:
            silent = _wait(machine, lambda: os.fstat(output.fileno()).st_size)
        finally:
            machine.kill()
            machine.wait()
        output.seek(0)
        console = output.read().decode("utf-8", "replace")
    if silent:
        console += f"\nnothing was heard of the guest for {LONGEST_S} s"
    return GuestReport(console, {run: int(status) for run, status in _STATUS.findall(console)})


def _wait(machine: subprocess.Popen[bytes], heard: Callable[[], int]) -> bool:
    """Wait until the guest is off; True where nothing new was heard of it for `LONGEST_S`, however long it took."""
    before, since_s = -1, 0.0
    while True:
        with suppress(subprocess.TimeoutExpired):
            machine.wait(1.0)
            return False
        own_s = time.monotonic() - _kept_waiting_s(machine.pid)
        if (now := heard()) != before:
            before, since_s = now, own_s
        elif own_s - since_s > LONGEST_S:
            return True


def _kept_waiting_s(process: int) -> float:
    """How long a process has wanted to run and got no processor, in s; 0 where the system does not tell."""
    waited_ns = [0]
    for path in Path(f"/proc/{process}/task").glob("*/schedstat"):
        with suppress(OSError, ValueError, IndexError):  # a thread that has just ended
            waited_ns.append(int(path.read_text().split()[1]))
    return max(waited_ns) / 1e9
