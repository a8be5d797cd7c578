"""A calibration on a board: edges and presses in, words, lamps and tones out, until it is done or broken off."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, Protocol

import attrs

from tamsk_pi.calibrate.saying import DARK, TONES, Say
from tamsk_pi.clock import Clock
from tamsk_pi.devices.base import Device
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.signals.frames import LampFrame

SILENT_MS: Final = 1500
LOOK_MS: Final = 50

Ended = Literal["done", "broken off", "board silent"]


class Calibration(Protocol):
    """The part that does no I/O: `SocketCalibration`, or `GlassCalibration` with its lanes."""

    @property
    def is_done(self) -> bool: ...

    def frame(self) -> LampFrame: ...

    def begin(self) -> list[Say]: ...

    def feed(self, edges: Sequence[Edge]) -> list[Say]: ...

    def advance(self, now_ms: int) -> list[Say]: ...


@attrs.frozen
class Typed:
    """A line typed at the terminal, and when it was read."""

    t_ms: int
    text: str


Came = Sequence[Edge] | Typed


@attrs.frozen(kw_only=True)
class Drive:
    """Drives a calibration on a device that is open.

    `say` puts words before a person. `typed` is what a line from the terminal does. `inbox` holds what came: the
    device's edges are put there, and whoever reads the terminal puts its lines there. `pump` lets a virtual board's
    time pass and gives the new time: then nothing waits.
    """

    device: Device
    clock: Clock
    calibration: Calibration
    say: Callable[[Iterable[Say]], None]
    typed: Callable[[Typed], list[Say]]
    inbox: queue.SimpleQueue[Came] = attrs.field(factory=queue.SimpleQueue)
    pump: Callable[[], None] | None = None

    def run(self, stopped: Callable[[], bool]) -> Ended:
        """Until it is done, `stopped` says so, or the board has not been read for a while. The lamps are dark then."""
        self.device.start(self.inbox.put)
        shown: LampFrame | None = None
        begun_ms = self.clock.now_ms()
        try:
            self._tell(self.calibration.begin())
            while not self.calibration.is_done:
                if stopped():
                    return "broken off"
                if shown != (frame := self.calibration.frame()):
                    shown = frame
                    self.device.show(frame)
                if self.pump is not None:
                    self.pump()
                # Asked before the inbox is emptied: what was read up to then is in it.
                alive_ms = self.device.alive_at_ms()
                for came in self._waited_for():
                    self._tell(self.typed(came) if isinstance(came, Typed) else self.calibration.feed(came))
                self._tell(self.calibration.advance(alive_ms))
                # A bridge that has just been met may not have told yet that it is alive.
                if self.clock.now_ms() - max(begun_ms, self.device.alive_at_ms()) > SILENT_MS:
                    return "board silent"
            return "done"
        finally:
            self.device.show(DARK)

    def _tell(self, said: list[Say]) -> None:
        if said:
            self.say(said)
            tones = [tone for one in said for tone in TONES[one.mood]]
            if tones:
                self.device.sound(tones[:8])

    def _waited_for(self) -> list[Came]:
        came: list[Came] = []
        try:
            came.append(self.inbox.get(block=self.pump is None, timeout=LOOK_MS / 1000))
            while True:
                came.append(self.inbox.get_nowait())
        except queue.Empty:
            return came
