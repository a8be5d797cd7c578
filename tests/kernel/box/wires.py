"""The matrix's wires in the guest, played in the service's own process: laid into its copy of lgpio by the image.

A row is low for microseconds, so no other process could follow. Whenever the service has moved its rows, their levels
are asked of the kernel, and each column that a closed contact joins to a low row is pulled down from outside. Which
contacts are closed stands in `CLOSED`, one crossing a line; the driver writes it.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

CLOSED: Final = Path("/run/board/closed")
CHIP: Final = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")
BOARD: Final = Path("/etc/tamsk-pi/board.toml")


class Wires:
    """What joins rows to columns; a diode at every crossing."""

    def __init__(self, rows: dict[str, int], columns: dict[str, int]) -> None:
        self._row_names = {line: name for name, line in rows.items()}
        self._pulls = {name: os.open(CHIP / f"sim_gpio{line}" / "pull", os.O_WRONLY) for name, line in columns.items()}
        self._closed: tuple[str, ...] = ()
        self._written_ns = 0
        self._low: frozenset[str] = frozenset()

    def follow(self, levels: dict[int, bool]) -> None:
        """Give the columns the levels that these rows and the contacts give them now."""
        rows = {self._row_names[line] for line, high in levels.items() if not high}
        if not rows:
            self._look_at_contacts()
        low = frozenset(crossing[0] for crossing in self._closed if crossing[1] in rows)
        for name in self._low ^ low:
            os.pwrite(self._pulls[name], b"pull-down" if name in low else b"pull-up", 0)
        self._low = low

    def _look_at_contacts(self) -> None:
        """Only between two scans, so that each sees one state of the board."""
        written_ns = CLOSED.stat().st_mtime_ns if CLOSED.exists() else 0
        if written_ns != self._written_ns:
            self._written_ns = written_ns
            self._closed = tuple(CLOSED.read_text(encoding="utf-8").split())


def lay_into(lgpio: dict[str, Any]) -> None:
    """Have the wires follow every move of a group of rows. `lgpio`: the module's names."""
    claim: Callable[..., int] = lgpio["group_claim_output"]
    write: Callable[..., int] = lgpio["group_write"]
    groups: dict[int, tuple[list[int], Wires]] = {}

    def claimed(handle: int, lines: list[int], *rest: Any) -> int:
        result = claim(handle, lines, *rest)
        matrix = tomllib.loads(BOARD.read_text(encoding="utf-8"))["matrix"]
        groups[lines[0]] = (lines, Wires(matrix["rows"], matrix["columns"]))
        return result

    def moved(handle: int, leader: int, *rest: Any) -> int:
        result = write(handle, leader, *rest)
        lines, wires = groups[leader]
        levels = lgpio["group_read"](handle, leader)[1]
        wires.follow({line: bool(levels >> bit & 1) for bit, line in enumerate(lines)})
        return result

    lgpio.update(group_claim_output=claimed, group_write=moved)
