"""The virtual board as a device: its switches are wired to mock pins, and the matrix driver reads them from there.

From the pins up everything is the code that runs on the Pi. Only rings on stacks, which no matrix board senses, are
told straight as edges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

import attrs

from tamsk_pi.clock import Clock
from tamsk_pi.config.profile import BoardProfile
from tamsk_pi.devices.base import Device, LampFrame, Post, Tone
from tamsk_pi.devices.gpio.board import MatrixBoard
from tamsk_pi.devices.gpio.holders import code_of
from tamsk_pi.rules.board import START, Player
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sim.board import VirtualBoard
from tamsk_pi.sim.hands import Hands, Tempo
from tamsk_pi.sim.matrix import Crossing
from tamsk_pi.sim.sand import GlassMs
from tamsk_pi.sim.sensors import Habits
from tamsk_pi.sim.truth import Fitted
from tamsk_pi.sim.wiring import Crossings, MatrixWiring, WiredFactory

IDLE_SCAN_MS: Final = 200
"""While no contact moves the matrix is read this often: what it would read in between is known."""


@attrs.frozen(kw_only=True)
class Table:
    """What a virtual board is laid out with."""

    fitted: Fitted = attrs.field(factory=Fitted)
    glass_ms: GlassMs | None = None
    standing: Mapping[str, str] = START
    stacks: Mapping[str, tuple[Player, ...]] = attrs.field(factory=dict)
    """Whose rings lie where at the beginning, the lowest first."""
    habits: Habits | None = None
    tempo: Tempo | None = None


class Rig(Device, Protocol):
    """A virtual board as a device, with the hands at it; also the `Pump` that lets its time pass."""

    board: VirtualBoard
    hands: Hands
    table: Table
    link_is_cut: bool
    """To order: nothing the board tells arrives."""
    scan_is_stopped: bool
    """To order: the board's inputs are not read any more."""

    def lay_out(self, table: Table) -> None:
        """Clear the table and lay it out anew; every fault is gone."""
        ...

    def next_ms(self) -> int | None: ...

    def run_to(self, now_ms: int) -> None: ...


def fitted_by(profile: BoardProfile) -> Fitted:
    """The sensors that a matrix profile names, rings noticed in its first way."""
    return Fitted(sockets="reed", tilt=profile.sensors.tilt, rings=profile.sensors.rings[0])


def crossings_of(profile: BoardProfile) -> Crossings:
    """Which crossings a matrix profile gives to tilt switches, buttons and holders."""
    matrix = profile.matrix
    return Crossings(
        tilt={glass: Crossing.named(name) for glass, name in matrix.tilt.items()},
        buttons={name: Crossing.named(where) for name, where in attrs.asdict(matrix.buttons).items()},
        holders={
            player: tuple(Crossing.named(name) for name in names)
            for player, names in (attrs.asdict(matrix.holders) if matrix.holders else {}).items()
        },
        tilt_closed=matrix.tilt_closed,
        sockets=frozenset(matrix.sockets),
        holder_code=lambda count: tuple(bool(code_of(count) >> bit & 1) for bit in range(4)),
    )


class SimulatedBoard:
    """A `Device` whose board is virtual, and the `Pump` that lets its time pass. One thread owns it.

    `diodes`: without them three closed corners of the matrix close a phantom fourth, as on a real one.
    `wired`: how the board is really wired, where that is not what the profile says.
    """

    def __init__(
        self,
        profile: BoardProfile,
        clock: Clock,
        seed: int | str,
        table: Table,
        *,
        diodes: bool = True,
        wired: BoardProfile | None = None,
    ) -> None:
        self._clock: Final = clock
        self._scan_ms: Final = max(1, 1000 // profile.matrix.scan_hz)
        matrix = (wired or profile).matrix
        self._contacts: Final = crossings_of(wired or profile)
        rows = {int(row): line for row, line in matrix.rows.items()}
        self._wiring: Final = MatrixWiring(rows, matrix.columns, diodes=diodes)
        self._driver: Final = MatrixBoard(
            profile, pin_factory=WiredFactory(self._wiring), clock=clock, scan_thread=False, row_settle_us=0
        )
        self._seed = seed
        self._games = 0
        self._post: Post | None = None
        self._scanned: list[Edge] = []
        self._alive_ms = clock.now_ms()
        self.link_is_cut = False
        """To order: nothing the board tells arrives."""
        self.scan_is_stopped = False
        """To order: the matrix is not read any more."""
        self.table = table
        self.board: VirtualBoard
        self.hands: Hands
        self._lay_out()

    def lay_out(self, table: Table) -> None:
        """Clear the table and lay it out anew; every fault is gone."""
        self.table = table
        self.link_is_cut = self.scan_is_stopped = False
        self._lay_out()

    def _lay_out(self) -> None:
        self._games += 1
        seed = f"{self._seed}/{self._games}"
        table = self.table
        now_ms = self._clock.now_ms()
        self.board = VirtualBoard(
            seed,
            fitted=table.fitted,
            glass_ms=table.glass_ms,
            standing=table.standing,
            stacks=table.stacks,
            habits=table.habits,
            now_ms=now_ms,
        )
        self.hands = Hands(self.board, seed, table.tempo)
        self._wiring.set_switches(self._contacts.of_inputs(self.board.inputs))
        self._alive_ms = now_ms
        if self._post is not None:
            # What lies there now is where the game begins: it is state, not edges.
            self._driver.scan_once(now_ms)
            self._scanned.clear()

    # -- a device

    def open(self) -> None:
        self._driver.open()

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]:
        told = dict(self._driver.inputs())
        for (kind, name), value in self.board.inputs.items():
            if kind == "ring":
                told[kind, name] = value
        return told

    def start(self, post: Post) -> None:
        self._post = post
        self._driver.start(self._scanned.extend)

    def show(self, frame: LampFrame) -> None:
        self._driver.show(frame)

    def sound(self, tones: Sequence[Tone]) -> None:
        self._driver.sound(tones)

    def alive_at_ms(self) -> int:
        return self._alive_ms

    def close(self) -> None:
        self._driver.close()

    # -- its time

    def next_ms(self) -> int | None:
        """When the scan next finds a contact that has moved."""
        t_ms = self.board.next_ms()
        return None if t_ms is None else self._tick_after(t_ms)

    def _tick_after(self, t_ms: int) -> int:
        """The first scan at or after a time."""
        return -(-t_ms // self._scan_ms) * self._scan_ms

    def run_to(self, now_ms: int) -> None:
        """Let hands and contacts move up to the last scan that `now_ms` allows, and post what the scans found."""
        while True:
            next_ms = self.next_ms()
            last_ms = now_ms // self._scan_ms * self._scan_ms
            tick_ms = last_ms if next_ms is None or next_ms > last_ms else next_ms
            if tick_ms < self.board.now_ms:
                return
            moved = self._move_to(tick_ms)
            if moved or tick_ms - self._driver.alive_at_ms() >= IDLE_SCAN_MS:
                self._scan(tick_ms, moved)
            if not self._is_silent():
                self._alive_ms = tick_ms
            if next_ms is None or next_ms > last_ms:
                return

    def _is_silent(self) -> bool:
        return self.link_is_cut or self.scan_is_stopped

    def _move_to(self, t_ms: int) -> list[Edge]:
        edges = self.board.run_to(t_ms)
        switches: dict[Crossing, bool] = {}
        for edge in edges:
            switches |= self._contacts.of_edge(edge)
        if switches:
            self._wiring.set_switches(switches)
        return edges

    def _scan(self, t_ms: int, moved: Sequence[Edge]) -> None:
        if self.scan_is_stopped:
            return
        self._driver.scan_once(t_ms)
        found, self._scanned[:] = list(self._scanned), []
        found += [edge for edge in moved if edge.kind == "ring"]
        if found and self._post is not None and not self.link_is_cut:
            self._post(sorted(found, key=lambda edge: edge.t_ms))
