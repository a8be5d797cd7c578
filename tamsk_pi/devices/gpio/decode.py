"""From the closed contacts of the matrix to inputs and edges.

The matrix is held as one number for each row that is fitted, its bit n set where the contact at the nth fitted column
is closed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from tamsk_pi.config.profile import ROWS, Matrix
from tamsk_pi.devices.gpio.holders import count_of
from tamsk_pi.rules.board import COLUMNS, PLAYERS, RINGS_PER_SIDE
from tamsk_pi.sensing.edges import BUTTONS, Edge, EdgeValue, InputKind

FULL_HOLDERS: Final[Mapping[str, int]] = dict.fromkeys(PLAYERS, RINGS_PER_SIDE)


@attrs.frozen
class _Contact:
    """An input that is one contact."""

    kind: InputKind
    name: str
    closed: EdgeValue
    open: EdgeValue


@attrs.frozen
class _Holder:
    """A ring holder: in which row, and the bit of each of its contacts there."""

    side: str
    row: int
    bits: tuple[int, ...]

    @property
    def mask(self) -> int:
        return sum(1 << bit for bit in self.bits)

    def code(self, row_bits: int) -> int:
        return sum((row_bits >> bit & 1) << index for index, bit in enumerate(self.bits))


class Decoder:
    """What sits at each crossing, and how many rings the holders last showed.

    `holder_counts` are the counts to start from (a holder's four contacts tell its count only near a known one).
    """

    def __init__(self, matrix: Matrix, holder_counts: Mapping[str, int] = FULL_HOLDERS) -> None:
        self._row_names = [row for row in ROWS if row in matrix.rows]
        self._column_names = [column for column in COLUMNS if column in matrix.columns]
        self._contacts: list[dict[int, _Contact]] = [{} for _ in self._row_names]
        self._holders: list[list[_Holder]] = [[] for _ in self._row_names]
        self._holder_counts = dict(FULL_HOLDERS) | dict(holder_counts)
        closed_up, open_up = ("a", "b") if matrix.tilt_closed == "a" else ("b", "a")
        for socket in matrix.sockets:
            self._add(socket, _Contact("socket", socket, True, False))
        for glass, crossing in matrix.tilt.items():
            self._add(crossing, _Contact("tilt", glass, closed_up, open_up))
        for name in BUTTONS:
            self._add(getattr(matrix.buttons, name), _Contact("button", name, True, False))
        if matrix.holders is not None:
            for side in PLAYERS:
                places = [self._place(crossing) for crossing in getattr(matrix.holders, side)]
                row = places[0][0]
                self._holders[row].append(_Holder(side, row, tuple(bit for _, bit in places)))

    def _place(self, crossing: str) -> tuple[int, int]:
        return self._row_names.index(crossing[1]), self._column_names.index(crossing[0])

    def _add(self, crossing: str, contact: _Contact) -> None:
        row, bit = self._place(crossing)
        self._contacts[row][bit] = contact

    def inputs(self, rows: Sequence[int]) -> dict[tuple[str, str], EdgeValue]:
        """The state of every input, keyed `(kind, name)`. A holder whose contacts show no count is left out."""
        state: dict[tuple[str, str], EdgeValue] = {}
        for row_bits, contacts, holders in zip(rows, self._contacts, self._holders, strict=True):
            for bit, contact in contacts.items():
                state[contact.kind, contact.name] = contact.closed if row_bits >> bit & 1 else contact.open
            for holder in holders:
                count = count_of(holder.code(row_bits), self._holder_counts[holder.side])
                if count is not None:
                    self._holder_counts[holder.side] = count
                    state["holder", holder.side] = count
        return state

    def edges(self, row: int, before: int, after: int, t_ms: int) -> list[Edge]:
        """The edges that lie between two readings of the row with this index, all at `t_ms`."""
        changed = before ^ after
        found = [
            Edge(t_ms, contact.kind, contact.name, contact.closed if after >> bit & 1 else contact.open)
            for bit, contact in self._contacts[row].items()
            if changed >> bit & 1
        ]
        for holder in self._holders[row]:
            if not changed & holder.mask:
                continue
            last = self._holder_counts[holder.side]
            count = count_of(holder.code(after), last)
            was_code = count_of(holder.code(before), last) is not None
            if count is not None and (count != last or not was_code):
                self._holder_counts[holder.side] = count
                found.append(Edge(t_ms, "holder", holder.side, count))
        return found
