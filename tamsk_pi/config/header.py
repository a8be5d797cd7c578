"""The 40-pin header of a Raspberry Pi: which lines it has, and what they do before any program runs."""

from __future__ import annotations

from typing import Final

import attrs

from tamsk_pi.config.allowed import shown
from tamsk_pi.signals.language import N_, Say, in_english

LINES: Final = range(2, 28)
"""BCM numbers that a board may use."""

EEPROM_LINES: Final = (0, 1)
"""On the header, but the ID EEPROM's: the firmware drives them while it starts."""

PULLED_UP_AT_BOOT: Final = range(9)
"""These float high until a program claims them; 9 to 27 float low (BCM2835 ARM peripherals, GPIO pull table)."""

SPI0_CLOCK: Final = 11
SPI0_DATA: Final = 10
SPI0_SELECTS: Final = (8, 7)


@attrs.frozen
class LineNumber:
    """A BCM number. Which ones a board may use is `problem_with_line`'s to say, for all of them at once."""

    def problem_with(self, value: object) -> str | None:
        return None if type(value) is int else f"must be {self.words()}, not {shown(value)}"

    def words(self, say: Say = in_english) -> str:
        return say(N_("a line's BCM number, {first} to {last}")).format(first=LINES[0], last=LINES[-1])


def problem_with_line(line: int) -> str | None:
    """Why a board cannot use this line, or None."""
    if line in LINES:
        return None
    if line in EEPROM_LINES:
        return f"GPIO{line} belongs to the ID EEPROM; allowed are {LINES[0]} to {LINES[-1]}"
    return f"there is no GPIO{line} on the 40-pin header; allowed are {LINES[0]} to {LINES[-1]}"
