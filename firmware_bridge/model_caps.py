"""A model of the caps on the glasses and of their receiver, for the model of the firmware: turnings are told late.

It models what comes of the air, and not the air: nothing is lost, and a turning is told when both switches have
settled.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import attrs

from firmware_bridge.inputs import NUMBERS, TRAVELLING
from firmware_bridge.protocol import CapHealth, CapsHealth

SETTLED_US: Final = 110_000
"""From the last movement of a glass: the ball rolls over, closes the other switch, and comes to rest."""
LIFE_US: Final = 8_000_000
CELL_MV: Final = 3_000
LOW_MV: Final = 2_400

CAP_NUMBERS: Final = tuple(NUMBERS["tilt", glass] for glass in TRAVELLING)


@attrs.define
class _Cap:
    raw: int = 0
    told: int | None = None
    """What the receiver has heard; None: nothing yet."""
    first_us: int | None = None
    """The first movement of a turning that has not settled."""
    settles_us: int = 0
    boot: int = 0
    powered: bool = True
    cell_mv: int = CELL_MV
    heard_us: int | None = None
    next_life_us: int = 0
    packets: int = 0
    is_restarted: bool = False


@attrs.frozen
class CapEdge:
    """What the receiver takes for an edge: input, raw value, how long ago it changed, None where nobody knows."""

    number: int
    raw: int
    age_us: int | None


class ModelCaps:
    """Six caps. Times are those of the bench, in µs."""

    def __init__(self) -> None:
        self._caps = {number: _Cap(next_life_us=1000 * (n + 1)) for n, number in enumerate(CAP_NUMBERS)}

    def forget(self) -> None:
        """The receiver starts anew."""
        for cap in self._caps.values():
            cap.told = cap.heard_us = None
            cap.packets = 0

    def turn(self, number: int, raw: int, now_us: int) -> None:
        """A glass moves: now this end is up."""
        cap = self._caps[number]
        cap.raw = raw
        cap.first_us = now_us if cap.first_us is None else cap.first_us
        cap.settles_us = now_us + SETTLED_US

    def cell(self, number: int, mv: int | None, now_us: int) -> None:
        """A cell gives so much; None: it is taken out. One that is put in starts its cap anew."""
        cap = self._caps[number]
        if mv is not None:
            cap.cell_mv = mv
        if cap.powered == (mv is not None):
            return
        cap.powered = mv is not None
        if cap.powered:
            cap.boot += 1
            cap.is_restarted = True
            cap.first_us = None
            cap.next_life_us = now_us

    def due(self, now_us: int) -> Iterator[CapEdge]:
        """What has been heard by now."""
        for number, cap in self._caps.items():
            if not cap.powered:
                continue
            if cap.first_us is not None and cap.settles_us <= now_us:
                first_us, cap.first_us = cap.first_us, None
                if cap.raw != cap.told:
                    yield from self._hear(number, cap, now_us, now_us - first_us)
            elif cap.next_life_us <= now_us and cap.first_us is None:
                yield from self._hear(number, cap, now_us, None)

    @staticmethod
    def _hear(number: int, cap: _Cap, now_us: int, age_us: int | None) -> Iterable[CapEdge]:
        cap.next_life_us = now_us + LIFE_US
        cap.heard_us = now_us
        cap.packets += 1
        fresh, cap.is_restarted = cap.told is None or cap.is_restarted, False
        if not fresh and age_us is None:
            return ()
        cap.told = cap.raw
        return (CapEdge(number, cap.raw, None if fresh else age_us),)

    def health(self, session: int, following: int, now_us: int) -> CapsHealth:
        """The frame about them."""
        return CapsHealth(
            session, following, True, 0, tuple(self._one(n, cap, now_us) for n, cap in enumerate(self._caps.values()))
        )

    @staticmethod
    def _one(n: int, cap: _Cap, now_us: int) -> CapHealth:
        if cap.heard_us is None:
            return CapHealth(None)
        return CapHealth(
            (now_us - cap.heard_us) // 1000,
            ends="b" if cap.told else "a",
            low=cap.cell_mv < LOW_MV,
            rated=True,
            boot=cap.boot,
            id=0x1C40 + n,
            cell_mv=cap.cell_mv,
            packets=cap.packets & 0xFFFF,
        )
