"""The protocol's page and the code say the same."""

from __future__ import annotations

import re
from pathlib import Path

import firmware_bridge
from firmware_bridge.build import protocol_version
from firmware_bridge.framing import decode
from firmware_bridge.protocol import PROTOCOL_MAJOR, PROTOCOL_MINOR, Status, Type

FOLDER = Path(firmware_bridge.__file__).parent
PAGE = (FOLDER / "PROTOCOL.md").read_text(encoding="utf-8")
VECTORS = (FOLDER / "vectors.txt").read_text(encoding="ascii")


def section(title: str) -> str:
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_every_golden_frame_is_sound_and_among_the_vectors() -> None:
    rows = re.findall(r"^\| ([A-Z_]+) \|.*\| `([0-9a-f]+)` \|$", section("Golden frames"), re.MULTILINE)
    assert {name for name, _ in rows} == {kind.name for kind in Type}
    for name, data in rows:
        assert data.endswith("00")
        frame = decode(bytes.fromhex(data[:-2]))
        assert Type(frame.type).name == name
        assert data[:-2] in VECTORS, name


def test_every_type_is_described_once() -> None:
    told = re.findall(r"^\| ([0-9A-F]{2}) \| ([A-Z_]+) \|", section("From the board") + section("From the host"), re.M)
    assert [(int(number, 16), name) for number, name in told] == [(int(kind), kind.name) for kind in Type]


def test_the_versions_are_the_same_everywhere() -> None:
    version = f"{PROTOCOL_MAJOR}.{PROTOCOL_MINOR}"
    assert PAGE.startswith(f"# The bridge's protocol, version {version}\n")
    assert protocol_version() == version


def test_the_firmwares_header_has_the_same_types_and_statuses() -> None:
    header = (FOLDER / "avr" / "src" / "bridge.h").read_text(encoding="ascii")
    assert dict(re.findall(r"FRAME_(\w+) = (0x[0-9A-F]+)", header)) == {
        kind.name: f"0x{kind.value:02X}" for kind in Type
    }
    assert dict(re.findall(r"DONE_(\w+) = (\d)", header)) == {status.name: str(status.value) for status in Status}
