"""The bridge's messages: what each frame's body holds, both ways. No I/O; PROTOCOL.md is the same in words."""

from __future__ import annotations

import enum
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import attrs

from firmware_bridge.framing import FRAME_MAX, Frame, FrameError, crc16
from firmware_bridge.inputs import RING_SENSORS, SOCKET_SENSORS, SOCKETS, TILT_SENSORS, Build

PROTOCOL_MAJOR: Final = 1
PROTOCOL_MINOR: Final = 1

SNAPSHOT: Final = 0xFF
"""As an edge's input: the state of this report is the whole truth from here on."""
AGE_HIGH: Final = 0xF0
AGE_LOW: Final = 0xF1
"""As edges' inputs, with a byte each: how long before its stamp the input of the next edge changed, in
`AGE_UNIT_US`."""
AGE_UNIT_US: Final = 250
AGE_UNKNOWN: Final = 0xFFFF
"""An age that nobody knows: the input was out of reach when it changed."""
LIMITED: Final = 0xFE
"""As an edge's value: the input changes too often, its edges are left out."""
FREED: Final = 0xFD
"""As an edge's value: the input's edges are told again."""

BOARD_UNNAMED: Final = 0xFFFFFFFF
PANEL_LAMPS: Final = ("turn_red", "turn_black", "alarm", "ready", "amber")
TONES_MAX: Final = 16
RESET_MAGIC: Final = b"BOOT"
RESET_CAUSES: Final = {0: "power", 1: "reset line", 2: "brown-out", 3: "watchdog", 4: "debugger"}


class Type(enum.IntEnum):
    """Frame types: below 0x40 from the board, from 0x40 on from the host."""

    HELLO = 0x01
    REPORT = 0x02
    HEARTBEAT = 0x03
    PONG = 0x04
    DONE = 0x05
    CAPS = 0x06
    ASK = 0x41
    START = 0x42
    ACK = 0x43
    PING = 0x44
    LAMPS = 0x45
    TONES = 0x46
    CONFIG = 0x47
    SELF_TEST = 0x48
    IDENTIFY = 0x49
    RESET = 0x4A
    NAME = 0x4B
    READ = 0x4C
    RATES = 0x4D


class Status(enum.IntEnum):
    """How a command ended."""

    OK = 0
    UNKNOWN = 1
    LENGTH = 2
    VALUE = 3


class Flags(enum.IntFlag):
    """What a report or heartbeat says besides."""

    NONE = 0
    OVERFLOW = 1
    HOST_GONE = 2
    MORE = 4


def _unpack(layout: struct.Struct, body: bytes, what: str) -> tuple[int, ...]:
    if len(body) != layout.size:
        raise FrameError(f"{what} of {len(body)} bytes instead of {layout.size}")
    return layout.unpack(body)


def pack_state(build: Build, raws: Mapping[int, int]) -> bytes:
    """Raw values by input number as state bits: each input of the build in order, least significant bit first."""
    bits = filled = 0
    for number in build.numbers():
        bits |= raws.get(number, 0) << filled
        filled += build.width(number)
    return bits.to_bytes((filled + 7) // 8, "little")


def unpack_state(build: Build, state: bytes) -> dict[int, int]:
    """The opposite of `pack_state`; `FrameError` for a wrong length or a value an input cannot have."""
    if len(state) != state_bytes(build):
        raise FrameError(f"a state of {len(state)} bytes instead of {state_bytes(build)}")
    bits = int.from_bytes(state, "little")
    raws: dict[int, int] = {}
    for number in build.numbers():
        width = build.width(number)
        raw = bits & (1 << width) - 1
        if not build.is_valid(number, raw):
            raise FrameError(f"input {number} cannot be {raw}")
        raws[number] = raw
        bits >>= width
    if bits:
        raise FrameError("bits beyond the last input")
    return raws


def state_bytes(build: Build) -> int:
    """How many bytes a build's state takes."""
    return (sum(map(build.width, build.numbers())) + 7) // 8


@attrs.frozen
class Hello:
    """Who the board is: its first word, and its answer to `ASK`."""

    protocol_major: int
    protocol_minor: int
    firmware: tuple[int, int, int]
    build: Build
    board_id: int
    """32 bits; `BOARD_UNNAMED` until the host has named it."""
    boot_id: int
    """16 bits, one more at each start."""
    reset_cause: int
    config_crc: int
    edge_queue: int

    _LAYOUT = struct.Struct("<12BIHBHH")
    _COUNTS = (len(SOCKETS), 7, 3)

    @classmethod
    def parse(cls, body: bytes) -> Hello:
        """From a body. Of another major version only the versions are looked at: nothing else need have stayed."""
        if len(body) < 5:
            raise FrameError(f"HELLO of {len(body)} bytes")
        if body[0] != PROTOCOL_MAJOR:
            return cls(body[0], body[1], (body[2], body[3], body[4]), Build(), BOARD_UNNAMED, 0, 0, 0, 0)
        major, minor, f1, f2, f3, sockets, rings, *rest = _unpack(cls._LAYOUT, body[: cls._LAYOUT.size], "HELLO")
        *counts, board_id, boot_id, cause, crc, queue = rest
        if sockets >= len(SOCKET_SENSORS) or rings >= len(RING_SENSORS):
            raise FrameError(f"HELLO of an unknown build {sockets}, {rings}")
        # A board of protocol 1.0 ends here: it has no receiver for caps.
        tilts = body[cls._LAYOUT.size] if len(body) > cls._LAYOUT.size else 0
        if tilts >= len(TILT_SENSORS):
            raise FrameError(f"HELLO of an unknown build {sockets}, {rings}, {tilts}")
        build = Build(SOCKET_SENSORS[sockets], RING_SENSORS[rings], TILT_SENSORS[tilts])
        if tuple(counts) != cls._counts(build):
            raise FrameError(f"HELLO with counts {counts}, which is another board")
        return cls(major, minor, (f1, f2, f3), build, board_id, boot_id, cause, crc, queue)

    @classmethod
    def _counts(cls, build: Build) -> tuple[int, ...]:
        rings = len(SOCKETS) if build.rings == "stack" else 0
        return (*cls._COUNTS, rings, 2 if build.rings == "holder" else 0)

    def body(self) -> bytes:
        return self._LAYOUT.pack(
            self.protocol_major, self.protocol_minor, *self.firmware,
            SOCKET_SENSORS.index(self.build.sockets), RING_SENSORS.index(self.build.rings), *self._counts(self.build),
            self.board_id, self.boot_id, self.reset_cause, self.config_crc, self.edge_queue,
        ) + bytes((TILT_SENSORS.index(self.build.tilts),))  # fmt: skip

    @property
    def knows_caps(self) -> bool:
        """Whether this firmware can be built with a receiver for caps; one of protocol 1.0 cannot."""
        return (self.protocol_major, self.protocol_minor) >= (1, 1)

    @property
    def firmware_version(self) -> str:
        return ".".join(map(str, self.firmware))

    @property
    def reset_reason(self) -> str:
        """Why the board last started, in words."""
        found = [text for bit, text in RESET_CAUSES.items() if self.reset_cause >> bit & 1]
        return " and ".join(found) or "unknown"


@attrs.frozen
class RawEdge:
    """One edge as told: `board_us` on the board's clock (32 bits), input number or `SNAPSHOT`, raw value."""

    board_us: int
    number: int
    raw: int


@attrs.frozen
class Report:
    """Edges, numbered from `first` on, and the state after the last of them."""

    session: int
    flags: Flags
    first: int
    base_us: int
    state: bytes
    edges: tuple[RawEdge, ...]

    _HEAD = struct.Struct("<BBHI")
    _EDGE = struct.Struct("<BBH")

    @classmethod
    def parse(cls, body: bytes, build: Build) -> Report:
        head, size = cls._HEAD.size, state_bytes(build)
        if len(body) < head + size or (len(body) - head - size) % cls._EDGE.size:
            raise FrameError(f"REPORT of {len(body)} bytes")
        session, flags, first, base_us = cls._HEAD.unpack(body[:head])
        at_us = base_us
        edges = []
        for number, raw, later_us in cls._EDGE.iter_unpack(body[head + size :]):
            at_us = at_us + later_us & 0xFFFFFFFF
            if (
                number not in (SNAPSHOT, AGE_HIGH, AGE_LOW)
                and raw not in (LIMITED, FREED)
                and not build.is_valid(number, raw)
            ):
                raise FrameError(f"an edge of input {number} to {raw}")
            edges.append(RawEdge(at_us, number, raw))
        return cls(session, Flags(flags), first, base_us, body[head : head + size], tuple(edges))

    def body(self) -> bytes:
        parts = [self._HEAD.pack(self.session, self.flags, self.first, self.base_us), self.state]
        at_us = self.base_us
        for edge in self.edges:
            parts.append(self._EDGE.pack(edge.number, edge.raw, edge.board_us - at_us & 0xFFFFFFFF))
            at_us = edge.board_us
        return b"".join(parts)

    @staticmethod
    def room(build: Build) -> int:
        """How many edges fit one report."""
        return (FRAME_MAX - 4 - Report._HEAD.size - state_bytes(build)) // Report._EDGE.size


@attrs.frozen
class Counters:
    """What went wrong on the board's side since its start; 16 bits each, wrapping."""

    bad_frames: int
    overruns: int
    late_scans: int
    overflows: int
    limited: int
    queue_peak: int


@attrs.frozen
class Heartbeat:
    """Once a second: the board's time, the number of the next edge, the state after all edges queued."""

    session: int
    flags: Flags
    next: int
    board_us: int
    """Every input has been read up to here; the next edge will be stamped no earlier."""
    config_crc: int
    counters: Counters
    state: bytes

    _HEAD = struct.Struct("<BBHIH6H")

    @classmethod
    def parse(cls, body: bytes, build: Build) -> Heartbeat:
        head = cls._HEAD.size
        if len(body) != head + state_bytes(build):
            raise FrameError(f"HEARTBEAT of {len(body)} bytes")
        session, flags, following, board_us, crc, *counters = cls._HEAD.unpack(body[:head])
        return cls(session, Flags(flags), following, board_us, crc, Counters(*counters), body[head:])

    def body(self) -> bytes:
        counters: tuple[int, ...] = attrs.astuple(self.counters)
        return (
            self._HEAD.pack(self.session, self.flags, self.next, self.board_us, self.config_crc, *counters) + self.state
        )


@attrs.frozen
class CapHealth:
    """How a cap is, as its receiver has heard it. `ends`: the ends whose switch is closed, `""`, `"a"`, `"b"`,
    `"ab"`."""

    heard_ago_ms: int | None
    """None: never, or over an hour ago."""
    ends: str = ""
    low: bool = False
    rated: bool = False
    """Whether the rate of its clock has been learnt."""
    twins: bool = False
    """Two caps send on this glass's address."""
    boot: int = 0
    id: int = 0
    cell_mv: int = 0
    """The supply under load; 0 until it was measured."""
    tries: int = 0
    """How often the latest turning was sent before it was answered."""
    missed: int = 0
    packets: int = 0
    lost: int = 0
    """Sendings that the cap had no answer to, since the receiver first heard it; 16 bits, wrapping, as `packets`."""
    rate: float = 1.0
    """Real time per time of the cap's clock."""

    _LAYOUT = struct.Struct("<HBBBHBBBHHh")
    _ENDS = ("", "a", "b", "ab")
    _NEVER = 0xFFFF
    _CELL_MV = 20

    @classmethod
    def parse(cls, body: bytes) -> CapHealth:
        ago, ends, flags, boot, cap_id, cell, tries, missed, packets, lost, rate = _unpack(cls._LAYOUT, body, "CAPS")
        if ends >= len(cls._ENDS):
            raise FrameError(f"CAPS with ends {ends}")
        return cls(
            None if ago == cls._NEVER else 100 * ago, cls._ENDS[ends], bool(flags & 1), bool(flags & 2),
            bool(flags & 4), boot, cap_id, cls._CELL_MV * cell, tries, missed, packets, lost, 1 + rate / 65536,
        )  # fmt: skip

    def body(self) -> bytes:
        ago = self._NEVER if self.heard_ago_ms is None else min(self.heard_ago_ms // 100, self._NEVER - 1)
        flags = self.low | self.rated << 1 | self.twins << 2
        return self._LAYOUT.pack(
            ago, self._ENDS.index(self.ends), flags, self.boot, self.id, self.cell_mv // self._CELL_MV, self.tries,
            self.missed, self.packets, self.lost, round((self.rate - 1) * 65536),
        )  # fmt: skip


@attrs.frozen
class CapsHealth:
    """Each five seconds from a board that hears caps: how its radio is, and every cap, in the order of `TRAVELLING`."""

    session: int
    next: int
    """The number of the next edge: with others on their way it says less than they do."""
    radio_answers: bool
    radio_restarts: int
    caps: tuple[CapHealth, ...]

    _COUNT = 6
    _HEAD = struct.Struct("<BHBB")

    @classmethod
    def parse(cls, body: bytes) -> CapsHealth:
        head, size = cls._HEAD.size, CapHealth._LAYOUT.size
        if len(body) != head + cls._COUNT * size:
            raise FrameError(f"CAPS of {len(body)} bytes")
        session, following, answers, restarts = cls._HEAD.unpack(body[:head])
        caps = tuple(CapHealth.parse(body[at : at + size]) for at in range(head, len(body), size))
        return cls(session, following, bool(answers), restarts, caps)

    def body(self) -> bytes:
        head = self._HEAD.pack(self.session, self.next, self.radio_answers, self.radio_restarts)
        return head + b"".join(cap.body() for cap in self.caps)


@attrs.frozen
class Pong:
    """The answer to a `PING` of the same token: when it was read, on the board's clock; and up to when all is told."""

    token: int
    board_us: int
    scan_age_us: int
    """Every input has been read up to this long before `board_us`, 65,535 at most."""
    next: int
    """The number of the next edge; it will be stamped no earlier than that scan."""

    _LAYOUT = struct.Struct("<BIHH")

    @classmethod
    def parse(cls, body: bytes) -> Pong:
        return cls(*_unpack(cls._LAYOUT, body, "PONG"))

    def body(self) -> bytes:
        return self._LAYOUT.pack(self.token, self.board_us, self.scan_age_us, self.next)


@attrs.frozen
class Done:
    """How the command with number `seq` ended, and what it gave."""

    seq: int
    command: int
    status: Status
    data: bytes = b""

    @classmethod
    def parse(cls, body: bytes) -> Done:
        if len(body) < 3:
            raise FrameError(f"DONE of {len(body)} bytes")
        try:
            return cls(body[0], body[1], Status(body[2]), body[3:])
        except ValueError:
            raise FrameError(f"DONE with status {body[2]}") from None

    def body(self) -> bytes:
        return bytes((self.seq, self.command, self.status)) + self.data


def ping_body(token: int, host_us: int) -> bytes:
    """A ping as long as its answer, so that the way there takes as long as the way back."""
    return struct.pack("<BQ", token, host_us)


def ack_body(session: int, following: int, again: bool) -> bytes:
    """All edges before `following` have arrived; `again`: send everything from there on once more."""
    return struct.pack("<BBH", session, again, following & 0xFFFF)


def lamps_body(panel: Mapping[str, bool], red: frozenset[str], green: frozenset[str]) -> bytes:
    """Which panel lamps and socket lamps are lit. A panel lamp the board lacks is ignored."""
    bits = sum(1 << n for n, name in enumerate(PANEL_LAMPS) if panel.get(name, False))
    return bytes((bits,)) + _socket_bits(red) + _socket_bits(green)


def _socket_bits(lit: frozenset[str]) -> bytes:
    unknown = lit.difference(SOCKETS)
    if unknown:
        raise ValueError(f"no such socket: {', '.join(sorted(unknown))}")
    return sum(1 << n for n, socket in enumerate(SOCKETS) if socket in lit).to_bytes(5, "little")


def tones_body(tones: Sequence[tuple[int, int]]) -> bytes:
    """Pitch in Hz (0: a rest) and length in ms of each tone; none: silence."""
    if len(tones) > TONES_MAX:
        raise ValueError(f"{len(tones)} tones are too many: {TONES_MAX} fit")
    return b"".join(struct.pack("<HH", pitch_hz, length_ms) for pitch_hz, length_ms in tones)


def _within(low: int, high: int) -> Callable[[object, attrs.Attribute[int], int], None]:
    def check(_: object, attribute: attrs.Attribute[int], value: int) -> None:
        if not low <= value <= high:
            raise ValueError(f"{attribute.name} {value} is not {low} to {high}")

    return check


@attrs.frozen
class Holder:
    """A load cell: its raw reading when empty, and raw units a ring (0: not calibrated; negative: upside down)."""

    zero: int = attrs.field(default=0, validator=_within(-(1 << 23), (1 << 23) - 1))
    ring: int = attrs.field(default=0, validator=_within(-(1 << 23), (1 << 23) - 1))


@attrs.frozen
class Config:
    """What the host sets on the board at each start. A value out of range: `ValueError`."""

    edge_limit: int = attrs.field(default=100, validator=_within(10, 255))
    """Edges told of one input in one second; beyond that it is reported as limited."""
    hall_zero: int = attrs.field(default=128, validator=_within(0, 255))
    """A hall sensor's reading without a field (255: 5 V)."""
    hall_on: int = attrs.field(default=30, validator=_within(1, 127))
    hall_off: int = attrs.field(default=20, validator=_within(0, 126))
    """Distances from zero at which a field appears and vanishes."""
    ladder: tuple[int, int, int, int] = (191, 106, 74, 57)
    """Readings between 0 and 1, 1 and 2, 2 and 3, 3 and 4 rings, falling."""
    ladder_hysteresis: int = attrs.field(default=4, validator=_within(0, 255))
    lamp_intensity: int = attrs.field(default=4, validator=_within(0, 15))
    sound_max_ms: int = attrs.field(default=3000, validator=_within(1, 10_000))
    """No TONES command sounds longer than this."""
    red: Holder = Holder()
    black: Holder = Holder()

    _LAYOUT = struct.Struct("<10BH4i")

    def __attrs_post_init__(self) -> None:
        if self.hall_off >= self.hall_on:
            raise ValueError(f"hall_off {self.hall_off} is not below hall_on {self.hall_on}")
        if not self.hall_on <= self.hall_zero <= 255 - self.hall_on:
            raise ValueError(f"hall_zero {self.hall_zero} leaves no room for hall_on {self.hall_on} on both sides")
        if len(self.ladder) != 4 or not 255 >= self.ladder[0] > self.ladder[1] > self.ladder[2] > self.ladder[3] >= 0:
            raise ValueError(f"ladder {self.ladder} is not four falling readings of 0 to 255")
        if self.ladder_hysteresis > self.ladder[3]:
            raise ValueError(f"ladder_hysteresis {self.ladder_hysteresis} is above the last reading {self.ladder[3]}")

    def body(self) -> bytes:
        return self._LAYOUT.pack(
            self.edge_limit, self.hall_zero, self.hall_on, self.hall_off, *self.ladder, self.ladder_hysteresis,
            self.lamp_intensity, self.sound_max_ms, self.red.zero, self.black.zero, self.red.ring, self.black.ring,
        )  # fmt: skip

    @classmethod
    def parse(cls, body: bytes) -> Config:
        limit, zero, on, off, l1, l2, l3, l4, hysteresis, intensity, sound, red0, black0, red, black = _unpack(
            cls._LAYOUT, body, "CONFIG"
        )
        holders = Holder(red0, red), Holder(black0, black)
        return cls(limit, zero, on, off, (l1, l2, l3, l4), hysteresis, intensity, sound, *holders)

    def crc(self) -> int:
        """What the board echoes once it has this configuration."""
        return crc16(self.body())


def rates_body(rates: Sequence[tuple[int, float]]) -> bytes:
    """The id of each cap and the rate of its clock as it was learnt before, in the order of `TRAVELLING`; 1: not
    known."""
    return b"".join(struct.pack("<Hh", cap_id, round((rate - 1) * 65536)) for cap_id, rate in rates)


READ_LOAD_CELLS: Final = 2
"""What READ gives: 0 halls, 1 ladders, 2 load cells."""
SILENT_CELL: Final = -(1 << 31)
"""A load cell's reading while it does not answer: no cell can read that."""


def parse_load_cells(data: bytes) -> tuple[int | None, int | None]:
    """The raw readings of red's and black's load cell; None for one that does not answer."""
    red, black = _unpack(struct.Struct("<2i"), data, "load cells")
    return (None if red == SILENT_CELL else red, None if black == SILENT_CELL else black)


@attrs.frozen
class SelfTest:
    """What the board found out about itself."""

    silent_holders: tuple[str, ...]
    odd_socket: str | None
    """The first socket whose hall sensor reads as if cut off or shorted."""
    free_ram_bytes: int

    @classmethod
    def parse(cls, data: bytes) -> SelfTest:
        silent, odd, free = _unpack(struct.Struct("<BBH"), data, "self-test")
        names = tuple(name for bit, name in enumerate(("red", "black")) if silent >> bit & 1)
        return cls(names, SOCKETS[odd] if odd < len(SOCKETS) else None, free)


def describe(frame: Frame, build: Build | None) -> str:
    """A frame in words, for logs and for the record of the last frames."""
    try:
        name = Type(frame.type).name
    except ValueError:
        return f"#{frame.seq} type 0x{frame.type:02x} {frame.body.hex()}"
    parsed: object = None
    try:
        match frame.type:
            case Type.HELLO:
                parsed = Hello.parse(frame.body)
            case Type.CAPS:
                parsed = CapsHealth.parse(frame.body)
            case Type.PONG:
                parsed = Pong.parse(frame.body)
            case Type.DONE:
                parsed = Done.parse(frame.body)
            case Type.REPORT if build is not None:
                parsed = Report.parse(frame.body, build)
            case Type.HEARTBEAT if build is not None:
                parsed = Heartbeat.parse(frame.body, build)
            case Type.CONFIG:
                parsed = Config.parse(frame.body)
    except ValueError as error:
        return f"#{frame.seq} {name} {frame.body.hex()} ({error})"
    return f"#{frame.seq} {name} {frame.body.hex() if parsed is None else parsed}"
