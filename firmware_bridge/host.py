"""The host's end of the conversation: what to say when, and what the board's frames mean. No I/O, no clock.

Bytes and times go in (`receive`, `tick`), events come out, and `data_to_send` says what to write. Times are µs of the
host's monotonic clock.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import attrs

from firmware_bridge.clock import BoardClock
from firmware_bridge.events import (
    Caps,
    Change,
    CommandEnded,
    Edges,
    Event,
    Fault,
    Greeted,
    InputLimited,
    Lost,
    Refused,
    Snapshot,
)
from firmware_bridge.framing import Decoder, Frame, FrameError, encode
from firmware_bridge.inputs import NAMES, Build
from firmware_bridge.protocol import (
    AGE_HIGH,
    AGE_LOW,
    AGE_UNIT_US,
    AGE_UNKNOWN,
    BOARD_UNNAMED,
    FREED,
    LIMITED,
    PROTOCOL_MAJOR,
    SNAPSHOT,
    CapsHealth,
    Config,
    Counters,
    Done,
    Flags,
    Heartbeat,
    Hello,
    Pong,
    RawEdge,
    Report,
    Status,
    Type,
    ack_body,
    describe,
    lamps_body,
    pack_state,
    ping_body,
    tones_body,
    unpack_state,
)

ASK_EVERY_US: Final = 500_000
SYNC_PINGS: Final = 8
SYNC_EVERY_US: Final = 15_000
PING_EVERY_US: Final = 100_000
BUSY_PING_EVERY_US: Final = 50_000
"""While something has changed within `BUSY_US`: each answer says up to when everything has been told."""
BUSY_US: Final = 500_000
SILENT_US: Final = 1_000_000
COMMAND_REPEAT_US: Final = 100_000
COMMAND_TRIES: Final = 5
AGAIN_EVERY_US: Final = 60_000
RECORD_FRAMES: Final = 200
PINGS_OUT: Final = 16
NEVER: Final = 1 << 63


Record = deque[tuple[int, str, Frame]]
"""The last frames: time, `<` in or `>` out, frame."""


def new_record() -> Record:
    """An empty record of the last `RECORD_FRAMES` frames."""
    return deque(maxlen=RECORD_FRAMES)


class Stage(enum.Enum):
    """How far the conversation has got."""

    ASKING = "asking who is there"
    CONFIGURING = "configuring"
    SYNCHRONISING = "comparing clocks"
    STARTING = "starting"
    RUNNING = "running"
    REFUSED = "refused"


@attrs.define
class _Command:
    type: Type
    body: bytes
    seq: int = -1
    tries: int = 0
    repeat_at_us: int = 0


@attrs.define
class Statistics:
    """Counts since the port was opened."""

    frames_in: int = 0
    frames_out: int = 0
    missed_frames: int = 0
    repeated_edges: int = 0
    asked_again: int = 0
    edges: int = 0
    overflows: int = 0
    mismatches: int = 0
    restarts: int = 0


class BridgeHost:
    """One port's conversation, from the first `ASK` on, through the board's restarts.

    `new_board_id` gives a 32-bit number to name an unnamed board with; `session` is where session numbers begin,
    best drawn at random, so that what an earlier host left on the line is not taken for ours. `record`: to go on with
    that of an earlier conversation.
    """

    def __init__(
        self, config: Config, new_board_id: Callable[[], int], session: int = 0, record: Record | None = None
    ) -> None:
        self._config = config
        self._new_board_id = new_board_id
        self._session = session & 0xFF
        self._decoder = Decoder()
        self._out = bytearray()
        self._seq = 0
        self.stage = Stage.ASKING
        self.hello: Hello | None = None
        self.clock = BoardClock()
        self.counters: Counters | None = None
        self.statistics = Statistics()
        self.record: Record = new_record() if record is None else record
        self._board_seq: int | None = None
        self._heard_us = 0
        self._alive_board_us: int | None = None
        self._ask_at_us = 0
        self._ping_at_us = NEVER
        self._busy_until_us = 0
        self._pings: dict[int, int] = {}
        self._token = 0
        self._pongs = 0
        self._commands: deque[_Command] = deque()
        self._current: _Command | None = None
        self._raws: dict[int, int] = {}
        self._expected = 0
        self._age = 0
        self._aged = False
        self._again_at_us = 0
        self._ack_due = False
        self._lost_edges = False

    @property
    def build(self) -> Build | None:
        """What the board was built for, once it has said so."""
        return self.hello.build if self.hello is not None else None

    @property
    def is_busy(self) -> bool:
        """Whether a command waits, to be sent or to be answered."""
        return self._current is not None or bool(self._commands)

    @property
    def bad_frames(self) -> int:
        """Frames from the board that were none."""
        return self._decoder.bad_frames

    def alive_us(self) -> int | None:
        """The time up to which every edge has been told: none that comes later bears an earlier stamp. None before
        the start."""
        if self._alive_board_us is None or not self.clock.is_set:
            return None
        return self.clock.to_host_us(self._alive_board_us)

    def dump(self) -> list[str]:
        """The last frames both ways, in words, oldest first."""
        return [f"{t_us / 1e6:.6f} {way} {describe(frame, self.build)}" for t_us, way, frame in self.record]

    # What the program wants of the board.

    def lamps(self, panel: Mapping[str, bool], red: frozenset[str], green: frozenset[str]) -> None:
        """Show lamps; a frame that still waits is replaced."""
        self._replace(_Command(Type.LAMPS, lamps_body(panel, red, green)))

    def tones(self, tones: Sequence[tuple[int, int]]) -> None:
        """Play tones (Hz, ms); a sequence that still waits is replaced."""
        self._replace(_Command(Type.TONES, tones_body(tones)))

    def command(self, command: Type, body: bytes = b"") -> None:
        """Any other command; its end is a `CommandEnded`."""
        self._commands.append(_Command(command, body))

    def _replace(self, command: _Command) -> None:
        self._commands = deque(waiting for waiting in self._commands if waiting.type != command.type)
        self._commands.append(command)

    # What goes out.

    def data_to_send(self, now_us: int) -> bytes:
        """What to write now. To be called after `receive` and `tick`, and written at once."""
        if self._ack_due:
            self._ack_due = False
            self._send(Type.ACK, ack_body(self._session, self._expected, again=False), now_us)
        data = bytes(self._out)
        self._out.clear()
        # A zero in front ends whatever noise has come before.
        return b"\0" + data if data else b""

    def _send(self, kind: Type, body: bytes, now_us: int, seq: int | None = None) -> int:
        if seq is None:
            seq = self._seq
            self._seq = self._seq + 1 & 0xFF
        frame = Frame(kind, seq, body)
        self.record.append((now_us, ">", frame))
        self.statistics.frames_out += 1
        self._out += encode(frame)
        return seq

    def next_deadline_us(self) -> int:
        """When `tick` is due at the latest."""
        if self.stage is Stage.REFUSED:
            return NEVER
        if self.stage is Stage.ASKING:
            return self._ask_at_us
        deadlines = [self._ping_at_us, self._heard_us + SILENT_US]
        if self._current is not None:
            deadlines.append(self._current.repeat_at_us)
        elif self._commands and self._may_send():
            return 0
        return min(deadlines)

    def tick(self, now_us: int) -> list[Event]:
        """Do what is due at `now_us`."""
        if self.stage is Stage.REFUSED:
            return []
        if self.stage is Stage.ASKING:
            if now_us >= self._ask_at_us:
                self._ask_at_us = now_us + ASK_EVERY_US
                self._send(Type.ASK, bytes((PROTOCOL_MAJOR,)), now_us)
            return []
        if now_us >= self._heard_us + SILENT_US:
            return self._lose("no answer from the board for a second", now_us)
        if now_us >= self._ping_at_us:
            self._ping(now_us)
        return self._drive_commands(now_us)

    def _ping(self, now_us: int) -> None:
        every_us = PING_EVERY_US
        if self.stage is Stage.SYNCHRONISING:
            every_us = SYNC_EVERY_US
        elif now_us < self._busy_until_us:
            every_us = BUSY_PING_EVERY_US
        self._ping_at_us = now_us + every_us
        self._token = self._token + 1 & 0xFF
        self._pings[self._token] = now_us
        while len(self._pings) > PINGS_OUT:
            del self._pings[next(iter(self._pings))]
        self._send(Type.PING, ping_body(self._token, now_us), now_us)

    def _may_send(self) -> bool:
        return self.stage is Stage.RUNNING or (
            bool(self._commands) and self._commands[0].type in (Type.CONFIG, Type.NAME, Type.START)
        )

    def _drive_commands(self, now_us: int) -> list[Event]:
        command = self._current
        if command is None:
            if not self._commands or not self._may_send():
                return []
            command = self._current = self._commands.popleft()
        elif now_us < command.repeat_at_us:
            return []
        if command.tries == COMMAND_TRIES:
            self._current = None
            ended = CommandEnded(command.type, None)
            if command.type in (Type.CONFIG, Type.START):
                return [ended, *self._lose(f"{command.type.name} is not answered", now_us)]
            return [ended, *self._drive_commands(now_us)]
        command.tries += 1
        command.repeat_at_us = now_us + COMMAND_REPEAT_US
        command.seq = self._send(command.type, command.body, now_us, command.seq if command.tries > 1 else None)
        return []

    # What comes in.

    def receive(self, data: bytes, now_us: int) -> list[Event]:
        """Take what the board sent, in any portions."""
        events: list[Event] = []
        for frame in self._decoder.feed(data):
            self.record.append((now_us, "<", frame))
            self.statistics.frames_in += 1
            if self._board_seq is not None:
                self.statistics.missed_frames += frame.seq - self._board_seq - 1 & 0xFF
            self._board_seq = frame.seq
            try:
                events += self._take(frame, now_us)
            except FrameError as error:
                events.append(Fault(f"a frame that makes no sense: {error}"))
        return events

    def _take(self, frame: Frame, now_us: int) -> list[Event]:
        if frame.type == Type.HELLO:
            return self._take_hello(Hello.parse(frame.body), now_us)
        if self.hello is None or self.stage in (Stage.ASKING, Stage.REFUSED):
            return []  # from before the handshake
        if frame.type == Type.PONG:
            return self._take_pong(Pong.parse(frame.body), now_us)
        if frame.type == Type.DONE:
            return self._take_done(Done.parse(frame.body), now_us)
        if frame.type == Type.REPORT:
            return self._take_report(Report.parse(frame.body, self.hello.build), now_us)
        if frame.type == Type.CAPS:
            return self._take_caps(CapsHealth.parse(frame.body), now_us)
        if frame.type == Type.HEARTBEAT:
            return self._take_heartbeat(Heartbeat.parse(frame.body, self.hello.build), now_us)
        return []

    def _take_hello(self, hello: Hello, now_us: int) -> list[Event]:
        if self.stage is Stage.REFUSED:
            return []
        if hello.protocol_major != PROTOCOL_MAJOR:
            self.stage = Stage.REFUSED
            return [
                Refused(
                    f"the board's firmware {hello.firmware_version} speaks protocol {hello.protocol_major}, "
                    f"this program speaks {PROTOCOL_MAJOR}: flash the firmware that came with it"
                )
            ]
        events: list[Event] = []
        if self.stage is not Stage.ASKING:
            if self.hello is not None and hello.boot_id == self.hello.boot_id:
                self._heard_us = now_us
                return []  # a second answer to our question
            self.statistics.restarts += 1
            events += self._lose(f"the board has restarted ({hello.reset_reason})", now_us)
        self.hello = hello
        self.clock = BoardClock()
        self.counters = None
        self._alive_board_us = None
        self._pings.clear()
        self._pongs = 0
        self._heard_us = now_us
        self.stage = Stage.CONFIGURING
        self._commands = deque(c for c in self._commands if c.type not in (Type.CONFIG, Type.START, Type.NAME))
        if hello.board_id == BOARD_UNNAMED:
            self._commands.appendleft(_Command(Type.NAME, self._new_board_id().to_bytes(4, "little")))
        self._commands.appendleft(_Command(Type.CONFIG, self._config.body()))
        self._ping_at_us = NEVER
        return [*events, Greeted(hello), *self._drive_commands(now_us)]

    def _take_pong(self, pong: Pong, now_us: int) -> list[Event]:
        sent_us = self._pings.pop(pong.token, None)
        if sent_us is None:
            return []
        self._heard_us = now_us
        self.clock.answer(sent_us, now_us, pong.board_us)
        if self.stage is Stage.RUNNING and pong.next == self._expected:
            self._seen_alive(pong.board_us - pong.scan_age_us & 0xFFFFFFFF)
        self._pongs += 1
        if self.stage is Stage.SYNCHRONISING and self._pongs >= SYNC_PINGS:
            self._begin(now_us)
        return []

    def _begin(self, now_us: int) -> None:
        self.stage = Stage.STARTING
        self.clock.begin()
        self._session = self._session + 1 & 0xFF
        self._expected = 0
        self._aged = False
        self._raws = {}
        self._commands.appendleft(_Command(Type.START, bytes((self._session,))))
        self._ping_at_us = now_us + PING_EVERY_US

    def _take_done(self, done: Done, now_us: int) -> list[Event]:
        command = self._current
        if command is None or done.seq != command.seq or done.command != command.type:
            return []
        self._heard_us = now_us
        self._current = None
        events: list[Event] = [CommandEnded(command.type, done)]
        if command.type is Type.CONFIG:
            if done.status is not Status.OK or done.data != self._config.crc().to_bytes(2, "little"):
                return [*events, *self._lose("the board did not take its configuration", now_us)]
            if self.stage is Stage.CONFIGURING:
                self.stage = Stage.SYNCHRONISING
                self._ping(now_us)
        return events + self._drive_commands(now_us)

    def _take_report(self, report: Report, now_us: int) -> list[Event]:
        if self.stage not in (Stage.STARTING, Stage.RUNNING) or report.session != self._session:
            return []
        self._heard_us = now_us
        ahead = report.first - self._expected & 0xFFFF
        if 0 < ahead < 0x8000:
            self._ask_again(now_us)
            return []
        known = -ahead & 0xFFFF
        self.statistics.repeated_edges += min(known, len(report.edges))
        fresh = report.edges[known:]
        self._ack_due = True
        events: list[Event] = []
        if report.flags & Flags.OVERFLOW and not self._lost_edges:
            self._lost_edges = True
            self.statistics.overflows += 1
            events.append(Fault("the board's queue is full: edges are lost until the next snapshot"))
        if not fresh:
            return events
        self._expected = self._expected + len(fresh) & 0xFFFF
        self._busy_until_us = now_us + BUSY_US
        self._ping_at_us = min(self._ping_at_us, now_us + BUSY_PING_EVERY_US)
        return events + self._apply(fresh, report)

    def _ask_again(self, now_us: int) -> None:
        if now_us < self._again_at_us:
            return
        self._again_at_us = now_us + AGAIN_EVERY_US
        self.statistics.asked_again += 1
        self._send(Type.ACK, ack_body(self._session, self._expected, again=True), now_us)

    def _apply(self, edges: Sequence[RawEdge], report: Report) -> list[Event]:
        build = self.build
        assert build is not None
        events: list[Event] = []
        changes: list[Change] = []
        for edge in edges:
            t_us = self.clock.to_host_us(edge.board_us)
            if edge.number in (AGE_HIGH, AGE_LOW):
                # Of the edge that follows, be it in this report or in the next.
                self._age = edge.raw << 8 if edge.number == AGE_HIGH else self._age | edge.raw
                self._aged = True
            elif edge.number == SNAPSHOT:
                self._aged = False
                events += self._snapshot(report.state, edge.board_us, healed=self.stage is Stage.RUNNING)
            elif edge.raw in (LIMITED, FREED):
                events.append(InputLimited(t_us, NAMES[edge.number], edge.raw == LIMITED))
            else:
                self._raws[edge.number] = edge.raw
                timed, aged, self._aged = not self._aged or self._age != AGE_UNKNOWN, self._aged, False
                if aged and timed:
                    t_us -= self._age * AGE_UNIT_US
                changes.append(Change(t_us, NAMES[edge.number], build.value(edge.number, edge.raw), timed))
        self.statistics.edges += len(changes)
        if changes:
            events.append(Edges(tuple(changes)))
        if self.stage is Stage.RUNNING and pack_state(build, self._raws) != report.state:
            events += self._mismatch(report.state, edges[-1].board_us)
        return events

    def _snapshot(self, state: bytes, board_us: int, healed: bool) -> list[Event]:
        build = self.build
        assert build is not None
        t_us = self.clock.to_host_us(board_us)
        self._raws = unpack_state(build, state)
        self._lost_edges = False
        self.stage = Stage.RUNNING
        self._seen_alive(board_us)  # it tells of everything before it
        return [Snapshot(t_us, {NAMES[n]: build.value(n, raw) for n, raw in self._raws.items()}, healed)]

    def _take_caps(self, health: CapsHealth, now_us: int) -> list[Event]:
        if self.stage is not Stage.RUNNING or health.session != self._session:
            return []
        self._heard_us = now_us
        return [Caps(now_us, health)] if health.next == self._expected else []

    def _take_heartbeat(self, beat: Heartbeat, now_us: int) -> list[Event]:
        if self.stage is not Stage.RUNNING or beat.session != self._session:
            return []
        self._heard_us = now_us
        self.counters = beat.counters
        if beat.next == self._expected:
            self._seen_alive(beat.board_us)
        if beat.config_crc != self._config.crc():
            self._replace(_Command(Type.CONFIG, self._config.body()))
        build = self.build
        assert build is not None
        comparable = beat.next == self._expected and not self._lost_edges and not beat.flags & Flags.OVERFLOW
        if not comparable or pack_state(build, self._raws) == beat.state:
            return []
        return self._mismatch(beat.state, beat.board_us)

    def _mismatch(self, state: bytes, board_us: int) -> list[Event]:
        self.statistics.mismatches += 1
        fault = Fault("the edges and the board's state do not agree: taking the state")
        return [fault, *self._snapshot(state, board_us, healed=True)]

    def _seen_alive(self, board_us: int) -> None:
        if self._alive_board_us is None or self.clock.extend(board_us) > self.clock.extend(self._alive_board_us):
            self._alive_board_us = board_us

    def _lose(self, reason: str, now_us: int) -> list[Event]:
        self.stage = Stage.ASKING
        self._ask_at_us = now_us
        self._current = None
        self._commands.clear()
        self._ack_due = False
        self._lost_edges = False
        return [Lost(reason)]
