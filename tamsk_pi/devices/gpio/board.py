"""The matrix board as a device: contacts scanned into edges, lamps, tones."""

from __future__ import annotations

import contextlib
import functools
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from gpiozero import LED, DigitalInputDevice, DigitalOutputDevice

from tamsk_pi.clock import Clock, MonotonicClock
from tamsk_pi.config.profile import ROWS, BoardProfile
from tamsk_pi.devices.base import DeviceError, LampFrame, Post, Tone
from tamsk_pi.devices.gpio import left_on
from tamsk_pi.devices.gpio.buzzer import Buzzer
from tamsk_pi.devices.gpio.decode import FULL_HOLDERS, Decoder
from tamsk_pi.devices.gpio.factories import close_factory, gpio_errors, lgpio_of, line_owner
from tamsk_pi.devices.gpio.lines import GroupLines, MatrixLines, PinLines
from tamsk_pi.devices.gpio.max7219 import Max7219
from tamsk_pi.devices.gpio.outputs import output_lines
from tamsk_pi.devices.gpio.spi import open_spi
from tamsk_pi.devices.gpio.this_machine import factory_here
from tamsk_pi.rules.board import COLUMNS
from tamsk_pi.sensing.edges import Edge, EdgeValue

LAMPS: Final = ("turn_red", "turn_black", "alarm", "ready")
_JOIN_S: Final = 2.0

_log = logging.getLogger(__name__)
_UNWATCH_TRIES: Final = 40
_UNWATCH_WAIT_S: Final = 0.025
_T = TypeVar("_T")


def _unwatch(pin: Any) -> None:
    """Have gpiozero no longer watch an input for edges: every scan makes some, and only the scan reads these lines.

    lgpio gives the line back and takes it anew for that, and its own thread may just be waiting for edges on it: until
    that has turned, the line is still its own and told as busy. On a slow or loaded machine that takes a while.
    """
    for _ in range(_UNWATCH_TRIES - 1):
        try:
            pin.when_changed = None
            return
        except gpio_errors():
            time.sleep(_UNWATCH_WAIT_S)
    pin.when_changed = None


class MatrixBoard:
    """A `Device` on the Pi's own pins.

    `pin_factory`: one of `PIN_FACTORIES`, or a gpiozero factory, which stays its owner's to close.
    `scan_thread`: False where the caller drives `scan_once` himself, in whatever time he keeps.
    `row_settle_us`: instead of the profile's. `holder_counts`: what lies on the ring holders, if not all 32.
    `note_in`: the folder for the note by which `tamsk-pi off` puts lamps and buzzer out at once after a crash.

    While the board is not open, `show` and `sound` do nothing.
    """

    def __init__(
        self,
        profile: BoardProfile,
        *,
        pin_factory: Any = "lgpio",
        clock: Clock | None = None,
        scan_thread: bool = True,
        row_settle_us: int | None = None,
        holder_counts: Mapping[str, int] = FULL_HOLDERS,
        note_in: Path | None = None,
    ) -> None:
        self._profile = profile
        self._wanted_factory = pin_factory
        self._clock = clock or MonotonicClock()
        self._scan_thread = scan_thread
        self._settle_us = profile.matrix.row_settle_us if row_settle_us is None else row_settle_us
        self._decoder = Decoder(profile.matrix, holder_counts)
        self._note_in = note_in
        self._row_names = [row for row in ROWS if row in profile.matrix.rows]
        self._factory: Any = None
        self._lines: MatrixLines | None = None
        self._opened: contextlib.ExitStack | None = None
        self._lamps: dict[str, Any] = {}
        self._buzzer: Buzzer | None = None
        self._socket_lamps: Max7219 | None = None
        self._lock = threading.RLock()
        self._rows: list[int] | None = None
        self._post: Post | None = None
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._alive_at_ms = 0
        self._failure: str | None = None
        self._scans = 0
        self._late_scans = 0

    @property
    def failure(self) -> str | None:
        """Why the scan ended by itself, in one line; None while all is well."""
        return self._failure

    @property
    def scans(self) -> int:
        """How often the whole matrix has been read since the board was opened."""
        return self._scans

    @property
    def late_scans(self) -> int:
        """How many scans began more than a whole period late."""
        return self._late_scans

    def open(self) -> None:
        """Claim every line of the profile; `DeviceError` names the first that cannot be had and who holds it."""
        if self._opened is not None:
            return
        self._failure, self._scans, self._late_scans, self._rows = None, 0, 0, None
        with contextlib.ExitStack() as stack:
            stack.callback(self._forget)
            if isinstance(self._wanted_factory, str):
                self._factory = factory_here(self._wanted_factory)
                stack.callback(self._ignoring_errors, functools.partial(close_factory, self._factory))
            else:
                self._factory = self._wanted_factory
            self._open_lamps(stack)
            self._lines = self._open_matrix(stack)
            self._opened = stack.pop_all()
        left_on.remember(output_lines(self._profile), self._note_in)

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]:
        """The state of every input: read now, or as the running scan last read it."""
        with self._lock:
            if self._rows is None or self._post is None:
                self._rows = self._read_matrix(self._open_lines())
                self._alive_at_ms = self._clock.now_ms()
            return self._decoder.inputs(self._rows)

    def start(self, post: Post) -> None:
        """Post edges from now on, against the state that `inputs()` told or, without it, that is there now."""
        if self._post is not None:
            raise DeviceError("the matrix board is posting edges already; close it first")
        if self._rows is None:
            self.inputs()
        self._open_lines()
        self._post = post
        if self._scan_thread:
            self._stop.clear()
            self._thread = threading.Thread(target=self._run, name="matrix-scan", daemon=True)
            self._thread.start()

    def scan_once(self, now_ms: int) -> Sequence[Edge]:
        """Read every crossing once, as at `now_ms`; give the edges back, and post them where `start` said."""
        return self._scan(lambda: now_ms)

    def show(self, frame: LampFrame) -> None:
        """Light the lamps of a frame; a board has one plane, which shows the union of the two."""
        try:
            for name, lamp in self._lamps.items():
                lit = frame.panel.get(name, False)
                if lit != lamp.is_lit:
                    lamp.value = lit
            if self._socket_lamps is not None:
                self._socket_lamps.show(frame.red_sockets | frame.green_sockets)
        except gpio_errors() as error:
            raise DeviceError(f"the lamps cannot be set: {error}") from error

    def sound(self, tones: Sequence[Tone]) -> None:
        """Play tones from the next scan on. Returns at once."""
        if self._buzzer is not None:
            self._buzzer.sound(tones)

    def alive_at_ms(self) -> int:
        """When the whole matrix was last read; 0 before it ever was. It stands still once the scan has ended."""
        return self._alive_at_ms

    def close(self) -> None:
        """Stop the scan, put everything out, give the lines back. Safe to call twice, and after a failure."""
        self._stop.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_JOIN_S)
        self._thread = None
        opened, self._opened = self._opened, None
        self._forget()
        if opened is not None:
            opened.close()

    def _forget(self) -> None:
        self._factory, self._lines, self._lamps = None, None, {}
        self._buzzer, self._socket_lamps, self._post = None, None, None

    def _open_lines(self) -> MatrixLines:
        if self._lines is None:
            raise DeviceError("the matrix board is not open")
        return self._lines

    def _claim(self, line: int, use: str, make: Callable[[], _T]) -> _T:
        try:
            return make()
        except gpio_errors() as error:
            owner = line_owner(self._factory, line)
            held = f" (held by {owner})" if owner else ""
            raise DeviceError(f"GPIO{line}, {use}: {error}{held}; is another program or overlay using it?") from error

    def _open_lamps(self, stack: contextlib.ExitStack) -> None:
        factory = self._factory
        for name in LAMPS:
            line = getattr(self._profile.lamps, name)
            lamp = self._claim(line, f"lamps.{name}", lambda line=line: LED(line, pin_factory=factory))  # type: ignore[misc]
            stack.callback(self._put_out, lamp)
            self._lamps[name] = lamp
        if (buzzer := self._profile.buzzer) is not None:
            self._buzzer = self._claim(buzzer.line, "buzzer.line", lambda: Buzzer(buzzer, factory))
            stack.callback(self._ignoring_errors, self._buzzer.close)
        if (lamps := self._profile.socket_lamps) is not None:
            self._socket_lamps = Max7219(open_spi(self._factory, lamps), lamps.intensity)
            stack.callback(self._ignoring_errors, self._socket_lamps.close)

    def _open_matrix(self, stack: contextlib.ExitStack) -> MatrixLines:
        matrix, factory = self._profile.matrix, self._factory
        rows, columns = [], []
        for name in self._row_names:
            line = matrix.rows[name]
            row = self._claim(
                line,
                f"matrix.rows.{name}",
                lambda line=line: DigitalOutputDevice(line, active_high=False, pin_factory=factory),  # type: ignore[misc]
            )
            stack.callback(self._ignoring_errors, row.close)
            rows.append(row.pin)
        for name in (column for column in COLUMNS if column in matrix.columns):
            line = matrix.columns[name]
            column = self._claim(
                line,
                f"matrix.columns.{name}",
                lambda line=line: DigitalInputDevice(line, pull_up=True, pin_factory=factory),  # type: ignore[misc]
            )
            stack.callback(self._ignoring_errors, column.close)
            self._claim(line, f"matrix.columns.{name}", functools.partial(_unwatch, column.pin))
            columns.append(column.pin)
        group = lgpio_of(factory)
        lines: MatrixLines
        if group is None:
            lines = PinLines(rows, columns, self._settle_us)
        else:
            row_lines = [matrix.rows[name] for name in self._row_names]
            column_lines = [matrix.columns[name] for name in COLUMNS if name in matrix.columns]
            lines = self._claim(
                row_lines[0],
                "matrix.rows and matrix.columns as groups",
                lambda: GroupLines(*group, row_lines, column_lines, self._settle_us),
            )
        stack.callback(self._ignoring_errors, lines.close)
        return lines

    @staticmethod
    def _ignoring_errors(close: Callable[[], None]) -> None:
        """Close one thing whatever happens, so that the rest is closed too; what went wrong goes to the log."""
        try:
            close()
        except gpio_errors() as error:
            _log.warning("while closing the matrix board: %s", error)

    @classmethod
    def _put_out(cls, lamp: Any) -> None:
        cls._ignoring_errors(lamp.off)
        cls._ignoring_errors(lamp.close)

    def _read_matrix(self, lines: MatrixLines) -> list[int]:
        rows = [lines.read_row(index) for index in range(len(self._row_names))]
        lines.rest()
        return rows

    def _scan(self, stamp: Callable[[], int]) -> list[Edge]:
        with self._lock:
            lines = self._open_lines()
            if self._rows is None:
                self._rows = self._read_matrix(lines)
            rows, edges = self._rows, []
            for index, before in enumerate(rows):
                after = lines.read_row(index)
                if after != before:
                    rows[index] = after
                    edges += self._decoder.edges(index, before, after, stamp())
            lines.rest()
            now_ms = stamp()
            if self._buzzer is not None:
                self._buzzer.tick(now_ms)
            if self._socket_lamps is not None:
                self._socket_lamps.refresh(now_ms)
            self._alive_at_ms = now_ms
            self._scans += 1
            if edges and self._post is not None:
                self._post(edges)
            return edges

    def _run(self) -> None:
        period_s = 1 / self._profile.matrix.scan_hz
        due_s = time.monotonic()
        try:
            while not self._stop.wait(max(0.0, due_s - time.monotonic())):
                self._scan(self._clock.now_ms)
                due_s += period_s
                behind_s = time.monotonic() - due_s
                if behind_s > period_s:
                    self._late_scans += 1
                    due_s += behind_s  # what was missed is missed: no burst of scans to catch up
        except gpio_errors() as error:
            self._failure = f"the matrix can no longer be read: {error}"
            _log.error("%s", self._failure)
        finally:
            self._quieten()

    def _quieten(self) -> None:
        """The scan has ended: nothing may sound on, or say that the referee watches."""
        if self._buzzer is not None:
            self._ignoring_errors(self._buzzer.silence)
        if "ready" in self._lamps:
            self._ignoring_errors(self._lamps["ready"].off)
