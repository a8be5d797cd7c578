"""The virtual board on the bridge's firmware: its contacts are a bench's, and the firmware tells of them over a line.

From the contacts on it is what runs on a Mega and on the host beside it: the firmware (in simavr, or its model), the
protocol, the comparison of clocks, `BridgeBoard`. Only the port is missing: the line's bytes are carried over in the
simulation's own time, so that nothing depends on how busy the computer is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import attrs

from firmware_bridge.bench import LOAD_RING, LOAD_ZERO, BenchError, FirmwareBench
from firmware_bridge.events import Edges, Event, InputLimited, Snapshot
from firmware_bridge.host import BridgeHost, Stage
from firmware_bridge.inputs import Build, TiltSensor
from firmware_bridge.protocol import Config, Holder, Type
from tamsk_pi.clock import Clock
from tamsk_pi.devices.base import DeviceError, LampFrame, Post, Tone
from tamsk_pi.devices.bridge import BridgeBoard
from tamsk_pi.devices.caps import CapState
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sim.board import VirtualBoard
from tamsk_pi.sim.hands import Hands
from tamsk_pi.sim.rig import Table

MEET_US: Final = 3_000_000
"""Simulated time in which the firmware has started, met the host and read every input."""
LAID_OUT_US: Final = 500_000
"""Simulated time in which a table laid out anew has been told: the load cells answer ten times a second."""
STEP_US: Final = 10_000
LEAVE_US: Final = 50_000
CAPS_MEET_US: Final = 12_000_000
"""With caps: simulated time in which each has given a sign of life."""
BUSY_MS: Final = 100
BUSY_STEP_MS: Final = 5
IDLE_STEP_MS: Final = 50
BOARD_ID: Final = 1
LOAD_CELL: Final = Holder(zero=LOAD_ZERO, ring=LOAD_RING)
"""What the bench's load cells read: empty, and for each ring."""
EDGES_A_SECOND: Final = 255


class BenchLink:
    """Carries bytes between a stepped bench and the host's end. A link for `BridgeBoard`, and owned by one thread.

    `shift_us`: what the host's clock is ahead of the bench's.
    """

    def __init__(self, bench: FirmwareBench, on_event: Callable[[Event], None], meet_us: int = MEET_US) -> None:
        self._bench = bench
        self._on_event = on_event
        self._meet_us = meet_us
        config = Config(edge_limit=EDGES_A_SECOND, red=LOAD_CELL, black=LOAD_CELL)
        self._host = BridgeHost(config, lambda: BOARD_ID)
        self._bench_us = 0
        self.shift_us = 0
        self.is_whole = True

    def start(self) -> None:
        """Let the board start and be met. `BenchError` when it is not."""
        self.skip(self._meet_us)
        if self._host.stage is not Stage.RUNNING:
            raise BenchError(f"the simulated board does not get beyond {self._host.stage.value}")

    def close(self) -> None:
        """Let what waits to be sent arrive."""
        self.skip(LEAVE_US)

    def lamps(self, panel: Mapping[str, bool], red: frozenset[str], green: frozenset[str]) -> None:
        if self._host.stage is Stage.RUNNING:
            self._host.lamps(panel, red, green)

    def tones(self, tones: Sequence[tuple[int, int]]) -> None:
        if self._host.stage is Stage.RUNNING:
            self._host.tones(tones)

    def command(self, command: Type, body: bytes = b"") -> None:
        if self._host.stage is Stage.RUNNING:
            self._host.command(command, body)

    def alive_us(self) -> int | None:
        alive_us = self._host.alive_us() if self._host.stage is Stage.RUNNING else None
        return None if alive_us is None else alive_us + self.shift_us

    def set_now(self, now_us: int) -> None:
        """What the host's clock shows at this moment of the bench."""
        self.shift_us = now_us - self._bench_us

    def skip(self, span_us: int) -> None:
        """Let the bench's time pass while the host's stands still."""
        now_us = self._bench_us + self.shift_us
        self.run_to(now_us + span_us)
        self.set_now(now_us)

    def run_to(self, now_us: int) -> None:
        """Let time pass up to the host's `now_us`."""
        until_us = now_us - self.shift_us
        while self._bench_us < until_us:
            self._speak()
            deadline_us = max(self._host.next_deadline_us(), self._bench_us + 1)
            self._bench_us = min(until_us, self._bench_us + STEP_US, deadline_us)
            for sent in self._bench.run_to(self._bench_us):
                if self.is_whole:
                    self._tell(self._host.receive(sent.data, min(sent.t_us, self._bench_us)))
        self._speak()

    def _speak(self) -> None:
        self._tell(self._host.tick(self._bench_us))
        data = self._host.data_to_send(self._bench_us)
        if self.is_whole:
            self._bench.write(data)

    def _tell(self, events: Sequence[Event]) -> None:
        for event in events:
            self._on_event(self._shifted(event))

    def _shifted(self, event: Event) -> Event:
        """The event with the host's times."""
        match event:
            case Edges(changes):
                return Edges(tuple(attrs.evolve(change, t_us=change.t_us + self.shift_us) for change in changes))
            case Snapshot() | InputLimited():
                return attrs.evolve(event, t_us=event.t_us + self.shift_us)
            case _:
                return event


class SimulatedBridge:
    """A `Device` whose board is virtual and whose firmware runs on a bench, and the `Pump` that lets its time pass.

    One thread owns it. `make_bench` gives a stepped bench for a build; where it dies, `DeviceError` tells.
    """

    def __init__(
        self,
        make_bench: Callable[[Build], FirmwareBench],
        clock: Clock,
        seed: int | str,
        table: Table,
        tilts: TiltSensor = "wired",
    ) -> None:
        """`tilts`: how the glasses tell of their tilt; `caps`: by radio."""
        self._make_bench: Final = make_bench
        self._clock: Final = clock
        self._seed = seed
        self._tilts: Final = tilts
        self._games = 0
        self._bench: FirmwareBench | None = None
        self._link: BenchLink | None = None
        self._device: Final = BridgeBoard(make_link=self._new_link, caps_s=0.0)
        self._post: Post | None = None
        self._is_laying_out = False
        self._busy_until_ms = 0
        self._now_ms = 0
        self.link_is_cut = False
        """To order: the cable is pulled."""
        self.scan_is_stopped = False
        """To order: nothing is read any more; of a bridge the host then hears nothing either."""
        self.table = table
        self.board: VirtualBoard
        self.hands: Hands
        self._new_table()

    def lay_out(self, table: Table) -> None:
        """Clear the table and lay it out anew; every fault is gone. The sensors stay those of the firmware."""
        self.table = attrs.evolve(table, fitted=self.table.fitted)
        self.link_is_cut = self.scan_is_stopped = False
        self._new_table()
        if self._link is None:
            return
        # What lies there now is where the game begins: it is state, not edges.
        self._is_laying_out = True
        try:
            self._link.is_whole = True
            self._set_all()
            self._guarded(lambda link: link.skip(LAID_OUT_US))
            self._device.forget_held()
        finally:
            self._is_laying_out = False

    def _new_table(self) -> None:
        self._games += 1
        seed = f"{self._seed}/{self._games}"
        table = self.table
        self._now_ms = self._clock.now_ms()
        self.board = VirtualBoard(
            seed,
            fitted=table.fitted,
            glass_ms=table.glass_ms,
            standing=table.standing,
            stacks=table.stacks,
            habits=table.habits,
            now_ms=self._now_ms,
        )
        self.hands = Hands(self.board, seed, table.tempo)

    def _set_all(self) -> None:
        assert self._bench is not None
        for name, value in self.board.inputs.items():
            self._bench.set(name, value)

    def _new_link(self, on_event: Callable[[Event], None]) -> BenchLink:
        assert self._bench is not None
        meet_us = CAPS_MEET_US if self._tilts == "caps" else MEET_US
        self._link = BenchLink(self._bench, on_event, meet_us)
        return self._link

    def _guarded(self, act: Callable[[BenchLink], None]) -> None:
        assert self._link is not None
        try:
            act(self._link)
        except BenchError as error:
            raise DeviceError(f"the simulated bridge: {error}") from None

    # -- a device

    def open(self) -> None:
        if self._bench is not None:
            return
        fitted = self.table.fitted
        try:
            bench = self._make_bench(Build(fitted.sockets, fitted.rings, self._tilts))
            bench.__enter__()
            self._bench = bench
            self._set_all()
            self._device.open()
        except BenchError as error:
            self._end_bench()
            raise DeviceError(f"the simulated bridge: {error}") from None
        self._now_ms = self._clock.now_ms()
        self._guarded(lambda link: link.set_now(self._now_ms * 1000))

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]:
        return self._device.inputs()

    def start(self, post: Post) -> None:
        self._post = post
        self._device.start(self._pass_on)

    def _pass_on(self, edges: Sequence[Edge]) -> None:
        if self._post is not None and not self._is_laying_out:
            self._post(edges)

    def show(self, frame: LampFrame) -> None:
        self._device.show(frame)

    def sound(self, tones: Sequence[Tone]) -> None:
        self._device.sound(tones)

    def caps(self) -> Mapping[str, CapState]:
        return self._device.caps()

    def alive_at_ms(self) -> int:
        return self._device.alive_at_ms()

    def close(self) -> None:
        try:
            self._device.close()
        except BenchError as error:
            raise DeviceError(f"the simulated bridge: {error}") from None
        finally:
            self._end_bench()

    def _end_bench(self) -> None:
        bench, self._bench, self._link = self._bench, None, None
        if bench is not None:
            bench.__exit__(None, None, None)

    # -- its time

    def next_ms(self) -> int | None:
        """When a contact next moves, or the line has been carried on for a while."""
        step_ms = BUSY_STEP_MS if self._now_ms < self._busy_until_ms else IDLE_STEP_MS
        t_ms = self.board.next_ms()
        return self._now_ms + step_ms if t_ms is None else min(t_ms, self._now_ms + step_ms)

    def run_to(self, now_ms: int) -> None:
        """Let hands and contacts move up to `now_ms`, and the firmware and the line after them."""
        if self._bench is None or self._link is None or now_ms < self.board.now_ms:
            return
        link = self._link
        moved = self.board.run_to(now_ms)
        for edge in moved:
            self._bench.set((edge.kind, edge.name), edge.value, edge.t_ms * 1000 - link.shift_us)
        if moved:
            self._busy_until_ms = now_ms + BUSY_MS
        link.is_whole = not (self.link_is_cut or self.scan_is_stopped)
        self._guarded(lambda link: link.run_to(now_ms * 1000))
        self._now_ms = now_ms
