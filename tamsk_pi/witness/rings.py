"""Ring rights and rings (rules.md, "Ring rights")."""

from __future__ import annotations

from tamsk_pi.witness.geometry import SOCKETS
from tamsk_pi.witness.state import Credited, Right, State

TOGETHER_MS = 1000
SAID_WITHIN_MS = 5000


class Rings(State):
    """What rings do."""

    # -- rights open and close

    def open_move_right(self, t: int, mover: str, socket: str) -> None:
        """ "opens when the glass is placed" """
        if not self.is_full(socket):
            self.move_rights.append(Right(mover, socket, t, self.moves))

    def close_move_right(self, t: int, right: Right) -> None:
        """Its time is up, and it was not used."""
        self.move_rights.remove(right)
        if self.level > 1:
            self.open_claim(t, right)

    def open_claim(self, t: int, right: Right) -> None:
        """ "when an unused move ring right closes, provided no move was completed since"; "if still not full" """
        right.claim_came = True
        if right.move_number == self.moves and not self.is_full(right.socket):
            self.claims.append(Right(self.other(right.side), right.socket, t, right.move_number))

    def rights_at_move(self, t: int, mover: str) -> None:
        """What the completing of a move does to the rights that are open."""
        self.claims = []  # "when the next move is completed"
        # "At the latest when its side completes its own next move"; the same for a penalty ring.
        self.move_rights = [right for right in self.move_rights if right.side != mover]
        self.penalties = [right for right in self.penalties if right.side != mover]
        for right in list(self.move_rights):
            right.overtaken = True
            if self.level == 1 and t >= right.opened_ms + self.settings.ring_window_ms:
                self.move_rights.remove(right)

    def _use(self, t: int, right: Right) -> None:
        """A right is used by a ring at its socket. At level 1 the other one ends with it."""
        reason = "move" if right in self.move_rights else "claim"
        mover = right.side if reason == "move" else self.other(right.side)
        was_claimed = any(claim.move_number == right.move_number for claim in self.claims)
        for rights in (self.move_rights, self.claims):
            rights[:] = [one for one in rights if one.move_number != right.move_number]
        self.count(t, right.side, right.socket, reason)
        if self.settings.rings == "stack":
            self.credited.append(Credited(t, right.socket, mover, right.side, self.counted[right.socket], was_claimed))

    def count(self, t: int, side: str, socket: str, reason: str) -> None:
        """A ring counts for a side."""
        self.counted[socket] += 1
        self.rings_left[side] -= 1
        self.say(t, "ring", player=side, socket=socket, count=self.counted[socket], reason=reason)
        if self.is_full(socket):
            # "A move right or claim whose socket is filled by another ring lapses."
            self.move_rights = [right for right in self.move_rights if right.socket != socket]
            self.claims = [right for right in self.claims if right.socket != socket]
        if self.rings_left[side] == 0:
            self.end(t, side, "last_ring")  # "A side that drops its last ring wins at once."

    # -- rings whose place is sensed

    def ring_on(self, t: int, socket: str, rings: int = 1, jump: bool = False) -> None:
        """A ring (or more) is put around a socket; who did it is not known."""
        self.run_before(t)
        if self.over:
            return
        if jump or rings > 1:
            self._rings_at_once(t, socket, rings, jump)
            self.follow_up(t)
            return
        # "a ring on a socket to which a glass in hand of the side to move could legally go is not judged before …"
        glasses = [
            glass.name
            for glass in self.glasses.values()
            if (glass.in_hand or glass.unplaced) and glass.owner == self.to_move and self._could_go(glass.name, socket)
        ]
        if (
            glasses
            and not self.removed[socket]
            and self.closing_since_ms is None
            and self.supposed.ask("ring waits", (t, socket), 1)
        ):
            self.ring_waits.append((t, socket, glasses))
            return
        self._one_ring_on(t, socket)
        self.follow_up(t)

    def _could_go(self, name: str, socket: str) -> bool:
        vacant = all(glass.at != socket for glass in self.glasses.values())
        return vacant and socket != self.glasses[name].home and self.would_be_legal(name, socket)

    def _rings_at_once(self, t: int, socket: str, rings: int, jump: bool) -> None:
        if jump:
            self.undue[socket] += rings
            self.say(t, "violation", code="ring_not_due", socket=socket, rings=rings)
            return
        for _ in range(rings):
            self._one_ring_on(t, socket)

    def _one_ring_on(self, t: int, socket: str) -> None:
        right = self._right_for(socket)
        if self.removed[socket]:
            # "a counted ring was taken off; putting it back resolves it"
            self.removed[socket] -= 1
            self.say(t, "resolved", code="ring_removed", socket=socket)
        elif right is not None and right.socket:
            self._use(t, right)
        elif right is not None:
            self.penalties.remove(right)
            self.count(t, right.side, socket, "penalty")
        else:
            self._not_due(t, socket)

    def _not_due(self, t: int, socket: str) -> None:
        self.undue[socket] += 1
        wrong = [glass.name for glass in self.open_violations() if socket == glass.stands_wrongly_at]
        self.undue_for.pop(socket, None)
        if wrong:
            self.undue_for[socket] = wrong[0]
        self.say(t, "violation", code="ring_not_due", socket=socket)

    def _right_for(self, socket: str) -> Right | None:
        """ "credited in this order: the move ring right for that socket; an open penalty right …; a claim" """
        moves = [right for right in self.move_rights if right.socket == socket]
        claims = [right for right in self.claims if right.socket == socket]
        if moves:
            both = [claim for claim in claims if claim.move_number == moves[-1].move_number]
            # "the ring is the mover's, unless the other side holds one of its glasses: then it is the claim"
            return both[0] if both and self.holds(both[0].side) else moves[-1]
        if self.penalties and not self.is_full(socket):
            # "if both sides have one, the one opened last"
            return max(self.penalties, key=lambda penalty: penalty.move_number)
        return claims[0] if claims else None

    def ring_off(self, t: int, socket: str, rings: int = 1) -> None:
        """Rings are taken off a socket: those that were not due first."""
        self.run_before(t)
        if self.over:
            return
        for waiting, at, _ in self.ring_waits:
            if at == socket:
                raise self.supposed.otherwise("ring waits", (waiting, socket), 0)
        while rings:
            if self.undue[socket]:
                gone = min(rings, self.undue[socket])
                self.undue[socket] -= gone
                for _ in range(gone):
                    self.say(t, "resolved", code="ring_not_due", socket=socket)
            else:
                gone = 1
                self.removed[socket] += 1
                self.say(t, "violation", code="ring_removed", socket=socket)
            rings -= gone
        self.follow_up(t)

    def ring_of_move(self, t: int, mover: str, socket: str, name: str, mended: bool) -> Right | None:
        """What lay there or was in the hand before the placing and belongs to its move; else the right that is open."""
        right = next((one for one in self.move_rights if one.side == mover and one.opened_ms == t), None)
        if right is None:
            return None
        if mended and self.undue[socket] == 1 and self.undue_for.get(socket) == name:
            # "is the move's once a mending makes the move whole: `resolved` (`ring_not_due`) and `ring` follow"
            self.undue[socket] = 0
            self.say(t, "resolved", code="ring_not_due", socket=socket)
            self._use(t, right)
            for wait in [wait for wait in self.ring_waits if wait[1] == socket]:
                # Another one came with the glass: of two only one can be the move's.
                self.ring_waits.remove(wait)
                self._one_ring_on(t, socket)
            return None
        if self.settings.rings == "holder" and self.ring_in_hand[mover]:
            # "its side's next move ring right takes it at the placing"
            self.ring_in_hand[mover] = False
            self.from_hand[mover] = right
        else:
            return right
        self._use(t, right)
        return None

    def ring_that_waited(self, t: int, right: Right) -> None:
        """A ring or a press that came with the glass."""
        waiting = [wait for wait in self.ring_waits if wait[1] == right.socket]
        presses = [press for press in self.press_waits if press[1] == right.side]
        if waiting:
            # "Set down there as a move, it uses the move ring right at the time of the placing"
            self.ring_waits.remove(waiting[0])
            self._use(t, right)
        elif presses:
            self.press_waits.remove(presses[0])
            self._use(t, right)
            if len(presses) > 1:
                # It counts at the placing too, when nothing is open any more.
                self.press_waits = [press for press in self.press_waits if press not in presses]
                for _ in presses[1:]:
                    self.press_short(t, right.side)

    def no_longer_waiting(self, t: int, name: str | None) -> None:
        """Time went on to `t`, or a glass was set down without what waited for it: that is judged at its own time."""
        for waiting, socket, glasses in self.ring_waits:
            if t - waiting > TOGETHER_MS or (name in glasses and len(glasses) == 1):
                raise self.supposed.otherwise("ring waits", (waiting, socket), 0)
            if name in glasses:
                glasses.remove(name)
        for pressed, side in self.press_waits:
            if t - pressed > TOGETHER_MS or (name is not None and self.glasses[name].owner == side):
                raise self.supposed.otherwise("press waits", (pressed, side), 0)

    # -- rings that are missed on a holder

    def holder_taken(self, t: int, side: str, rings: int = 1, jump: bool = False) -> None:
        """Rings leave a side's holder (`rings: holder`)."""
        self.run_before(t)
        if self.over:
            return
        if jump:
            self.undue_of_holder[side] += rings
            self.say(t, "violation", code="ring_not_due", player=side, rings=rings)
            rings = 0
        for _ in range(rings):
            if self.removed_of_holder[side]:
                self.removed_of_holder[side] -= 1
                self.say(t, "resolved", code="ring_removed", player=side)
            elif self._use_own_right(t, side, with_penalty=True):
                pass
            elif not self.ring_in_hand[side]:
                # "one ring of a side may be off its holder before its right opens: it is in the hand"
                self.ring_in_hand[side] = True
            else:
                self.undue_of_holder[side] += 1
                self.say(t, "violation", code="ring_not_due", player=side)
        self.follow_up(t)

    def holder_returned(self, t: int, side: str, rings: int = 1) -> None:
        """Rings come back to a side's holder (`rings: holder`)."""
        self.run_before(t)
        if self.over:
            return
        for _ in range(rings):
            used = self.from_hand.get(side)
            if self.undue_of_holder[side]:
                self.undue_of_holder[side] -= 1
                self.say(t, "resolved", code="ring_not_due", player=side)
            elif self.ring_in_hand[side]:
                self.ring_in_hand[side] = False  # "Put back before that it was nothing"
            elif used is not None and t - used.opened_ms <= self.settings.ring_window_ms:
                self._undo_from_hand(side, used)
            else:
                self.removed_of_holder[side] += 1
                self.say(t, "violation", code="ring_removed", player=side)
        self.follow_up(t)

    def _undo_from_hand(self, side: str, right: Right) -> None:
        """ "put back within `ring_window_ms` after it, the ring is undone and the right open again" """
        del self.from_hand[side]
        self.counted[right.socket] -= 1
        self.rings_left[side] += 1
        self.move_rights.append(right)

    def _use_own_right(self, t: int, side: str, with_penalty: bool) -> bool:
        """sensing.md, "Buttons": "the ring of an open move right, else of an open claim"."""
        for rights in (self.move_rights, self.claims):
            for right in [right for right in rights if right.side == side]:
                self._use(t, right)
                return True
        for right in [right for right in self.penalties if right.side == side] if with_penalty else []:
            self.penalties.remove(right)
            self.count(t, side, self.lamp(side), "penalty")
            return True
        return False

    # -- the lamp of a penalty ring

    def next_lamp(self, socket: str) -> str:
        """ "the next socket that is not full", in the order A1 to G4."""
        start = SOCKETS.index(socket)
        return next(s for s in SOCKETS[start + 1 :] + SOCKETS[: start + 1] if not self.is_full(s))

    def lamp(self, side: str) -> str:
        """Where a side's penalty ring would lie now."""
        lamp = self.lamps[side]
        return lamp if not self.is_full(lamp) else self.next_lamp(lamp)

    # -- whose ring it was

    def says_it_was_its_own(self, t: int, side: str) -> bool:
        """ "whoever of mover and claimer presses its button (short) within 5,000 ms after that ruling …" """
        for one in reversed(self.credited):
            if t - one.t > SAID_WITHIN_MS:
                return False
            if one.player == side or side in one.said or (side != one.mover and not one.was_claimed):
                continue
            one.said.add(side)
            before, one.player = one.player, side
            self.rings_left[before] += 1
            self.rings_left[side] -= 1
            reason = "move" if side == one.mover else "claim"
            self.say(t, "ring", player=side, socket=one.socket, count=one.count, reason=reason, instead_of=before)
            if self.rings_left[side] == 0:
                self.end(t, side, "last_ring")
            return True
        return False
