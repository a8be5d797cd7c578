"""What hands did on the board, as far as the sensors tell: the only things the referee hears of.

Times are whole ms since the game's start. Gestures come in the order in which they happened.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

PressLength = Literal["short", "long", "held", "both_held"]
Turning = Literal["in_hand", "before_lift", "after_placing"]
SandTold = Literal["by_tilt", "turned_midway", "never_turned"]


class Lift(NamedTuple):
    """A glass left its socket. `up` is the end that was up, turnings that belong to this handling not counted."""

    t_ms: int
    glass: str
    socket: str
    up: str


class Place(NamedTuple):
    """A glass settled in a socket.

    `up` is the end that is up once this handling is over. `late_turn_ms` is the time of a turning after the placing
    that belongs to it; a `Turn` will come at that time. `sand` tells how the sand moved between lift and placing:
    as the `Turn`s told; turned once at the middle of the way; or not at all, whatever `Turn`s were told.
    """

    t_ms: int
    glass: str
    socket: str
    up: str
    late_turn_ms: int | None
    sand: SandTold
    sure: bool = True
    """Whether `up` is known; not so where judging was cut short while the tilt still rattled."""


class Turn(NamedTuple):
    """A glass was turned over, `N` included; `when` tells to which part of its handling the turning belongs.

    `lift_ms`: when the lift comes that a turning `before_lift` belongs to.
    """

    t_ms: int
    glass: str
    when: Turning
    lift_ms: int | None = None


class RingCount(NamedTuple):
    """Another number of rings lies around a socket (ring mode `stack`)."""

    t_ms: int
    socket: str
    before: int
    rings: int
    at_once: bool = False
    """More rings changed in one go than a hand can take."""


class HolderCount(NamedTuple):
    """Another number of rings is left on a side's holder (ring mode `holder`)."""

    t_ms: int
    player: str
    before: int
    rings: int
    at_once: bool = False
    """More rings changed in one go than a hand can take."""


class Press(NamedTuple):
    """A button was pressed. `both_held`: both sides held theirs at once (`who` is the later one)."""

    t_ms: int
    who: str
    length: PressLength


class Oddity(NamedTuple):
    """Something about the sensors that is worth a word: a `notice`, a `fault` or a `fault_cleared`."""

    t_ms: int
    ruling: Literal["notice", "fault", "fault_cleared"]
    code: str
    details: Mapping[str, object]


Gesture = Lift | Place | Turn | RingCount | HolderCount | Press | Oddity


class Blocked(NamedTuple):
    """What happened can't be told before the edges up to and with `until_ms` are known.

    `meanwhile` is to be told at once, the first time this is blocked. `by_hands`: only what hands do next, or a word
    of the arbiter's, can end it.
    """

    until_ms: int
    meanwhile: Oddity | None = None
    by_hands: bool = False
