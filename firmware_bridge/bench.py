"""A bridge board on a bench: the firmware, or a model of it, with every input in our hand and every output in view.

Two benches offer the same: `firmware_bridge.simavr.bench` runs the real firmware, `firmware_bridge.model_bench` a model
of it in Python. Each runs in one of two ways:

- *stepped*: time stands still but for `run_to`; the serial line is `write` and what `run_to` returns;
- *live*: time is the wall's times `speed`; the serial line is a pty at `port`, to be opened with pyserial.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Protocol

import attrs

from firmware_bridge.inputs import SOCKETS, Build, InputName, Value

LOAD_ZERO: Final = 20_000
LOAD_RING: Final = 4_000
"""What a bench's load cells read: empty, and more for each ring."""
_HEIGHTS = (4, 5, 6, 7, 6, 5, 4)


class BenchError(Exception):
    """The bench cannot be set up or has died; the text is one line."""


@attrs.frozen
class Sent:
    """Bytes that the board sent; `t_us`: when the last of them had left, in simulated time."""

    t_us: int
    data: bytes


@attrs.frozen
class Output:
    """One output took a value: `("lamp", "ready", True)`, `("red", "D1", True)`, `("green", …)`, `("tone", "", 880)`.

    A tone is in Hz, 0 when it ends. `("reset", "", cause)` tells that the board started, with the cause's bits.
    """

    t_us: int
    kind: str
    name: str
    value: int


@attrs.define
class Outputs:
    """What the board shows and sounds, now and in its history."""

    panel: dict[str, bool] = attrs.Factory(dict)
    red: set[str] = attrs.Factory(set)
    green: set[str] = attrs.Factory(set)
    tone_hz: int = 0
    history: list[Output] = attrs.Factory(list)

    def take(self, output: Output) -> None:
        """Note an output's new value."""
        self.history.append(output)
        if output.kind == "lamp":
            self.panel[output.name] = bool(output.value)
        elif output.kind == "tone":
            self.tone_hz = output.value
        elif output.kind in ("red", "green"):
            plane = self.red if output.kind == "red" else self.green
            (plane.add if output.value else plane.discard)(output.name)

    def lit(self) -> set[str]:
        """The panel lamps that are lit."""
        return {name for name, on in self.panel.items() if on}


def plane_sockets(digit: int, bits: int) -> Mapping[str, bool]:
    """Which sockets of a column are lit when a MAX7219's digit shows `bits`."""
    if digit >= len(_HEIGHTS):
        return {}
    first = sum(_HEIGHTS[:digit])
    return {SOCKETS[first + row]: bool(bits >> row & 1) for row in range(_HEIGHTS[digit])}


class FirmwareBench(Protocol):
    """Must: be used as a context manager, which starts and ends it; be used from one thread, but for `set` while
    live. May: be slower or faster than the real board; its times are simulated ones."""

    build: Build
    outputs: Outputs

    def __enter__(self) -> FirmwareBench: ...

    def __exit__(self, *details: object) -> None: ...

    @property
    def port(self) -> Path:
        """The pty to open (live only)."""
        ...

    def set(self, name: InputName, value: Value, at_us: int | None = None) -> None:
        """Give an input a value now, or at a simulated time to come. `ValueError` for one it cannot have."""
        ...

    def set_load(self, holder: str, raw: int | None, at_us: int | None = None) -> None:
        """A holder's load cell reads this, now or at a simulated time to come; None: it stops answering."""
        ...

    def set_cell(self, glass: str, millivolts: int | None, at_us: int | None = None) -> None:
        """The cell in a glass's cap gives this, now or at a simulated time to come; None: it is taken out. Only of a
        build with caps."""
        ...

    def write(self, data: bytes) -> None:
        """The host sends bytes, beginning now (stepped only)."""
        ...

    def run_to(self, t_us: int) -> list[Sent]:
        """Let time go on to `t_us` since the start, and return what was sent (stepped only)."""
        ...

    def reset(self) -> None:
        """Pull the reset line."""
        ...

    def poll(self) -> None:
        """Take in outputs that changed since (live only)."""
        ...
