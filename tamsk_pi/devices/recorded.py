"""A recorded trace as a device: the board that was sensed then, told once more.

What a board told in a game is its trace (sensing.md, "The trace format"); played back, the referee gets the same state
at the start and the same edges at the same times, by the very way that a real board's come.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tamsk_pi.clock import Clock
from tamsk_pi.devices.base import DeviceError, LampFrame, Post, Tone
from tamsk_pi.rules.board import GLASSES, RINGS_PER_SIDE, SOCKETS, START, TIMER
from tamsk_pi.sensing.edges import BUTTONS, HOLDERS, INPUT_KINDS, Edge, EdgeValue, InputKind
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.trace import End, LinkDown, LinkUp, TraceError, TraceReader

Inputs = dict[tuple[str, str], EdgeValue]

_KINDS: Final[Mapping[str, InputKind]] = {kind: kind for kind in INPUT_KINDS}


class RecordedBoard:
    """A `Device` that plays a trace, and the `Pump` that lets its time pass. One thread owns it.

    The trace's t = 0 is the moment of `open()`. While the recorded link is down, and after the trace's end,
    `alive_at_ms` stands still. What the arbiter said is no part of a board and is left out, as are lamps and tones.
    """

    def __init__(self, trace: Path, clock: Clock) -> None:
        self._path: Final = trace
        self._clock: Final = clock
        self._post: Post | None = None
        self._is_open = False
        self._link_is_up = True
        self._origin_ms = 0
        self._alive_ms = 0
        self._inputs: Inputs = {}
        self._records: deque[Edge | LinkDown | LinkUp | End] = deque()
        self._early: list[Edge] = []
        self.settings: Settings | None = None
        """The settings of the recorded game, once it is open."""

    def open(self) -> None:
        if self._is_open:
            return
        try:
            with self._path.open("rb") as stream:
                reader = TraceReader(stream, last_line="whole")
                records = list(reader)
        except OSError as error:
            raise DeviceError(f"{self._path}: {error.strerror}") from None
        except TraceError as error:
            raise DeviceError(f"{self._path}: {error} (name a trace that was recorded from a board)") from None
        self.settings = reader.settings
        if records and not isinstance(records[-1], End):
            records.append(End(records[-1].t_ms))
        self._records = deque(record for record in records if isinstance(record, Edge | LinkDown | LinkUp | End))
        self._inputs = inputs_at_start(reader.settings)
        self._origin_ms = self._alive_ms = self._clock.now_ms()
        self._link_is_up = self._is_open = True

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]:
        # What happened since time was last let pass comes as edges: at t = 0 the header is the state.
        self._early.clear()
        return dict(self._inputs)

    def start(self, post: Post) -> None:
        self._post = post
        early, self._early = self._early, []
        self._tell(early)

    def show(self, frame: LampFrame) -> None:
        """A recording has no lamps."""

    def sound(self, tones: Sequence[Tone]) -> None:
        """A recording has no buzzer."""

    def alive_at_ms(self) -> int:
        self._catch_up()
        return self._alive_ms

    def close(self) -> None:
        self._post = None
        self._is_open = False
        self._inputs, self._records, self._early = {}, deque(), []

    # -- its time

    def next_ms(self) -> int | None:
        """When the next thing happened, on the host's clock; None after the end."""
        return self._origin_ms + self._records[0].t_ms if self._records else None

    def run_to(self, now_ms: int) -> None:
        """Tell everything that happened up to the host's `now_ms`."""
        edges: list[Edge] = []
        while self._records and self._origin_ms + self._records[0].t_ms <= now_ms:
            record = self._records.popleft()
            at_ms = self._origin_ms + record.t_ms
            if self._link_is_up:
                self._alive_ms = at_ms
            match record:
                case Edge():
                    self._inputs[record.kind, record.name] = record.value
                    edges.append(record._replace(t_ms=at_ms))
                case LinkDown():
                    self._link_is_up = False
                case LinkUp():
                    self._link_is_up = True
                    self._alive_ms = at_ms
                    edges += self._found(record, at_ms)
                case End():
                    self._link_is_up = False
        if self._records and self._link_is_up:
            self._alive_ms = max(self._alive_ms, now_ms)
        self._tell(edges)

    def _catch_up(self) -> None:
        if self._is_open:
            self.run_to(self._clock.now_ms())

    def _found(self, heard: LinkUp, at_ms: int) -> list[Edge]:
        """What differs as the board is heard again, as edges at that time: as every board tells it."""
        now = dict(self._inputs)
        if heard.occupied is not None:
            assert self.settings is not None
            closed = closed_sockets(self.settings, heard.occupied, heard.up)
            for socket in SOCKETS:
                was = now["socket", socket]
                # A hall socket that stayed closed shows what it showed: the record tells only that it is closed.
                if bool(was) != bool(closed["socket", socket]):
                    now["socket", socket] = closed["socket", socket]
        now |= {("tilt", glass): up for glass, up in heard.up.items() if ("tilt", glass) in now}
        now |= {("ring", socket): count for socket, count in heard.rings.items() if ("ring", socket) in now}
        before, self._inputs = self._inputs, now
        return [
            Edge(at_ms, _KINDS[kind], name, value) for (kind, name), value in now.items() if before[kind, name] != value
        ]

    def _tell(self, edges: list[Edge]) -> None:
        if not edges:
            return
        if self._post is None:
            self._early += edges
        else:
            self._post(edges)


def closed_sockets(settings: Settings, occupied: Sequence[str], up: Mapping[str, str]) -> Inputs:
    """Every socket's value where `occupied` are closed.

    Of hall sockets a header does not tell the field: it is that of the glass whose place at the start it is, else `N`.
    """
    if settings.sockets == "reed":
        return {("socket", socket): socket in occupied for socket in SOCKETS}
    home = {socket: glass for glass, socket in START.items()}
    fields = {socket: "S" if up.get(home.get(socket, ""), "a") == "b" else "N" for socket in occupied}
    return {("socket", socket): fields.get(socket) for socket in SOCKETS}


def inputs_at_start(settings: Settings) -> Inputs:
    """The state of every input at t = 0, as the header tells it: buttons up, no ring on the board, holders full."""
    inputs = closed_sockets(settings, settings.occupied, settings.up)
    if settings.tilt:
        inputs |= {("tilt", glass): settings.up[glass] for glass in (*GLASSES, TIMER)}
    inputs |= {("button", button): False for button in BUTTONS}
    if settings.rings == "stack":
        inputs |= {("ring", socket): 0 for socket in SOCKETS}
    if settings.rings == "holder":
        inputs |= {("holder", holder): RINGS_PER_SIDE for holder in HOLDERS}
    return inputs
