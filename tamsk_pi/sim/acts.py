"""Acts: the smallest things a hand can do to the virtual board, each at one instant."""

from __future__ import annotations

import attrs

from tamsk_pi.rules.board import Player


@attrs.frozen
class Lift:
    """`hand` takes a glass out of its socket, off two tubes, or from the table."""

    glass: str
    hand: Player


@attrs.frozen
class Turn:
    """A glass in hand is turned over."""

    glass: str


@attrs.frozen
class Hover:
    """A glass in hand comes so low over a socket that its magnet works the sensor there."""

    glass: str
    socket: str


@attrs.frozen
class Leave:
    """A glass in hand is no longer low over a socket."""

    glass: str


@attrs.frozen
class Seat:
    """A glass in hand, or one lying across two tubes, drops into a socket."""

    glass: str
    socket: str


@attrs.frozen
class Straddle:
    """A glass in hand is set down between two tubes and closes both sockets, standing in neither."""

    glass: str
    sockets: tuple[str, str]


@attrs.frozen
class LayAside:
    """A glass in hand is set down on the table."""

    glass: str


@attrs.frozen
class Knock:
    """A glass gets a jolt that shakes its tilt ball without turning it."""

    glass: str


@attrs.frozen
class TakeRing:
    """`hand` takes a ring from a side's holder."""

    hand: Player
    holder: Player


@attrs.frozen
class DropRing:
    """`hand` drops the ring it took last around a socket."""

    hand: Player
    socket: str


@attrs.frozen
class PickRing:
    """`hand` takes the topmost ring off a socket."""

    hand: Player
    socket: str


@attrs.frozen
class ReturnRing:
    """`hand` puts the ring it took last on the holder it belongs to."""

    hand: Player


@attrs.frozen
class Press:
    """A button goes down."""

    button: str


@attrs.frozen
class Release:
    """A button comes up."""

    button: str


Act = (
    Lift
    | Turn
    | Hover
    | Leave
    | Seat
    | Straddle
    | LayAside
    | Knock
    | TakeRing
    | DropRing
    | PickRing
    | ReturnRing
    | Press
    | Release
)

TimedAct = tuple[int, Act]
"""When, in ms, and what."""
