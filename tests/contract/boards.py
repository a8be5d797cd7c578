"""Boards for the contract's tests: a matrix on mock pins, a bridge on the firmware's model, a bridge in simavr, and
what one of these told, recorded as a trace and played back."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

import attrs

from firmware_bridge.build import missing_for_simavr
from firmware_bridge.inputs import Build
from firmware_bridge.model_bench import ModelBench
from firmware_bridge.simavr.bench import SimavrBench
from tamsk_pi.clock import MonotonicClock, VirtualClock
from tamsk_pi.config.profile import load_profile
from tamsk_pi.devices.base import Device, LampFrame, Post, Tone
from tamsk_pi.devices.bridge import BridgeBoard
from tamsk_pi.devices.gpio.board import MatrixBoard
from tamsk_pi.devices.recorded import RecordedBoard
from tamsk_pi.runner.desk import settings_at
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.trace import End, Record, header_line, record_line
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


SETTINGS: Final = Settings(level=2, rings="buttons")


class _Recorder:
    """A device that is another one, and keeps what that one tells, on the clock of its `open()`."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.header = SETTINGS
        self.edges: list[Edge] = []
        self.opened_at_ms = 0

    def open(self) -> None:
        self._board.device.open()
        self.opened_at_ms = self._board.now_ms()
        self.header = settings_at(SETTINGS, self._board.device.inputs())

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]:
        return self._board.device.inputs()

    def start(self, post: Post) -> None:
        def keep(edges: Sequence[Edge]) -> None:
            self.edges += [edge._replace(t_ms=max(edge.t_ms - self.opened_at_ms, 0)) for edge in edges]
            post(edges)

        self._board.device.start(keep)

    def show(self, frame: LampFrame) -> None:
        self._board.device.show(frame)

    def sound(self, tones: Sequence[Tone]) -> None:
        self._board.device.sound(tones)

    def alive_at_ms(self) -> int:
        return self._board.device.alive_at_ms()

    def close(self) -> None:
        self._board.device.close()


class Rehearsal:
    """A board of another kind, with everything recorded that it tells and the moments at which it was waited for."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._recorder = _Recorder(board)
        self.device: Device = self._recorder
        self.settled_ms: list[int] = []
        self.moves: list[tuple[str, str, EdgeValue]] = []

    def move(self, kind: str, name: str, value: EdgeValue) -> None:
        self._board.move(kind, name, value)
        self.moves.append((kind, name, value))

    def settle(self) -> None:
        self._board.settle()
        self.settled_ms.append(self.now_ms() - self._recorder.opened_at_ms)

    def now_ms(self) -> int:
        return self._board.now_ms()

    def lit(self) -> set[str]:
        return self._board.lit()

    def falls_silent(self) -> bool:
        return self._board.falls_silent()

    def shut(self) -> None:
        self._board.shut()

    def trace(self, file: Path) -> Path:
        """What was told, as a trace in `file`."""
        header, edges = self._recorder.header, self._recorder.edges
        end = End(max([*self.settled_ms, *(edge.t_ms for edge in edges)], default=0) + 1)
        records: list[Record] = [*edges, end]
        lines = [header_line(header), *(record_line(record, header) for record in records)]
        file.write_text("".join(lines), encoding="utf-8")
        return file


class Playback:
    """A rehearsal's trace. The hands were at the board then, so `move` only holds the test to the same moves."""

    def __init__(self, rehearsal: Rehearsal, file: Path) -> None:
        self._clock = VirtualClock(50_000)
        self._moves = deque(rehearsal.moves)
        self._settled_ms = deque(rehearsal.settled_ms)
        self._began_ms = self._clock.now_ms()
        self.device: Device = RecordedBoard(rehearsal.trace(file), self._clock)

    def move(self, kind: str, name: str, value: EdgeValue) -> None:
        assert self._moves.popleft() == (kind, name, value)

    def settle(self) -> None:
        self._clock.go_to(self._began_ms + self._settled_ms.popleft())
        assert self.device.alive_at_ms() >= self._clock.now_ms()

    def now_ms(self) -> int:
        return self._clock.now_ms()

    def lit(self) -> set[str]:
        return set()

    def falls_silent(self) -> bool:
        return True

    def shut(self) -> None:
        self.device.close()


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
