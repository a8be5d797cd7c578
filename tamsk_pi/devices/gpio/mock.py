"""gpiozero's mock factory, fit to run for hours and beside other factories.

The stock pins keep every change for ever, which a scanned matrix turns into megabytes a minute. The stock factory
refuses a line whose pin somebody made with another class before, such as a simulated chip on the SPI lines. And its
SPI asks for the default factory of the whole process, which on a machine without pins cannot be had.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from gpiozero import InputDevice, OutputDevice
from gpiozero.pins import SPI
from gpiozero.pins.mock import MockFactory, MockPWMPin


class ForgetfulPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin, PWM included, that knows its state and not its history."""

    _state: float

    def _change_state(self, value: float) -> bool:
        changed: bool = self._state != value
        self._state = value
        return changed


class PinSpi(SPI):  # type: ignore[misc]  # gpiozero has no types
    """SPI mode 0, clocked bit by bit over pins of one factory; most significant bit first, 8 bits a word."""

    def __init__(
        self, clock_pin: int, mosi_pin: int | None, miso_pin: int | None, select_pin: int, pin_factory: Any
    ) -> None:
        self._devices: list[Any] = []
        super().__init__(pin_factory=pin_factory)
        with contextlib.ExitStack() as stack:
            stack.callback(self.close)
            self._clock = self._add(OutputDevice(clock_pin, pin_factory=pin_factory))
            self._select = self._add(OutputDevice(select_pin, active_high=False, pin_factory=pin_factory))
            self._mosi = None if mosi_pin is None else self._add(OutputDevice(mosi_pin, pin_factory=pin_factory))
            self._miso = None if miso_pin is None else self._add(InputDevice(miso_pin, pin_factory=pin_factory))
            stack.pop_all()

    def _add(self, device: Any) -> Any:
        self._devices.append(device)
        return device

    @property
    def closed(self) -> bool:
        return not self._devices

    def close(self) -> None:
        while self._devices:
            self._devices.pop().close()
        super().close()

    def transfer(self, data: Sequence[int]) -> list[int]:
        """Write the words and give back those that came meanwhile (0 without a MISO line)."""
        self._select.on()
        try:
            return [self._transfer_word(word) for word in data]
        finally:
            self._select.off()

    def _transfer_word(self, word: int) -> int:
        came = 0
        for bit in range(7, -1, -1):
            if self._mosi is not None:
                self._mosi.value = word >> bit & 1
            self._clock.on()
            if self._miso is not None:
                came |= int(self._miso.value) << bit
            self._clock.off()
        return came


class QuietMockFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """A mock factory of forgetful pins. A pin that is there already is handed out whatever its class."""

    def __init__(self, pin_class: type[MockPWMPin] = ForgetfulPin) -> None:
        super().__init__(pin_class=pin_class)

    def pin(self, name: Any, pin_class: Any = None, **kwargs: Any) -> Any:
        for _, info in self.board_info.find_pin(name):
            if info in self.pins:
                return self.pins[info]
        return super().pin(name, pin_class=pin_class, **kwargs)

    def _get_spi_class(self, shared: bool, hardware: bool) -> type[PinSpi]:
        return PinSpi
