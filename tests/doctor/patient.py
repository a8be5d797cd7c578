"""A machine of files in a folder, healthy at first: a Pi 4 with the matrix board's needs met. Tests put faults in."""

from __future__ import annotations

import os
from pathlib import Path

import attrs

from firmware_bridge.inputs import Build
from firmware_bridge.model import MODEL_FIRMWARE
from firmware_bridge.protocol import PROTOCOL_MAJOR, PROTOCOL_MINOR, Config, Hello
from tamsk_pi.doctor.examine import examine
from tamsk_pi.doctor.finding import Finding
from tamsk_pi.doctor.machine import Machine, SerialDevice

HELLO = Hello(PROTOCOL_MAJOR, PROTOCOL_MINOR, MODEL_FIRMWARE, Build(), 0xC0FFEE, 1, 1, Config().crc(), 512)
"""What a bridge says that answers."""


class Patient:
    """What the doctor is shown. Change `machine` with `ails`, files with `write` and `remove`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.held: dict[int, str] = {}
        self.denied: set[str] = set()
        self.versions = {"gpiozero": "2.0.1", "lgpio": "0.2.2.0", "pyserial": "3.5"}
        self.serial: list[SerialDevice] = []
        self.write("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.1\0")
        self.write("proc/device-tree/system/linux,revision", "\0\xc0\x31\x11")
        self.write("dev/gpiochip0", "pinctrl-bcm2711")
        self.write("dev/spidev0.0")
        self.write("dev/i2c-1")
        self.write("run/systemd/timesync/synchronized")
        self.write("home/.local/share/tamsk-pi/games/keep")
        self.machine = Machine(
            root=root,
            environment={"HOME": str(root / "home")},
            kernel="6.12.47+rpt-rpi-v8",
            user_id=1000,
            groups=lambda: frozenset({"gpio", "spi", "dialout"}),
            may=lambda path, mode: not any(path.match(pattern) for pattern in self.denied),
            version_of=lambda name: self.versions.get(name),
            label_of=lambda path: path.read_text(encoding="utf-8"),
            line_user=lambda chip, line: self.held.get(line),
            try_factory=lambda name: None,
            serial_devices=lambda: self.serial,
            ask_bridge=lambda port, baud: HELLO,
            free_bytes=lambda folder: 5_000_000_000,
            wall_s=lambda: 1_790_000_000.0,
        )

    def write(self, path: str, text: str = "") -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return target

    def remove(self, path: str) -> None:
        (self.root / path).unlink()

    def ails(self, **looks: object) -> None:
        """Replace some of the looks."""
        self.machine = attrs.evolve(self.machine, **looks)  # type: ignore[arg-type]

    def process(self, number: int, name: str, opened: str = "", fdinfo: str = "") -> None:
        """A process that runs, perhaps with something open."""
        self.write(f"proc/{number}/comm", f"{name}\n")
        if opened:
            (self.root / f"proc/{number}/fd").mkdir()
            os.symlink(opened, self.root / f"proc/{number}/fd/3")
            self.write(f"proc/{number}/fdinfo/3", fdinfo)

    def findings(self, **settings: object) -> list[Finding]:
        """What the doctor finds with these settings (keys with `__` for a dot)."""
        overrides = {key.replace("__", "."): value for key, value in settings.items()}
        return list(examine(self.machine, overrides, files=()))
