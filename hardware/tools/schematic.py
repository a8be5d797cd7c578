"""The circuit boards as SKiDL schematics: electrical rule check, and a netlist that KiCad opens.

Only what sits on the board itself is in the netlist; the field hangs on its connectors. In KiCad's board editor:
File, Import Netlist. The footprints are those of KiCad's own libraries.

SKiDL keeps state in its module and leaves files in the working folder, so it runs in a process and a folder of its own
(`skidl_job`).
"""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import attrs

from hardware.tools.circuit import Circuit
from hardware.tools.paths import HARDWARE

STAMPS: Final = re.compile(
    r'\n *\(date "[^"]*"\)|\n *\(field\s+\(name "SKiDL (?:Line|Tag)"\)(?: "[^"]*")?\)',
)
"""What SKiDL writes of the moment and of the calling file: the same schematic must give the same netlist."""


@attrs.frozen
class Schematic:
    """A checked schematic: KiCad's netlist, and what the electrical rule check says (empty: nothing)."""

    netlist: str
    complaints: tuple[str, ...]


def schematic(circuit: Circuit, source: str) -> Schematic:
    """Build the board's part of a circuit in SKiDL, check it and write its netlist. `source` names it inside.

    `subprocess.CalledProcessError` where SKiDL fails; its output is in the error.
    """
    with tempfile.TemporaryDirectory() as folder:
        given, made = Path(folder) / "circuit", Path(folder) / "schematic"
        given.write_bytes(pickle.dumps(circuit))
        subprocess.run(
            [sys.executable, "-m", "hardware.tools.skidl_job", str(given), str(made)],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(HARDWARE.parent)},
            check=True,
            capture_output=True,
            text=True,
            timeout=120,
        )
        netlist, complaints = pickle.loads(made.read_bytes())
    return Schematic(_cleaned(netlist, source), tuple(complaints))


def _cleaned(netlist: str, source: str) -> str:
    """The netlist without SKiDL's stamps and with a source of our own."""
    return re.sub(r'\(source "[^"]*"\)', f'(source "{source}")', STAMPS.sub("", netlist)).strip() + "\n"
