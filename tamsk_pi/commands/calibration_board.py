"""The board that a calibration works on, real or virtual, with whoever works on it: a person, or hands that follow."""

from __future__ import annotations

import os
import queue
import select
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import attrs

from tamsk_pi.calibrate.drive import Calibration, Came, Drive, Ended, Typed
from tamsk_pi.calibrate.glasses import GlassCalibration
from tamsk_pi.calibrate.saying import Say
from tamsk_pi.calibrate.sockets import SocketCalibration
from tamsk_pi.clock import Clock, MonotonicClock, VirtualClock
from tamsk_pi.config.load import BRIDGE
from tamsk_pi.config.profile import BoardProfile, load_profile
from tamsk_pi.config.settings import Settings
from tamsk_pi.devices.base import Device, DeviceError
from tamsk_pi.sensing.edges import EdgeValue
from tamsk_pi.terminal import complain

SEED = 1
"""What the hands at a virtual board do, and how its contacts bounce."""

Wiring = Literal["matrix", "pins", "mux"]


@attrs.frozen
class CalibrationBoard:
    """A board by name. `profile`: its lines; None for a bridge, which has none of its own. `pump_for` gives, for a
    virtual board, what lets its time pass while hands follow a calibration; None for a real one."""

    name: str
    called: str
    """What it was asked for by: its name, or the path to its profile."""
    profile: BoardProfile | None
    device: Device
    clock: Clock
    pump_for: Callable[[SocketCalibration | GlassCalibration], Callable[[], None]] | None = None
    prepare: Callable[[], None] = lambda: None
    """Done once the device is open: a virtual board's faults begin."""

    @property
    def is_virtual(self) -> bool:
        return self.pump_for is not None

    def wiring(self, sensor: Literal["reed", "hall"]) -> Wiring:
        """How its sockets are wired, which says what can be put right in a profile."""
        if self.profile is not None:
            return "matrix"
        return "pins" if sensor == "reed" else "mux"


def real_board(name: str, settings: Settings) -> CalibrationBoard:
    """The board of this name, on this machine. `ConfigError` for a profile that cannot be used."""
    if name == BRIDGE:
        from tamsk_pi.commands.bridge_link import bridge_board

        return CalibrationBoard(name, name, None, bridge_board(settings.bridge), MonotonicClock())
    from tamsk_pi.devices.gpio.board import MatrixBoard

    profile = load_profile(name)
    return CalibrationBoard(
        profile.name, name, profile, MatrixBoard(profile, pin_factory=settings.gpio.pin_factory), MonotonicClock()
    )


def virtual_board(name: str, settings: Settings, faults: Iterable[str]) -> CalibrationBoard:
    """A virtual board of this name with these faults. `ValueError` for a fault that there is not."""
    from random import Random

    from tamsk_pi.commands.virtual_board import rig_maker
    from tamsk_pi.sim.calibrating import GlassFollower, Pump, SocketFollower, disorder_from_texts
    from tamsk_pi.sim.rig import Rig, SimulatedBoard, Table, fitted_by
    from tamsk_pi.sim.sand import drawn_glass_ms
    from tamsk_pi.sim.truth import Fitted

    disorder = disorder_from_texts(faults)
    clock = VirtualClock(1000)
    glass_ms = drawn_glass_ms(Random(SEED))
    profile: BoardProfile | None = None
    rig: Rig
    if name == BRIDGE:
        sockets: Literal["reed", "hall"] = "hall" if settings.sockets == "hall" else "reed"
        fitted = Fitted(sockets=sockets, tilt=settings.tilt is not False, rings="buttons")
        make = rig_maker("bridge", diodes=True, say=complain)
        rig = make(clock, SEED, Table(fitted=fitted, glass_ms=glass_ms))
    else:
        profile = load_profile(name)
        table = Table(fitted=fitted_by(profile), glass_ms=glass_ms)
        rig = SimulatedBoard(profile, clock, SEED, table, wired=disorder.wired(profile))

    def pump_for(calibration: SocketCalibration | GlassCalibration) -> Callable[[], None]:
        if isinstance(calibration, SocketCalibration):
            return Pump(rig, clock, calibration, SocketFollower(rig, calibration))
        return Pump(rig, clock, calibration, GlassFollower(rig, calibration, SEED))

    def prepare() -> None:
        disorder.begin(rig)
        clock.go_to(clock.now_ms() + 500)
        rig.run_to(clock.now_ms())

    return CalibrationBoard(name if profile is None else profile.name, name, profile, rig, clock, pump_for, prepare)


def open_board(board: CalibrationBoard) -> Mapping[tuple[str, str], EdgeValue]:
    """Open it and read every input. `DeviceError` where it is not there, `ValueError` for a fault of an input that
    is not fitted."""
    board.device.open()
    board.prepare()
    inputs = board.device.inputs()
    if not any(kind == "socket" for kind, _ in inputs):
        raise DeviceError(f"board {board.name} has no sockets")
    return inputs


def drive(
    board: CalibrationBoard,
    calibration: SocketCalibration | GlassCalibration,
    say: Callable[[Iterable[Say]], None],
    typed: Callable[[Typed], list[Say]],
    stopped: Callable[[], bool],
) -> Ended:
    """Drive a calibration on a board that is open."""
    inbox: queue.SimpleQueue[Came] = queue.SimpleQueue()
    followed: Calibration = calibration
    pump = None if board.pump_for is None else board.pump_for(calibration)
    whole = Drive(
        device=board.device, clock=board.clock, calibration=followed, say=say, typed=typed, inbox=inbox, pump=pump
    )
    if pump is not None:
        return whole.run(stopped)
    over = threading.Event()
    reader = threading.Thread(target=_read_lines, args=(board.clock, inbox, over), name="terminal", daemon=True)
    reader.start()
    try:
        return whole.run(stopped)
    finally:
        over.set()
        reader.join(1.0)


def _read_lines(clock: Clock, inbox: queue.SimpleQueue[Came], over: threading.Event) -> None:
    """Put every line typed into the inbox, with the time at which it came; until `over`, or the input's end."""
    try:
        source = sys.stdin.fileno()
    except (OSError, ValueError, AttributeError):
        return  # no terminal: only buttons are pressed
    begun = b""
    while not over.is_set():
        if not select.select([source], [], [], 0.2)[0]:
            continue
        came = os.read(source, 1024)
        if not came:
            return
        *lines, begun = (begun + came).split(b"\n")
        for line in lines:
            inbox.put(Typed(clock.now_ms(), line.decode("utf-8", "replace").strip().lower()))
