"""The virtual board as a device of the program: heard at every moment, unless its link is cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tamsk_pi.devices.base import LampFrame, Post, Tone
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sim.board import VirtualBoard


class SoakBoard:
    """Its contacts are told straight, without the pins: what is between is tested elsewhere."""

    def __init__(self, board: VirtualBoard) -> None:
        self.board = board
        self.link_is_cut = False
        self._alive_ms = board.now_ms

    def run_to(self, t_ms: int) -> list[Edge]:
        """Let time pass; the edges that get through."""
        edges = self.board.run_to(t_ms)
        if self.link_is_cut:
            return []
        self._alive_ms = t_ms
        return edges

    def open(self) -> None:
        """It is there."""

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]:
        return {(kind, name): value for (kind, name), value in self.board.inputs.items()}

    def start(self, post: Post) -> None:
        """The game asks for the edges itself."""

    def show(self, frame: LampFrame) -> None:
        """It has no lamps: the players look at the referee's picture."""

    def sound(self, tones: Sequence[Tone]) -> None:
        """It has no buzzer."""

    def alive_at_ms(self) -> int:
        return self._alive_ms

    def close(self) -> None:
        """Nothing to close."""
