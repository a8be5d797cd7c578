"""Looks on while a session judges, and keeps of each of the last rulings what it rests on, in bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

import attrs

from tamsk_pi.explain.before import Before, as_it_is
from tamsk_pi.explain.edge_log import Burst, EdgeLog
from tamsk_pi.explain.moment import Ended, Handling, Moment, Opening
from tamsk_pi.referee.game import Game
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.words import Word
from tamsk_pi.rules.board import TIMER, Player, opponent, owner_of, player_named
from tamsk_pi.sensing.edges import HOLDERS, Edge, InputKind
from tamsk_pi.sensing.gestures import HolderCount, Lift, Oddity, Place, Press, RingCount, Turn
from tamsk_pi.sensing.hands import TOGETHER_MS
from tamsk_pi.sensing.presses import HELD_MS
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.sensing.settle import NOISY_WINDOW_MS, WEAK_WINDOW_MS
from tamsk_pi.session import Begun, Cause, Deadline, Session
from tamsk_pi.trace import LinkDown, LinkUp, TraceReader

KEPT: Final = 64
"""So many of the last rulings can be explained in a live game; a trace can be asked for any."""

_BY_THE_TIMER: Final = ("timeout", "forfeit")
_LOOKED_BACK_MS: Final = {"noisy": NOISY_WINDOW_MS, "quiet": 2 * NOISY_WINDOW_MS, "weak": WEAK_WINDOW_MS}


class Chronicle:
    """A session's `Witness`. `moments` holds the last `KEPT` rulings, the newest last; `tell` gets each as it comes."""

    def __init__(self, settings: Settings, tell: Callable[[Moment], None] = lambda moment: None) -> None:
        self.settings: Final = settings
        self.moments: Final[deque[Moment]] = deque(maxlen=KEPT)
        self._tell: Final = tell
        self._log: Final = EdgeLog(settings.settle_ms)
        self._count = 0
        self._before: Before | None = None
        self._said_before = 0
        self._handlings: dict[str, Handling] = {}
        """The last handling of each glass."""
        self._timer: tuple[Burst, ...] = ()
        """The edges by which the timer was turned over last."""
        self._turned_before: tuple[Burst, ...] = ()
        """Those of the turning before that, whose sand a turning too soon found running."""
        self._armed: tuple[Burst, ...] = ()
        """Those by which the timer was armed last; turned over again while it runs, it stays armed by them."""
        self._opened: dict[str, Opening] = {}
        """By socket, the last move there: what opened the ring rights for it."""
        self._ended: dict[str, tuple[Ended, ...]] = {}
        """By socket, the rights for the last move there that are open no more."""
        self._owed: dict[Player, tuple[Burst, ...]] = {}
        """By the side that is owed a penalty ring for it, what the last timeout rests on."""
        self._last_move: tuple[Burst, ...] = ()
        self._link_down: LinkDown | None = None

    # -- a `Witness`

    def heard(self, edge: Edge) -> None:
        self._log.add(edge)

    def before(self, game: Game) -> None:
        self._before, self._said_before = as_it_is(game), len(game.said)

    def after(self, cause: Cause, game: Game) -> None:
        before = self._before
        assert before is not None, "`before` comes before `after`"
        handling = self._follow(cause, before)
        bursts: tuple[Burst, ...] | None = None
        for ruling in game.said[self._said_before :]:
            # What follows from what was just said rests on the same, unless it has grounds of its own.
            bursts = self._grounds(cause, ruling, bursts)
            opened = self._openings(ruling, before)
            looked_at = self._begun_with(before) if _had_begun(ruling) else handling
            self._remember(ruling, bursts)
            self._count += 1
            records = tuple(self._records(cause))
            ended = self._ended_for(ruling, before)
            grounds = (*self._what_opened(ruling, opened), *bursts)
            moment = Moment(
                self.settings,
                self._count,
                ruling,
                cause,
                before,
                grounds,
                records,
                looked_at,
                opened=opened,
                ended=ended,
            )
            self.moments.append(moment)
            self._tell(moment)
        self._see_rights_end(cause.t_ms, before, game)

    # -- what is asked

    def rechecked(self) -> Moment | None:
        """The ruling that the last `recheck` means: the one before it that is not itself about looking at the game.

        None where nobody asked, where nothing was ruled before, and once a move was completed since.
        """
        asked = False
        for moment in reversed(self.moments):
            if asked and not _only_looks(moment.ruling):
                return moment
            if not asked and moment.ruling.kind == "move":
                return None
            asked = asked or moment.ruling.get("code") == "recheck"
        return None

    def asked_ms(self) -> int | None:
        """When `recheck` was said last."""
        return next((m.ruling.t_ms for m in reversed(self.moments) if m.ruling.get("code") == "recheck"), None)

    # -- what is remembered

    def _follow(self, cause: Cause, before: Before) -> Handling | None:
        """Remember what later rulings will rest on; the handling that this ends, if it ends one."""
        match cause:
            case Lift(t_ms, glass, socket, up):
                self._handlings[glass] = self._lifted(t_ms, glass, socket, up, before)
            case Turn(t_ms, glass) if glass == TIMER:
                self._turned_before, self._timer = self._timer, self._log.change("tilt", TIMER, t_ms)
            case Place():
                placed = self._handlings[cause.glass] = self._placed(cause, before)
                return placed
            case Word(t_ms, "place", details):
                glass, socket = str(details["glass"]), str(details["socket"])
                self._handlings[glass] = attrs.evolve(
                    self._lifted(t_ms, glass, before.standing[glass], before.sand[glass].up, before),
                    bursts=(),
                    to=socket,
                    placed_ms=t_ms,
                )
                return self._handlings[glass]
            case LinkDown():
                self._link_down = cause
            case Deadline():
                asked = [m for m in before.mends.values() if m.confirm_until_ms == cause.t_ms]
                return next((h for h in self._handlings.values() if asked and h.to == asked[0].stands), None)
        return None

    def _remember(self, ruling: Ruling, bursts: tuple[Burst, ...]) -> None:
        """What later rulings will rest on of this one."""
        match ruling.kind:
            case "move":
                self._last_move = bursts
                socket, player = str(ruling.get("to")), player_named(ruling.get("player"))
                self._opened[socket] = Opening(player, socket, ruling.t_ms, bursts)
            case "timer_started":
                self._armed = bursts
            case "timeout":
                self._owed[opponent(player_named(ruling.get("player")))] = bursts
            case _ if ruling.get("code") == "penalty_corrected":
                # The arbiter's word, and no timeout, is now why it is owed, or is not.
                self._owed.pop(player_named(ruling.get("player")), None)

    def _lifted(self, t_ms: int, glass: str, socket: str | None, up: str, before: Before) -> Handling:
        sand, mend = before.sand[glass], before.mends.get(glass)
        left_ms = sand.left_ms(t_ms)
        return Handling(
            glass=glass,
            lifted_ms=t_ms,
            start=socket,
            up_before=up,
            left_at_lift_ms=left_ms,
            ran=glass not in before.moved or (glass not in before.out and left_ms > 0),
            home=mend.home if mend else socket,
            bursts=self._log.change("socket", socket, t_ms) if socket else (),
        )

    def _placed(self, place: Place, before: Before) -> Handling:
        glass, held = place.glass, before.held.get(place.glass)
        lifted = self._handlings.get(glass)
        if lifted is None or lifted.to is not None:
            # It came from beside the board, or was lifted while nothing was judged.
            lifted = self._lifted(held.lifted_ms if held else place.t_ms, glass, None, place.up, before)
        if held is not None:
            left_ms = held.sand.left_ms(held.lifted_ms)
            ran = held.ran or glass not in before.moved
            lifted = attrs.evolve(lifted, up_before=held.up, left_at_lift_ms=left_ms, ran=ran)
        grace_ms = self.settings.flip_grace_ms
        from_ms, until_ms = lifted.lifted_ms - grace_ms, place.t_ms + grace_ms
        tilts = self._log.between("tilt", glass, from_ms, until_ms) if self.settings.senses_tilt else ()
        return attrs.evolve(
            lifted,
            bursts=(*lifted.bursts, *tilts, *self._log.change("socket", place.socket, place.t_ms)),
            to=place.socket,
            placed_ms=place.t_ms,
            up=place.up,
        )

    # -- what a ruling rests on

    def _grounds(self, cause: Cause, ruling: Ruling, already: tuple[Burst, ...] | None) -> tuple[Burst, ...]:
        match cause:
            case Place() if ruling.get("code") == "must_mend":
                return (*self._to_be_mended(cause.glass), *self._handling_of(cause.glass))
            case Place():
                return self._handling_of(cause.glass)
            case Lift(t_ms, _, socket):
                return self._log.change("socket", socket, t_ms)
            case Turn(t_ms) if ruling.get("code") == "timer_running":
                return (*self._turned_before, *self._log.change("tilt", TIMER, t_ms))
            case Turn(t_ms, glass):
                return self._log.change("tilt", glass, t_ms)
            case RingCount(t_ms, socket):
                return self._lately("ring", socket, t_ms)
            case HolderCount(t_ms, player):
                return self._log.change("holder", player, t_ms)
            case Press(t_ms, who, length):
                began_ms = t_ms - HELD_MS if length in ("held", "both_held") else t_ms
                names = HOLDERS if length == "both_held" else (who,)
                return tuple(b for name in names for b in self._lately("button", name, began_ms))
            case Oddity():
                return tuple(self._oddity(cause))
            case Begun(t_ms):
                return self._log.at(t_ms)
            case Deadline() | LinkUp():
                return self._by_deadline(ruling, already)
            case _:
                return self._taken_back(ruling)

    def _lately(self, kind: InputKind, name: str, t_ms: int) -> tuple[Burst, ...]:
        """What changed at that time, or a moment before where it counts from the placing of its glass."""
        return self._log.change(kind, name, t_ms) or tuple(self._log.between(kind, name, t_ms - TOGETHER_MS, t_ms))

    def _handling_of(self, glass: object) -> tuple[Burst, ...]:
        handling = self._handlings.get(str(glass))
        return handling.bursts if handling else ()

    def _to_be_mended(self, glass: str) -> Iterator[Burst]:
        """What told of the other glasses that are to be put back first."""
        for other in self._before.mends if self._before else ():
            if other != glass:
                yield from self._handling_of(other)

    def _in_hand_or_wrong(self, before: Before | None) -> Iterator[Handling]:
        """By what a turn has begun: the glasses that the side to move holds, then those that are to be put back."""
        if before is None:
            return
        held = [glass for glass in before.held if before.to_move is not None and owner_of(glass) == before.to_move]
        wrong = [glass for glass, mend in before.mends.items() if mend.code != "wrong_glass"]
        yield from (self._handlings[glass] for glass in dict.fromkeys((*held, *wrong)) if glass in self._handlings)

    def _begun_with(self, before: Before) -> Handling | None:
        return next(self._in_hand_or_wrong(before), None)

    def _openings(self, ruling: Ruling, before: Before) -> tuple[Opening, ...]:
        """The moves that opened the rights that a ruling on a ring was given by."""
        if ruling.kind != "ring" and ruling.get("code") != "ring_not_due":
            return ()
        found: dict[Opening, None] = {}
        for right in before.rights:
            used = right.kind == ruling.get("reason") and right.player == ruling.get("player")
            if ruling.kind == "ring" and not used:
                continue
            if right.socket is not None and right.socket in self._opened:
                found[self._opened[right.socket]] = None
            elif right.socket is None:
                found |= {o: None for o in self._opened.values() if o.placed_ms == right.opened_ms}
        if self._ended_for(ruling, before):
            found[self._opened[str(ruling.get("socket"))]] = None
        return tuple(sorted(found, key=lambda opening: opening.placed_ms))

    def _see_rights_end(self, t_ms: int, before: Before, game: Game) -> None:
        """Remember the rights for a socket that are open no more; a ring there may be disputed by them."""
        still = {(right.kind, right.player, right.socket) for right in game.rights}
        for right in before.rights:
            if right.socket is not None and (right.kind, right.player, right.socket) not in still:
                others = (e for e in self._ended.get(right.socket, ()) if e.right.kind != right.kind)
                self._ended[right.socket] = (*others, Ended(right, t_ms))

    def _ended_for(self, ruling: Ruling, before: Before) -> tuple[Ended, ...]:
        """The rights that a ring which is not due came too late for, since the last move to its socket."""
        socket = str(ruling.get("socket"))
        if ruling.get("code") != "ring_not_due" or ruling.kind != "violation" or socket not in self._opened:
            return ()
        placed_ms = self._opened[socket].placed_ms
        # Taking a move or a verdict back may have opened one again.
        still = {(right.kind, right.player, right.socket) for right in before.rights}
        ended = (e for e in self._ended.get(socket, ()) if (e.right.kind, e.right.player, e.right.socket) not in still)
        return tuple(e for e in ended if e.right.opened_ms >= placed_ms)

    def _what_opened(self, ruling: Ruling, opened: tuple[Opening, ...]) -> Iterator[Burst]:
        if ruling.get("reason") == "penalty":
            yield from self._owed.get(player_named(ruling.get("player")), ())
        for opening in opened:
            yield from opening.bursts

    def _by_deadline(self, ruling: Ruling, already: tuple[Burst, ...] | None) -> tuple[Burst, ...]:
        if _had_begun(ruling):
            begun = (h for h in self._in_hand_or_wrong(self._before) if h.bursts)
            return (*self._armed, *(burst for handling in begun for burst in handling.bursts))
        if ruling.kind in _BY_THE_TIMER:
            return self._armed
        if ruling.get("glass") is not None:
            return self._handling_of(ruling.get("glass"))
        return self._last_move if already is None else already

    def _taken_back(self, ruling: Ruling) -> tuple[Burst, ...]:
        """By the arbiter's word: what rests on edges is at most the verdict that is taken back."""
        verdict = ruling.get("verdict")
        if verdict is None:
            return ()
        return next((m.bursts for m in reversed(self.moments) if m.ruling.as_json() == verdict), ())

    def _oddity(self, oddity: Oddity) -> Iterator[Burst]:
        t_ms, details = oddity.t_ms, oddity.details
        if oddity.code == "wire":
            wired: InputKind = "tilt" if details["line"] == "tilt" else "socket"
            names = details["inputs"]
            for name in names if isinstance(names, list) else ():
                yield from self._log.change(wired, str(name), t_ms)
            return
        if oddity.code == "cap_silent":
            yield from self._log.change("cap", str(details["glass"]), t_ms)
            return
        if "input" in details:
            kind = _kind(str(details["kind"]))
            if oddity.code not in ("noisy", "weak"):
                yield from self._log.change(kind, str(details["input"]), t_ms)
                return
            what = "quiet" if oddity.ruling == "fault_cleared" else oddity.code
            yield from self._log.between(kind, str(details["input"]), t_ms - _LOOKED_BACK_MS[what], t_ms)
            return
        if oddity.code == "tilt_without_lift":
            yield from self._log.change("tilt", str(details["glass"]), t_ms)
            return
        sockets = details.get("sockets", [details["socket"]] if "socket" in details else [])
        settle_ms = self.settings.settle_ms["socket"]
        for socket in sockets if isinstance(sockets, list) else ():
            near = self._log.between("socket", str(socket), t_ms - settle_ms, t_ms + settle_ms)
            yield from near or self._log.change("socket", str(socket), t_ms)
        if "sockets" not in details and "socket" not in details and "glass" in details:
            yield from self._log.at(t_ms)

    def _records(self, cause: Cause) -> Iterator[LinkDown | LinkUp | Word]:
        match cause:
            case LinkUp():
                if self._link_down is not None:
                    yield self._link_down
                yield cause
            case LinkDown() | Word():
                yield cause


def _had_begun(ruling: Ruling) -> bool:
    """Whether it is a timeout of a turn that had begun: all hangs on what the side held, or had set down wrongly."""
    return ruling.kind == "timeout" and bool(ruling.get("begun"))


def _kind(name: str) -> InputKind:
    kinds: dict[str, InputKind] = {k: k for k in ("socket", "tilt", "ring", "holder", "button")}
    return kinds[name]


_LOOKING: Final = ("recheck", "refused")


def _only_looks(ruling: Ruling) -> bool:
    return ruling.kind in ("paused", "resumed") or ruling.get("code") in _LOOKING


def moments_of(reader: TraceReader) -> Iterator[Moment]:
    """Every ruling on a trace with what it rests on, in order; memory does not grow with the trace."""
    found: list[Moment] = []
    session = Session(reader.settings, Chronicle(reader.settings, found.append))
    last_ms = 0
    for record in reader:
        session.take(record)
        last_ms = record.t_ms
        yield from found
        found.clear()
    if not session.ended:
        session.finish(last_ms)
    yield from found
