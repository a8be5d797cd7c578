"""From settled changes to gestures: which glass stands where, which is in hand, and which turning belongs to what.

Source: sensing.md, "Which glass"; rules.md, "Levels", *Turned over*. Where a change can only be understood by what
follows it (a turning just before a lift or just after a placing, two sockets that close at once) the answer is
looked up ahead, or `Blocked` until it can be: it never depends on when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Protocol

import attrs

from tamsk_pi.rules.board import GLASSES, NEIGHBOURS, TIMER, Player, opponent, owner_of
from tamsk_pi.rules.sand import other_end
from tamsk_pi.sensing.gestures import Blocked, Gesture, HolderCount, Lift, Oddity, Place, RingCount, SandTold, Turn
from tamsk_pi.sensing.order import FOREVER_MS, Order
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.sensing.settle import Change

FIELD_UP: Final[Mapping[object, str]] = {"N": "a", "S": "b"}
"""The end that is up, by the field that a hall socket tells."""

BY_HAND: Final = 2
"""No hand drops or takes more rings than this at once."""

UNDECIDED_MS: Final = 1_000
"""So long anything else waits for where a glass goes that was lifted again before it was released."""

TOGETHER_MS: Final = 1_000
"""A ring, or the press for it, may come so long before its glass."""


class Judge(Protocol):
    """What the hands must know of the rules to tell glasses in hand apart."""

    def would_be_legal(self, glass: str, socket: str) -> bool:
        """Whether placing that glass in hand there now would be a legal move or put it back, turning not looked at."""
        ...

    def to_move(self) -> Player:
        """Whose turn it is."""
        ...

    def would_move(self, glass: str, socket: str, mover: Player) -> bool:
        """Whether placing that glass in hand there in `mover`'s turn would be a legal move, turning not looked at."""
        ...

    def suppose_lifted(self, glass: str, t_ms: int) -> None:
        """Answer as if that glass, which stands, were lifted at `t_ms`, until `forget_supposed`."""
        ...

    def forget_supposed(self, glass: str) -> None:
        """That glass stands."""
        ...

    def suppose_to_move(self, mover: Player) -> None:
        """Answer as if it were that side's turn."""
        ...

    def misses_ring(self, socket: str) -> bool:
        """Whether a ring that was taken off is to be put back there."""
        ...

    def next_deadline_ms(self) -> int | None:
        """When something falls due if nothing is done."""
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
        self.placed_ms: dict[str, int] = {}
        """Since when each glass that stands has stood there."""
        self.unexplained: set[str] = set()
        """Sockets that closed without a glass in hand; ignored until they open."""
        self.dead: set[str] = set()
        """Sockets that are not listened to, by the arbiter's word."""
        self.unheard: set[str] = set()
        """Glasses whose radio caps do not tell of turnings: trusted as where there is no tilt sensor."""
        self._early: dict[str, int] = {}
        """Glass to the number of turnings that belong to the lift about to come."""
        self._late: set[tuple[str, int]] = set()
        """Turnings (glass, time) that belong to a placing already told."""
        self._told_apart_ms: int | None = None
        """The closing of which it is known that it was the one of several where the glass was put down."""
        self._at_once_ms: int | None = None
        """When the first of several sockets closed at once that nothing can be told of yet."""
        self._passed_over: set[tuple[str, int]] = set()
        """Closings (socket, time) that were not where the glass was put down in the end."""
        self.unsure: set[tuple[str, str]] = set()
        """Inputs (kind, name) that had not settled when judging was cut short."""
        self.unjudged: dict[str, str] = {}
        """Glass to the socket where it settled without being judged, as judging was cut short."""

    def start(self, standing: Mapping[str, str], up: Mapping[str, str], t_ms: int) -> None:
        """Begin with these glasses standing (glass to socket); the others are in hand and came from nowhere."""
        self.standing = {socket: glass for glass, socket in standing.items()}
        self.up = {g: up[g] for g in GLASSES}
        self.in_hand = {g: Handling(t_ms, None, up[g]) for g in GLASSES if g not in standing}
        self.unexplained.clear()
        self._early.clear()
        self._late.clear()
        self._passed_over.clear()
        self.unjudged.clear()

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
                return self._rings(change, order, judge)
            case "holder":
                before, left = _count(change.before), _count(change.value)
                return [HolderCount(change.t_ms, change.name, before, left, at_once=abs(left - before) > BY_HAND)]
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

    def lay_beside(self, glass: str, up: str) -> None:
        """A glass in hand is one that has not been on the board again, as it lay with `up` up."""
        self.in_hand[glass].socket, self.in_hand[glass].up = None, up

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

    def take_over(self, glass: str, up: str) -> bool:
        """A cap that is heard again tells which end is up; whether that is another than was believed."""
        if self.up[glass] == up:
            return False
        self.turn_unseen(glass)
        return True

    def _senses_tilt(self, glass: str) -> bool:
        return self._settings.senses_tilt and glass not in self.unheard

    def _senses_turning(self, glass: str) -> bool:
        return self._settings.senses_turning and (self._settings.sockets == "hall" or glass not in self.unheard)

    # -- turnings

    def _tilt(self, change: Change, order: Order) -> list[Gesture] | Blocked:
        t_ms, glass = change.t_ms, change.name
        if glass == TIMER:
            return [Turn(t_ms, TIMER, "in_hand")]
        if not self._senses_tilt(glass):
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
            # A field that changes sides at once is a lift too.
            if later.name == socket and (not later.value or later.before):
                self._early[glass] = self._early.get(glass, 0) + 1
                self.up[glass] = other_end(self.up[glass])
                return [Turn(t_ms, glass, "before_lift", later.t_ms)]
        if not order.is_certain(until_ms, "socket", socket):
            return Blocked(until_ms)
        return [Oddity(t_ms, "fault", "tilt_without_lift", {"glass": glass, "socket": socket})]

    def _by_lifting(self) -> list[str]:
        """The glasses in hand, the one lifted first before the others; those beside the board were not lifted yet."""
        return sorted(self.in_hand, key=lambda glass: self.in_hand[glass].socket is None)

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
        candidates = self._by_lifting()
        if not candidates:
            self.unexplained.add(socket)
            return [Oddity(t_ms, "fault", "unexpected_closed", {"socket": socket})]
        if len(candidates) == 1 and self._told_apart_ms != t_ms:
            told = self._one_of_several(change, candidates[0], order)
            if isinstance(told, Blocked):
                return told
            if (socket, t_ms) in self._passed_over:
                self._passed_over.discard((socket, t_ms))
                return told
            if told and self._told_apart_ms == t_ms:
                # The fault is told at once; where the glass went is asked again.
                order.delay(t_ms, told[0])
        if self._waits_for_turning(change, candidates, order, judge):
            return Blocked(t_ms + self._settings.flip_grace_ms)
        glass, sure = self._which(candidates, socket, judge, (t_ms, order))
        rested = self._only_rested(change, glass, order, judge)
        if isinstance(rested, Blocked):
            return rested
        if rested:
            return []
        placed = self._place(t_ms, glass, socket, change.value, order, judge)
        if isinstance(placed, Blocked):
            return placed
        self._at_once_ms = self._told_apart_ms = None
        if not sure:
            details = {"socket": socket, "glass": glass, "in_hand": sorted(candidates)}
            return [Oddity(t_ms, "notice", "ambiguous", details), placed]
        return [placed]

    def _waits_for_turning(self, closing: Change, candidates: list[str], order: Order, judge: Judge) -> bool:
        """Whether only glasses beside the board may be meant, and the one that is turned over late would tell."""
        beside = [g for g in candidates if self.in_hand[g].socket is None]
        legal = [g for g in candidates if judge.would_be_legal(g, closing.name)]
        return (
            len(legal) > 1
            and set(legal) <= set(beside)
            and self._settings.senses_tilt
            and not any(self.in_hand[g].turned for g in beside)
            and not order.is_certain(closing.t_ms + self._settings.flip_grace_ms, "tilt")
        )

    def _only_rested(self, closing: Change, glass: str, order: Order, judge: Judge) -> bool | Blocked:
        """Whether the glass that closed a socket was on its way: lifted again before it was released, and set down
        elsewhere.

        While it is in hand again nobody can know. Nothing waits for that longer than `UNDECIDED_MS`: it counts as on
        its way once anything else comes.
        """
        t_ms, socket = closing.t_ms, closing.name
        released_ms = t_ms + self._settings.release_ms - 1
        lifted = next(
            (c for c in order.ahead("socket", released_ms) if c.name == socket and not c.value and c.t_ms > t_ms), None
        )
        if lifted is None:
            sure = ("socket", socket) not in self.unsure and order.is_certain(released_ms, "socket", socket)
            return False if sure else Blocked(released_ms)
        known = [order.is_certain(lifted.t_ms, kind) for kind in ("socket", "ring", "holder")]
        if not all(known):
            return Blocked(lifted.t_ms)
        if self._was_relied_on(closing, lifted, glass, order):
            return False
        return self._went_on(closing, lifted, glass, order, judge)

    def _was_relied_on(self, closing: Change, lifted: Change, glass: str, order: Order) -> bool:
        """Whether the other side lifted a glass, or a ring came for it, while a glass stood where it was set down."""
        until_ms = lifted.t_ms - 1
        sockets = order.ahead("socket", lifted.t_ms)
        for other in sockets[sockets.index(closing) + 1 : sockets.index(lifted)]:
            theirs = self.standing.get(other.name)
            if theirs is not None and not other.value and owner_of(theirs) != owner_of(glass):
                return True
        rings = [r for r in order.ahead("ring", until_ms) if r.t_ms >= closing.t_ms]
        if any(r.name == closing.name and _count(r.value) > _count(r.before) for r in rings):
            return self._settings.rings == "stack"
        holders = [h for h in order.ahead("holder", until_ms) if h.t_ms >= closing.t_ms]
        taken = any(h.name == owner_of(glass) and _count(h.value) < _count(h.before) for h in holders)
        return taken and self._settings.rings == "holder"

    def _went_on(self, closing: Change, lifted: Change, glass: str, order: Order, judge: Judge) -> bool | Blocked:
        with self._looking_ahead(judge) as lift:
            landed = self._landing(closing, lifted, glass, order, judge, lift)
        if isinstance(landed, Blocked):
            return landed
        until_ms = lifted.t_ms + UNDECIDED_MS
        landed_ms = order.horizon_ms() if landed is None else landed.t_ms
        if landed is None and not order.is_certain(until_ms, "socket"):
            return Blocked(until_ms)
        due_ms = judge.next_deadline_ms()
        if landed_ms > until_ms and (
            (due_ms is not None and due_ms < landed_ms) or order.tells_of_others(lifted.t_ms, landed_ms, glass)
        ):
            return True
        if landed is None:
            return Blocked(FOREVER_MS if due_ms is None else max(due_ms, until_ms))
        return landed.name != lifted.name

    def _landing(
        self, closing: Change, lifted: Change, glass: str, order: Order, judge: Judge, lift: Callable[[Change], None]
    ) -> Change | Blocked | None:
        """Where a glass is set down next that was lifted again, as far as that is known."""
        down, is_up, taken = set[str](), False, [closing]
        changes = order.ahead("socket", FOREVER_MS)
        for later in changes[changes.index(closing) + 1 :]:
            if later is lifted:
                is_up = True
            elif not later.value:
                lift(later)
            elif not self._still_stands(later.name):
                others = [g for g in self._by_lifting() if g not in down and (is_up or g != glass)]
                stays = self._stays_closed(later, order, taken) if len(others) == 1 else bool(others)
                if stays is None:
                    return None if order.is_told() else Blocked(FOREVER_MS)
                if not stays:
                    continue
                taken.append(later)
                if len(others) > 1 and not order.is_certain(later.t_ms, "tilt"):
                    return Blocked(later.t_ms)
                chosen, _ = self._which(others, later.name, judge, (later.t_ms, order))
                if chosen == glass:
                    return later
                down.add(chosen)
        return None

    @contextmanager
    def _looking_ahead(self, judge: Judge) -> Iterator[Callable[[Change], None]]:
        """Suppose glasses lifted that will be: what it gives takes a socket's opening. All is undone at the end."""
        supposed, to_move = list[str](), judge.to_move()

        def lift(opened: Change) -> None:
            glass = self.standing.get(opened.name)
            if glass is not None and glass not in self.in_hand:
                supposed.append(glass)
                self.in_hand[glass] = Handling(opened.t_ms, opened.name, self.up[glass])
                judge.suppose_lifted(glass, opened.t_ms)

        try:
            yield lift
        finally:
            for glass in supposed:
                del self.in_hand[glass]
                judge.forget_supposed(glass)
            judge.suppose_to_move(to_move)

    def _still_stands(self, socket: str) -> bool:
        return socket in self.standing and self.standing[socket] not in self.in_hand

    def _stays_closed(self, closing: Change, order: Order, taken: list[Change]) -> bool | None:
        """Of several sockets that close at once for one glass: whether this is the one that stays closed.

        None: that cannot be told yet. `taken`: the closings that other glasses account for.
        """
        settle_ms = self._settings.settle_ms["socket"]
        changes = order.ahead("socket", FOREVER_MS)
        lifted = [o.t_ms for o in changes if not o.value and self._still_stands(o.name) and o.t_ms >= closing.t_ms]
        at_once = [
            c
            for c in changes
            if c.value
            and not (lifted and lifted[0] <= c.t_ms)
            and c not in taken
            and not self._still_stands(c.name)
            and abs(c.t_ms - closing.t_ms) <= settle_ms
        ]
        opened = [
            next((o.t_ms for o in changes if o.name == c.name and not o.value and o.t_ms > c.t_ms), FOREVER_MS)
            for c in at_once
        ]
        last_ms = max(opened)
        if len(at_once) > 1 and opened.count(FOREVER_MS) > 1:
            return None
        return opened[at_once.index(closing)] == last_ms

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
        # The placing bears the time of its own closing, so the fault comes with the first of them.
        fault = Oddity(change.t_ms, "fault", "ambiguous_placing", {"glass": glass, "sockets": sorted(closed)})
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
        self._told_apart_ms = left.get(change.name)
        order.delay(cleared_ms, Oddity(cleared_ms, "fault_cleared", "ambiguous_placing", {"glass": glass}))
        return told

    def _closed_at_once(self, change: Change, order: Order, until_ms: int) -> dict[str, int]:
        """The sockets, `change`'s among them, that close up to `until_ms` with only one glass in hand for them all."""
        free_glasses, opened = 0, set[str]()
        found = {change.name: change.t_ms}
        for later in order.ahead("socket", until_ms):
            if later is change or later.name == change.name:
                continue
            if not later.value:
                free_glasses += later.name in self.standing
                opened.add(later.name)
            elif later.before or later.name in self.standing.keys() - opened:
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

    def _which(
        self, candidates: list[str], socket: str, judge: Judge, late: tuple[int, Order] | None = None
    ) -> tuple[str, bool]:
        """The glass that closed `socket`, and whether that is more than the order of lifting says.

        `late`: the time of the closing and the order, to see which glass is turned over just after it.
        """
        legal = [g for g in candidates if judge.would_be_legal(g, socket)]
        soon = set[str]() if late is None else {c.name for c in late[1].ahead("tilt", late[0])}
        turned = [g for g in candidates if self.in_hand[g].turned or g in soon]
        for fitting in (
            [g for g in candidates if self.in_hand[g].socket == socket],
            legal,
            [g for g in candidates if self._home_of(g, judge)[0] in NEIGHBOURS[socket]],
        ):
            if len(fitting) == 1:
                return fitting[0], True
        beside = [g for g in legal if self.in_hand[g].socket is None]
        if legal and beside == legal:
            return self._which_beside(candidates, legal, turned, late), True
        # The one lifted first.
        return (turned[0], True) if len(turned) == 1 else (candidates[0], len(candidates) == 1)

    def _which_beside(
        self, candidates: list[str], legal: list[str], turned: list[str], late: tuple[int, Order] | None
    ) -> str:
        """Of glasses that have not been on the board yet: one that was turned, or is just after; else by name.

        A turned one of the other side may be set down out of turn.
        """
        for fitting in (
            [g for g in turned if g in legal],
            [g for g in turned if self.in_hand[g].socket is None],
            # One that was turned back, as it came off the board again, lies there.
            [g for g in turned if g in legal and self.up[g] != self.in_hand[g].up],
        ):
            if len(fitting) == 1:
                return fitting[0]
        if late is not None and self._settings.senses_tilt:
            t_ms, order = late
            soon = {c.name for c in order.ahead("tilt", t_ms + self._settings.flip_grace_ms)}
            fitting = [g for g in legal if g in soon]
            if len(fitting) == 1:
                return fitting[0]
        return min(legal)

    # -- rings and presses that come with a glass

    def _rings(self, change: Change, order: Order, judge: Judge) -> list[Gesture] | Blocked:
        before, rings = _count(change.before), _count(change.value)
        told = RingCount(change.t_ms, change.name, before, rings, at_once=abs(rings - before) > BY_HAND)
        if told.rings != told.before + 1 or judge.misses_ring(change.name):
            return [told]
        placed_ms = self.move_to_come(change.t_ms, change.name, None, order, judge)
        if isinstance(placed_ms, Blocked):
            return placed_ms
        again = [c for c in order.ahead("ring", placed_ms or 0) if c.name == change.name and c.t_ms > change.t_ms]
        if placed_ms is None or again:
            return [told]
        order.delay(placed_ms, told._replace(t_ms=placed_ms))
        return []

    def move_to_come(
        self, t_ms: int, socket: str | None, mover: str | None, order: Order, judge: Judge
    ) -> int | Blocked | None:
        """When a glass that is in hand now is set down as a move within `TOGETHER_MS`; None if none is.

        `socket`: where it must be set down, None where any socket will do. `mover`: whose move it must be, None for
        the side to move; it may follow a move of the other side.
        """
        if socket in self.standing:
            return None
        with self._looking_ahead(judge) as lift:
            return self._move_to_come(t_ms, socket, mover, order, judge, lift)

    def _move_to_come(
        self,
        t_ms: int,
        socket: str | None,
        mover: str | None,
        order: Order,
        judge: Judge,
        lift: Callable[[Change], None],
    ) -> int | Blocked | None:
        until_ms = t_ms + TOGETHER_MS
        to_move, down, is_broken, taken = judge.to_move(), set[str](), False, list[Change]()
        if socket is None:
            waiting = {g for g in GLASSES if owner_of(g) == mover}
        else:
            waiting = {g for g in self.in_hand if judge.would_move(g, socket, to_move)}
        for closing in order.ahead("socket", until_ms):
            if not waiting:
                return None
            if not closing.value:
                lift(closing)
                continue
            hands = [g for g in self._by_lifting() if g not in down]
            if closing.before or self._still_stands(closing.name) or closing.t_ms < t_ms or not hands:
                continue
            stays = self._stays_closed(closing, order, taken) if len(hands) == 1 else True
            if stays is None:
                return None if order.is_told() else Blocked(FOREVER_MS)
            if not stays:
                continue
            if self._waits_for_turning(closing, hands, order, judge):
                return Blocked(closing.t_ms + self._settings.flip_grace_ms)
            if len(hands) > 1 and not order.is_certain(closing.t_ms, "tilt"):
                return Blocked(closing.t_ms)
            glass, _ = self._which(hands, closing.name, judge, (closing.t_ms, order))
            rested = self._only_rested(closing, glass, order, judge)
            if isinstance(rested, Blocked):
                return rested
            if rested:
                continue
            down.add(glass)
            taken.append(closing)
            moves: bool | Blocked = not is_broken and judge.would_move(glass, closing.name, to_move)
            if moves:
                moves = self._will_be_turned(closing, glass, order, judge)
            if isinstance(moves, Blocked):
                return moves
            if moves and socket in (None, closing.name) and mover in (None, owner_of(glass)):
                return closing.t_ms
            if moves:
                to_move = opponent(to_move)
                judge.suppose_to_move(to_move)
            elif owner_of(glass) == to_move and closing.name not in (
                self._home_of(glass, judge)[0],
                self.in_hand[glass].socket,
            ):
                # What is set down now while that one is to be put back is no move; set down again where it stood
                # wrongly it changes nothing.
                is_broken = True
            waiting = set() if socket is None and owner_of(glass) == mover else waiting - {glass}
        if not waiting or order.is_certain(until_ms, "socket"):
            return None
        return Blocked(until_ms)

    def _will_be_turned(self, closing: Change, glass: str, order: Order, judge: Judge) -> bool | Blocked:
        """Whether a glass will have been turned over once it is set down, as far as its level asks for that."""
        if not self._settings.orientation_matters or not self._senses_turning(glass):
            return True
        home_up = self._home_of(glass, judge)[1]
        field_up = FIELD_UP.get(closing.value)
        if field_up is not None:
            return field_up != home_up
        grace_ms = closing.t_ms + self._settings.flip_grace_ms
        up = self.up[glass]
        for later in order.ahead("tilt", grace_ms):
            if later.name == glass and (later.t_ms <= closing.t_ms or up == home_up):
                up = other_end(up)
        if up == home_up and not order.is_certain(grace_ms, "tilt", glass):
            return Blocked(grace_ms)
        return up != home_up

    def _place(self, t_ms: int, glass: str, socket: str, field: object, order: Order, judge: Judge) -> Place | Blocked:
        home, home_up = self._home_of(glass, judge)
        up, sand, late_ms = self.up[glass], _BY_TILT, None
        sure = ("tilt", glass) not in self.unsure or not self._senses_tilt(glass)
        if not sure and socket != home:
            return Blocked(FOREVER_MS)
        if sure and self._settings.orientation_matters:
            told = self._turned(t_ms, glass, socket != home, home_up, FIELD_UP.get(field), order)
            if isinstance(told, Blocked):
                return told
            up, sand, late_ms = told
        self.up[glass] = up
        if late_ms is not None:
            self._late.add((glass, late_ms))
        self.placed_ms[glass] = t_ms
        self.standing[socket] = glass
        del self.in_hand[glass]
        return Place(t_ms, glass, socket, up, late_ms, sand, sure)

    def _home_of(self, glass: str, judge: Judge) -> tuple[str | None, str]:
        handling = self.in_hand[glass]
        return judge.home_of(glass) or (handling.socket, handling.up)

    def cut_short(self, change: Change, order: Order, judge: Judge) -> list[Gesture]:
        """Judging ends before it can be known what `change` means: only what is certain all the same.

        A glass that settled at home is there; one that settled elsewhere is entered in `unjudged`.
        """
        if change.kind != "socket" or not change.value or not self.in_hand or change.name in self.standing:
            return []
        glass, _ = self._which(self._by_lifting(), change.name, judge)
        if self._home_of(glass, judge)[0] == change.name:
            placed = self._place(change.t_ms, glass, change.name, change.value, order, judge)
            return [] if isinstance(placed, Blocked) else [placed]
        self.unjudged[glass] = change.name
        return []

    def _turned(
        self, t_ms: int, glass: str, away: bool, home_up: str, field_up: str | None, order: Order
    ) -> tuple[str, SandTold, int | None] | Blocked:
        """The end that is up after a placing, how the sand is known to have moved, and the late turning if any."""
        lifted_up, now_up = self.in_hand[glass].up, self.up[glass]
        if not self._senses_turning(glass):
            return now_up, _BY_TILT, None
        if not self._senses_tilt(glass):
            up = field_up or now_up
            return up, _BY_TILT if up == lifted_up else "turned_midway", None
        by_field: SandTold = "never_turned" if field_up == lifted_up else "turned_midway"
        if not (away and now_up == home_up and field_up != now_up):
            # A glass at home lacks no turning, nor does one that is turned already.
            return (now_up, _BY_TILT, None) if field_up in (None, now_up) else (field_up or now_up, by_field, None)
        until_ms = t_ms + self._settings.flip_grace_ms
        for later in order.ahead("tilt", until_ms):
            if later.name == glass and (glass, later.t_ms) not in self._late:
                return other_end(now_up), _BY_TILT, later.t_ms
        if not order.is_certain(until_ms, "tilt", glass):
            return Blocked(until_ms)
        if field_up:
            return field_up, by_field, None
        return now_up, _BY_TILT, None


_BY_TILT: Final[SandTold] = "by_tilt"


def _count(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"a count is a whole number, not {value!r}")
    return value
