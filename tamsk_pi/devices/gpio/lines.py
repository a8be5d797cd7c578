"""How a row of the matrix is read: row low, a moment for the wires, the columns, row high.

Two ways with one contract. `PinLines` goes pin by pin through gpiozero and works on every factory. `GroupLines` asks
the kernel for all columns in one call, and moves all rows in one, where the factory is lgpio's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol


class MatrixLines(Protocol):
    """The matrix's lines.

    Must: `read_row(index)` drive that row alone, wait for the wires and return its closed contacts, bit n for the nth
    column; `rest()` leave no row driven; `close()` give the lines back to the gpiozero devices they came from.
    """

    def read_row(self, index: int) -> int: ...

    def rest(self) -> None: ...

    def close(self) -> None: ...


class GroupCalls(Protocol):
    """The part of the lgpio module that groups of lines need."""

    SET_PULL_UP: int

    def gpio_free(self, handle: int, line: int) -> int: ...

    def group_claim_input(self, handle: int, lines: list[int], flags: int) -> int: ...

    def group_claim_output(self, handle: int, lines: list[int], levels: list[int]) -> int: ...

    def group_read(self, handle: int, leader: int) -> Sequence[int]: ...

    def group_write(self, handle: int, leader: int, levels: int, mask: int) -> int: ...

    def group_free(self, handle: int, leader: int) -> int: ...


def wait_us(settle_us: int) -> Callable[[], None]:
    """A wait of `settle_us`, far shorter than what a sleep can be trusted with: it spins."""
    settle_ns = settle_us * 1000

    def wait() -> None:
        end_ns = time.perf_counter_ns() + settle_ns
        while time.perf_counter_ns() < end_ns:
            pass

    return wait


class PinLines:
    """Pin by pin. `rows` and `columns` are gpiozero pins."""

    def __init__(self, rows: Sequence[Any], columns: Sequence[Any], settle_us: int) -> None:
        self._rows = tuple(rows)
        self._columns = tuple((1 << index, pin) for index, pin in enumerate(columns))
        self._wait = wait_us(settle_us) if settle_us else None

    def read_row(self, index: int) -> int:
        row = self._rows[index]
        row.state = False
        if self._wait is not None:
            self._wait()
        closed = 0
        for bit, pin in self._columns:
            if not pin.state:
                closed |= bit
        row.state = True
        return closed

    def rest(self) -> None:
        """Nothing to do: every row is released as soon as it is read."""

    def close(self) -> None:
        for row in self._rows:
            row.state = True


class GroupLines:
    """Two calls a row: all rows moved in one, all columns read in one. `rows` and `columns` are line numbers that
    single gpiozero devices hold; they are claimed again as two groups."""

    def __init__(
        self, calls: GroupCalls, handle: int, rows: Sequence[int], columns: Sequence[int], settle_us: int
    ) -> None:
        self._calls, self._handle = calls, handle
        self._row_leader, self._column_leader = rows[0], columns[0]
        self._all_rows, self._all_columns = (1 << len(rows)) - 1, (1 << len(columns)) - 1
        self._levels = tuple(self._all_rows & ~(1 << index) for index in range(len(rows)))
        self._wait = wait_us(settle_us) if settle_us else None
        for line in (*rows, *columns):
            calls.gpio_free(handle, line)
        calls.group_claim_output(handle, list(rows), [1] * len(rows))
        calls.group_claim_input(handle, list(columns), calls.SET_PULL_UP)

    def read_row(self, index: int) -> int:
        self._calls.group_write(self._handle, self._row_leader, self._levels[index], self._all_rows)
        if self._wait is not None:
            self._wait()
        levels = self._calls.group_read(self._handle, self._column_leader)[1]
        return ~levels & self._all_columns

    def rest(self) -> None:
        self._calls.group_write(self._handle, self._row_leader, self._all_rows, self._all_rows)

    def close(self) -> None:
        self.rest()
        self._calls.group_free(self._handle, self._row_leader)
        self._calls.group_free(self._handle, self._column_leader)
