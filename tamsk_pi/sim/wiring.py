"""The virtual board's switches wired to gpiozero's mock pins, so that the driver of a real matrix can scan them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

import attrs
from gpiozero.pins.mock import MockFactory, MockPWMPin

from tamsk_pi.devices.gpio.mock import QuietMockFactory
from tamsk_pi.rules.board import SOCKETS
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sim.matrix import Crossing, SwitchMatrix
from tamsk_pi.sim.truth import Input


class _WiredPin(MockPWMPin):  # type: ignore[misc]
    """A mock pin that keeps no list of its past states: a board may run for days."""

    def _change_state(self, value: float) -> bool:
        changed: bool = super()._change_state(value)
        del self.states[:-1]
        return changed


class RowPin(_WiredPin):
    """A row's pin: tells the wiring at once whether it is driven low."""

    def __init__(self, factory: Any, info: Any, on_drive: Callable[[bool], None]) -> None:
        self._on_drive = on_drive
        self._drives = False
        super().__init__(factory, info)

    def _change_state(self, value: float) -> bool:
        changed = super()._change_state(value)
        self._tell()
        return changed

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self._tell()

    def _tell(self) -> None:
        drives = self._function == "output" and not self._state
        if drives != self._drives:
            self._drives = drives
            self._on_drive(drives)


class ColumnPin(_WiredPin):
    """A column's pin: low while the wiring joins it to a driven row, else held high by its resistor."""

    def __init__(self, factory: Any, info: Any) -> None:
        self._joined = False
        super().__init__(factory, info)

    def join(self, joined: bool) -> None:
        """Join the column to a driven row, or part it."""
        self._joined = joined
        if self._function == "input":
            self.drive_high()

    def drive_high(self) -> None:
        # Whoever lets go of the line (a pull being set, too), what the wiring does to it remains.
        if self._joined:
            super().drive_low()
        else:
            super().drive_high()

    drive_low = drive_high


class MatrixWiring:
    """A `SwitchMatrix` between the rows' and the columns' pins. May be used from several threads.

    `rows` and `columns`: their GPIO lines by BCM number. A change of a row's state or of a switch reaches the
    columns before the call that made it returns.
    """

    def __init__(self, rows: Mapping[int, int], columns: Mapping[str, int], *, diodes: bool = True) -> None:
        self.matrix = SwitchMatrix(rows, columns, diodes=diodes)
        self._row_of = {line: row for row, line in rows.items()}
        self._column_of = {line: column for column, line in columns.items()}
        self._column_pins: dict[str, ColumnPin] = {}
        self._low: frozenset[str] = frozenset()
        self._lock = threading.RLock()

    def pin_for(self, factory: MockFactory, info: Any, line: int) -> _WiredPin | None:
        """A pin for a line of this wiring; None for a line it does not use."""
        if line in self._row_of:
            row = self._row_of[line]
            return RowPin(factory, info, lambda low: self._drive(row, low))
        if line in self._column_of:
            column = self._column_of[line]
            pin = ColumnPin(factory, info)
            with self._lock:
                self._column_pins[column] = pin
                pin.join(column in self._low)
            return pin
        return None

    def set_switches(self, switches: Mapping[Crossing, bool]) -> None:
        """Close (True) and open (False) switches, all at one moment. `ValueError` for a crossing that is not there."""
        with self._lock:
            for crossing, closed in switches.items():
                self.matrix.set_switch(crossing, closed)
            self._settle()

    def _drive(self, row: int, low: bool) -> None:
        with self._lock:
            self.matrix.drive(row, low)
            self._settle()

    def _settle(self) -> None:
        low = self.matrix.low_columns()
        changed, self._low = self._low ^ low, low
        for column in changed:
            if column in self._column_pins:
                self._column_pins[column].join(column in low)


class WiredFactory(QuietMockFactory):
    """gpiozero's mock factory with wired pins where the wiring has lines, and plain (PWM) mock pins elsewhere."""

    def __init__(self, wiring: MatrixWiring) -> None:
        super().__init__(pin_class=_WiredPin)
        self._wiring = wiring

    def pin(self, name: Any, pin_class: Any = None, **kwargs: Any) -> Any:
        for _, info in self.board_info.find_pin(name):
            if info not in self.pins and info.name.startswith("GPIO"):
                wired = self._wiring.pin_for(self, info, int(info.name.removeprefix("GPIO")))
                if wired is not None:
                    self.pins[info] = wired
        return super().pin(name, pin_class, **kwargs)


@attrs.frozen
class Crossings:
    """Which switches of a matrix an input works. Sockets lie at the crossings of their own names, those of `sockets`
    that is: what stands in any other is not sensed, nor is what tilts without a switch in `tilt`.

    `holder_code` turns a number of rings into the states of a holder's contacts, bit 0 first.
    """

    tilt: Mapping[str, Crossing]
    buttons: Mapping[str, Crossing]
    holders: Mapping[str, tuple[Crossing, ...]]
    tilt_closed: str
    """The end that is up while a tilt switch is closed."""
    holder_code: Callable[[int], tuple[bool, ...]]
    sockets: frozenset[str] = frozenset(SOCKETS)

    def switches(self, kind: str, name: str, value: EdgeValue) -> dict[Crossing, bool]:
        """The states of all switches that an input with this value works; none for an input not in the matrix."""
        match kind:
            case "socket" if name in self.sockets:
                return {Crossing.named(name): bool(value)}
            case "tilt" if name in self.tilt:
                return {self.tilt[name]: value == self.tilt_closed}
            case "button":
                return {self.buttons[name]: bool(value)}
            case "holder" if name in self.holders and isinstance(value, int):
                return dict(zip(self.holders[name], self.holder_code(value), strict=True))
            case _:
                return {}

    def of_inputs(self, inputs: Mapping[Input, EdgeValue]) -> dict[Crossing, bool]:
        """The states of all switches for all inputs of a board, to begin with."""
        switches: dict[Crossing, bool] = {}
        for (kind, name), value in inputs.items():
            switches |= self.switches(kind, name, value)
        return switches

    def of_edge(self, edge: Edge) -> dict[Crossing, bool]:
        """The switches that an edge works."""
        return self.switches(edge.kind, edge.name, edge.value)
