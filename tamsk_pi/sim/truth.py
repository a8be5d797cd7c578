"""The physical truth of the virtual board: where every glass and ring is, and what a perfect sensor would say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import attrs

from tamsk_pi.rules.board import CAPACITY, GLASSES, PLAYERS, RINGS_PER_SIDE, SOCKETS, START, TIMER, Player
from tamsk_pi.sensing.edges import BUTTONS, EdgeValue, InputKind
from tamsk_pi.sim.acts import (
    Act,
    DropRing,
    Hover,
    Knock,
    LayAside,
    Leave,
    Lift,
    PickRing,
    Press,
    Release,
    ReturnRing,
    Seat,
    Straddle,
    TakeRing,
    Turn,
)
from tamsk_pi.sim.sand import GlassMs, Sand, nominal_glass_ms

Input = tuple[InputKind, str]
"""An input: its kind and its name, as in an `Edge`."""


class ImpossibleAct(ValueError):
    """Something that no hand can do on this board; the text says what stands in the way."""


@attrs.frozen
class Fitted:
    """Which sensors the board has; the words are those of a trace's header (sensing.md)."""

    sockets: Literal["reed", "hall"] = "reed"
    tilt: bool = True
    rings: Literal["stack", "holder", "buttons"] = "stack"

    def inputs(self) -> Iterator[Input]:
        """Every input this board has."""
        yield from (("socket", socket) for socket in SOCKETS)
        if self.tilt:
            yield from (("tilt", glass) for glass in (*GLASSES, TIMER))
        if self.rings == "stack":
            yield from (("ring", socket) for socket in SOCKETS)
        if self.rings == "holder":
            yield from (("holder", player) for player in PLAYERS)
        yield from (("button", button) for button in BUTTONS)


@attrs.define
class Glass:
    """One hourglass. It stands in a socket, lies across two, is in a hand, or (all of them None) on the table."""

    name: str
    sand: Sand
    socket: str | None = None
    straddles: tuple[str, str] | None = None
    hand: Player | None = None
    hovers: str | None = None
    """The socket a carried glass is low over."""
    lifted_from: str | None = None
    """The socket it was last lifted from; None if it came from the table."""
    stood: dict[str, str] = attrs.field(factory=dict)
    """For each socket it ever stood in, the end that was up when it last did: what the players remember."""

    @property
    def up(self) -> str:
        return self.sand.up

    def copy(self) -> Glass:
        return attrs.evolve(self, sand=self.sand.copy(), stood=dict(self.stood))


class Truth:
    """Everything that is so on the virtual board. It changes by `apply` only.

    Rings keep their owner: `stacks` lists them per socket from the bottom, `holders` counts those on each holder,
    `in_hand` lists those each side's hand holds. `hand` names whose hand it is; a side has two, so that one can carry
    a glass while the other drops a ring.
    """

    def __init__(self, glass_ms: GlassMs | None = None, standing: Mapping[str, str] = START) -> None:
        """`standing`: glass to socket; glasses not named stand on the table. `ValueError` where two share a socket."""
        if len(set(standing.values())) != len(standing):
            raise ValueError(f"two glasses in one socket: {dict(standing)}")
        full_ms = glass_ms or nominal_glass_ms()
        self.glasses = {name: Glass(name, Sand(full_ms[name]), standing.get(name)) for name in (*GLASSES, TIMER)}
        for glass in self.glasses.values():
            if glass.socket is not None:
                glass.stood[glass.socket] = glass.up
        self.stacks: dict[str, tuple[Player, ...]] = dict.fromkeys(SOCKETS, ())
        self.holders: dict[Player, int] = dict.fromkeys(PLAYERS, RINGS_PER_SIDE)
        self.in_hand: dict[Player, tuple[Player, ...]] = dict.fromkeys(PLAYERS, ())
        self.pressed: set[str] = set()

    def copy(self) -> Truth:
        twin = Truth.__new__(Truth)
        twin.glasses = {name: glass.copy() for name, glass in self.glasses.items()}
        twin.stacks = dict(self.stacks)
        twin.holders = dict(self.holders)
        twin.in_hand = dict(self.in_hand)
        twin.pressed = set(self.pressed)
        return twin

    # -- questions ---------------------------------------------------------------------------------------------------

    def glass_in(self, socket: str) -> Glass | None:
        """The glass standing in a socket."""
        return next((glass for glass in self.glasses.values() if glass.socket == socket), None)

    def is_vacant(self, socket: str) -> bool:
        """Nothing stands in a socket or lies across it."""
        return not any(
            glass.socket == socket or (glass.straddles is not None and socket in glass.straddles)
            for glass in self.glasses.values()
        )

    def is_full(self, socket: str) -> bool:
        return len(self.stacks[socket]) >= CAPACITY[socket]

    def held_by(self, hand: Player) -> list[Glass]:
        """The travelling glasses in a side's hands."""
        return [glass for glass in self.glasses.values() if glass.hand == hand and glass.name != TIMER]

    def rings_of(self, owner: Player) -> int:
        """All rings of one side, wherever they are: always 32."""
        on_board = sum(stack.count(owner) for stack in self.stacks.values())
        return self.holders[owner] + on_board + sum(rings.count(owner) for rings in self.in_hand.values())

    def contact(self, kind: InputKind, name: str, sockets: Literal["reed", "hall"] = "reed") -> EdgeValue:
        """What a perfect sensor says now."""
        match kind:
            case "socket":
                glass = self._magnet_at(name)
                if sockets == "reed":
                    return glass is not None
                return None if glass is None else ("N" if glass.up == "a" else "S")
            case "tilt":
                return self.glasses[name].up
            case "ring":
                return len(self.stacks[name])
            case "holder":
                return self.holders["red" if name == "red" else "black"]
            case "button":
                return name in self.pressed
            case "cap":
                raise ValueError("whether a cap is heard is no contact")

    def _magnet_at(self, socket: str) -> Glass | None:
        passing = None
        for glass in self.glasses.values():
            if glass.socket == socket or (glass.straddles is not None and socket in glass.straddles):
                return glass
            if glass.hovers == socket:
                passing = glass
        return passing

    # -- acts --------------------------------------------------------------------------------------------------------

    def apply(self, act: Act, now_ms: int) -> tuple[Input, ...]:
        """Do `act` and return the inputs it may have changed. `ImpossibleAct`, and nothing done, if it cannot be."""
        match act:
            case Lift():
                return self._lift(act)
            case Turn():
                glass = self._held(act.glass)
                glass.sand.turn_over(now_ms)
                return (("tilt", glass.name), *_sockets(glass.hovers))
            case Hover():
                glass = self._held(act.glass)
                before, glass.hovers = glass.hovers, act.socket
                return _sockets(before, act.socket)
            case Leave():
                glass = self._held(act.glass)
                before, glass.hovers = glass.hovers, None
                return _sockets(before)
            case Seat():
                return self._seat(act)
            case Straddle():
                return self._straddle(act)
            case LayAside():
                glass = self._held(act.glass)
                before = glass.hovers
                glass.hand = glass.hovers = None
                return _sockets(before)
            case Knock():
                return ()
            case TakeRing() | DropRing() | PickRing() | ReturnRing():
                return self._ring(act)
            case Press():
                if act.button not in BUTTONS or act.button in self.pressed:
                    raise ImpossibleAct(f"the button {act.button} cannot be pressed: there is none, or it is down")
                self.pressed.add(act.button)
                return (("button", act.button),)
            case Release():
                if act.button not in self.pressed:
                    raise ImpossibleAct(f"the button {act.button} is not down")
                self.pressed.remove(act.button)
                return (("button", act.button),)

    def _held(self, name: str) -> Glass:
        glass = self.glasses[name]
        if glass.hand is None:
            raise ImpossibleAct(f"{name} is in nobody's hand")
        return glass

    def _lift(self, act: Lift) -> tuple[Input, ...]:
        glass = self.glasses[act.glass]
        if glass.hand is not None:
            raise ImpossibleAct(f"{act.glass} is in {glass.hand}'s hand already")
        touched = _sockets(glass.socket, *(glass.straddles or ()))
        glass.lifted_from, glass.hand = glass.socket, act.hand
        glass.socket = glass.straddles = None
        return touched

    def _seat(self, act: Seat) -> tuple[Input, ...]:
        glass = self.glasses[act.glass]
        if glass.name == TIMER:
            raise ImpossibleAct("the timer does not fit into a socket")
        if glass.hand is None and glass.straddles is None:
            raise ImpossibleAct(f"{act.glass} is in nobody's hand")
        before = (glass.hovers, *(glass.straddles or ()))
        if act.socket not in (glass.straddles or ()) and not self.is_vacant(act.socket):
            raise ImpossibleAct(f"{act.socket} is taken: {act.glass} does not fit in")
        glass.socket, glass.hand, glass.hovers, glass.straddles = act.socket, None, None, None
        glass.stood[act.socket] = glass.up
        return _sockets(act.socket, *before)

    def _straddle(self, act: Straddle) -> tuple[Input, ...]:
        glass = self._held(act.glass)
        if glass.name == TIMER or not all(self.is_vacant(socket) for socket in act.sockets):
            raise ImpossibleAct(f"{act.glass} cannot lie across {' and '.join(act.sockets)}")
        before = glass.hovers
        glass.straddles, glass.hand, glass.hovers = act.sockets, None, None
        return _sockets(before, *act.sockets)

    def _ring(self, act: TakeRing | DropRing | PickRing | ReturnRing) -> tuple[Input, ...]:
        held = self.in_hand[act.hand]
        match act:
            case TakeRing():
                if not self.holders[act.holder]:
                    raise ImpossibleAct(f"{act.holder}'s holder is empty")
                self.holders[act.holder] -= 1
                self.in_hand[act.hand] = (*held, act.holder)
                return (("holder", act.holder),)
            case PickRing():
                if not self.stacks[act.socket]:
                    raise ImpossibleAct(f"there is no ring around {act.socket}")
                *rest, ring = self.stacks[act.socket]
                self.stacks[act.socket], self.in_hand[act.hand] = tuple(rest), (*held, ring)
                return (("ring", act.socket),)
            case DropRing():
                if not held:
                    raise ImpossibleAct(f"{act.hand} has no ring in hand")
                if self.is_full(act.socket):
                    raise ImpossibleAct(f"no further ring fits around {act.socket}")
                self.stacks[act.socket], self.in_hand[act.hand] = (*self.stacks[act.socket], held[-1]), held[:-1]
                return (("ring", act.socket),)
            case ReturnRing():
                if not held:
                    raise ImpossibleAct(f"{act.hand} has no ring in hand")
                self.holders[held[-1]] += 1
                self.in_hand[act.hand] = held[:-1]
                return (("holder", held[-1]),)


def _sockets(*names: str | None) -> tuple[Input, ...]:
    return tuple(("socket", name) for name in dict.fromkeys(names) if name is not None)
