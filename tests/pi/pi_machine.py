"""Booting the emulated Pi 3: QEMU without acceleration, a card of its own, the program as it is in the clone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs

from tests.pi.pi_build import CLONE, EmulatedPi, pack, precompile

SILENT_S: Final = 300
"""How long a guest may say nothing on its console before it is given up: one that goes on is waited for."""
GUEST: Final = Path(__file__).with_name("guest")

_STATUS: Final = re.compile(r"^GUEST (\S+) rc=(\d+)\r?$", re.MULTILINE)


@attrs.frozen
class PiReport:
    """What a boot wrote on its console, and the exit status of each thing asked of it."""

    console: str

    @property
    def statuses(self) -> dict[str, int]:
        return {name: int(status) for name, status in _STATUS.findall(self.console)}

    def said_about(self, name: str) -> str:
        """What was written between the question and its answer."""
        _, _, after = self.console.partition(f"ASKED {name}\r\n")
        return after.partition(f"GUEST {name} rc=")[0]


class Machine:
    """One Pi with its card in `folder`; it may be booted several times, as the card keeps what was written."""

    def __init__(self, parts: EmulatedPi, folder: Path) -> None:
        self._parts = parts
        self._card = folder / "card.img"
        self._initramfs = folder / "initramfs"
        subprocess.run(["cp", "--sparse=always", parts.card, self._card], check=True)
        with tempfile.TemporaryDirectory(dir=folder) as built:
            root = Path(built)
            for name in ("tamsk_pi", "firmware_bridge", "hardware/boards"):
                shutil.copytree(CLONE / name, root / "program" / name, ignore=shutil.ignore_patterns("__pycache__"))
            shutil.copytree(GUEST, root / "program/tests/pi/guest")
            precompile(root / "program")
            shutil.copy(GUEST / "init", root / "init")
            (root / "init").chmod(0o755)
            pack(root, self._initramfs)
        # The kernel unpacks one archive after the other, where each begins at a multiple of four bytes.
        own = self._initramfs.read_bytes()
        first = parts.initramfs.read_bytes()
        self._initramfs.write_bytes(first + bytes(-len(first) % 512) + own)

    def boot(self, part: str, *, cut_at: str | None = None) -> PiReport:
        """Boot with `part` of `guest/check.sh` until the guest is off, or cut its power where it says so."""
        words = ["console=ttyAMA0,115200", "panic=1", "quiet", "iomem=relaxed", f"RUN_PART={part}"]
        words.append("pinctrl_bcm2835.persist_gpio_outputs=y")
        command = [*self._parts.qemu, "-M", "raspi3b", "-accel", "tcg,thread=multi", "-display", "none", "-no-reboot"]
        command += ["-serial", "stdio", "-monitor", "none", "-drive", f"file={self._card},if=sd,format=raw"]
        command += ["-kernel", str(self._parts.kernel), "-dtb", str(self._parts.tree)]
        command += ["-initrd", str(self._initramfs), "-append", " ".join(words)]
        with tempfile.TemporaryFile() as output:

            def heard() -> bytes:
                return os.pread(output.fileno(), os.fstat(output.fileno()).st_size, 0)

            machine = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, "QEMU_MODULE_DIR": str(self._parts.qemu_modules)},
            )
            try:
                why = _wait(machine, heard, cut_at.encode() if cut_at else None)
            finally:
                machine.kill()
                machine.wait()
            return PiReport(heard().decode("utf-8", "replace") + why)


def _wait(machine: subprocess.Popen[bytes], heard: Callable[[], bytes], cut_at: bytes | None) -> str:
    """Wait until the guest is off or has said `cut_at`; a word more where nothing was heard for `SILENT_S`."""
    before, since_s = b"", time.monotonic()
    while True:
        with suppress(subprocess.TimeoutExpired):
            machine.wait(0.2)
            return ""
        now = heard()
        if cut_at is not None and cut_at in now:
            return ""
        if now != before:
            before, since_s = now, time.monotonic()
        elif time.monotonic() - since_s > SILENT_S:
            return f"\nnothing was heard of the guest for {SILENT_S} s"
