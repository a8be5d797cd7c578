"""A board whose travelling glasses tell of their tilt by radio to the Pi itself: another board with a receiver beside
it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from firmware_bridge.caps import News, Told
from firmware_bridge.inputs import TRAVELLING
from firmware_bridge.protocol import CapHealth
from tamsk_pi.clock import Clock, MonotonicClock
from tamsk_pi.devices.base import Device, LampFrame, Post, Tone
from tamsk_pi.devices.caps import CapState, CapWatch, Held, LateEdges
from tamsk_pi.devices.gpio.cap_radio import Listener
from tamsk_pi.sensing.edges import Edge, EdgeValue

CAPS_S: Final = 13.0
"""Time for every cap to give a sign of life; one that has not is a fault of its glass."""
_ENDS: Final = {1: "a", 2: "b"}
_MASK32: Final = 0xFFFFFFFF

_log = logging.getLogger(__name__)


class Receiver(Protocol):
    """What is needed of `CapReceiver`."""

    def open(self, on_news: Listener, on_look: _OnLook) -> None: ...

    def health(self) -> Sequence[CapHealth]: ...

    def close(self) -> None: ...


class _OnLook(Protocol):
    def __call__(self) -> None: ...


class CapBoard:
    """A `Device`: `board` for everything but the six tilts, which `receiver` hears of. `caps_s`: how long caps are
    waited for."""

    def __init__(
        self, board: Device, receiver: Receiver, *, clock: Clock | None = None, caps_s: float = CAPS_S
    ) -> None:
        self._board: Final = board
        self._receiver: Final = receiver
        self._clock: Final = clock or MonotonicClock()
        self._caps_s: Final = caps_s
        self._lock = threading.RLock()
        self._all_heard = threading.Event()
        self._watch = CapWatch()
        self._late = LateEdges()
        self._up: dict[str, str] = dict.fromkeys(TRAVELLING, "a")
        self._post: Post | None = None
        self._is_open = False

    def open(self) -> None:
        if self._is_open:
            return
        self._board.open()
        try:
            self._all_heard.clear()
            self._watch, self._late = CapWatch(), LateEdges()
            self._receiver.open(self._take_news, self._look)
        except BaseException:
            self._board.close()
            raise
        self._is_open = True
        self._all_heard.wait(self._caps_s)
        self._look()

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]:
        inputs = dict(self._board.inputs())
        with self._lock:
            if self._post is None:
                self._late.drop()
            return inputs | {("tilt", glass): up for glass, up in self._up.items()}

    def start(self, post: Post) -> None:
        with self._lock:
            self._post = post
            now_ms = self._clock.now_ms()
            self._late.push([Edge(now_ms, "cap", glass, False) for glass in self._watch.silent()])
        self._board.start(self._take_edges)

    def release(self) -> Sequence[Edge]:
        """What is held, as somebody's word comes now."""
        return () if self._post is None else self._late.release(self._board.alive_at_ms())

    def show(self, frame: LampFrame) -> None:
        self._board.show(frame)

    def sound(self, tones: Sequence[Tone]) -> None:
        self._board.sound(tones)

    def alive_at_ms(self) -> int:
        alive_ms = self._board.alive_at_ms()
        post = self._post
        return alive_ms if post is None else self._late.ask(alive_ms, post)

    def held(self) -> Held | None:
        """What has been told and not been posted yet."""
        return None if self._post is None else self._late.held(self._board.alive_at_ms())

    def close(self) -> None:
        self._is_open = False
        self._post = None
        self._receiver.close()
        self._board.close()

    def caps(self) -> Mapping[str, CapState]:
        """How each glass's cap is."""
        with self._lock:
            late = self._late.late
            healths = zip(TRAVELLING, self._receiver.health(), strict=True)
            return {g: CapState(health, self._watch.heard[g], late.get(g, 0)) for g, health in healths}

    # In the board's thread.

    def _take_edges(self, edges: Sequence[Edge]) -> None:
        self._push([edge for edge in edges if not (edge.kind == "tilt" and edge.name in TRAVELLING)])

    # In the receiver's thread.

    def _take_news(self, glass: str, told: Told) -> None:
        end = _ENDS.get(told.value)
        if told.news not in (News.EDGE, News.UNTIMED, News.STARTED) or end is None:
            return
        with self._lock:
            health = self._watch.health.get(glass)
            if health is not None and health.twins:
                return
            was, self._up[glass] = self._up[glass], end
            if told.news is News.EDGE and self._watch.heard[glass]:
                if end != was:
                    self._tell([Edge(self._host_ms(told.t_us), "tilt", glass, end)])
            elif end != was or not self._watch.heard[glass]:
                self._tell([self._watch.take_over(self._clock.now_ms(), glass, end)])

    def _look(self) -> None:
        with self._lock:
            was_heard = dict(self._watch.heard)
            edges = self._watch.take_health(self._clock.now_ms(), self._receiver.health(), self._up)
            for edge in edges:
                if edge.value:
                    self._up[edge.name] = str(edge.value)
                if was_heard[edge.name] != self._watch.heard[edge.name]:
                    _log.warning("the cap on %s is %s", edge.name, "heard again" if edge.value else "not heard")
            self._tell(edges)
            if not self._watch.silent():
                self._all_heard.set()

    def _tell(self, edges: list[Edge]) -> None:
        if self._post is not None:
            self._push(edges)

    def _push(self, edges: Sequence[Edge]) -> None:
        self._late.push(edges)
        post = self._post
        if edges and post is not None:
            # Nothing is certain yet, but there is something to show.
            post(())

    def _host_ms(self, t_us: int) -> int:
        """A time of which 32 bits were kept: at most half an hour ago."""
        now_us = self._clock.now_ms() * 1000
        return (now_us - ((now_us - t_us) & _MASK32)) // 1000
