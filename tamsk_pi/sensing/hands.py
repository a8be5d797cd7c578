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
from tamsk_pi.sensing.order import FOREVER_MS, Order
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
    """Whether a tilt change was told since the lift."""


class Hands:
    """Follows the six glasses. `standing` and `up` are read by the referee, never written."""

    def __init__(self, settings: Settings) -> None:
        self._settings: Final = settings
        self.standing: dict[str, str] = {}
        """Socket to the glass that stands in it."""
        self.up: dict[str, str] = {g: settings.up[g] for g in GLASSES}
        self.in_hand: dict[str, Handling] = {}
        self.unexplained: set[str] = set()
        """Sockets that closed without a glass in hand; ignored until they open."""
        self.dead: set[str] = set()
        """Sockets that are not listened to, by the arbiter's word."""
        self._early: dict[str, int] = {}
        """Glass to the number of turnings that belong to the lift about to come."""
        self._late: set[tuple[str, int]] = set()
        """Turnings (glass, time) that belong to a placing already told."""
        self._at_once_ms: int | None = None
        """When the first of several sockets closed at once that nothing can be told of yet."""
        self._passed_over: set[tuple[str, int]] = set()
        """Closings (socket, time) that were not where the glass was put down in the end."""

    def start(self, standing: Mapping[str, str], up: Mapping[str, str], t_ms: int) -> None:
        """Begin with these glasses standing (glass to socket); the others are in hand and came from nowhere."""
        self.standing = {socket: glass for glass, socket in standing.items()}
        self.up = {g: up[g] for g in GLASSES}
        self.in_hand = {g: Handling(t_ms, None, up[g]) for g in GLASSES if g not in standing}
        self.unexplained.clear()
        self._early.clear()
        self._late.clear()
        self._passed_over.clear()

    def take(self, change: Change, order: Order, judge: Judge) -> list[Gesture] | Blocked:
        """What the earliest settled change means; `Blocked` leaves everything as it was."""
        match change.kind:
            case "tilt":
                return self._tilt(change, order)
            case "socket":
                if not change.value:
                    return self._opened(change)
                if change.name in self.standing:
                    return self._seen_standing(change, order, judge)
                return [] if change.before else self._closed(change, order, judge)
            case "ring":
                return [RingCount(change.t_ms, change.name, _count(change.before), _count(change.value))]
            case "holder":
                return [HolderCount(change.t_ms, change.name, _count(change.before), _count(change.value))]
            case "button" | "cap":
                raise ValueError(f"a {change.kind}'s changes are no gesture of the hands")

    def untrusted(self) -> list[str]:
        """Sockets whose state can't be explained now, as `socket:NAME`."""
        return sorted(f"socket:{s}" for s in self.unexplained)

    # -- by word, or unseen

    def place_by_word(self, t_ms: int, glass: str, socket: str, *, turned: bool) -> list[Gesture] | None:
        """The arbiter says that `glass` was lifted and set down in `socket`; None where another one stands there."""
        if self.standing.get(socket, glass) != glass:
            return None
        told: list[Gesture] = []
        if glass not in self.in_hand:
            told.append(self._lift(t_ms, glass, self._socket_of(glass)))
        handling = self.in_hand.pop(glass)
        up = other_end(handling.up) if turned else handling.up
        sand: SandTold = _BY_TILT
        if self.up[glass] != up:
            sand = "turned_midway" if turned else "never_turned"
        self.up[glass] = up
        self.standing[socket] = glass
        self.unexplained.discard(socket)
        return [*told, Place(t_ms, glass, socket, up, None, sand)]

    def turn_unseen(self, glass: str) -> None:
        """A glass was turned over while nothing was judged."""
        self.up[glass] = other_end(self.up[glass])
        if glass in self.in_hand:
            self.in_hand[glass].up = self.up[glass]

    def rehouse(self, housed: Mapping[str, str], came_from: Mapping[str, str | None], t_ms: int) -> None:
        """After nothing was judged for a while: `housed` glasses (to sockets) stand there now.

        The others of `came_from` (glass to the socket it left) are in hand.
        """
        loose = {g: self.in_hand.get(g) for g in came_from}
        self.standing = {s: g for s, g in self.standing.items() if g not in came_from}
        self.standing |= {socket: glass for glass, socket in housed.items()}
        self.in_hand = {
            g: Handling(h.lifted_ms if h else t_ms, came_from[g], h.up if h else self.up[g])
            for g, h in loose.items()
            if g not in housed
        }
        self._early.clear()
        self._late.clear()

    # -- turnings

    def _tilt(self, change: Change, order: Order) -> list[Gesture] | Blocked:
        t_ms, glass = change.t_ms, change.name
        if glass == TIMER:
            return [Turn(t_ms, TIMER, "in_hand")]
        if not self._settings.senses_tilt:
            if self._settings.tilt and glass in self.in_hand:
                # At level 1 it does not matter which end is up, but it still tells which glass is in hand.
                self.in_hand[glass].turned = True
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
        for later in order.ahead("socket", until_ms):
            if later.name == socket and not later.value:
                self._early[glass] = self._early.get(glass, 0) + 1
                self.up[glass] = other_end(self.up[glass])
                return [Turn(t_ms, glass, "before_lift", later.t_ms)]
        if not order.is_certain(until_ms, "socket", socket):
            return Blocked(until_ms)
        return [Oddity(t_ms, "fault", "tilt_without_lift", {"glass": glass, "socket": socket})]

    def _socket_of(self, glass: str) -> str:
        return next(s for s, g in self.standing.items() if g == glass)

    # -- lifts

    def _opened(self, change: Change) -> list[Gesture]:
        t_ms, socket = change.t_ms, change.name
        glass = self.standing.get(socket)
        if glass is not None:
            return [self._lift(t_ms, glass, socket)]
        if socket in self.unexplained:
            self.unexplained.discard(socket)
            return [Oddity(t_ms, "fault_cleared", "unexpected_closed", {"socket": socket})]
        return []

    def _lift(self, t_ms: int, glass: str, socket: str) -> Lift:
        early = self._early.pop(glass, 0)
        up = self.up[glass] if early % 2 == 0 else other_end(self.up[glass])
        del self.standing[socket]
        self.in_hand[glass] = Handling(t_ms, socket, up)
        return Lift(t_ms, glass, socket, up)

    # -- placings

    def _seen_standing(self, change: Change, order: Order, judge: Judge) -> list[Gesture] | Blocked:
        # Either the field has changed sides, or the sensor is late to see a glass that the arbiter has placed.
        up = FIELD_UP.get(change.value)
        if up is None or (not change.before and up == self.up[self.standing[change.name]]):
            return []
        return self._turned_at_once(change, order, judge)

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
        if (socket, t_ms) in self._passed_over:
            self._passed_over.discard((socket, t_ms))
            return []
        candidates = list(self.in_hand)
        if not candidates:
            self.unexplained.add(socket)
            return [Oddity(t_ms, "fault", "unexpected_closed", {"socket": socket})]
        before: list[Gesture] = []
        if len(candidates) == 1:
            told = self._one_of_several(change, candidates[0], order)
            if isinstance(told, Blocked):
                return told
            before = told
            if (socket, t_ms) in self._passed_over:
                self._passed_over.discard((socket, t_ms))
                return before
        glass, sure = self._which(candidates, socket, judge)
        placed = self._place(t_ms, glass, socket, change.value, order, judge)
        if isinstance(placed, Blocked):
            return placed
        self._at_once_ms = None
        if not sure:
            details = {"socket": socket, "glass": glass, "in_hand": sorted(candidates)}
            before = [*before, Oddity(t_ms, "notice", "ambiguous", details)]
        return [*before, placed]

    def _one_of_several(self, change: Change, glass: str, order: Order) -> list[Gesture] | Blocked:
        """Where several sockets close at once for one glass in hand: wait until all but one have opened again.

        The ones that were not it are entered in `_passed_over`. Nothing to tell where only one closes.
        """
        settle_ms = self._settings.settle_ms["socket"]
        if not order.is_certain(change.t_ms + settle_ms, "socket"):
            return Blocked(change.t_ms + settle_ms)
        closed = self._closed_at_once(change, order, change.t_ms + settle_ms)
        if len(closed) == 1:
            return []
        fault = Oddity(max(closed.values()), "fault", "ambiguous_placing", {"glass": glass, "sockets": sorted(closed)})
        told: list[Gesture] = [] if self._at_once_ms == change.t_ms else [fault]
        self._at_once_ms = change.t_ms
        left, cleared_ms = dict(closed), change.t_ms
        for opened in order.ahead("socket", FOREVER_MS):
            if opened.value or opened.name not in left or opened.t_ms <= left[opened.name]:
                continue
            if len(left) == 1 and opened.t_ms > cleared_ms + settle_ms:
                # It had stayed closed; this is the next lift.
                break
            del left[opened.name]
            cleared_ms = opened.t_ms
        if len(left) > 1:
            return Blocked(FOREVER_MS, fault if told else None, by_hands=True)
        # The one that is left may be about to open too: then the glass was picked up again and has not been placed.
        if left and not order.is_certain(cleared_ms + settle_ms, "socket", next(iter(left))):
            return Blocked(cleared_ms + settle_ms, fault if told else None)
        self._passed_over |= {(s, closed_ms) for s, closed_ms in closed.items() if s not in left}
        return [*told, Oddity(cleared_ms, "fault_cleared", "ambiguous_placing", {"glass": glass})]

    def _closed_at_once(self, change: Change, order: Order, until_ms: int) -> dict[str, int]:
        """The sockets, `change`'s among them, that close up to `until_ms` with only one glass in hand for them all."""
        free_glasses = 0
        found = {change.name: change.t_ms}
        for later in order.ahead("socket", until_ms):
            if later is change or later.name == change.name:
                continue
            if not later.value:
                free_glasses += later.name in self.standing
            elif later.before:
                continue
            elif free_glasses:
                free_glasses -= 1
            else:
                found[later.name] = later.t_ms
        return found

    def give_up(self, change: Change) -> None:
        """The arbiter speaks while several sockets are closed for one glass: it counts as still in hand."""
        self._at_once_ms = None
        self._passed_over.add((change.name, change.t_ms))
        self.unexplained.add(change.name)

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
        # The one lifted first: `in_hand` is in the order of lifting.
        return candidates[0], len(candidates) == 1

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
        if not self._settings.senses_turning:
            return now_up, _BY_TILT, None
        if not self._settings.senses_tilt:
            up = field_up or now_up
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
