"""Judge a game whose acts are known exactly: rules.md, sentence by sentence.

`Game` is told the acts in order of time (`lift`, `tilt`, `place`, `ring_on`, …) and collects rulings. It may look
ahead in one respect: it is given all tilt changes beforehand, so that at a placing it knows of a late turning.
Quotations in comments are from rules.md unless they say otherwise.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.geometry import CAPACITY, CORNERS, GLASSES, NEIGHBOURS, SIDES, SOCKETS, other_side, owner
from tests.oracle.sand import Sand
from tests.oracle.settings import Settings

RINGS_PER_SIDE = 32
STOP, TIMER, MOVE_RIGHT, CLAIM, PENALTY = range(5)  # "Deadlines at one instant come in this order"


@dataclass
class Glass:
    """One travelling glass. `at` is the socket it stands in, None in the hand (or beside the board: `unplaced`)."""

    name: str
    sand: Sand
    up: str
    at: str | None
    home: str | None
    home_up: str
    unplaced: bool = False
    moved: bool = False
    out_at_ms: int | None = None
    lifted_from: str | None = None
    lifted_at_ms: int = 0
    ran_when_lifted: bool = False
    first_stop_in_hand_ms: int | None = None
    tilted_in_hand: bool = False
    sand_when_lifted: Sand | None = None
    violation: str | None = None
    stands_wrongly_at: str | None = None
    placed_at_ms: int = -1
    late_turning_ms: int | None = None
    claimed_tilts: set[int] = field(default_factory=set)
    loose_tilts: list[int] = field(default_factory=list)

    @property
    def owner(self) -> str:
        """Whose it is."""
        return owner(self.name)

    @property
    def in_hand(self) -> bool:
        """Lifted and not yet set down."""
        return self.at is None and not self.unplaced


@dataclass
class Right:
    """An open ring right of `side`; a penalty right has no socket."""

    side: str
    socket: str
    opened_ms: int
    move_number: int = 0


class Game:
    """One game. `tilts`: every settled tilt change of each glass, for looking ahead."""

    def __init__(self, settings: Settings, tilts: Mapping[str, Sequence[int]]) -> None:
        self.settings = settings
        self.level = settings.level
        self.turned_over = settings.level >= 2
        self.senses_tilt = settings.tilt
        self.tilts = {glass: sorted(tilts.get(glass, ())) for glass in GLASSES}
        self.rulings: list[dict[str, Any]] = []
        self.glasses: dict[str, Glass] = {}
        for name in GLASSES:
            at = None if settings.free else CORNERS[name]
            up = settings.up[name]
            # "All upper chambers start empty."
            sand = Sand(settings.glass_ms[name], up)
            self.glasses[name] = Glass(name, sand, up, at, at, up, unplaced=settings.free)
        self.timer = Sand(settings.glass_ms["N"], settings.up["N"])
        self.armed_until_ms: int | None = None
        self.expiry_noted = False
        self.to_move = "red"  # "Red begins."
        self.moves = 0
        self.counted = dict.fromkeys(SOCKETS, 0)
        self.undue = dict.fromkeys(SOCKETS, 0)
        self.removed = dict.fromkeys(SOCKETS, 0)
        self.undue_of_holder = dict.fromkeys(SIDES, 0)
        self.removed_of_holder = dict.fromkeys(SIDES, 0)
        self.rings_left = dict.fromkeys(SIDES, RINGS_PER_SIDE)
        self.move_rights: list[Right] = []
        self.claims: list[Right] = []
        self.penalties: list[Right] = []
        self.lamps: dict[str, str] = {}
        self.owed = dict.fromkeys(SIDES, False)
        self.to_skip = dict.fromkeys(SIDES, False)
        self.closing_since_ms: int | None = None
        self.over = False
        self.link_is_down = False

    # -- reporting ---------------------------------------------------------------------------------------------------

    def _say(self, t: int, ruling: str, **details: object) -> None:
        self.rulings.append({"t": t, "ruling": ruling, **details})

    def fault(self, t: int, code: str, **details: object) -> None:
        """A fault or, with `code` `ambiguous`, `unobserved`, `glass_off_board`, a notice."""
        kind = "notice" if code in ("ambiguous", "unobserved", "glass_off_board") else "fault"
        if not self.over:
            self._say(t, kind, code=code, **details)

    # -- questions ---------------------------------------------------------------------------------------------------

    def is_full(self, socket: str) -> bool:
        """Counted rings only: one not due "counts for nobody", a removed one "counts as lying there"."""
        return self.counted[socket] >= CAPACITY[socket]

    def _open_violations(self) -> list[Glass]:
        return [glass for glass in self.glasses.values() if glass.violation]

    def _holds(self, side: str) -> bool:
        return any(glass.in_hand and glass.owner == side for glass in self.glasses.values())

    def _occupied(self) -> set[str]:
        """ "For this question a glass in hand counts as standing where it was lifted." """
        return {spot for glass in self.glasses.values() if (spot := glass.at or glass.lifted_from)}

    def _may_still_be_moved(self, glass: Glass) -> bool:
        """ "levels 2 and 3: counting only glasses that may still be moved" """
        if not self.turned_over or not glass.moved:
            return True  # "a glass that has not moved yet may move all the same"
        if glass.out_at_ms is not None:
            return False
        if glass.in_hand:
            return glass.ran_when_lifted  # "Whether a glass still runs is judged when it is lifted"
        return not glass.sand.empty or glass.late_turning_ms is not None

    def _has_destination(self, glass: Glass) -> bool:
        taken = self._occupied()
        if glass.unplaced:
            return any(socket not in taken and not self.is_full(socket) for socket in SOCKETS)
        origin = glass.home if glass.violation else glass.at or glass.lifted_from
        if origin is None:
            return True
        return any(socket not in taken and not self.is_full(socket) for socket in NEIGHBOURS[origin])

    def can_move(self, side: str) -> bool:
        """ "It cannot move when none of its glasses has an adjacent vacant socket that is not full." """
        return any(
            self._may_still_be_moved(glass) and self._has_destination(glass)
            for glass in self.glasses.values()
            if glass.owner == side
        )

    def _opening_asks_for_another(self, glass: Glass) -> bool:
        side = [other for other in self.glasses.values() if other.owner == glass.owner and other is not glass]
        if self.settings.free:
            # "In its first three turns each side places one of its glasses."
            return glass.moved and any(other.unplaced for other in side)
        if not self.turned_over or not glass.moved:
            return False
        # "judged with the glass back where it came from": it counts in its home, and its home as taken.
        at, lifted_from = glass.at, glass.lifted_from
        glass.at, glass.lifted_from = None, glass.home
        try:
            # "Opening duty lapses while none of the unmoved glasses has a legal destination."
            return any(not other.moved and self._has_destination(other) for other in side)
        finally:
            glass.at, glass.lifted_from = at, lifted_from

    def _fault_in(self, glass: Glass, socket: str, turned: bool) -> str | None:
        """The first code of the table that applies to this placing away from home; None where it is legal."""
        if glass.owner != self.to_move:
            return "wrong_glass"
        if self.is_full(socket):
            return "full_socket"
        if self.turned_over and glass.moved and (glass.out_at_ms is not None or not glass.ran_when_lifted):
            return "stopped_glass"
        if self._opening_asks_for_another(glass):
            return "opening_order"
        if glass.home is not None and socket not in NEIGHBOURS[glass.home]:
            return "not_adjacent"
        if self.turned_over and not turned:
            return "not_flipped"
        if any(other is not glass for other in self._open_violations()):
            return "must_mend"
        return None

    def would_be_legal(self, name: str, socket: str) -> bool:
        """For sensing.md, "Which glass": whether this glass may be set down there (its turning is looked at later)."""
        glass = self.glasses[name]
        if socket == glass.home:
            return True
        return self._fault_in(glass, socket, turned=True) is None

    # -- glasses -----------------------------------------------------------------------------------------------------

    def lift(self, t: int, name: str) -> None:
        """A glass leaves its socket."""
        self.run_before(t)
        if self.over:
            return
        glass = self.glasses[name]
        glass.lifted_from, glass.lifted_at_ms = glass.at, t
        # "without the turning that belongs to that very handling": the early turning is applied after this.
        glass.ran_when_lifted = self._may_still_be_moved(glass) if glass.moved else True
        glass.at = None
        glass.first_stop_in_hand_ms = None
        glass.tilted_in_hand = False
        glass.sand_when_lifted = glass.sand.copy()
        if not glass.violation:
            glass.home, glass.home_up = glass.lifted_from, glass.up
        # "from `flip_grace_ms` before the lift"
        early = [c for c in glass.loose_tilts if c >= t - self.settings.flip_grace_ms]
        self._tell_loose_tilts(glass, before=t - self.settings.flip_grace_ms)
        glass.loose_tilts = []
        for c in early:
            self._turn_in_handling(glass, c)
        # "level 1: at the next lift by either side. Levels 2, 3: … or at the mover's own next lift"
        for right in list(self.move_rights):
            if self.level == 1 or right.side == glass.owner:
                self._close_move_right(t, right)
        # "or at its own next lift"
        self.penalties = [right for right in self.penalties if right.side != glass.owner]
        self._settle(t)

    def tilt(self, t: int, name: str) -> None:
        """A glass's tilt sensor changed (settled); `N`: the timer was turned over."""
        self.run_before(t)
        if self.over:
            return
        if name == "N":
            self._turn_timer(t)
            return
        if not self.turned_over or not self.senses_tilt:
            return  # level 1: "orientation is ignored"
        glass = self.glasses[name]
        if t in glass.claimed_tilts:
            glass.late_turning_ms = None
            glass.sand.turn(t)  # "A late turning moves the sand at its own time"
        elif glass.at is None:
            self._turn_in_handling(glass, t)
        else:
            glass.loose_tilts.append(t)

    def _turn_in_handling(self, glass: Glass, t: int) -> None:
        glass.up = "b" if glass.up == "a" else "a"
        glass.sand.turn(t)
        glass.tilted_in_hand = True

    def _tell_loose_tilts(self, glass: Glass, before: int) -> None:
        """ "a tilt change outside that is a fault of the sensor (`fault`, code `tilt_without_lift`)" """
        for c in glass.loose_tilts:
            if c < before:
                self.fault(c, "tilt_without_lift", glass=glass.name)
        glass.loose_tilts = [c for c in glass.loose_tilts if c >= before]

    def place(self, t: int, name: str, socket: str, field_up: str | None = None) -> None:
        """A glass settles in a socket; `field_up`: the end that a hall socket says is up."""
        self.run_before(t)
        if self.over:
            return
        glass = self.glasses[name]
        at_home = socket == glass.home
        glass.at, glass.placed_at_ms = socket, t
        glass.unplaced = False
        turned = self._see_turning(t, glass, at_home, field_up)
        legal_if = self._fault_in(glass, socket, turned)
        others = any(other is not glass for other in self._open_violations())
        moved = False
        if not glass.violation:
            if at_home:
                # "Putting a glass back into its own socket the same way up is no move and no violation."
                if turned:
                    self._report(t, glass, "flipped_in_place", socket)
            elif legal_if is None:
                moved = True
            else:
                self._report(t, glass, legal_if, socket)
        elif at_home:
            # "at home, the same way up: `resolved`; at home, the other way up: `resolved`, then `flipped_in_place`"
            self._resolve(t, glass)
            if turned:
                self._report(t, glass, "flipped_in_place", socket)
        elif legal_if in (None, "must_mend"):
            # "where it could legally have gone from home … unless another glass is still to be put back"
            if others:
                self._report(t, glass, "must_mend", socket)
            else:
                self._resolve(t, glass)
                moved = True
        elif socket != glass.stands_wrongly_at:
            self._report(t, glass, legal_if, socket)
        # "so is one that stops in the hand, unless that handling completes a move"
        if self.turned_over and not moved and glass.moved and glass.first_stop_in_hand_ms is not None:
            glass.out_at_ms = glass.first_stop_in_hand_ms if glass.out_at_ms is None else glass.out_at_ms
        glass.first_stop_in_hand_ms = None
        if moved and self.closing_since_ms is None:
            self._complete_move(t, glass, socket)
        glass.lifted_from = None
        self._settle(t)

    def _see_turning(self, t: int, glass: Glass, at_home: bool, field_up: str | None) -> bool:
        """Whether it lies the other way up than at home, with everything that belongs to this handling."""
        if not self.turned_over:
            return False
        if field_up is not None:
            self._see_field(t, glass, at_home, field_up)
        elif not self.senses_tilt:
            # sensing.md: "every move at levels 2 and 3 is taken to have turned its glass over"
            return not at_home
        elif not at_home and glass.up == glass.home_up:
            # "to as long after the placing"; "A glass put back at home lacks none".
            late = self._late_tilt(glass, t)
            if late is not None:
                self._claim_late(glass, late)
        return glass.up != glass.home_up

    def _late_tilt(self, glass: Glass, t: int) -> int | None:
        tilts = self.tilts[glass.name]
        index = bisect_right(tilts, t)
        if index < len(tilts) and tilts[index] <= t + self.settings.flip_grace_ms:
            return tilts[index]
        return None

    def _claim_late(self, glass: Glass, late: int) -> None:
        glass.claimed_tilts.add(late)
        glass.late_turning_ms = late
        glass.up = "b" if glass.up == "a" else "a"

    def _see_field(self, t: int, glass: Glass, at_home: bool, field_up: str) -> None:
        """sensing.md: "the field in the socket has the last word"."""
        if field_up == glass.up:
            return
        late = self._late_tilt(glass, t) if self.senses_tilt and not at_home and glass.up == glass.home_up else None
        if late is not None:
            self._claim_late(glass, late)
            return
        glass.up = field_up
        if glass.tilted_in_hand and glass.sand_when_lifted is not None:
            glass.sand = glass.sand_when_lifted.copy()
        else:
            # "a glass is then taken to have been turned at the middle of its way"
            glass.sand.turn((glass.lifted_at_ms + t) // 2)

    def _report(self, t: int, glass: Glass, code: str, socket: str) -> None:
        if self.closing_since_ms is not None and code == "must_mend":
            return
        # "`player` is the side to move, except for `flipped_in_place` (the glass's owner)"
        player = glass.owner if code == "flipped_in_place" else self.to_move
        self._say(t, "violation", code=code, player=player, glass=glass.name, to=socket)
        glass.violation, glass.stands_wrongly_at = code, socket
        if code == "wrong_glass":
            self.armed_until_ms = None  # "A pass, a forfeit and a `wrong_glass` disarm it too."
        if code == "full_socket":
            self._end(t, other_side(self.to_move), "full_socket")

    def _resolve(self, t: int, glass: Glass) -> None:
        self._say(t, "resolved", code=glass.violation)  # "`resolved` names the code reported last"
        glass.violation = glass.stands_wrongly_at = None

    def _complete_move(self, t: int, glass: Glass, socket: str) -> None:
        mover = self.to_move
        self._say(t, "move", player=mover, glass=glass.name, **{"from": glass.home, "to": socket})
        if self.turned_over and not self.senses_tilt and not self.settings.hall:
            # No sensor tells when: as for hall sockets, "at the middle of its way".
            glass.up = "b" if glass.up == "a" else "a"
            glass.sand.turn((glass.lifted_at_ms + t) // 2)
        glass.moved = True
        self.moves += 1
        self.claims = []  # "when the next move is completed"
        self.armed_until_ms = None  # "Completing the move disarms it (its sand runs on)."
        if self.expiry_noted:
            # "completing it costs the penalty"
            if self.settings.rules == "schmidt1998":
                self.to_skip[mover] = True
            else:
                self.owed[other_side(mover)] = True
        self.move_rights.append(Right(mover, socket, t, self.moves))
        if self.owed[mover]:
            # "when it completes its next move"
            self.owed[mover] = False
            self.penalties = [right for right in self.penalties if right.side != mover]
            self.penalties.append(Right(mover, "", t, self.moves))
            self.lamps[mover] = socket if not self.is_full(socket) else self._next_lamp(socket)
        self._give_turn(t, other_side(mover))

    # -- whose turn --------------------------------------------------------------------------------------------------

    def _give_turn(self, t: int, side: str) -> None:
        """The turn comes to `side`: passes and skips follow at the same instant."""
        self.to_move = side
        while True:
            self.armed_until_ms = None
            self.expiry_noted = False
            other = other_side(self.to_move)
            if not self.can_move(self.to_move):
                if not self.can_move(other):
                    self._begin_closing(t)
                    return
                # "A turn that comes to a side that cannot move is passed at once, even while it holds a glass."
                self._say(t, "pass", player=self.to_move)
            elif self.to_skip[self.to_move]:
                # "announced when that turn would have come and the side could have moved"
                self.to_skip[self.to_move] = False
                self._say(t, "skip", player=self.to_move)
            else:
                return
            self.to_move = other

    def _settle(self, t: int) -> None:
        """ "The side to move that loses its last movable glass while thinking passes at that instant." """
        if self.over or self.link_is_down:
            return
        if self.closing_since_ms is not None:
            if not (self.move_rights or self.claims or self.penalties):
                self._end_by_rings(t)
            return
        # "while it holds one of its glasses or a violation is open, as soon as that glass is put back or …"
        if self._holds(self.to_move) or self._open_violations() or self.can_move(self.to_move):
            return
        if not self.can_move(other_side(self.to_move)):
            self._begin_closing(t)
            return
        self._say(t, "pass", player=self.to_move)
        self._give_turn(t, other_side(self.to_move))

    def _begin_closing(self, t: int) -> None:
        # "Penalties owed but not opened lapse, the timer is ignored."
        self.closing_since_ms = t
        self.owed = dict.fromkeys(SIDES, False)
        self.armed_until_ms = None
        self._settle(t)

    def _end_by_rings(self, t: int) -> None:
        red, black = self.rings_left["red"], self.rings_left["black"]
        if red != black:
            self._end(t, "red" if red < black else "black", "rings")  # "Fewer rings left wins."
        elif self.level == 1:
            self._end(t, None, "rings")
        else:
            self._end(t, self._tie_break(), "tie_break")

    def _tie_break(self) -> str | None:
        stops: dict[int, set[str]] = {}
        for glass in self.glasses.values():
            if glass.moved:
                at = glass.out_at_ms if glass.out_at_ms is not None else glass.sand.stop_ms
                stops.setdefault(at, set()).add(glass.owner)
        for at in sorted(stops, reverse=True):
            # "Where the last ones are of both sides and stop in the same millisecond, drop them"
            if len(stops[at]) == 1:
                return stops[at].pop()
        return None

    def _end(self, t: int, winner: str | None, reason: str) -> None:
        red, black = self.rings_left["red"], self.rings_left["black"]
        self._say(t, "game_over", winner=winner, reason=reason, red=red, black=black)
        self.over = True

    # -- rings -------------------------------------------------------------------------------------------------------

    def _close_move_right(self, t: int, right: Right) -> None:
        self.move_rights.remove(right)
        # "when an unused move ring right closes, provided no move was completed since"; "if still not full"
        if right.move_number == self.moves and not self.is_full(right.socket):
            self.claims.append(Right(other_side(right.side), right.socket, t))

    def _count(self, t: int, side: str, socket: str, reason: str) -> None:
        self.counted[socket] += 1
        self.rings_left[side] -= 1
        self._say(t, "ring", player=side, socket=socket, count=self.counted[socket], reason=reason)
        if self.is_full(socket):
            # "A move right or claim whose socket is filled by another ring lapses."
            self.move_rights = [right for right in self.move_rights if right.socket != socket]
            self.claims = [right for right in self.claims if right.socket != socket]
        if self.rings_left[side] == 0:
            self._end(t, side, "last_ring")  # "A side that drops its last ring wins at once."

    def ring_on(self, t: int, socket: str) -> None:
        """A ring is put around a socket; who did it is not known."""
        self.run_before(t)
        if self.over:
            return
        if self.removed[socket]:
            # "a counted ring was taken off; putting it back resolves it"
            self.removed[socket] -= 1
            self._say(t, "resolved", code="ring_removed")
        elif rights := [right for right in self.move_rights if right.socket == socket]:
            self.move_rights.remove(rights[0])
            self._count(t, rights[0].side, socket, "move")
        elif self.penalties and not self.is_full(socket):
            # "if both sides have one, the one opened last"
            right = max(self.penalties, key=lambda penalty: penalty.move_number)
            self.penalties.remove(right)
            self._count(t, right.side, socket, "penalty")
        elif rights := [right for right in self.claims if right.socket == socket]:
            self.claims.remove(rights[0])
            self._count(t, rights[0].side, socket, "claim")
        else:
            self.undue[socket] += 1
            self._say(t, "violation", code="ring_not_due", socket=socket)
        self._settle(t)

    def ring_off(self, t: int, socket: str) -> None:
        """A ring is taken off a socket: one that was not due, if there is one."""
        self.run_before(t)
        if self.over:
            return
        if self.undue[socket]:
            self.undue[socket] -= 1
            self._say(t, "resolved", code="ring_not_due")
        else:
            self.removed[socket] += 1
            self._say(t, "violation", code="ring_removed", socket=socket)
        self._settle(t)

    def _use_own_right(self, t: int, side: str, with_penalty: bool) -> bool:
        """sensing.md, "Buttons": "the ring of an open move right, else of an open claim"."""
        for rights, reason in ((self.move_rights, "move"), (self.claims, "claim")):
            for right in [right for right in rights if right.side == side]:
                rights.remove(right)
                self._count(t, side, right.socket, reason)
                return True
        for right in [right for right in self.penalties if right.side == side] if with_penalty else []:
            self.penalties.remove(right)
            self._count(t, side, self._lamp(side), "penalty")
            return True
        return False

    def holder_taken(self, t: int, side: str) -> None:
        """A ring leaves a side's holder (`rings: holder`)."""
        self.run_before(t)
        if self.over:
            return
        if self.removed_of_holder[side]:
            self.removed_of_holder[side] -= 1
            self._say(t, "resolved", code="ring_removed")
        elif not self._use_own_right(t, side, with_penalty=True):
            self.undue_of_holder[side] += 1
            self._say(t, "violation", code="ring_not_due", player=side)
        self._settle(t)

    def holder_returned(self, t: int, side: str) -> None:
        """A ring comes back to a side's holder (`rings: holder`)."""
        self.run_before(t)
        if self.over:
            return
        if self.undue_of_holder[side]:
            self.undue_of_holder[side] -= 1
            self._say(t, "resolved", code="ring_not_due")
        else:
            self.removed_of_holder[side] += 1
            self._say(t, "violation", code="ring_removed", player=side)
        self._settle(t)

    def _next_lamp(self, socket: str) -> str:
        start = SOCKETS.index(socket)
        return next(s for s in SOCKETS[start + 1 :] + SOCKETS[: start + 1] if not self.is_full(s))

    def _lamp(self, side: str) -> str:
        lamp = self.lamps[side]
        return lamp if not self.is_full(lamp) else self._next_lamp(lamp)

    # -- buttons -----------------------------------------------------------------------------------------------------

    def press(self, t: int, side: str, long: bool) -> None:
        """A player's short or long press, at its down edge."""
        self.run_before(t)
        if self.over:
            return
        by_button = self.settings.rings == "buttons"
        has_penalty = any(right.side == side for right in self.penalties)
        if long:
            if by_button and has_penalty:
                self.penalties = [right for right in self.penalties if right.side != side]
                self._count(t, side, self._lamp(side), "penalty")
        elif by_button and self._use_own_right(t, side, with_penalty=False):
            pass
        elif has_penalty and self.settings.rings in ("buttons", "holder"):
            self.lamps[side] = self._next_lamp(self._lamp(side))
        elif any(right.side == side for right in (*self.move_rights, *self.claims, *self.penalties)):
            pass
        elif self.closing_since_ms is None and side == self.to_move:
            if self.can_move(side):
                self._say(t, "violation", code="must_move", player=side)  # "a side that can move asks to pass"
        elif by_button:
            self._say(t, "violation", code="ring_not_due", player=side)
        self._settle(t)

    def resign(self, t: int, side: str) -> None:
        """A side's button was held for three seconds."""
        self.run_before(t)
        if not self.over:
            self._end(t, other_side(side), "resigned")

    def agree(self, t: int) -> None:
        """Both sides hold their buttons: a draw."""
        self.run_before(t)
        if not self.over:
            self._end(t, None, "agreed")

    # -- the 15-second timer -----------------------------------------------------------------------------------------

    def _turn_timer(self, t: int) -> None:
        if self.level != 3 or self.closing_since_ms is not None:
            return
        # "only when its upper chamber is empty (it is at the very instant it runs out, too)"
        running = self.timer.stop_ms > t
        self.timer.turn(t)
        # "that counts as done by the side that is not to move"
        turner = other_side(self.to_move)
        if running:
            # "nothing is armed by it, and what was armed is void"
            self.armed_until_ms = None
            self._say(t, "violation", code="timer_running", player=turner)
        elif not self._open_violations():
            # "Turned over when empty it is armed against the side to move, and expires T(N) later."
            self.armed_until_ms = self.timer.stop_ms
            self._say(t, "timer_started", player=turner)
        # "While a glass violation is open, turning it arms nothing (an armed one runs on)."

    def _expire(self, t: int) -> None:
        side = self.to_move
        self.armed_until_ms = None
        # "if the side to move holds one of its glasses, or a glass violation is open"
        begun = self._holds(side) or bool(self._open_violations())
        self._say(t, "timeout", player=side, begun=begun)
        if begun:
            self.expiry_noted = True
            return
        self._say(t, "forfeit", player=side)
        if self.settings.rules == "rulebook":
            self.owed[other_side(side)] = True
        elif self.settings.rules == "schmidt1998":
            self.to_skip[side] = True
        self._give_turn(t, other_side(side))

    # -- deadlines ---------------------------------------------------------------------------------------------------

    def _deadlines(self) -> Iterable[tuple[int, int, str, Right | Glass | None]]:
        for glass in self.glasses.values():
            # "a stop of that glass between the placing and the late turning is not one"
            if self.turned_over and not glass.sand.empty and glass.late_turning_ms is None:
                yield glass.sand.stop_ms, STOP, glass.name, glass
        if self.link_is_down:
            return
        if self.armed_until_ms is not None:
            yield self.armed_until_ms, TIMER, "", None
        window, closing = self.settings.ring_window_ms, self.closing_since_ms
        for right in self.move_rights:
            if self.level > 1:
                yield right.opened_ms + window, MOVE_RIGHT, right.side, right
            elif closing is not None:
                # "Then a level-1 move ring right also closes `ring_window_ms` after that moment"
                yield max(closing, right.opened_ms) + window, MOVE_RIGHT, right.side, right
        for right in self.claims:
            if closing is not None:
                # "a claim `ring_window_ms` after it opens or after that moment, whichever is later"
                yield max(closing, right.opened_ms) + window, CLAIM, right.side, right
        for right in self.penalties:
            yield right.opened_ms + self.settings.penalty_window_ms, PENALTY, right.side, right

    def _run(self, limit: int) -> None:
        """All deadlines up to and including `limit`."""
        while not self.over:
            due = sorted((deadline for deadline in self._deadlines() if deadline[0] <= limit), key=lambda one: one[:3])
            if not due:
                return
            t, kind, _, subject = due[0]
            if isinstance(subject, Glass):
                self._stop(t, subject)
                # "glasses stop (by name), then a pass or closing that follows from it"
                if len(due) > 1 and due[1][:2] == (t, STOP):
                    continue
            elif subject is None:
                self._expire(t)
            elif kind == MOVE_RIGHT:
                self._close_move_right(t, subject)
            elif kind == CLAIM:
                self.claims.remove(subject)
            else:
                self.penalties.remove(subject)
            self._settle(t)

    def run_before(self, t: int) -> None:
        """sensing.md: "an action at t beats a deadline at t", so before an action only earlier ones fall due."""
        self._run(t - 1)
        for glass in self.glasses.values():
            self._tell_loose_tilts(glass, before=t - self.settings.flip_grace_ms)

    def finish(self, t: int) -> list[dict[str, Any]]:
        """Let the deadlines up to the trace's end fall due. The rulings, in order of time."""
        self._run(t)
        for glass in self.glasses.values():
            self._tell_loose_tilts(glass, before=t - self.settings.flip_grace_ms)
        return sorted(self.rulings, key=lambda ruling: int(ruling["t"]))

    def _stop(self, t: int, glass: Glass) -> None:
        glass.sand.empty = True
        if glass.out_at_ms is not None:
            return
        # "announces every stop of a glass that is not out yet (in the hand too)"
        self._say(t, "glass_stopped", glass=glass.name)
        if glass.at is None:
            if glass.first_stop_in_hand_ms is None:
                glass.first_stop_in_hand_ms = t
        elif glass.moved:
            glass.out_at_ms = t  # "A moved glass that stops while standing on the board is out for good"

    # -- link --------------------------------------------------------------------------------------------------------

    def link_down(self, t: int) -> None:
        """sensing.md: "While the link is down nothing is judged"."""
        self.run_before(t)
        self.link_is_down = True

    def link_up(self, t: int, differences: Mapping[str, object]) -> None:
        """ "glasses that stopped meanwhile are announced …; an armed timer and open ring rights are void" """
        self.run_before(t)
        self.link_is_down = False
        if self.over:
            return
        self.armed_until_ms = None
        self.move_rights, self.claims, self.penalties = [], [], []
        if differences:
            self.fault(t, "unobserved", **differences)
        self._settle(t)


@dataclass(frozen=True)
class Act:
    """One act at its true time: `kind` is a method of `Game`, `args` what it takes after the time."""

    t: int
    kind: str
    args: tuple[Any, ...] = ()


_ORDER = (
    *("link_up", "tilt", "lift", "place", "ring_on", "ring_off", "holder_taken", "holder_returned"),
    *("press", "resign", "agree", "link_down"),
)


def judge(settings: Settings, acts: Iterable[Act], end: int) -> list[dict[str, Any]]:
    """The rulings on acts known exactly, up to `end` (ms)."""
    ordered = sorted(acts, key=lambda act: (act.t, _ORDER.index(act.kind)))
    tilts: dict[str, list[int]] = {}
    for act in ordered:
        if act.kind == "tilt":
            tilts.setdefault(act.args[0], []).append(act.t)
    game = Game(settings, tilts)
    for act in ordered:
        getattr(game, act.kind)(act.t, *act.args)
    return game.finish(end)
