"""KiCad's check of a printed board, and whether the board joins what its circuit joins."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

from hardware.tools.circuit import Circuit

KICAD_PYTHON: Final = "/usr/bin/python3"
"""Debian's own Python: the only one that has `pcbnew`."""

DRAW: Final = Path(__file__).with_name("draw.py")
TEMPLATE: Final = Path("/usr/share/kicad/template/fp-lib-table")


def lacking() -> str | None:
    """What is missing to draw and check boards, as words for a person; None when all is there."""
    program = shutil.which("kicad-cli")
    if program is None:
        return "KiCad 9 (Debian packages kicad and kicad-footprints, in bookworm from backports)"
    version = subprocess.run([program, "version"], capture_output=True, text=True, timeout=60).stdout.strip()
    if not version.startswith("9."):
        return f"KiCad 9 (here is {version}; in Debian bookworm it is in backports)"
    return None


def environment(folder: Path) -> dict[str, str]:
    """An environment in which KiCad knows its own footprints and nothing of the user's settings."""
    home = folder / "kicad-home"
    (home / "9.0").mkdir(parents=True, exist_ok=True)
    shutil.copy(TEMPLATE, home / "9.0" / "fp-lib-table")
    return os.environ | {"KICAD_CONFIG_HOME": str(home)}


def draw(job: str, folder: Path, name: str) -> Path:
    """Draw a board from its job; the `.kicad_pro` with its rules lies beside it. `subprocess.CalledProcessError`."""
    source, board = folder / f"{name}.json", folder / f"{name}.kicad_pcb"
    source.write_text(job, encoding="utf-8")
    for old in (board, board.with_suffix(".kicad_pro"), board.with_suffix(".kicad_prl")):
        old.unlink(missing_ok=True)
    command = [KICAD_PYTHON, str(DRAW), str(source), str(board)]
    subprocess.run(command, check=True, capture_output=True, text=True, env=environment(folder))
    return board


def violations(board: Path, folder: Path) -> list[str]:
    """Everything that KiCad's design rule check finds, at every severity, and what is not joined; one line each.

    The rules are those of the `.kicad_pro` beside the board; without it KiCad judges by others: `FileNotFoundError`.
    """
    if not board.with_suffix(".kicad_pro").is_file():
        raise FileNotFoundError(f"{board.with_suffix('.kicad_pro')} is missing: its rules are what the check goes by")
    report = folder / f"{board.stem}.drc.json"
    command = ["kicad-cli", "pcb", "drc", "--severity-all", "--format", "json", "-o", str(report), str(board)]
    subprocess.run(command, check=True, capture_output=True, text=True, env=environment(folder))
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return [
        f"{item['type']}: {' and '.join(part['description'] for part in item['items'])}"
        for item in (*found["violations"], *found["unconnected_items"])
    ]


_TOKENS: Final = re.compile(r'"(?:\\.|[^"\\])*"|[()]|[^\s()]+')


def _tree(text: str) -> list[Any]:
    """An S-expression as nested lists."""
    stack: list[list[Any]] = [[]]
    for token in _TOKENS.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            stack[-2].append(stack.pop())
        else:
            stack[-1].append(token.strip('"'))
    first: list[Any] = stack[0][0]
    return first


def _of(node: list[Any], key: str) -> list[list[Any]]:
    return [child for child in node if isinstance(child, list) and child and child[0] == key]


def nets_of_board(board: Path) -> dict[str, frozenset[tuple[str, str]]]:
    """Every net of a drawn board with the pins on it (reference, pad), read from the file itself."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for footprint in _of(_tree(board.read_text(encoding="utf-8")), "footprint"):
        ref = next(prop[2] for prop in _of(footprint, "property") if prop[1] == "Reference")
        for pad in _of(footprint, "pad"):
            for net in _of(pad, "net"):
                found[net[2]].add((ref, pad[1]))
    return {name: frozenset(pins) for name, pins in found.items()}


def nets_of_circuit(circuit: Circuit) -> dict[str, frozenset[tuple[str, str]]]:
    """Every net of a circuit with the pins of the parts on the board."""
    nets = {
        name: frozenset((component.ref, pin.number) for component, pin in pins if component.place == "board")
        for name, pins in circuit.nets().items()
    }
    return {name: pins for name, pins in nets.items() if pins}
