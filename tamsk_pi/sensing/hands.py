"""From settled changes to gestures: which glass stands where, which is in hand, and which turning belongs to what.

Source: sensing.md, "Which glass"; rules.md, "Levels", *Turned over*. Where a change can only be understood by what
follows it (a turning just before a lift or just after a placing, two sockets that close at once) the answer is
looked up ahead, or `Blocked` until it can be: it never depends on when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

import attrs

from tamsk_pi.rules.board import GLASSES, TIMER, owner_of
from tamsk_pi.rules.sand import other_end
from tamsk_pi.sensing.gestures import Blocked, Gesture, HolderCount, Lift, Oddity, Place, RingCount, SandTold, Turn
from tamsk_pi.sensing.order import Noise, Order
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.sensing.settle import Change

FIELD_UP: Final[Mapping[object, str]] = {"N": "a", "S": "b"}
"""The end that is up, by the field that a hall socket tells."""


class Judge(Protocol):
    """What the hands must know of the rules to tell glasses in hand apart."""

    def would_be_legal(self, glass: str, socket: str) -> bool:
        """Whether placing that glass in hand there now would be a legal move or put it back, turning not looked at."""
        ...

    def home_of(self, glass: str) -> tuple[str | None, str] | None:
        """Where a glass that has to be put back belongs, and which end was up there; None for any other glass."""
        ...


@attrs.define
class Handling:
    """A glass in hand."""

    lifted_ms: int
    socket: str | None
    """Where it was lifted; None for a glass that has not been on the board yet."""
    up: str
    """The end that was up before this handling."""
    turned: bool = False
    """Whether a tilt change was told since (or just before) the lift."""
    closed: dict[str, int] = attrs.field(factory=dict)
    """While it can't be told where it was put down: the sockets that closed, and when."""


class Hands:
    """Follows the six glasses. `standing` and `up` are read by the referee, never written."""

    def __init__(self, settings: Settings) -> None:
        self._settings: Final = settings
        self._hall: Final = settings.sockets == "hall"
        self.standing: dict[str, str] = {}
        """Socket to the glass that stands in it."""
        self.up: dict[str, str] = {g: settings.up[g] for g in GLASSES}
        self.in_hand: dict[str, Handling] = {}
        self._unexplained: set[str] = set()
        """Sockets that closed without a glass in hand; ignored until they open."""
        self._early: dict[str, int] = {}
        """Glass to the number of turnings that belong to the lift about to come."""
        self._late: set[tuple[str, int]] = set()
        """Turnings (glass, time) that belong to a placing already told."""

    def start(self, standing: Mapping[str, str], up: Mapping[str, str], t_ms: int) -> None:
        """Begin with these glasses standing (glass to socket); the others are in hand and came from nowhere."""
        self.standing = {socket: glass for glass, socket in standing.items()}
        self.up = {g: up[g] for g in GLASSES}
        self.in_hand = {g: Handling(t_ms, None, up[g]) for g in GLASSES if g not in standing}
        self._unexplained.clear()
        self._early.clear()
        self._late.clear()

    def take(self, change: Change | Noise, order: Order, judge: Judge) -> list[Gesture] | Blocked:
        """What the earliest settled change means; `Blocked` leaves everything as it was."""
        if isinstance(change, Noise):
            details = {"kind": change.kind, "input": change.name}
            return [Oddity(change.t_ms, "fault" if change.began else "fault_cleared", "noisy", details)]
        match change.kind:
            case "tilt":
                return self._tilt(change, order)
            case "socket":
                if not change.value:
                    return self._opened(change, order, judge)
                if change.before:
                    return self._turned_at_once(change, order, judge) if change.name in self.standing else []
                return self._closed(change, order, judge)
            case "ring":
                return [RingCount(change.t_ms, change.name, _count(change.before), _count(change.value))]
            case "holder":
                return [HolderCount(change.t_ms, change.name, _count(change.before), _count(change.value))]
            case "button":
                raise ValueError("a button's changes are told by Presses")

    def untrusted(self) -> list[str]:
        """Sockets whose state can't be explained now, as `socket:NAME`."""
        between = {s for h in self.in_hand.values() for s in h.closed}
        return sorted(f"socket:{s}" for s in self._unexplained | between)

    # -- turnings

    def _tilt(self, change: Change, order: Order) -> list[Gesture] | Blocked:
        t_ms, glass = change.t_ms, change.name
        if glass == TIMER:
            return [Turn(t_ms, TIMER, "in_hand")]
        if not self._settings.senses_tilt:
            return []
        if (glass, t_ms) in self._late:
            self._late.discard((glass, t_ms))
            return [Turn(t_ms, glass, "after_placing")]
        handling = self.in_hand.get(glass)
        if handling is not None:
            handling.turned = True
            self.up[glass] = other_end(self.up[glass])
            return [Turn(t_ms, glass, "in_hand")]
        socket = self._socket_of(glass)
        until_ms = t_ms + self._settings.flip_grace_ms
        if any(c.name == socket and not c.value for c in order.ahead("socket", until_ms)):
            self._early[glass] = self._early.get(glass, 0) + 1
            self.up[glass] = other_end(self.up[glass])
            return [Turn(t_ms, glass, "before_lift")]
        if not order.is_certain(until_ms, "socket", socket):
            return Blocked(until_ms)
        return [Oddity(t_ms, "fault", "tilt_without_lift", {"glass": glass, "socket": socket})]

    def _socket_of(self, glass: str) -> str:
        return next(s for s, g in self.standing.items() if g == glass)

    # -- lifts

    def _opened(self, change: Change, order: Order, judge: Judge) -> list[Gesture] | Blocked:
        t_ms, socket = change.t_ms, change.name
        glass = self.standing.get(socket)
        if glass is not None:
            return [self._lift(t_ms, glass, socket)]
        if socket in self._unexplained:
            self._unexplained.discard(socket)
            return [Oddity(t_ms, "fault_cleared", "unexpected_closed", {"socket": socket})]
        for glass, handling in self.in_hand.items():
            if socket in handling.closed:
                return self._one_of_several_opened(change, glass, handling, order, judge)
        return []

    def _lift(self, t_ms: int, glass: str, socket: str) -> Lift:
        early = self._early.pop(glass, 0)
        up = self.up[glass] if early % 2 == 0 else other_end(self.up[glass])
        del self.standing[socket]
        self.in_hand[glass] = Handling(t_ms, socket, up, turned=early > 0)
        return Lift(t_ms, glass, socket, up)

    def _one_of_several_opened(
        self, change: Change, glass: str, handling: Handling, order: Order, judge: Judge
    ) -> list[Gesture] | Blocked:
        remaining = [s for s in handling.closed if s != change.name]
        if len(remaining) > 1:
            del handling.closed[change.name]
            return []
        if len(remaining) == 1:
            # The other one may be about to open too: then the glass was picked up again and has not been placed.
            until_ms = change.t_ms + self._settings.settle_ms["socket"]
            if not any(c.name == remaining[0] and not c.value for c in order.ahead("socket", until_ms)):
                if not order.is_certain(until_ms, "socket", remaining[0]):
                    return Blocked(until_ms)
                field = order.input("socket", remaining[0]).settled
                told = self._place(handling.closed[remaining[0]], glass, remaining[0], field, order, judge)
                if isinstance(told, Blocked):
                    return told
                return [
                    Oddity(change.t_ms, "fault_cleared", "ambiguous_placing", {"glass": glass, "socket": remaining[0]}),
                    told,
                ]
            del handling.closed[change.name]
            return []
        handling.closed.clear()
        return [Oddity(change.t_ms, "fault_cleared", "ambiguous_placing", {"glass": glass})]

    # -- placings

    def _turned_at_once(self, change: Change, order: Order, judge: Judge) -> list[Gesture] | Blocked:
        # A hall socket whose field changes sides in one go: a lift and a placing at the same time.
        glass = self.standing[change.name]
        before = (dict(self._early), dict(self.in_hand), dict(self.standing), dict(self.up))
        lift = self._lift(change.t_ms, glass, change.name)
        told = self._place(change.t_ms, glass, change.name, change.value, order, judge)
        if isinstance(told, Blocked):
            self._early, self.in_hand, self.standing, self.up = before
            return told
        return [lift, told]

    def _closed(self, change: Change, order: Order, judge: Judge) -> list[Gesture] | Blocked:
        t_ms, socket = change.t_ms, change.name
        for glass, handling in self.in_hand.items():
            if socket in handling.closed:
                # Announced together with the first of the sockets that closed at once.
                return [
                    Oddity(t_ms, "fault", "ambiguous_placing", {"glass": glass, "sockets": sorted(handling.closed)})
                ]
        candidates = [g for g, h in self.in_hand.items() if not h.closed]
        if not candidates:
            self._unexplained.add(socket)
            return [Oddity(t_ms, "fault", "unexpected_closed", {"socket": socket})]
        if len(candidates) == 1:
            at_once = self._closed_at_once(change, order)
            if isinstance(at_once, Blocked):
                return at_once
            if at_once:
                self.in_hand[candidates[0]].closed = {socket: t_ms} | at_once
                return []
        glass, sure = self._which(candidates, socket, judge)
        told = self._place(t_ms, glass, socket, change.value, order, judge)
        if isinstance(told, Blocked):
            return told
        if sure:
            return [told]
        return [
            Oddity(t_ms, "notice", "ambiguous", {"socket": socket, "glass": glass, "in_hand": sorted(candidates)}),
            told,
        ]

    def _closed_at_once(self, change: Change, order: Order) -> dict[str, int] | Blocked:
        """Further sockets that close within a settle time of `change` with no glass in hand left for them."""
        until_ms = change.t_ms + self._settings.settle_ms["socket"]
        if not order.is_certain(until_ms, "socket"):
            return Blocked(until_ms)
        free_glasses = 0
        found: dict[str, int] = {}
        for later in order.ahead("socket", until_ms):
            if later is change or later.name == change.name:
                continue
            if not later.value:
                free_glasses += later.name in self.standing
            elif later.before and later.name in self.standing:
                continue
            elif free_glasses:
                free_glasses -= 1
            else:
                found[later.name] = later.t_ms
        return found

    def _which(self, candidates: list[str], socket: str, judge: Judge) -> tuple[str, bool]:
        """The glass that closed `socket`, and whether that is more than the order of lifting says."""
        from_here = [g for g in candidates if self.in_hand[g].socket == socket]
        legal = [g for g in candidates if judge.would_be_legal(g, socket)]
        turned = [g for g in candidates if self.in_hand[g].turned]
        for fitting in (from_here, legal, turned, [g for g in turned if g in legal]):
            if len(fitting) == 1:
                return fitting[0], True
        if legal and all(self.in_hand[g].socket is None for g in legal) and len({owner_of(g) for g in legal}) == 1:
            # Glasses of one colour that have not been on the board yet are as good as each other.
            return min(legal), True
        return min(candidates, key=lambda g: (self.in_hand[g].lifted_ms, g)), len(candidates) == 1

    def _place(self, t_ms: int, glass: str, socket: str, field: object, order: Order, judge: Judge) -> Place | Blocked:
        handling = self.in_hand[glass]
        home, home_up = judge.home_of(glass) or (handling.socket, handling.up)
        up, sand, late_ms = self.up[glass], _BY_TILT, None
        if self._settings.orientation_matters:
            told = self._turned(t_ms, glass, socket != home, home_up, FIELD_UP.get(field), order)
            if isinstance(told, Blocked):
                return told
            up, sand, late_ms = told
        self.up[glass] = up
        if late_ms is not None:
            self._late.add((glass, late_ms))
        self.standing[socket] = glass
        del self.in_hand[glass]
        return Place(t_ms, glass, socket, up, late_ms, sand)

    def _turned(
        self, t_ms: int, glass: str, away: bool, home_up: str, field_up: str | None, order: Order
    ) -> tuple[str, SandTold, int | None] | Blocked:
        """The end that is up after a placing, how the sand is known to have moved, and the late turning if any."""
        lifted_up, now_up = self.in_hand[glass].up, self.up[glass]
        if not self._settings.senses_tilt:
            up = field_up or (other_end(home_up) if away else home_up)
            return up, _BY_TILT if up == lifted_up else "turned_midway", None
        lacks = now_up != field_up if field_up else away and now_up == home_up
        if not lacks:
            return now_up, _BY_TILT, None
        until_ms = t_ms + self._settings.flip_grace_ms
        for later in order.ahead("tilt", until_ms):
            if later.name == glass and (glass, later.t_ms) not in self._late:
                return other_end(now_up), _BY_TILT, later.t_ms
        if not order.is_certain(until_ms, "tilt", glass):
            return Blocked(until_ms)
        if field_up:
            return field_up, "never_turned" if field_up == lifted_up else "turned_midway", None
        return now_up, _BY_TILT, None


_BY_TILT: Final[SandTold] = "by_tilt"


def _count(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"a count is a whole number, not {value!r}")
    return value
