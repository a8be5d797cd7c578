"""A tiny switch matrix on gpiozero's mock pins: a column reads low where a closed switch joins it to a driven row.

Every crossing has its diode: current flows from a column to a row and never on from there.
"""

from __future__ import annotations

from typing import Any

from gpiozero.pins.mock import MockPin, MockSPIDevice

from tamsk_pi.config.profile import CROSSINGS, BoardProfile
from tamsk_pi.devices.gpio.mock import ForgetfulPin, QuietMockFactory


class RowPin(ForgetfulPin):
    """A pin that tells the board when its level changes."""

    board: Switchboard | None = None

    def _change_state(self, value: float) -> bool:
        changed = super()._change_state(value)
        if changed and self.board is not None:
            self.board.settle()
        return changed


class Blocker:
    """Somebody else who has reserved a line."""

    def _conflicts_with(self, other: object) -> bool:
        return True


class Switchboard:
    """The board's contacts behind the pins of a mock factory. `close` and `open` take crossings such as `A1`."""

    def __init__(self, profile: BoardProfile) -> None:
        self.factory = QuietMockFactory(RowPin)
        self.blocker = Blocker()
        self.closed: set[str] = set()
        self.rows = {name: self.factory.pin(line) for name, line in profile.matrix.rows.items()}
        self.columns = {name: self.factory.pin(line) for name, line in profile.matrix.columns.items()}
        for pin in self.rows.values():
            pin.board = self

    def close(self, *crossings: str) -> None:
        assert set(crossings) <= set(CROSSINGS)
        self.closed |= set(crossings)
        self.settle()

    def open(self, *crossings: str) -> None:
        self.closed -= set(crossings)
        self.settle()

    def set(self, crossing: str, closed: bool) -> None:
        if closed:
            self.close(crossing)
        else:
            self.open(crossing)

    def settle(self) -> None:
        """Let every column take the level that the rows and switches give it."""
        low = {name for name, pin in self.rows.items() if pin.function == "output" and not pin.state}
        for name, pin in self.columns.items():
            if pin.function != "input" or pin.pull != "up":
                continue
            if any(crossing[0] == name and crossing[1] in low for crossing in self.closed):
                pin.drive_low()
            else:
                pin.drive_high()


class FakeMax7219(MockSPIDevice):  # type: ignore[misc]  # gpiozero has no types
    """What a MAX7219 holds after the words that were clocked into it."""

    def __init__(self, factory: QuietMockFactory, clock: int, data: int, select: int) -> None:
        factory.pin(data, pin_class=MockPin)  # words are put together from its states, which must be whole numbers
        super().__init__(clock, mosi_pin=data, select_pin=select, pin_factory=factory)
        self.registers: dict[int, int] = {}
        self.words = 0

    def on_select(self) -> None:
        super().on_select()
        if self.select_pin.state != self.select_high and self.rx_bit == 16:  # select rises: the word is taken over
            word: Any = self.rx_word()
            self.registers[word >> 8] = word & 0xFF
            self.words += 1

    def lit(self) -> set[str]:
        """The sockets whose lamps are lit."""
        return {
            f"{column}{digit}"
            for digit in range(1, 8)
            for bit, column in enumerate(reversed("ABCDEFG"))
            if self.registers.get(digit, 0) >> bit & 1
        }
