"""A matrix of switches as a circuit: which columns are pulled low by which driven rows. Knows no pins and no game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Crossing(NamedTuple):
    """Where a column's wire and a row's cross and a switch may join them."""

    column: str
    row: int

    @classmethod
    def named(cls, name: str) -> Crossing:
        """From its name as in a board profile: the column's letter and the row's number, `A8`. `ValueError` else."""
        column, row = name[:1], name[1:]
        if not (column.isalpha() and row.isdecimal()):
            raise ValueError(f"{name!r} names no crossing: a column's letter and a row's number do, as A8")
        return cls(column, int(row))


class SwitchMatrix:
    """Rows that can be driven low, columns with pull-ups, and at each crossing a switch, open at first.

    With `diodes` (cathode towards the row) current only flows from a column into a row, so a driven row pulls down
    the columns it is joined to and no others. Without them it also flows back up through any other closed switch:
    three closed corners of a rectangle make the fourth look closed. A row that is not driven low does not hold up a
    column: it is released, or too weak to win.
    """

    def __init__(self, rows: Iterable[int], columns: Iterable[str], *, diodes: bool = True) -> None:
        self.rows = tuple(rows)
        self.columns = tuple(columns)
        self.diodes = diodes
        self._closed: dict[int, set[str]] = {row: set() for row in self.rows}
        self._driven: set[int] = set()

    def set_switch(self, crossing: Crossing, closed: bool) -> None:
        """Close or open the switch at a crossing. `ValueError` where there is none."""
        if crossing.row not in self._closed or crossing.column not in self.columns:
            raise ValueError(f"the matrix has no crossing {crossing.column}{crossing.row}")
        if closed:
            self._closed[crossing.row].add(crossing.column)
        else:
            self._closed[crossing.row].discard(crossing.column)

    def is_closed(self, crossing: Crossing) -> bool:
        return crossing.column in self._closed[crossing.row]

    def drive(self, row: int, low: bool) -> None:
        """Drive a row low, or stop doing so."""
        if low:
            self._driven.add(row)
        else:
            self._driven.discard(row)

    def low_columns(self) -> frozenset[str]:
        """The columns that read low now."""
        low = {column for row in self._driven for column in self._closed[row]}
        if not self.diodes:
            reached = set(self._driven)
            while joined := {row for row in self.rows if row not in reached and self._closed[row] & low}:
                reached |= joined
                low |= {column for row in joined for column in self._closed[row]}
        return frozenset(low)
