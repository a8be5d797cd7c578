"""Traces: everything that was sensed in a game, as JSON Lines. One reader, one writer, one checker.

Source: sensing.md, "The trace format". A trace is read line by line with bounded memory; what is wrong with it is told
in one line that names the place.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO, Final, Literal

import attrs

from tamsk_pi.referee.words import MAY_HAVE, WORDS, Word
from tamsk_pi.rules.board import CAPACITY, GLASSES, RINGS_PER_SIDE, TIMER
from tamsk_pi.sensing.edges import BUTTONS, FIELDS, HOLDERS, UPS, Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.trace_header import HeaderError, is_socket_list, is_up_map, is_whole, read_header, shown, write_header

MAX_SENSED: Final = 1_000_000
"""No sensor tells a count beyond that."""

MAX_LINE_BYTES: Final = 65_536
"""No line of a trace is longer; so much is read at once and no more."""

LastLine = Literal["strict", "whole", "drop"]
"""What becomes of a last line without its newline (see `TraceReader`)."""

TORN: Final = "the last line was cut short and is left out"
"""What is told of a trace with `torn`."""


@attrs.frozen
class LinkDown:
    """The sensors went silent."""

    t_ms: int


@attrs.frozen
class LinkUp:
    """The sensors are back; what they tell now. What a key does not name is taken to be as it was."""

    t_ms: int
    occupied: tuple[str, ...] | None = None
    up: Mapping[str, str] = attrs.field(factory=dict)
    rings: Mapping[str, int] = attrs.field(factory=dict)
    gap_known: bool = True
    """Whether `t_ms` tells how long the silence really lasted; else the sand is to be asked for."""
    fields: Mapping[str, str] = attrs.field(factory=dict, kw_only=True)
    """Hall boards: the field in each occupied socket, `N` or `S`."""
    holders: Mapping[str, int] = attrs.field(factory=dict, kw_only=True)
    """Rings left on the sides' holders (ring mode `holder`)."""


@attrs.frozen
class End:
    """Nothing more: deadlines up to here fall due."""

    t_ms: int


NAME_CHARS: Final = 40
"""The longest name that an arbiter may give a player."""

Record = Edge | LinkDown | LinkUp | Word | End


class TraceError(ValueError):
    """A trace that is none: which line, what is wrong with it, and what is allowed."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line: Final = line


class _Bad(ValueError):
    """What is wrong with a line; the reader adds which one it is."""


class TraceReader:
    """Reads a trace from a binary stream: `settings` from its first line, then its records one by one.

    A byte-order mark before the header and blank lines at the end are passed over. What becomes of a last line without
    its newline, as a power cut leaves it, is told by `last_line`: `strict` reads it like any other; `whole` reads it
    if it is a whole object, as no part of one can be, and drops it else; `drop` (or `drop_torn_end`) always drops it.
    A line that was dropped is told by `torn`. Every command reads by `whole`.
    """

    def __init__(self, stream: BinaryIO, *, drop_torn_end: bool = False, last_line: LastLine = "strict") -> None:
        self._stream: Final = stream
        self._last_line: Final[LastLine] = "drop" if drop_torn_end else last_line
        self.line = 0
        self.torn = False
        """Whether a last line was cut short, and dropped."""
        self.lacks_newline = False
        """Whether the last line was read though it has no newline: whoever goes on with the file adds it first."""
        self.whole_bytes = 0
        """How many bytes the lines read so far take."""
        raw = self._next_object()
        if raw is None:
            raise TraceError(1, "the trace is empty; it must begin with its header")
        try:
            self.settings: Final = read_header(raw)
        except HeaderError as error:
            raise TraceError(1, str(error)) from None
        self._last_ms = 0
        self._link_is_up = True
        self._readers: Final[Mapping[str, Callable[[int, dict[str, object]], Record]]] = {
            "socket": self._socket,
            "tilt": self._tilt,
            "cap": self._cap,
            "ring": self._ring,
            "holder": self._holder,
            "button": self._button,
            "link": self._link,
            "arbiter": self._word,
            "end": self._end,
        }

    def _next_line(self) -> bytes:
        """The next line that is not blank, with its newline; empty at the end. Blank ones may stand at the end only."""
        blank_line = 0
        while True:
            try:
                line = self._stream.readline(MAX_LINE_BYTES + 1)
            except OSError as error:
                raise TraceError(self.line + 1, f"cannot be read: {error.strerror or error}") from None
            if not line:
                return line
            self.line += 1
            if self.line == 1 and line.startswith(BOM_UTF8):
                self.whole_bytes += len(BOM_UTF8)
                line = line.removeprefix(BOM_UTF8)
            if line.strip():
                if blank_line:
                    raise TraceError(blank_line, "not JSON: a blank line may stand at the end only")
                return line
            blank_line = blank_line or self.line

    def _next_object(self) -> dict[str, object] | None:
        line = self._next_line()
        if not line:
            return None
        torn = not line.endswith(b"\n") and len(line) <= MAX_LINE_BYTES
        if torn and self._last_line == "drop":
            # Even if it reads as a record: the next one must not be written behind it on the same line.
            if self.line == 1:
                raise TraceError(1, "the header was cut short: its newline is missing")
            self.torn = True
            return None
        if len(line) > MAX_LINE_BYTES:
            raise TraceError(self.line, f"longer than the {MAX_LINE_BYTES} bytes that a line may have")
        try:
            value = _DECODER.decode(line.decode("utf-8"))
        except UnicodeDecodeError:
            problem = "not UTF-8 text"
        except _Bad as error:
            problem = str(error)
        except (ValueError, RecursionError):
            problem = "not JSON"
        else:
            if isinstance(value, dict):
                self.whole_bytes += len(line)
                self.lacks_newline = torn
                return value
            problem = f"{shown(value)} is no JSON object"
        if torn and self._last_line == "whole" and self.line > 1:
            self.torn = True
            return None
        raise TraceError(self.line, problem)

    def __iter__(self) -> Iterator[Record]:
        ended = False
        while (raw := self._next_object()) is not None:
            try:
                if ended:
                    raise _Bad("something follows the end")
                record = self._record(raw)
            except _Bad as error:
                raise TraceError(self.line, str(error)) from None
            ended = isinstance(record, End)
            yield record

    def _record(self, raw: dict[str, object]) -> Record:
        t_ms = raw.pop("t", None)
        if not is_whole(t_ms):
            raise _Bad("t is missing" if t_ms is None else f"t is {shown(t_ms)}; allowed: whole ms from 0")
        assert isinstance(t_ms, int)
        if t_ms < self._last_ms:
            raise _Bad(f"time goes back from {self._last_ms} to {t_ms}")
        kinds = ["arbiter"] if "arbiter" in raw else [key for key in self._readers if key in raw]
        if len(kinds) != 1:
            raise _Bad(f"one of {', '.join(self._readers)} is asked for, not {', '.join(map(shown, raw)) or 'nothing'}")
        record = self._readers[kinds[0]](t_ms, raw)
        if raw:
            raise _Bad(f"unknown key {', '.join(map(shown, raw))} beside {kinds[0]!r}")
        self._last_ms = t_ms
        return record

    def _socket(self, t_ms: int, raw: dict[str, object]) -> Edge:
        name = _known(raw, "socket", CAPACITY)
        if self.settings.sockets == "reed":
            return Edge(t_ms, "socket", name, _flag(raw, "closed"))
        field = _take(raw, "field")
        if field not in FIELDS or isinstance(field, bool):
            raise _Bad(f'field is {shown(field)}; allowed: "N", "S", null')
        return Edge(t_ms, "socket", name, field)

    def _tilt(self, t_ms: int, raw: dict[str, object]) -> Edge:
        name = _known(raw, "tilt", (*GLASSES, TIMER))
        return Edge(t_ms, "tilt", name, _known(raw, "up", UPS))

    def _cap(self, t_ms: int, raw: dict[str, object]) -> Edge:
        name = _known(raw, "cap", GLASSES)
        return Edge(t_ms, "cap", name, _known(raw, "up", UPS) if _flag(raw, "heard") else False)

    def _ring(self, t_ms: int, raw: dict[str, object]) -> Edge:
        name = _known(raw, "ring", CAPACITY)
        return Edge(t_ms, "ring", name, _sensed_count(raw))

    def _holder(self, t_ms: int, raw: dict[str, object]) -> Edge:
        return Edge(t_ms, "holder", _known(raw, "holder", HOLDERS), _sensed_count(raw))

    def _button(self, t_ms: int, raw: dict[str, object]) -> Edge:
        return Edge(t_ms, "button", _known(raw, "button", BUTTONS), _flag(raw, "down"))

    def _link(self, t_ms: int, raw: dict[str, object]) -> Record:
        state = _known(raw, "link", ("down", "up"))
        if (state == "up") == self._link_is_up:
            raise _Bad(f"the link is {state} already")
        self._link_is_up = state == "up"
        if state == "down":
            return LinkDown(t_ms)
        occupied, up, rings = raw.pop("occupied", None), raw.pop("up", {}), raw.pop("rings", {})
        fields, holders = raw.pop("fields", {}), raw.pop("holders", {})
        if occupied is not None and not is_socket_list(occupied):
            raise _Bad(f"occupied is {shown(occupied)}; allowed: a list of different sockets")
        if not is_up_map(up):
            raise _Bad(f'up is {shown(up)}; allowed: an object from glass to "a" or "b"')
        gap_known = _flag(raw, "gap_known") if "gap_known" in raw else True
        if not (isinstance(rings, dict) and all(_fits(s, n) for s, n in rings.items())):
            raise _Bad(f"rings is {shown(rings)}; allowed: an object from socket to a count up to its capacity")
        if not (isinstance(holders, dict) and all(p in HOLDERS and _is_left(n) for p, n in holders.items())):
            raise _Bad(f"holders is {shown(holders)}; allowed: an object from red and black to 0 to {RINGS_PER_SIDE}")
        known = () if occupied is None else occupied
        if not (isinstance(fields, dict) and all(s in known and f in ("N", "S") for s, f in fields.items())):  # type: ignore[operator]
            raise _Bad(f'fields is {shown(fields)}; allowed: an object from occupied sockets to "N" or "S"')
        sockets = None if occupied is None else tuple(sorted(occupied))  # type: ignore[call-overload]
        return LinkUp(t_ms, sockets, up, rings, gap_known, fields=fields, holders=holders)  # type: ignore[arg-type]

    def _word(self, t_ms: int, raw: dict[str, object]) -> Word:
        what = _known(raw, "arbiter", WORDS)
        return Word(t_ms, what, {key: self._word_detail(raw, what, key) for key in _keys_of(what, raw)})

    def _word_detail(self, raw: dict[str, object], what: str, key: str) -> object:
        match key:
            case "socket":
                return _known(raw, key, CAPACITY)
            case "glass":
                return _known(raw, key, (*GLASSES, TIMER) if what == "glass" else GLASSES)
            case "side":
                return _known(raw, key, HOLDERS)
            case "state":
                return _known(raw, key, ("stopped", "running"))
            case "turned" | "dead" | "given":
                return _flag(raw, key)
            case "red" | "black":
                return _name(raw, key)
            case "count":
                return _count(raw, max(CAPACITY.values()))
            case "left_ms":
                value = _take(raw, key)
                if not is_whole(value, 1):
                    raise _Bad(f"left_ms is {shown(value)}; allowed: whole ms above 0")
                return value
            case _:
                return None if raw.get(key, "") is None and raw.pop(key) is None else _known(raw, key, HOLDERS)

    def _end(self, t_ms: int, raw: dict[str, object]) -> End:
        if _take(raw, "end") is not True:
            raise _Bad("end is not true")
        return End(t_ms)


def _keys_of(what: str, raw: Mapping[str, object]) -> tuple[str, ...]:
    return (*WORDS[what], *(key for key in MAY_HAVE.get(what, ()) if key in raw))


def _name(raw: dict[str, object], key: str) -> str:
    value = _take(raw, key)
    if not isinstance(value, str) or len(value) > NAME_CHARS or not (value == "" or value.isprintable()):
        raise _Bad(f"{key} is {shown(value)}; allowed: a name of at most {NAME_CHARS} printable characters")
    return value


def _fits(socket: object, count: object) -> bool:
    return socket in CAPACITY and is_whole(count) and count <= CAPACITY[socket]  # type: ignore[operator,index]


def _is_left(count: object) -> bool:
    return is_whole(count) and count <= RINGS_PER_SIDE  # type: ignore[operator]


def _take(raw: dict[str, object], key: str) -> object:
    if key not in raw:
        raise _Bad(f"{key} is missing")
    return raw.pop(key)


def _known(raw: dict[str, object], key: str, allowed: Mapping[str, object] | tuple[str, ...]) -> str:
    value = _take(raw, key)
    if not isinstance(value, str) or value not in allowed:
        names = "A1 to G4" if allowed is CAPACITY else ", ".join(allowed)
        raise _Bad(f"{key} is {shown(value)}; allowed: {names}")
    return value


def _flag(raw: dict[str, object], key: str) -> bool:
    value = _take(raw, key)
    if not isinstance(value, bool):
        raise _Bad(f"{key} is {shown(value)}; allowed: true, false")
    return value


def _count(raw: dict[str, object], most: int) -> int:
    value = _take(raw, "count")
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise _Bad(f"count is {shown(value)}; allowed: 0 to {most}")
    return value


def _sensed_count(raw: dict[str, object]) -> int:
    """A count as a sensor told it, possible or not: what no hand can make is the referee's to call a fault."""
    value = _take(raw, "count")
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MAX_SENSED:
        raise _Bad(f"count is {shown(value)}; allowed: a whole number from -{MAX_SENSED} to {MAX_SENSED}")
    return value


def _no_constant(text: str) -> object:
    raise _Bad(f"{text} is no JSON number")


def _no_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _Bad("a key stands twice in one object")
    return value


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_no_doubles)
"""Made once: `json.loads` with these would make one for every line."""


def record_json(record: Record, settings: Settings) -> dict[str, object]:
    """A record as the JSON object that `TraceReader` reads back."""
    match record:
        case Edge(t_ms, "socket", name, value):
            return {"t": t_ms, "socket": name, "closed" if settings.sockets == "reed" else "field": value}
        case Edge(t_ms, "tilt", name, value):
            return {"t": t_ms, "tilt": name, "up": value}
        case Edge(t_ms, "cap", name, value):
            return {"t": t_ms, "cap": name, "heard": bool(value)} | ({"up": value} if value else {})
        case Edge(t_ms, "button", name, value):
            return {"t": t_ms, "button": name, "down": value}
        case Edge(t_ms, kind, name, value):
            return {"t": t_ms, kind: name, "count": value}
        case LinkDown(t_ms):
            return {"t": t_ms, "link": "down"}
        case LinkUp(t_ms, occupied, up, rings, gap_known):
            known: dict[str, object] = {} if occupied is None else {"occupied": list(occupied)}
            known |= {"fields": dict(record.fields)} if record.fields else {}
            known |= {"rings": dict(rings)} if rings else {}
            known |= {"holders": dict(record.holders)} if record.holders else {}
            known |= {} if gap_known else {"gap_known": False}
            return {"t": t_ms, "link": "up", **known, "up": dict(up)}
        case Word(t_ms, what, details):
            return {"t": t_ms, "arbiter": what, **details}
        case End(t_ms):
            return {"t": t_ms, "end": True}


def header_line(settings: Settings) -> str:
    """A trace's first line, with its newline."""
    return json.dumps(write_header(settings), ensure_ascii=False) + "\n"


def record_line(record: Record, settings: Settings) -> str:
    """One further line of a trace, with its newline."""
    return json.dumps(record_json(record, settings), ensure_ascii=False) + "\n"
