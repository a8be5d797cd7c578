"""37 socket lamps on a MAX7219: digits 0 to 6 are the board's rows 1 to 7, segments A to G its columns.

Source: MAX7219/MAX7221 data sheet, register address map.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tamsk_pi.rules.board import COLUMNS

_FIRST_DIGIT: Final = 0x01
_DECODE_MODE: Final = 0x09
_INTENSITY: Final = 0x0A
_SCAN_LIMIT: Final = 0x0B
_SHUTDOWN: Final = 0x0C
_DISPLAY_TEST: Final = 0x0F
_DIGITS: Final = 7


class Max7219:
    """The chip behind a gpiozero SPI interface; `intensity` 0 to 15."""

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
        self.show(())

    def show(self, sockets: Iterable[str]) -> None:
        """Light these sockets and no others.

        The set-up registers go with every change: a dip in the supply resets them, and nothing tells of it.
        """
        digits = [0] * _DIGITS
        for socket in sockets:
            digits[int(socket[1:]) - 1] |= 1 << (len(COLUMNS) - 1 - COLUMNS.index(socket[0]))
        if tuple(digits) == self._shown:
            return
        for digit, segments in enumerate(digits):
            self._write(_FIRST_DIGIT + digit, segments)
        for register, value in self._set_up:
            self._write(register, value)
        self._shown = tuple(digits)

    def close(self) -> None:
        """All lamps off, the chip shut down, the interface given back."""
        self.show(())
        self._write(_SHUTDOWN, 0)
        self._spi.close()

    def _write(self, register: int, value: int) -> None:
        self._spi.transfer([register, value])
