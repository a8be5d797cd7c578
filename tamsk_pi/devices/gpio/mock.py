"""gpiozero's mock factory, fit to run for hours.

The stock pins keep every change for ever, which a scanned matrix turns into megabytes a minute, and the stock factory
refuses a line whose pin somebody made with another class before, such as a simulated chip on the SPI lines.
"""

from __future__ import annotations

from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin


class ForgetfulPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin, PWM included, that knows its state and not its history."""

    _state: float

    def _change_state(self, value: float) -> bool:
        changed: bool = self._state != value
        self._state = value
        return changed


class QuietMockFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """A mock factory of forgetful pins. A pin that is there already is handed out whatever its class."""

    def __init__(self, pin_class: type[MockPWMPin] = ForgetfulPin) -> None:
        super().__init__(pin_class=pin_class)

    def pin(self, name: Any, pin_class: Any = None, **kwargs: Any) -> Any:
        for _, info in self.board_info.find_pin(name):
            if info in self.pins:
                return self.pins[info]
        return super().pin(name, pin_class=pin_class, **kwargs)
