"""Whose turn it is, passes, the closing and the end (rules.md, "A turn", "Levels")."""

from __future__ import annotations

from tamsk_pi.witness.geometry import SIDES
from tamsk_pi.witness.rings import Rings
from tamsk_pi.witness.state import Glass, Right


class Turns(Rings):
    """Moves that are completed, and what follows from them."""

    def complete_move(self, t: int, glass: Glass, socket: str, mended: bool) -> None:
        """A glass was placed as a move."""
        mover = self.to_move
        self.say(t, "move", player=mover, glass=glass.name, **{"from": glass.home, "to": socket})
        glass.moved = True
        self.moves += 1
        self.last_move_ms = t
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
        self.rings_of_move(t, mover, socket, glass.name, mended)
        if not self.over:
            self.give_turn(t, self.other(mover))

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
            self.end(t, self._tie_break(), "tie_break")

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

    def end(self, t: int, winner: str | None, reason: str) -> None:
        """The game is over."""
        red, black = self.rings_left["red"], self.rings_left["black"]
        self.say(t, "game_over", winner=winner, reason=reason, red=red, black=black)
        self.over = True
