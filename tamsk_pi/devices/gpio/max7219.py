"""37 socket lamps on a MAX7219: digits 0 to 6 are the board's rows 1 to 7, segments A to G its columns.

Source: MAX7219/MAX7221 data sheet, register address map.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import Any, Final

from tamsk_pi.rules.board import COLUMNS

_FIRST_DIGIT: Final = 0x01
_DECODE_MODE: Final = 0x09
_INTENSITY: Final = 0x0A
_SCAN_LIMIT: Final = 0x0B
_SHUTDOWN: Final = 0x0C
_DISPLAY_TEST: Final = 0x0F
_DIGITS: Final = 7


REFRESH_MS: Final = 16
"""One register in so many ms, all of them in a fifth of a second: as the bridge's firmware does."""


class Max7219:
    """The chip behind a gpiozero SPI interface; `intensity` 0 to 15. `show` and `refresh` may come from two threads."""

    def __init__(self, spi: Any, intensity: int) -> None:
        self._spi = spi
        self._set_up = (
            (_DISPLAY_TEST, 0),
            (_DECODE_MODE, 0),
            (_SCAN_LIMIT, _DIGITS - 1),
            (_INTENSITY, intensity),
            (_SHUTDOWN, 1),
        )
        self._shown: tuple[int, ...] = ()
        self._lock: Final = Lock()
        self._next = 0
        self._refreshed_ms: int | None = None
        self.show(())

    def show(self, sockets: Iterable[str]) -> None:
        """Light these sockets and no others."""
        digits = [0] * _DIGITS
        for socket in sockets:
            digits[int(socket[1:]) - 1] |= 1 << (len(COLUMNS) - 1 - COLUMNS.index(socket[0]))
        if tuple(digits) == self._shown:
            return
        with self._lock:
            self._shown = tuple(digits)
            for register, value in self._words():
                self._write(register, value)

    def refresh(self, now_ms: int) -> None:
        """Write one register anew, if it is time: a dip in the supply or a spike on the wires changes any of them, and
        nothing tells of it. A chip left in shutdown or in its test mode so comes back within a fifth of a second.
        """
        if self._refreshed_ms is not None and 0 <= now_ms - self._refreshed_ms < REFRESH_MS:
            return
        self._refreshed_ms = now_ms
        with self._lock:
            words = self._words()
            self._next = (self._next + 1) % len(words)
            self._write(*words[self._next])

    def _words(self) -> list[tuple[int, int]]:
        """Every register with what it is to hold."""
        return [*((_FIRST_DIGIT + digit, segments) for digit, segments in enumerate(self._shown)), *self._set_up]

    def close(self) -> None:
        """All lamps off, the chip shut down, the interface given back."""
        self.show(())
        self._write(_SHUTDOWN, 0)
        self._spi.close()

    def _write(self, register: int, value: int) -> None:
        self._spi.transfer([register, value])
