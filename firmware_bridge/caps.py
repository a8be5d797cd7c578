"""The receiver's side of the caps in Python, for a radio on the Pi's own bus: the twin of `avr/src/caps.c`. No I/O.

Packets and their times go in, news come out. `cap_vectors.txt` is run by both; numbers wrap where those of the C wrap.
"""

from __future__ import annotations

import enum
import struct
from typing import Final

import attrs

from firmware_bridge.inputs import TRAVELLING
from firmware_bridge.protocol import AGE_UNIT_US, AGE_UNKNOWN, CapHealth

PACKET_BYTES: Final = 14
PACKET_VERSION: Final = 1
LIFE: Final = 1
LOW: Final = 2
STARTED: Final = 4
LINK_US: Final = 842 + 130 + 185
"""From the taking of the age to the receiver's interrupt: the cap's slow bus, the radio's start, the air."""
RATE_ONE: Final = 65_536
TWINS_US: Final = 30_000_000
_RATE_SPAN: Final = 400
_RATE_STRAYS: Final = 2
_RATE_LIMIT: Final = RATE_ONE // 8
_RATE_STEP: Final = RATE_ONE // 128
_MASK32: Final = 0xFFFFFFFF
_LAYOUT: Final = struct.Struct("<BBHBBHHBBBB")
_ENDS: Final = ("", "a", "b", "ab")


class News(enum.Enum):
    """What a packet brings."""

    EDGE = "edge"
    """value: the ends; t: when they changed."""
    UNTIMED = "untimed"
    """value: the ends; they changed while the cap was out of reach."""
    STARTED = "started"
    """value: the ends; the first word of a cap, or of one that was restarted."""
    MISSED = "missed"
    """value: so many changes were never told."""
    REPEAT = "repeat"
    """value: tries; nothing new."""
    RATE = "rate"
    """value: real time per time of the cap's, in 1/65,536."""
    TWINS = "twins"
    """value: id; two caps send on this address."""


@attrs.frozen
class Told:
    """One piece of news; `t_us` on the receiver's clock, 32 bits."""

    news: News
    value: int
    t_us: int


@attrs.define
class CapDecoder:
    """One glass's address: what its cap sends, be it one cap after the other, or two at once by mistake."""

    heard: bool = False
    heard_us: int = 0
    ends: int = 0
    boot: int = 0
    id: int = 0
    cell: int = 0
    flags: int = 0
    tries: int = 0
    missed: int = 0
    packets: int = 0
    lost: int = 0
    rate: int = RATE_ONE
    rated: bool = False
    twins: bool = False
    _aged: bool = False
    _seq: int = 0
    _lost_then: int = 0
    _strays: int = 0
    _age: int = 0
    _aged_us: int = 0
    _other: tuple[int, int] | None = None
    """The id before the one heard last, and when it was heard."""
    _kept: tuple[int, int] | None = None
    """The id of the cap whose clock's rate was learnt before, and by how much it is off."""

    def expect(self, cap_id: int, off: int) -> None:
        """The rate of a cap's clock, as it was learnt before: good for the cap with this id alone; 0: not known."""
        if abs(off) > _RATE_LIMIT:
            return
        self._kept = (cap_id, off)
        if self.heard and not self.rated:
            self._recall_rate(self.id)

    def _recall_rate(self, cap_id: int) -> None:
        if self._kept is not None and self._kept[0] == cap_id and self._kept[1]:
            self.rate, self.rated = RATE_ONE + self._kept[1], True

    def packet(self, data: bytes, arrived_us: int) -> list[Told]:
        """Take one packet; what is none is dropped. `arrived_us`: when the radio called."""
        arrived_us &= _MASK32
        if len(data) != PACKET_BYTES:
            return []
        version, boot, cap_id, seq, ends, age, age_2, flags, cell, tries, lost = _LAYOUT.unpack(data)
        if version != PACKET_VERSION:
            return []
        fresh = not self.heard or self.boot != boot or self.id != cap_id
        gained = 0 if fresh else seq - self._seq & 0xFF
        if self.twins and self._other is not None and arrived_us - self._other[1] & _MASK32 >= TWINS_US:
            self.twins = False
        if gained > 127:
            return []  # older than what is known: an echo
        told: list[Told] = []
        if fresh:
            told += self._begin(cap_id, ends & 3, lost, arrived_us)
        elif gained == 0:
            told += self._learn_rate(age, arrived_us)
            told.append(Told(News.REPEAT, tries, arrived_us))
        else:
            if gained > 2:
                self.missed = min(255, self.missed + gained - 2)
                told.append(Told(News.MISSED, gained - 2, arrived_us))
            if gained >= 2:
                told.append(self._edge(ends >> 2 & 3, age_2, arrived_us))
            told.append(self._edge(ends & 3, age, arrived_us))
        if fresh or gained or not self._aged:
            self._age, self._aged, self._aged_us = age, age != AGE_UNKNOWN, arrived_us
        self.lost = self.lost + (lost - self._lost_then & 0xFF) & 0xFFFF
        self._lost_then, self._seq = lost, seq
        self.heard, self.heard_us = True, arrived_us
        self.ends, self.boot, self.id, self.cell, self.flags = ends & 3, boot, cap_id, cell, flags
        if not flags & LIFE:
            self.tries = tries
        self.packets = self.packets + 1 & 0xFFFF
        return told

    def _begin(self, cap_id: int, ends: int, lost: int, arrived_us: int) -> list[Told]:
        told: list[Told] = []
        if self.heard and self.id != cap_id:
            other = self._other
            again = other is not None and other[0] == cap_id and arrived_us - other[1] & _MASK32 < TWINS_US
            if again and not self.twins:
                self.twins = True
                told.append(Told(News.TWINS, cap_id, arrived_us))
            self._other = (self.id, self.heard_us)
        if not self.heard or self.id != cap_id:
            self.rated, self.rate = False, RATE_ONE  # another oscillator
            self._recall_rate(cap_id)
        self._lost_then = lost
        return [*told, Told(News.STARTED, ends, arrived_us)]

    def _edge(self, ends: int, age: int, arrived_us: int) -> Told:
        if age == AGE_UNKNOWN:
            return Told(News.UNTIMED, ends, arrived_us)
        return Told(News.EDGE, ends, arrived_us - LINK_US - (age * AGE_UNIT_US * self.rate >> 16) & _MASK32)

    def _learn_rate(self, age: int, arrived_us: int) -> list[Told]:
        if not self._aged or age == AGE_UNKNOWN or age < self._age or age - self._age < _RATE_SPAN:
            return []
        theirs, ours = (age - self._age) * AGE_UNIT_US, arrived_us - self._aged_us & _MASK32
        off = (ours << 16) // theirs - RATE_ONE
        if abs(off) > _RATE_LIMIT:
            return []
        now = self.rate - RATE_ONE
        if self.rated and abs(off - now) > _RATE_STEP:
            self._strays += 1
            if self._strays <= _RATE_STRAYS:
                return []
        self._strays = 0
        if self.rated:
            step = (abs(off - now) // 4) * (1 if off >= now else -1)
            now += step
        else:
            now = off
        self.rate, self.rated = RATE_ONE + now, True
        return [Told(News.RATE, self.rate, arrived_us)]

    def health(self, now_us: int) -> CapHealth:
        """How the cap is, as the bridge would tell it."""
        if not self.heard:
            return CapHealth(None)
        return CapHealth(
            (now_us - self.heard_us & _MASK32) // 1000, _ENDS[self.ends], bool(self.flags & LOW), self.rated,
            self.twins, self.boot, self.id, 20 * self.cell, self.tries, self.missed, self.packets, self.lost,
            self.rate / RATE_ONE,
        )  # fmt: skip


class CapsDecoder:
    """All six glasses, by the pipe that a packet came by."""

    def __init__(self) -> None:
        self.caps: Final = tuple(CapDecoder() for _ in TRAVELLING)

    def packet(self, pipe: int, data: bytes, arrived_us: int) -> list[Told]:
        """Take one packet; `pipe` 0 to 5, in the order of `TRAVELLING`."""
        return self.caps[pipe].packet(data, arrived_us) if 0 <= pipe < len(self.caps) else []
