"""How long edges take from the contact to the decoded report, in simulated time, and how long they may take."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from firmware_bridge.framing import Decoder, Frame, encode
from firmware_bridge.inputs import NAMES, Build, InputName
from firmware_bridge.protocol import SNAPSHOT, Config, Report, Type
from tests.firmware_bridge.rig import Bench, Rig

BUILD: Final = Build()
BAUDS: Final = (115_200, 1_000_000)
SWITCHES: Final = [name for name in NAMES if name[0] in ("socket", "tilt", "button")][:44]
SCAN_US: Final = 1_000
MARGIN_US: Final = 500
WIRE_FACTOR: Final = 1.2
APART_US: Final = 53_000
"""Between single edges: over a thousand of them it meets every phase of the heartbeat, and of the pings."""
GOLDEN: Final = (math.sqrt(5) - 1) / 2
QUIET_US: Final = 12_000
BURST_US: Final = 40_000


def started(bench: Bench) -> Rig:
    """A rig of which every edge is told."""
    return Rig(bench, Config(edge_limit=255))


def value_of(name: InputName, closed: bool) -> bool | str:
    """A switch's value."""
    return ("b" if closed else "a") if name[0] == "tilt" else closed


def percentile(values: Sequence[float], percent: float) -> float:
    """By nearest rank: a value that was measured, never one beyond the longest."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def wire_us(frame: Frame, baud: int) -> float:
    """How long a frame takes on the line."""
    return len(encode(frame)) * 10e6 / baud


def limit_us(wire: float) -> float:
    """The aim: a scan and half a millisecond, and what goes over the line with a fifth more."""
    return SCAN_US + MARGIN_US + WIRE_FACTOR * wire


@attrs.frozen
class Told:
    """An edge as it was decoded: input number, raw value, when its report was complete, and that report's wire time."""

    number: int
    raw: int
    t_us: int
    wire_us: float


class Listener:
    """Notes every edge's report as it comes over the line."""

    def __init__(self, rig: Rig, baud: int) -> None:
        self._rig = rig
        self._baud = baud
        self._decoder = Decoder()
        self._read = 0
        self._next = 0
        self.frames: list[tuple[int, Frame]] = []
        """When each frame was complete, and the frame."""

    def listen(self) -> list[Told]:
        """The edges told since the last call."""
        told: list[Told] = []
        for sent in self._rig.sent[self._read :]:
            for frame in self._decoder.feed(sent.data):
                self.frames.append((sent.t_us, frame))
                if frame.type != Type.REPORT:
                    continue
                report = Report.parse(frame.body, BUILD)
                fresh = report.edges[self._next - report.first & 0xFFFF :]
                self._next = self._next + len(fresh) & 0xFFFF
                told += [
                    Told(edge.number, edge.raw, sent.t_us, wire_us(frame, self._baud))
                    for edge in fresh
                    if edge.number != SNAPSHOT
                ]
        self._read = len(self._rig.sent)
        return told


@attrs.frozen
class Took:
    """How long an edge, or the last of several, took, and how long its reports were on the wire."""

    us: int
    wire_us: float


def single_edges(rig: Rig, baud: int, count: int) -> Iterator[Took]:
    """One edge after the other, evenly spread over the phases of the scan, the pings and the heartbeat."""
    listener = Listener(rig, baud)
    listener.listen()
    for n in range(count):
        name = SWITCHES[n % len(SWITCHES)]
        at_us = rig.now_us + 2_000 + APART_US - QUIET_US + round(n * GOLDEN % 1 * SCAN_US)
        rig.bench.set(name, value_of(name, n // len(SWITCHES) % 2 == 0), at_us)
        rig.run_to(at_us + QUIET_US)
        [told] = listener.listen()
        yield Took(told.t_us - at_us, told.wire_us)


def all_at_once(rig: Rig, baud: int, count: int) -> Iterator[Took]:
    """44 switches change in the same moment, at phases spread evenly over the scan."""
    listener = Listener(rig, baud)
    for n in range(count):
        listener.listen()
        at_us = rig.now_us + 3_000 + round(n * GOLDEN % 1 * SCAN_US)
        for name in SWITCHES:
            rig.bench.set(name, value_of(name, n % 2 == 0), at_us)
        rig.run_to(at_us + BURST_US)
        told = listener.listen()
        assert len(told) == len(SWITCHES)
        reports = {edge.t_us: edge.wire_us for edge in told}
        yield Took(max(reports) - at_us, sum(reports.values()))
