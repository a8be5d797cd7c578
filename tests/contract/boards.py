"""Boards for the contract's tests: a matrix on mock pins, a bridge on the firmware's model, a bridge in simavr."""

from __future__ import annotations

import threading
import time
from typing import Protocol

import attrs

from firmware_bridge.build import missing_for_simavr
from firmware_bridge.inputs import Build
from firmware_bridge.model_bench import ModelBench
from firmware_bridge.simavr.bench import SimavrBench
from tamsk_pi.clock import MonotonicClock, VirtualClock
from tamsk_pi.config.profile import load_profile
from tamsk_pi.devices.base import Device
from tamsk_pi.devices.bridge import BridgeBoard
from tamsk_pi.devices.gpio.board import MatrixBoard
from tamsk_pi.sensing.edges import EdgeValue
from tests.devices.switchboard import Switchboard
from tests.tiers import lacking

WAIT_S = 20.0


class Board(Protocol):
    """A device with its contacts in our hand."""

    device: Device

    def move(self, kind: str, name: str, value: EdgeValue) -> None:
        """Open or close a contact, or tilt a glass, now."""
        ...

    def settle(self) -> None:
        """Until everything that was set has been posted."""
        ...

    def now_ms(self) -> int:
        """On the clock of the edges."""
        ...

    def lit(self) -> set[str]:
        """The panel lamps that are lit."""
        ...

    def falls_silent(self) -> bool:
        """Whether the buzzer is silent, or soon is."""
        ...

    def shut(self) -> None: ...


class MatrixOnMock:
    """Scanned by hand, in virtual time."""

    def __init__(self) -> None:
        self._profile = attrs.evolve(load_profile("matrix"), socket_lamps=None)
        self._switches = Switchboard(self._profile)
        self._clock = VirtualClock(1000)
        self._board = MatrixBoard(
            self._profile, pin_factory=self._switches.factory, clock=self._clock, scan_thread=False, row_settle_us=0
        )
        self.device: Device = self._board

    def move(self, kind: str, name: str, value: EdgeValue) -> None:
        matrix = self._profile.matrix
        button = getattr(matrix.buttons, name, "")
        crossing = {"socket": name, "tilt": matrix.tilt.get(name, ""), "button": button}[kind]
        self._switches.set(crossing, value == matrix.tilt_closed if kind == "tilt" else bool(value))

    def settle(self) -> None:
        self._clock.go_to(self._clock.now_ms() + 4)
        self._board.scan_once(self._clock.now_ms())

    def now_ms(self) -> int:
        return self._clock.now_ms()

    def lit(self) -> set[str]:
        lamps = attrs.asdict(self._profile.lamps)
        return {name for name, line in lamps.items() if self._switches.factory.pin(line).state}

    def falls_silent(self) -> bool:
        assert self._profile.buzzer is not None
        return not self._switches.factory.pin(self._profile.buzzer.line).state

    def shut(self) -> None:
        self._board.close()


class BridgeOnBench:
    """Live, through a pty."""

    def __init__(self, bench: ModelBench | SimavrBench) -> None:
        self._bench = bench.__enter__()
        self._clock = MonotonicClock()
        self.device: Device = BridgeBoard(str(self._bench.port), open_s=WAIT_S)

    def move(self, kind: str, name: str, value: EdgeValue) -> None:
        self._bench.set((kind, name), value)

    def settle(self) -> None:
        # The bench's time may lag behind the host's; what was set has been read once the board is alive well past it.
        due_ms = self.now_ms() + 100
        deadline_s = time.monotonic() + WAIT_S
        pause = threading.Event()
        while self.device.alive_at_ms() < due_ms:
            assert time.monotonic() < deadline_s, "the board does not go on"
            pause.wait(0.005)
        self._bench.poll()

    def now_ms(self) -> int:
        return self._clock.now_ms()

    def lit(self) -> set[str]:
        self._bench.poll()
        return self._bench.outputs.lit()

    def falls_silent(self) -> bool:
        deadline_s = time.monotonic() + WAIT_S / 10
        pause = threading.Event()
        while self._bench.outputs.tone_hz and time.monotonic() < deadline_s:
            pause.wait(0.005)
            self._bench.poll()
        return self._bench.outputs.tone_hz == 0

    def shut(self) -> None:
        self.device.close()
        self._bench.__exit__()


def make_board(kind: str) -> Board:
    """A board by its name."""
    if kind == "matrix-on-mock":
        return MatrixOnMock()
    if kind == "bridge-on-model":
        return BridgeOnBench(ModelBench(Build(), speed=1.0))
    missing = missing_for_simavr()
    if missing:
        lacking(missing)
    return BridgeOnBench(SimavrBench(Build(), speed=1.0))
