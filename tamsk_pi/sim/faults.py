"""Sensors that fail to order. Each fault names its input and is switched on and off on a `VirtualBoard`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import attrs

from tamsk_pi.rules.board import GLASSES, PLAYERS, SOCKETS, TIMER, is_socket
from tamsk_pi.sensing.edges import BUTTONS, EdgeValue, InputKind
from tamsk_pi.sim.truth import Input


@attrs.frozen
class Stuck:
    """An input says `value` whatever is so: a reed that has welded shut, a wire that has come off."""

    input: Input
    value: EdgeValue


@attrs.frozen
class Weak:
    """A closed contact lets go for up to `longest_ms`, `per_minute` times a minute on average."""

    input: Input
    per_minute: int = 60
    longest_ms: int = 80


@attrs.frozen
class Noisy:
    """An input toggles by itself, `per_second` times a second on average, closed or not."""

    input: Input
    per_second: int = 80


@attrs.frozen
class Rattling:
    """An input goes to and fro without a rest, `step_ms` between two edges: less than it needs to settle."""

    input: Input
    step_ms: tuple[int, int] = (30, 140)


@attrs.frozen
class Bouncy:
    """Every change of an input bounces `pairs` times, with at most `step_ms` between two edges."""

    input: Input
    pairs: int = 4
    step_ms: int = 5


@attrs.frozen
class MissedTurning:
    """A glass's tilt ball does not roll at its next turning.

    It hangs where it was until the glass is turned once more (which then shows no change either, as the ball lies
    right again), or for `frees_after_ms` at most, when it rolls over by itself.
    """

    glass: str
    frees_after_ms: int | None = None

    @property
    def input(self) -> Input:
        return ("tilt", self.glass)


@attrs.frozen
class StrongMagnet:
    """A glass standing in `socket` closes the sensor of the socket `also` too."""

    socket: str
    also: str

    @property
    def input(self) -> Input:
        return ("socket", self.also)


@attrs.frozen
class Exchanged:
    """The wires of two sockets are exchanged: the sensor of `socket` speaks for `other`, and the other way round.

    The sensor itself, and whatever else is wrong with it, stays where the program looks for it.
    """

    socket: str
    other: str

    @property
    def input(self) -> Input:
        return ("socket", self.socket)


@attrs.frozen
class FaceDown:
    """A hall sensor that lies face down, or (`socket` None: every one of them) magnets the other way round: north and
    south are exchanged."""

    socket: str | None = None

    @property
    def input(self) -> Input:
        return ("socket", self.socket or SOCKETS[0])


@attrs.frozen
class OnePole:
    """A unipolar hall sensor: it answers to one field and to nothing else."""

    socket: str
    field: str = "N"

    @property
    def input(self) -> Input:
        return ("socket", self.socket)


Fault = Stuck | Weak | Noisy | Rattling | Bouncy | MissedTurning | StrongMagnet | Exchanged | FaceDown | OnePole

_NAMES: Final[Mapping[InputKind, tuple[str, ...]]] = MappingProxyType(
    {"socket": SOCKETS, "tilt": (*GLASSES, TIMER), "ring": SOCKETS, "holder": PLAYERS, "button": BUTTONS}
)


def _input(text: str) -> Input:
    kind_text, _, name = text.partition(":")
    for kind, names in _NAMES.items():
        if kind == kind_text:
            if name not in names:
                raise ValueError(f"no {kind} is called {name!r}; there are {', '.join(names)}")
            return kind, name
    raise ValueError(f"{text!r} names no input; an input is one of {', '.join(_NAMES)}, a colon and a name")


def _stuck(closed: bool) -> Callable[[str], Fault]:
    def make(text: str) -> Fault:
        kind, name = _input(text)
        if kind not in ("socket", "button"):
            raise ValueError(f"{kind}:{name} has no contact to be stuck; a socket or a button has")
        return Stuck((kind, name), closed)

    return make


def _missed_turning(text: str) -> Fault:
    kind, name = _input(text)
    if kind != "tilt":
        raise ValueError(f"only a tilt switch can miss a turning, not {kind}:{name}")
    return MissedTurning(name)


def _two_sockets(text: str) -> tuple[str, str]:
    first, _, second = text.partition("+")
    if not (is_socket(first) and is_socket(second)) or first == second:
        raise ValueError(f"{text!r} is not two sockets joined by '+', as D2+D3")
    return first, second


def _one_socket(make: Callable[[str], Fault]) -> Callable[[str], Fault]:
    def made(text: str) -> Fault:
        if not is_socket(text):
            raise ValueError(f"{text!r} is no socket; sockets are A1 to G4")
        return make(text)

    return made


_MAKERS: Final[Mapping[str, Callable[[str], Fault]]] = MappingProxyType(
    {
        "stuck-closed": _stuck(True),
        "stuck-open": _stuck(False),
        "weak": lambda text: Weak(_input(text)),
        "noisy": lambda text: Noisy(_input(text)),
        "bouncy": lambda text: Bouncy(_input(text)),
        "missed-turning": _missed_turning,
        "strong-magnet": lambda text: StrongMagnet(*_two_sockets(text)),
        "exchanged": lambda text: Exchanged(*_two_sockets(text)),
        "face-down": _one_socket(FaceDown),
        "one-pole": _one_socket(OnePole),
    }
)


def fault_from_text(text: str) -> Fault:
    """A fault from its text: what is wrong, `@`, and the input: `weak@socket:D4`, `stuck-open@button:red`,
    `missed-turning@tilt:R2`, `strong-magnet@D2+D3`, `exchanged@D2+D3`, `face-down@D2`, `one-pole@D2`. `ValueError`
    says what is allowed."""
    what, _, where = text.partition("@")
    if what not in _MAKERS:
        raise ValueError(f"unknown fault {what!r}; there are {', '.join(_MAKERS)}, each followed by '@' and an input")
    return _MAKERS[what](where)
