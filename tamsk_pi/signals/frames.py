"""What a board is told to show and sound."""

from __future__ import annotations

from collections.abc import Mapping

import attrs


@attrs.frozen
class Tone:
    """A tone: pitch in Hz, length in ms."""

    pitch_hz: int
    length_ms: int


@attrs.frozen
class LampFrame:
    """What every lamp shows at one moment; blinking is done by sending frames.

    `panel` maps `turn_red`, `turn_black`, `alarm`, `ready` to on or off; a lamp that a board lacks is ignored.
    `red_sockets` and `green_sockets` are the lit socket lamps of the two planes (a board with one plane shows
    their union).
    """

    panel: Mapping[str, bool]
    red_sockets: frozenset[str] = frozenset()
    green_sockets: frozenset[str] = frozenset()
