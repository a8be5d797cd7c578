"""The simulated 40-pin header as a person with a meter and a soldering iron sees it: levels in sysfs, and wires.

gpio-sim shows each line's level under `value` and takes what an input is pulled to under `pull`. The matrix's wires
are played by `Wires`: whenever the program has moved a line, it looks up the rows' levels in sysfs, as the kernel has
them and not as the program believes, and pulls each column low that a closed contact joins to a low row.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import lgpio
import pytest

from tamsk_pi.config.profile import CROSSINGS, Matrix

CHIP: Final = Path("/sys/devices/platform/gpio-sim.0/gpiochip0")
_MOVERS: Final = ("gpio_write", "group_write", "gpio_claim_output", "group_claim_output", "gpio_claim_input")


class Line:
    """One line, through sysfs."""

    def __init__(self, number: int) -> None:
        folder = CHIP / f"sim_gpio{number}"
        self._value = os.open(folder / "value", os.O_RDONLY)
        self._pull = os.open(folder / "pull", os.O_RDWR)
        self._pulled_up: bool | None = None

    def is_high(self) -> bool:
        """The level that the kernel shows."""
        return os.pread(self._value, 4, 0).strip() == b"1"

    def pull(self, up: bool) -> None:
        """Pull the line up or down from outside."""
        os.pwrite(self._pull, b"pull-up" if up else b"pull-down", 0)

    def is_pulled_up(self) -> bool:
        """Which way the line is pulled now; the program's own bias shows here too."""
        return os.pread(self._pull, 16, 0).strip() == b"pull-up"

    def close(self) -> None:
        os.close(self._value)
        os.close(self._pull)


class Wires:
    """The switch matrix between the lines: every crossing has its diode."""

    def __init__(self, matrix: Matrix) -> None:
        self.rows = {name: Line(number) for name, number in matrix.rows.items()}
        self.columns = {name: Line(number) for name, number in matrix.columns.items()}
        self.closed: set[str] = set()
        self.driven: set[frozenset[str]] = set()
        """Every set of rows that was seen low at one moment."""
        self._low_columns: frozenset[str] = frozenset()

    def set(self, crossing: str, closed: bool) -> None:
        """Close or open the contact at a crossing."""
        assert crossing in CROSSINGS
        (self.closed.add if closed else self.closed.discard)(crossing)

    def follow(self) -> None:
        """Give the columns the levels that rows and contacts give them now."""
        low_rows = frozenset(name for name, line in self.rows.items() if not line.is_high())
        self.driven.add(low_rows)
        low_columns = frozenset(crossing[0] for crossing in self.closed if crossing[1] in low_rows)
        for name in self._low_columns ^ low_columns:
            self.columns[name].pull(up=name not in low_columns)
        self._low_columns = low_columns

    def close(self) -> None:
        for line in (*self.rows.values(), *self.columns.values()):
            line.close()


@contextmanager
def after_every_move(look: Callable[[], None]) -> Iterator[None]:
    """Have `look` called after every move of a line that this process makes through lgpio.

    Both factories end there: gpiozero's LGPIOFactory directly, RPiGPIOFactory through rpi-lgpio.
    """

    def followed(call: Callable[..., Any]) -> Callable[..., Any]:
        def moved(*args: Any) -> Any:
            result = call(*args)
            look()
            return result

        return moved

    with pytest.MonkeyPatch.context() as patch:
        for name in _MOVERS:
            patch.setattr(lgpio, name, followed(getattr(lgpio, name)))
        yield


@contextmanager
def wired(matrix: Matrix) -> Iterator[Wires]:
    """The matrix's wires, which follow every move of a line."""
    wires = Wires(matrix)
    with after_every_move(wires.follow):
        yield wires
    wires.close()
