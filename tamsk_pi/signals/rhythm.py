"""How lamps blink: rhythms that are told apart without their colour."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

Rhythm = Literal["steady", "slow", "fast", "flash", "double", "triple", "winking", "hurried"]

RHYTHMS_MS: Final[Mapping[Rhythm, tuple[int, ...]]] = MappingProxyType(
    {
        "steady": (),
        "slow": (600, 600),
        "fast": (150, 150),
        "flash": (80, 920),
        "double": (120, 120, 120, 640),
        "triple": (120, 120, 120, 120, 120, 1000),
        "winking": (800, 200),
        "hurried": (300, 100),
    }
)
"""For each rhythm how long it is on, off, on, … in ms before it begins anew; empty: always on."""


def is_lit(rhythm: Rhythm, since_ms: int, now_ms: int) -> bool:
    """Whether a lamp with this rhythm, begun at `since_ms`, is lit at `now_ms`."""
    return _part(rhythm, since_ms, now_ms)[0] % 2 == 0


def next_flip_ms(rhythm: Rhythm, since_ms: int, now_ms: int) -> int | None:
    """When such a lamp next changes after `now_ms`; None where it never does."""
    return _part(rhythm, since_ms, now_ms)[1]


def _part(rhythm: Rhythm, since_ms: int, now_ms: int) -> tuple[int, int | None]:
    """The number of the part of the rhythm at `now_ms` (even: on), and when it ends."""
    parts_ms = RHYTHMS_MS[rhythm]
    if not parts_ms:
        return 0, None
    into_ms = (now_ms - since_ms) % sum(parts_ms)
    for number, part_ms in enumerate(parts_ms):
        if into_ms < part_ms:
            return number, now_ms + part_ms - into_ms
        into_ms -= part_ms
    raise AssertionError("the remainder of a division is less than what it was divided by")
