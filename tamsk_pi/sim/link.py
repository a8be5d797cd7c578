"""The wire between sensors and referee, which can be cut: what happens meanwhile is not told."""

from __future__ import annotations

from collections.abc import Sequence

from tamsk_pi.rules.board import SOCKETS
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sim.board import VirtualBoard
from tamsk_pi.trace import LinkDown, LinkUp


class Link:
    """Passes edges on while it is whole."""

    def __init__(self) -> None:
        self.is_whole = True

    def cut(self, t_ms: int) -> LinkDown:
        """From now on nothing gets through. `ValueError` if it is cut already."""
        if not self.is_whole:
            raise ValueError("the link is cut already")
        self.is_whole = False
        return LinkDown(t_ms)

    def mend(self, board: VirtualBoard) -> LinkUp:
        """Restore the link, and read what the board's sensors say now. `ValueError` if it is whole."""
        if self.is_whole:
            raise ValueError("the link is whole")
        self.is_whole = True
        return snapshot_of(board)

    def pass_on(self, edges: Sequence[Edge]) -> list[Edge]:
        """The edges that get through."""
        return list(edges) if self.is_whole else []


def snapshot_of(board: VirtualBoard) -> LinkUp:
    """The state of sockets, tilt switches and rings as the sensors tell it now, faults included."""
    inputs = board.inputs
    occupied = tuple(socket for socket in SOCKETS if inputs["socket", socket])
    up = {name: str(value) for (kind, name), value in inputs.items() if kind == "tilt"}
    counts: dict[str, dict[str, int]] = {"ring": {}, "holder": {}}
    for (kind, name), value in inputs.items():
        if kind in counts and isinstance(value, int):
            counts[kind][name] = value
    fields = {socket: str(inputs["socket", socket]) for socket in occupied if board.fitted.sockets == "hall"}
    return LinkUp(board.now_ms, occupied, up, counts["ring"], fields=fields, holders=counts["holder"])
