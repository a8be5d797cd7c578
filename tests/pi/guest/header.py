"""Inside the guest: the header's registers, as the emulated chip has them.

An input's level there is what was last written to GPSET or GPCLR, from anywhere: so wires are driven by writing it. An
output is read back by the same register. `FSEL` tells which of the two a line is.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from pathlib import Path
from typing import Any

BASE = 0x3F200000
OUTPUTS = {"turn_red": 12, "turn_black": 16, "alarm": 20, "ready": 21, "buzzer": 18}
CLOSED = Path("/run/closed")
COLUMNS = {"A": 14, "B": 15, "C": 17, "D": 27, "E": 22, "F": 23, "G": 24}
ROWS = {4: "1", 25: "2", 7: "3", 5: "4", 6: "5", 13: "6", 19: "7", 26: "8"}


class Header:
    """The registers that count here."""

    def __init__(self) -> None:
        memory = mmap.mmap(os.open("/dev/mem", os.O_RDWR | os.O_SYNC), 4096, offset=BASE)

        def register(offset: int) -> ctypes.c_uint32:
            return ctypes.c_uint32.from_buffer(memory, offset)

        self.set, self.clear, self.level = register(0x1C), register(0x28), register(0x34)
        self._functions = [register(4 * number) for number in range(6)]

    def is_output(self, line: int) -> bool:
        return self._functions[line // 10].value >> 3 * (line % 10) & 7 == 1

    def high(self) -> set[str]:
        """The names of the outputs whose lines are high."""
        level = self.level.value
        return {name for name, line in OUTPUTS.items() if level >> line & 1}


def lay_wires(lgpio: dict[str, Any]) -> None:
    """Have the columns follow every move of the rows, in the process that moves them: a row is low for microseconds.

    Which contacts are closed stands in `CLOSED`; it is looked at only between two rows.
    """
    header = Header()
    write = lgpio["group_write"]
    every = sum(1 << line for line in COLUMNS.values())
    header.set.value = every
    seen: dict[str, Any] = {"at_ns": 0, "low": {}}

    def look() -> None:
        at_ns = CLOSED.stat().st_mtime_ns
        if at_ns != seen["at_ns"]:
            low: dict[str, int] = {}
            for crossing in CLOSED.read_text(encoding="utf-8").split():
                low[crossing[1]] = low.get(crossing[1], 0) | 1 << COLUMNS[crossing[0]]
            seen.update(at_ns=at_ns, low=low)

    def moved(*words: Any) -> Any:
        result = write(*words)
        level = header.level.value
        rows = [name for line, name in ROWS.items() if not level >> line & 1]
        if not rows:
            look()
        low = 0
        for name in rows:
            low |= seen["low"].get(name, 0)
        header.set.value = every & ~low
        if low:
            header.clear.value = low
        return result

    lgpio["group_write"] = moved
