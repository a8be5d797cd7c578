"""The virtual board with radio caps: what its travelling tilts tell comes late, as through the air, with its own time.

The cap and the air are told in short: a switch settles, and each try is heard or lost. The firmware and the radios
themselves are played through in `tests/caps`.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Mapping, Sequence
from typing import Final

from firmware_bridge.inputs import TRAVELLING
from tamsk_pi.devices.caps import HOLD_MS, Held, LateEdges
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sim.board import VirtualBoard
from tamsk_pi.soak.board import SoakBoard

SETTLE_MS: Final = 20
"""A change that lasts no longer is never told: a knock."""
BURST_MS: Final = 150
CRYSTAL_MS: Final = 5
_FIRST: Final = 4
_QUICK: Final = 24


class CapSoakBoard(SoakBoard):
    """As `SoakBoard`, but six tilts go by radio; `loss`: the share of all transmissions that is lost."""

    def __init__(self, board: VirtualBoard, rng: random.Random, loss: float) -> None:
        super().__init__(board)
        self._rng: Final = rng
        self._loss: Final = loss
        self._late = LateEdges(HOLD_MS)
        self._posted: list[Edge] = []
        self._felt: dict[str, EdgeValue] = {g: board.inputs.get(("tilt", g)) for g in TRAVELLING}
        """What each cap feels."""
        self._heard = dict(self._felt)
        """What was heard of it."""
        self._bursts: dict[str, tuple[int, int, EdgeValue]] = {}
        """A glass whose switches have not settled: since when, its last edge, and what it says."""
        self._on_air: list[tuple[int, int, Edge]] = []
        self._count = 0
        self._read_ms = board.now_ms

    def run_to(self, t_ms: int) -> list[Edge]:
        """Let time pass; what has become certain."""
        for edge in self.board.run_to(t_ms):
            if edge.kind == "tilt" and edge.name in TRAVELLING:
                self._settle_up_to(edge.t_ms)
                since_ms, _, _ = self._bursts.get(edge.name, (edge.t_ms, 0, None))
                self._bursts[edge.name] = (since_ms, edge.t_ms, edge.value)
            elif not self.link_is_cut:
                self._late.push([edge])
        self._settle_up_to(t_ms)
        while self._on_air and self._on_air[0][0] <= t_ms:
            _, _, edge = heapq.heappop(self._on_air)
            self._heard[edge.name] = edge.value
            if not self.link_is_cut:
                self._late.push([edge])
        if not self.link_is_cut:
            self._read_ms = t_ms
            # Asked twice, as a device's runner does: what it is told the second time it has taken.
            self._alive_ms = self._late.ask(t_ms, self._posted.extend)
            self._alive_ms = self._late.ask(t_ms, self._posted.extend)
        posted, self._posted[:] = list(self._posted), []
        return posted

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]:
        return dict(super().inputs()) | {("tilt", g): v for g, v in self._heard.items() if v is not None}

    def held(self) -> Held | None:
        """What has been told and is not certain yet."""
        return self._late.held(self._read_ms)

    def release(self) -> Sequence[Edge]:
        """What is held, as somebody's word comes now."""
        return self._late.release(self._read_ms + 1)

    @property
    def late(self) -> int:
        """Turnings that were told too late for their place."""
        return sum(self._late.late.values())

    def _settle_up_to(self, t_ms: int) -> None:
        for glass, (since_ms, last_ms, value) in list(self._bursts.items()):
            if value == self._felt[glass]:
                # Back where it was: for good, once it has been quiet for a while.
                if last_ms + BURST_MS <= t_ms:
                    del self._bursts[glass]
            elif last_ms + SETTLE_MS <= t_ms:
                del self._bursts[glass]
                self._felt[glass] = value
                self._count += 1
                heard_ms = last_ms + SETTLE_MS + self._tries_ms()
                heapq.heappush(self._on_air, (heard_ms, self._count, Edge(since_ms, "tilt", glass, value)))

    def _tries_ms(self) -> int:
        """How long it takes until a packet is heard: pauses as in the cap's firmware."""
        took_ms, tries = CRYSTAL_MS, 0
        while self._rng.random() < self._loss:
            tries += 1
            most = 4 if tries < _FIRST else 8
            took_ms += self._rng.randint(1, most) + (60 + self._rng.randint(0, 56) if tries >= _QUICK else 0)
        return took_ms
