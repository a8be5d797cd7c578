"""A virtual board with hands that follow a calibration, in virtual time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import attrs

from firmware_bridge.model_bench import ModelBench
from tamsk_pi.calibrate.drive import Drive, Ended
from tamsk_pi.calibrate.glasses import GlassCalibration
from tamsk_pi.calibrate.saying import Say
from tamsk_pi.calibrate.socket_report import Report, report_on
from tamsk_pi.calibrate.sockets import SocketCalibration
from tamsk_pi.clock import VirtualClock
from tamsk_pi.config.profile import load_profile
from tamsk_pi.sim.bridge import SimulatedBridge
from tamsk_pi.sim.calibrating import GlassFollower, Pump, SocketFollower, disorder_from_texts
from tamsk_pi.sim.rig import Rig, SimulatedBoard, Table, fitted_by
from tamsk_pi.sim.sand import GlassMs, drawn_glass_ms
from tamsk_pi.sim.truth import Fitted

LONGEST_MS = 20_000_000


@attrs.define
class Tried:
    """A board that is calibrated."""

    rig: Rig
    clock: VirtualClock
    said: list[Say] = attrs.field(factory=list)
    lit: set[frozenset[str]] = attrs.field(factory=set)
    """Every set of socket lamps that was shown."""

    @property
    def codes(self) -> list[str]:
        return [one.code for one in self.said]

    def sockets(self, stopped: Callable[[], bool] = lambda: False, **options: object) -> SocketCalibration:
        calibration = SocketCalibration(self.rig.inputs(), self.clock.now_ms(), **options)  # type: ignore[arg-type]
        pump = Pump(self.rig, self.clock, calibration, SocketFollower(self.rig, calibration))
        self.ended = self._drive(calibration, pump, stopped)
        return calibration

    def glasses(self, stopped: Callable[[], bool] = lambda: False, **options: object) -> GlassCalibration:
        calibration = GlassCalibration(self.rig.inputs(), self.clock.now_ms(), **options)  # type: ignore[arg-type]
        pump = Pump(self.rig, self.clock, calibration, GlassFollower(self.rig, calibration, 1))
        self.ended = self._drive(calibration, pump, stopped)
        return calibration

    ended: Ended = "done"

    def _drive(
        self, calibration: SocketCalibration | GlassCalibration, pump: Pump, stopped: Callable[[], bool]
    ) -> Ended:
        def look() -> None:
            frame = calibration.frame()
            self.lit.add(frame.red_sockets | frame.green_sockets)
            pump()

        drive = Drive(
            device=self.rig,
            clock=self.clock,
            calibration=calibration,
            say=self.said.extend,
            typed=lambda line: [],
            pump=look,
        )
        return drive.run(lambda: stopped() or self.clock.now_ms() > LONGEST_MS)


def matrix_board(*faults: str, board: str = "matrix", glass_ms: GlassMs | None = None) -> Tried:
    """A matrix board by its profile, with these faults."""
    profile = load_profile(board)
    clock = VirtualClock(1000)
    disorder = disorder_from_texts(faults)
    table = Table(fitted=fitted_by(profile), glass_ms=glass_ms or drawn_glass_ms(random.Random(3)))
    rig = SimulatedBoard(profile, clock, 1, table, wired=disorder.wired(profile))
    return _opened(rig, clock, faults)


def bridge_board(*faults: str, sockets: str = "hall", tilt: bool = False) -> Tried:
    """A bridge on the model of its firmware."""
    clock = VirtualClock(1000)
    table = Table(fitted=Fitted(sockets="hall" if sockets == "hall" else "reed", tilt=tilt, rings="buttons"))
    return _opened(SimulatedBridge(lambda build: ModelBench(build), clock, 1, table), clock, faults)


def _opened(rig: Rig, clock: VirtualClock, faults: Iterable[str]) -> Tried:
    rig.open()
    disorder_from_texts(faults).begin(rig)
    clock.go_to(clock.now_ms() + 500)
    rig.run_to(clock.now_ms())
    return Tried(rig, clock)


def found(calibration: SocketCalibration, wiring: str = "matrix") -> Report:
    """What a calibration of the sockets found."""
    kind = {"matrix": "matrix", "pins": "pins", "mux": "mux"}[wiring]
    return report_on(calibration.results, calibration.sockets, kind)  # type: ignore[arg-type]
