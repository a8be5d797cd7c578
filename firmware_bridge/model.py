"""A model of the firmware in Python: the same conversation as the C, to run where avr-gcc or simavr are missing.

It models what the host can see: frames, their order and times, the queue of edges, lamps and tones. It does not model
instructions or the readings of hall sensors and ladders: these have the value they are given. Load cells it weighs, ten
times a second. The protocol's tests run against it and against the real firmware alike.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from typing import Final

import attrs

from firmware_bridge.bench import LOAD_RING, LOAD_ZERO, Outputs, Sent
from firmware_bridge.framing import Decoder, Frame, crc16, encode
from firmware_bridge.inputs import HOLDER_UNKNOWN, NAMES, Build
from firmware_bridge.load_cell import rings
from firmware_bridge.model_caps import CAP_NUMBERS, CapEdge, ModelCaps
from firmware_bridge.model_outputs import ModelOutputs
from firmware_bridge.protocol import (
    AGE_HIGH,
    AGE_LOW,
    AGE_UNIT_US,
    AGE_UNKNOWN,
    BOARD_UNNAMED,
    FREED,
    LIMITED,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    READ_LOAD_CELLS,
    RESET_MAGIC,
    SILENT_CELL,
    SNAPSHOT,
    TONES_MAX,
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
    pack_state,
)

MODEL_FIRMWARE: Final = (1, 1, 0)
TICK_US: Final = 1000
QUEUE: Final = 512
HELLO_MS: Final = 250
HOST_GONE_MS: Final = 2000
CAPS_SECONDS: Final = 5
HEARTBEAT_LATEST_MS: Final = 100
"""Edges go before a heartbeat, but not for longer than this."""
REPEAT_US: Final = 100_000
REPEAT_MAX_US: Final = 800_000
TX_NEARLY_EMPTY: Final = 16
RECEIVED_MAX: Final = 96
WEIGH_EVERY_MS: Final = 100
_LAMPS_BYTES: Final = 11
_CONFIG_BYTES: Final = 28
_MASK16: Final = 0xFFFF


@attrs.define
class _Queue:
    """Edges numbered from 0: acknowledged before `acked`, sent before `sent`, which may go back from `furthest`."""

    edges: dict[int, RawEdge] = attrs.Factory(dict)
    acked: int = 0
    sent: int = 0
    furthest: int = 0
    next: int = 0
    probing: bool = False
    repeat_us: int = REPEAT_US
    progress_us: int = 0

    @property
    def unsent(self) -> bool:
        return self.sent != self.next and not (self.probing and self.sent != self.acked)


class FirmwareModel:
    """One board from power-on. Times are µs since then; the serial line takes 10 bits a byte at `baud`."""

    def __init__(self, build: Build, outputs: Outputs, baud: int = 115_200) -> None:
        self._build = build
        self._outputs = ModelOutputs(outputs, lambda: self._now_us)
        self._byte_us = 10_000_000 / baud
        self._order = itertools.count()
        self._changes: list[tuple[int, int, int, int | None]] = []
        self._rx: list[tuple[int, int, int]] = []
        self._rx_free_us = 0.0
        self._now_us = 0
        self._board_id = BOARD_UNNAMED
        self._boot_id = -1
        holders = [number for number in build.numbers() if NAMES[number][0] == "holder"]
        self._loads: dict[int, int | None] = dict.fromkeys(holders)
        """What the load cells read, by input; None: silent."""
        self._caps = ModelCaps() if build.tilts == "caps" else None
        self._seen = dict.fromkeys(build.numbers(), 0) | dict.fromkeys(holders, HOLDER_UNKNOWN)
        self._inputs = {n: raw for n, raw in self._seen.items() if self._caps is None or n not in CAP_NUMBERS}
        self._start(cause=1)

    def _start(self, cause: int) -> None:
        self._base_us = self._now_us
        self._tick_at_us = self._now_us + TICK_US
        self._boot_id = self._boot_id + 1 & _MASK16
        self._cause = cause
        self._decoder = Decoder(RECEIVED_MAX + 1)
        self._tx: list[Sent] = []
        self._tx_free_us = float(self._now_us)
        self._seq = 0
        self._config = Config()
        self._session = 0
        self._started = False
        self._silent_ms = HOST_GONE_MS
        self._hello_ms = HELLO_MS
        self._second_ms = 0
        self._heartbeat_due = self._caps_due = False
        self._caps_seconds = 0
        self._done: Done | None = None
        self._queue = _Queue()
        self._told = dict(self._seen)
        self._sent_state = dict(self._seen)
        self._acked_state = dict(self._seen)
        self._snapshot = dict(self._seen)
        self._counts: dict[int, int] = {}
        self._limited: set[int] = set()
        self._overflowing = False
        self._overflows = self._limited_count = self._peak = 0
        self._last_stamp_us = 0
        self._weigh_ms = 0
        self._resetting = False
        self._outputs.start(cause)

    # The bench's side.

    @property
    def now_us(self) -> int:
        return self._now_us

    def change(self, number: int, raw: int, at_us: int) -> None:
        """An input takes a raw value at `at_us`, or now if that is past; a holder so many rings' weight."""
        if number in self._loads:
            self.load(number, None if raw == HOLDER_UNKNOWN else LOAD_ZERO + raw * LOAD_RING, at_us)
            return
        heapq.heappush(self._changes, (max(at_us, self._now_us), next(self._order), number, raw))

    def load(self, number: int, reading: int | None, at_us: int) -> None:
        """A holder's load cell reads this from `at_us` on, or now if that is past; None: it is silent."""
        heapq.heappush(self._changes, (max(at_us, self._now_us), next(self._order), number, reading))

    def cell(self, number: int, mv: int | None, at_us: int) -> None:
        """The cell in a glass's cap gives so much from `at_us` on; None: it is taken out. Only with caps."""
        heapq.heappush(self._changes, (max(at_us, self._now_us), next(self._order), -number, mv))

    def host_sends(self, data: bytes) -> None:
        """Bytes begin to arrive now, at the line's pace."""
        at_us = max(self._rx_free_us, self._now_us)
        for byte in data:
            at_us += self._byte_us
            self._rx.append((round(at_us), next(self._order), byte))
        self._rx_free_us = at_us

    def reset(self, cause: int = 2) -> None:
        """Start anew; inputs, board id and the count of starts stay."""
        self._inputs |= dict.fromkeys(self._loads, HOLDER_UNKNOWN)
        self._seen = dict(self._inputs)
        if self._caps is not None:
            self._caps.forget()
            self._seen |= dict.fromkeys(CAP_NUMBERS, 0)
        self._start(cause)

    def run_to(self, t_us: int) -> list[Sent]:
        """Go on to `t_us`; what left the board until then."""
        left: list[Sent] = []
        while True:
            steps: list[tuple[int, Callable[[], None]]] = [(self._tick_at_us, self._tick)]
            if self._rx:
                steps.append((self._rx[0][0], self._receive))
            if self._changes:
                steps.append((self._changes[0][0], self._change))
            if self._started and self._tx and (self._queue.unsent or self._heartbeat_due or self._caps_due):
                steps.append((self._line_nearly_empty_us(), self._send_reports))
            due_us, step = min(steps, key=lambda entry: entry[0])
            if due_us > t_us:
                break
            self._now_us = max(self._now_us, due_us)
            step()
            self._send_reports()
            left += self._gone()
            if self._resetting and not self._tx:
                self.reset(cause=8)
        self._now_us = max(self._now_us, t_us)
        return left + self._gone()

    def _gone(self) -> list[Sent]:
        gone = [sent for sent in self._tx if sent.t_us <= self._now_us]
        del self._tx[: len(gone)]
        return gone

    def _change(self) -> None:
        _, _, number, raw = heapq.heappop(self._changes)
        if self._caps is not None and -number in CAP_NUMBERS:
            self._caps.cell(-number, raw, self._now_us)
        elif self._caps is not None and number in CAP_NUMBERS and raw is not None:
            self._caps.turn(number, raw, self._now_us)
        elif number in self._loads:
            self._loads[number] = raw
        elif raw is not None:
            self._inputs[number] = raw

    # The firmware's side.

    @property
    def _board_us(self) -> int:
        return self._now_us - self._base_us & 0xFFFFFFFF

    def _tick(self) -> None:
        self._tick_at_us += TICK_US
        self._weigh()
        for number, raw in self._inputs.items():
            if raw != self._seen[number]:
                self._see(number, raw)
        for told in () if self._caps is None else self._caps.due(self._now_us):
            self._see_late(told)
            self._caps_due = self._caps_due or told.age_us is None
        self._outputs.tick()
        if self._silent_ms < HOST_GONE_MS:
            self._silent_ms += 1
            if self._silent_ms == HOST_GONE_MS:
                self._outputs.host_gone(True)
        if not self._started:
            self._hello_ms += 1
            if self._hello_ms >= HELLO_MS:
                self._hello_ms = 0
                self._send(Type.HELLO, self._hello().body())
            return
        self._repeat()
        if self._overflowing and self._queue.acked == self._queue.next:
            self._overflowing = False
            self._take_snapshot()
        self._second_ms += 1
        if self._second_ms >= 1000:
            self._second_ms = 0
            self._second()

    def _weigh(self) -> None:
        self._weigh_ms += 1
        if self._weigh_ms < WEIGH_EVERY_MS:
            return
        self._weigh_ms = 0
        for (number, reading), cell in zip(self._loads.items(), (self._config.red, self._config.black), strict=False):
            count = HOLDER_UNKNOWN if reading is None else rings(reading, cell, self._seen[number])
            self._inputs[number] = count

    def _second(self) -> None:
        self._counts.clear()
        for number in sorted(self._limited):
            if self._enqueue(number, FREED):
                self._limited.discard(number)
                if self._seen[number] != self._told[number]:
                    self._tell(number)
        self._heartbeat_due = True
        if self._caps is not None:
            self._caps_seconds += 1
            if self._caps_seconds >= CAPS_SECONDS:
                self._caps_seconds = 0
                self._caps_due = True

    def _see(self, number: int, raw: int) -> None:
        self._seen[number] = raw
        if raw == self._told[number] or number in self._limited:
            return
        if self._counts.get(number, 0) >= self._config.edge_limit:
            if self._enqueue(number, LIMITED):
                self._limited.add(number)
                self._limited_count += 1
            return
        self._counts[number] = self._counts.get(number, 0) + 1
        self._tell(number)

    def _tell(self, number: int) -> None:
        if self._enqueue(number, self._seen[number]):
            self._told[number] = self._seen[number]

    def _see_late(self, told: CapEdge) -> None:
        self._seen[told.number] = told.raw
        if told.raw == self._told[told.number] or self._overflowing:
            return
        if self._queue.next - self._queue.acked > QUEUE - 3:
            self._overflowing = True
            self._overflows += 1
            return
        age = AGE_UNKNOWN if told.age_us is None else min(AGE_UNKNOWN, (told.age_us + AGE_UNIT_US // 2) // AGE_UNIT_US)
        self._enqueue(AGE_HIGH, age >> 8)
        self._enqueue(AGE_LOW, age & 0xFF)
        self._tell(told.number)

    def _enqueue(self, number: int, raw: int) -> bool:
        queue = self._queue
        if self._overflowing:
            return False
        if queue.next - queue.acked == QUEUE:
            self._overflowing = True
            self._overflows += 1
            return False
        queue.edges[queue.next] = RawEdge(self._board_us, number, raw)
        queue.next += 1
        self._peak = max(self._peak, queue.next - queue.acked)
        return True

    def _take_snapshot(self) -> None:
        self._told = dict(self._seen)
        self._snapshot = dict(self._seen)
        self._limited.clear()
        self._enqueue(SNAPSHOT, 0)

    def _apply(self, state: dict[int, int], edge: RawEdge) -> None:
        if edge.number == SNAPSHOT:
            state.update(self._snapshot)
        elif edge.number in self._seen and edge.raw not in (LIMITED, FREED):
            state[edge.number] = edge.raw

    def _repeat(self) -> None:
        queue = self._queue
        if queue.sent == queue.acked:
            queue.progress_us = self._now_us
        elif self._now_us - queue.progress_us >= queue.repeat_us:
            queue.sent = queue.acked
            self._sent_state = dict(self._acked_state)
            queue.probing = True
            queue.progress_us = self._now_us
            queue.repeat_us = min(queue.repeat_us * 2, REPEAT_MAX_US)

    def _acknowledge(self, following: int, again: bool) -> None:
        queue = self._queue
        gained = following - queue.acked & _MASK16
        if gained > queue.furthest - queue.acked:
            return
        again = again or gained > queue.sent - queue.acked
        for _ in range(gained):
            self._apply(self._acked_state, queue.edges.pop(queue.acked))
            queue.acked += 1
        if again:
            queue.sent = queue.acked
            self._sent_state = dict(self._acked_state)
        queue.progress_us = self._now_us
        queue.repeat_us = REPEAT_US
        queue.probing = False

    def _line_nearly_empty_us(self) -> int:
        return round(self._tx_free_us - TX_NEARLY_EMPTY * self._byte_us)

    def _send_reports(self) -> None:
        while self._started and self._line_nearly_empty_us() <= self._now_us:
            unsent = self._queue.unsent
            if self._heartbeat_due and (not unsent or self._second_ms >= HEARTBEAT_LATEST_MS):
                self._heartbeat_due = False
                self._send(Type.HEARTBEAT, self._heartbeat().body())
            elif unsent:
                self._send(Type.REPORT, self._report().body())
            elif self._caps_due and self._caps is not None:
                self._caps_due = False
                self._send(Type.CAPS, self._caps.health(self._session, self._queue.next & _MASK16, self._now_us).body())
            else:
                break

    def _report(self) -> Report:
        queue = self._queue
        first = queue.sent
        edges: list[RawEdge] = []
        while queue.sent != queue.next and len(edges) < Report.room(self._build):
            edge = queue.edges[queue.sent]
            if edges and (edge.number == SNAPSHOT or edge.board_us - edges[-1].board_us & 0xFFFFFFFF > _MASK16):
                break
            edges.append(edge)
            self._apply(self._sent_state, edge)
            queue.sent += 1
            queue.furthest = max(queue.furthest, queue.sent)
            if edge.number == SNAPSHOT:
                break
        state = pack_state(self._build, self._sent_state)
        return Report(self._session, self._flags(), first & _MASK16, edges[0].board_us, state, tuple(edges))

    def _flags(self) -> Flags:
        flags = Flags.OVERFLOW if self._overflowing else Flags.NONE
        if self._silent_ms >= HOST_GONE_MS:
            flags |= Flags.HOST_GONE
        return flags | Flags.MORE if self._queue.unsent else flags

    def _hello(self) -> Hello:
        return Hello(
            PROTOCOL_MAJOR, PROTOCOL_MINOR, MODEL_FIRMWARE, self._build, self._board_id, self._boot_id, self._cause,
            self._config.crc(), QUEUE,
        )  # fmt: skip

    def _heartbeat(self) -> Heartbeat:
        counters = Counters(self._decoder.bad_frames, 0, 0, self._overflows, self._limited_count, self._peak)
        return Heartbeat(
            self._session, self._flags(), self._queue.next & _MASK16, self._board_us, self._config.crc(), counters,
            pack_state(self._build, self._told),
        )  # fmt: skip

    def _send(self, kind: Type, body: bytes) -> None:
        data = encode(Frame(kind, self._seq, body))
        self._seq = self._seq + 1 & 0xFF
        self._tx_free_us = max(self._tx_free_us, self._now_us) + len(data) * self._byte_us
        self._tx.append(Sent(round(self._tx_free_us), data))

    def _receive(self) -> None:
        _, _, byte = self._rx.pop(0)
        for frame in self._decoder.feed(bytes((byte,))):
            if frame.type >= Type.ASK:
                self._silent_ms = 0
                self._queue.repeat_us = REPEAT_US
                self._outputs.host_gone(False)
                self._take(frame)

    def _take(self, frame: Frame) -> None:
        body = frame.body
        if frame.type == Type.ASK:
            if len(body) == 1:
                self._done = None
                self._send(Type.HELLO, self._hello().body())
        elif frame.type == Type.ACK:
            if len(body) == 4 and self._started and body[0] == self._session:
                self._acknowledge(int.from_bytes(body[2:], "little"), bool(body[1] & 1))
        elif frame.type == Type.PING:
            if len(body) == 9:
                age_us = self._now_us - (self._tick_at_us - TICK_US)
                pong = Pong(body[0], self._board_us, age_us, self._queue.next & _MASK16)
                self._send(Type.PONG, pong.body())
        else:
            if self._done is None or (self._done.seq, self._done.command) != (frame.seq, frame.type):
                status, data = self._carry_out(frame)
                self._done = Done(frame.seq, frame.type, status, data)
            self._send(Type.DONE, self._done.body())

    def _carry_out(self, frame: Frame) -> tuple[Status, bytes]:
        lengths: dict[int, int] = {
            Type.START: 1, Type.LAMPS: _LAMPS_BYTES, Type.CONFIG: _CONFIG_BYTES, Type.SELF_TEST: 0, Type.IDENTIFY: 1,
            Type.RESET: 4, Type.NAME: 4, Type.READ: 1, Type.RATES: 24,
        }  # fmt: skip
        body = frame.body
        if frame.type == Type.TONES:
            if len(body) % 4 or len(body) // 4 > TONES_MAX:
                return Status.LENGTH, b""
        elif frame.type not in lengths:
            return Status.UNKNOWN, b""
        elif len(body) != lengths[frame.type]:
            return Status.LENGTH, b""
        return self._carry_out_sound(Type(frame.type), body)

    def _carry_out_sound(self, command: Type, body: bytes) -> tuple[Status, bytes]:
        match command:
            case Type.START:
                self._begin(body[0])
            case Type.TONES:
                numbers = [int.from_bytes(body[n : n + 2], "little") for n in range(0, len(body), 2)]
                self._outputs.play(list(zip(numbers[::2], numbers[1::2], strict=True)), self._config.sound_max_ms)
            case Type.LAMPS:
                return self._outputs.lamps(body), b""
            case Type.CONFIG:
                try:
                    self._config = Config.parse(body)
                except ValueError:
                    return Status.VALUE, b""
                return Status.OK, crc16(body).to_bytes(2, "little")
            case Type.SELF_TEST:
                self._outputs.test(self._config.sound_max_ms)
                silent = sum(1 << n for n, reading in enumerate(self._loads.values()) if reading is None)
                return Status.OK, bytes((silent, 0xFF)) + (2048).to_bytes(2, "little")
            case Type.IDENTIFY:
                if body[0] > 60:
                    return Status.VALUE, b""
                self._outputs.identify(body[0])
            case Type.RESET:
                if body != RESET_MAGIC:
                    return Status.VALUE, b""
                self._resetting = True
            case Type.NAME:
                if body == b"\xff" * 4:
                    return Status.VALUE, b""
                self._board_id = int.from_bytes(body, "little")
            case Type.RATES:
                return (Status.VALUE if self._caps is None else Status.OK), b""  # its clocks are right anyway
            case _ if body[0] == READ_LOAD_CELLS and self._loads:
                readings = [SILENT_CELL if reading is None else reading for reading in self._loads.values()]
                return Status.OK, b"".join(reading.to_bytes(4, "little", signed=True) for reading in readings)
            case _:
                return Status.VALUE, b""  # no other analog readings here
        return Status.OK, b""

    def _begin(self, session: int) -> None:
        self._session = session
        self._started = True
        self._second_ms = 0
        self._heartbeat_due = False
        self._caps_seconds, self._caps_due = 0, self._caps is not None
        self._queue = _Queue(progress_us=self._now_us)
        self._overflowing = False
        self._counts.clear()
        self._take_snapshot()
