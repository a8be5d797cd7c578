"""A board whose state and pulse a test sets, and a keeper in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tamsk_pi.devices.base import DeviceError, LampFrame, Post, Tone
from tamsk_pi.rules.board import GLASSES, SOCKETS, START, TIMER
from tamsk_pi.sensing.edges import Edge, EdgeValue


class FakeBoard:
    """Every corner holds its glass; it is heard as long as `alive_ms` is kept up."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], EdgeValue] = {("socket", s): s in START.values() for s in SOCKETS}
        self.values |= {("tilt", glass): "a" for glass in (*GLASSES, TIMER)}
        self.alive_ms = 0
        self.frames: list[LampFrame] = []
        self.tones: list[Sequence[Tone]] = []
        self.lamps_fail = False

    def open(self) -> None:
        """It is there."""

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]:
        return dict(self.values)

    def start(self, post: Post) -> None:
        """Tests post for themselves."""

    def show(self, frame: LampFrame) -> None:
        if self.lamps_fail:
            raise DeviceError("the lamps do not answer")
        self.frames.append(frame)

    def sound(self, tones: Sequence[Tone]) -> None:
        self.tones.append(tones)

    def alive_at_ms(self) -> int:
        return self.alive_ms

    def close(self) -> None:
        """Nothing to close."""

    def edges(self, *edges: Edge) -> list[Edge]:
        """These edges, which also change what the board tells of itself."""
        for edge in edges:
            self.values[edge.kind, edge.name] = edge.value
        return list(edges)


class Paper:
    """Keeps the lines that were written."""

    problem: str | None = None

    def __init__(self) -> None:
        self.text = ""
        self.urgent = 0
        self.closed = False

    def write(self, lines: str, *, urgent: bool = False) -> None:
        assert not lines or lines.endswith("\n")
        self.text += lines
        self.urgent += urgent

    def close(self) -> None:
        self.closed = True
