"""Whose turn it is, passes, the closing and the end (rules.md, "A turn", "Levels")."""

from __future__ import annotations

from tamsk_pi.witness.geometry import SIDES
from tamsk_pi.witness.rings import Rings
from tamsk_pi.witness.state import Glass, Right

STOPPED_TOGETHER_MS = 1000


class Turns(Rings):
    """Moves that are completed, and what follows from them."""

    def complete_move(self, t: int, glass: Glass, socket: str, mended: bool) -> None:
        """A glass was placed as a move."""
        mover = self.to_move
        self.say(t, "move", player=mover, glass=glass.name, **{"from": glass.home, "to": socket})
        glass.moved = True
        glass.out_at_ms, glass.in_doubt, glass.watched_out = None, False, False
        self.moves += 1
        self.last_move_ms = t
        self._home_is_taken(t, socket)
        self.rights_at_move(t, mover)
        self.armed_until_ms = None  # "Completing the move disarms it (its sand runs on)."
        if self.expiry_noted:
            # "completing it costs the penalty"
            if self.settings.rules == "schmidt1998":
                self.to_skip[mover] = True
            else:
                self.owed[self.other(mover)] = True
        self.open_move_right(t, mover, socket)
        if self.owed[mover]:
            # "when it completes its next move"
            self.owed[mover] = False
            self.penalties.append(Right(mover, "", t, self.moves))
            self.lamps[mover] = socket if not self.is_full(socket) else self.next_lamp(socket)
        right = self.ring_of_move(t, mover, socket, glass.name, mended)
        if self.over:
            return
        self.give_turn(t, self.other(mover))
        if right is not None:
            # sensing.md: at equal times a ring comes after the socket that closed, and what follows from that.
            self.ring_that_waited(t, right)

    def _home_is_taken(self, t: int, socket: str) -> None:
        """A legal move to the home of the other side's wrong glass: as that cannot be put back any more, it is right
        where it is."""
        for glass in self.open_violations():
            if glass.home == socket and glass.at != socket:
                self.say(t, "resolved", code=glass.violation, glass=glass.name)
                glass.violation = glass.stands_wrongly_at = None
                glass.home = glass.at or glass.lifted_from
                glass.home_up = glass.up if glass.at else glass.up_when_lifted

    def give_turn(self, t: int, side: str) -> None:
        """The turn comes to `side`: passes and skips follow at the same instant."""
        self.to_move = side
        while True:
            self.armed_until_ms = None
            self.expiry_noted = False
            other = self.other(self.to_move)
            if not self.can_move(self.to_move):
                if not self.can_move(other):
                    self._begin_closing(t)
                    return
                # "A turn that comes to a side that cannot move is passed at once, even while it holds a glass."
                self.say(t, "pass", player=self.to_move)
            elif self.to_skip[self.to_move]:
                # "announced when that turn would have come and the side could have moved"
                self.to_skip[self.to_move] = False
                self.say(t, "skip", player=self.to_move)
            else:
                return
            self.to_move = other

    def follow_up(self, t: int) -> None:
        """ "The side to move that loses its last movable glass while thinking passes at that instant." """
        if self.over or self.is_blind:
            return
        if self.closing_since_ms is not None:
            if not (self.move_rights or self.claims or self.penalties):
                self._end_by_rings(t)
            return
        # "while it holds one of its glasses or a violation is open, as soon as that glass is put back or …"
        if self.holds(self.to_move) or self.open_violations() or self.can_move(self.to_move):
            return
        if not self.can_move(self.other(self.to_move)):
            self._begin_closing(t)
            return
        self.say(t, "pass", player=self.to_move)
        self.give_turn(t, self.other(self.to_move))

    def _begin_closing(self, t: int) -> None:
        # "Penalties owed but not opened lapse, the timer is ignored."
        self.closing_since_ms = t
        self.owed = dict.fromkeys(SIDES, False)
        self.armed_until_ms = None
        self.follow_up(t)

    def _end_by_rings(self, t: int) -> None:
        red, black = self.rings_left["red"], self.rings_left["black"]
        if red != black:
            self.end(t, "red" if red < black else "black", "rings")  # "Fewer rings left wins."
        elif self.level == 1:
            self.end(t, None, "rings")
        else:
            decided, winner = self._tie_break()
            if decided:
                self.end(t, winner, "tie_break")

    def stop_of(self, glass: Glass) -> int:
        """When it stopped (for good, where it is out) or will stop, by the model."""
        return glass.out_at_ms if glass.out_at_ms is not None else glass.sand.stop_ms

    def _tie_break(self) -> tuple[bool, str | None]:
        """Whether it is decided, and for whom: "the owner of the last one wins"."""
        left = [glass for glass in self.glasses.values() if glass.moved]
        while left:
            last = {side: max((self.stop_of(g) for g in left if g.owner == side), default=-1) for side in SIDES}
            watched = self._watched(left)
            if not watched:
                if last["red"] != last["black"]:
                    return True, "red" if last["red"] > last["black"] else "black"
                # "Where the last ones are of both sides and stop in the same millisecond, drop them"
                left = [glass for glass in left if self.stop_of(glass) != last["red"]]
                continue
            told = {glass.name: self._told_stop(glass) for glass in watched}
            if None in told.values():
                return False, None
            ends = {side: self._last_told(watched, told, side) for side in SIDES}
            red, black = ends["red"], ends["black"]
            both_opened = all(glass in watched and self._opening_of(glass) is not None for _, glass in (red, black))
            if both_opened and abs(red[0] - black[0]) <= STOPPED_TOGETHER_MS:
                # "Two sockets of both sides that open within 1,000 ms of each other count as stopped together"
                left = [glass for glass in left if glass not in (red[1], black[1])]
            elif red[0] == black[0]:
                left = [glass for glass in left if told.get(glass.name) != red[0]]
            else:
                return True, "red" if red[0] > black[0] else "black"
        return True, None

    def _watched(self, left: list[Glass]) -> list[Glass]:
        """sensing.md: "A tie-break decided by less than twice the tolerance is not decided by the model"."""
        twice = 2 * self.settings.glass_tolerance_ms
        last = [max((self.stop_of(glass) for glass in left if glass.owner == side), default=None) for side in SIDES]
        if last[0] is None or last[1] is None or abs(last[0] - last[1]) >= twice:
            return []
        return [glass for glass in left if max(last[0], last[1]) - self.stop_of(glass) < twice]

    def _opening_of(self, glass: Glass) -> int | None:
        """ "an opening tells that glass's stop only within the tolerance of the time by the model" """
        tolerance, stop = self.settings.glass_tolerance_ms, self.stop_of(glass)
        return next((t for t in glass.openings_ms if abs(t - stop) <= tolerance), None)

    def _told_stop(self, glass: Glass) -> int | None:
        opening = self._opening_of(glass)
        if opening is not None:
            return opening
        return self.stop_of(glass) if glass.watched_out else None  # "outside it the model's time counts"

    def _last_told(self, watched: list[Glass], told: dict[str, int | None], side: str) -> tuple[int, Glass]:
        return max(((told[g.name] or 0, g) for g in watched if g.owner == side), key=lambda one: one[0])

    def end(self, t: int, winner: str | None, reason: str) -> None:
        """The game is over."""
        red, black = self.rings_left["red"], self.rings_left["black"]
        self.say(t, "game_over", winner=winner, reason=reason, red=red, black=black)
        self.over = True
