"""A session and a conductor in virtual time: what lamps show and what sounds, and when."""

from __future__ import annotations

from collections.abc import Sequence

from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.conductor import Conductor, Mode
from tamsk_pi.signals.frames import LampFrame, Tone


def lift(t_ms: int, socket: str) -> Edge:
    return Edge(t_ms, "socket", socket, False)


def place(t_ms: int, socket: str) -> Edge:
    return Edge(t_ms, "socket", socket, True)


def turn(t_ms: int, glass: str, up: str = "b") -> Edge:
    return Edge(t_ms, "tilt", glass, up)


class Stage:
    """Plays edges, and asks the conductor whenever it wants to be asked."""

    def __init__(self, settings: Settings, mode: Mode, edges: Sequence[Edge] = (), *, ready: bool = True) -> None:
        self.session = Session(settings)
        self.conductor = Conductor(mode)
        self.ready = ready
        self.frames: list[tuple[int, LampFrame]] = []
        """Every frame that differs from the one before, with its time."""
        self.sounds: list[tuple[int, tuple[Tone, ...]]] = []
        self.rounds = 0
        self._edges = list(edges)
        self._ask(0)
        # That the board is set up is not what these tests are about.
        self.sounds.clear()

    def run_to(self, end_ms: int) -> LampFrame:
        """Go on to `end_ms`, at every edge, deadline and change on the way; the frame that is shown then."""
        while self.session.now_ms < end_ms:
            now_ms = self.session.now_ms
            due = [self.session.next_deadline(), self.conductor.next_change_ms(), end_ms]
            due += [self._edges[0].t_ms] if self._edges else []
            next_ms = max(now_ms + 1, min(t for t in due if t is not None))
            while self._edges and self._edges[0].t_ms <= next_ms:
                self.conductor.tell(self.session.feed(self._edges.pop(0)))
            self._ask(next_ms)
        return self.frames[-1][1]

    def _ask(self, now_ms: int) -> None:
        self.rounds += 1
        self.conductor.tell(self.session.advance(now_ms))
        self.conductor.look(self.session.snapshot())
        frame = self.conductor.frame(now_ms, ready=self.ready)
        if not self.frames or frame != self.frames[-1][1]:
            self.frames.append((now_ms, frame))
        tones = tuple(self.conductor.tones(now_ms))
        if tones:
            self.sounds.append((now_ms, tones))

    def frame_at(self, t_ms: int) -> LampFrame:
        """What was shown at `t_ms`."""
        return next(frame for shown_ms, frame in reversed(self.frames) if shown_ms <= t_ms)

    def changes_of(self, lamp: str, plane: str = "panel") -> list[tuple[int, bool]]:
        """When a lamp went on and off."""
        found: list[tuple[int, bool]] = []
        for t_ms, frame in self.frames:
            lit = frame.panel[lamp] if plane == "panel" else lamp in getattr(frame, f"{plane}_sockets")
            if (found[-1][1] if found else False) != lit:
                found.append((t_ms, lit))
        return found
