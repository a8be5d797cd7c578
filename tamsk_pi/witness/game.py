"""Judge a game whose acts are known exactly: rules.md, sentence by sentence.

`Game` is told the acts in order of time (`lift`, `tilt`, `place`, `ring_on`, …) and collects rulings. It may look
ahead in one respect: it is given all tilt changes beforehand, so that at a placing it knows of a late turning. What
else can only be told from what comes later it supposes (`suppose.py`).
"""

from __future__ import annotations

from tamsk_pi.witness.clock import Clock

WAIVED_WITHIN_MS = 5000


class Game(Clock):
    """One game."""

    def press(self, t: int, side: str, long: bool) -> None:
        """A player's short or long press, at its down edge (sensing.md, "Buttons")."""
        self.run_before(t)
        if self.over:
            return
        if long:
            self._press_long(t, side)
        elif self._may_wait(side) and self.supposed.ask("press waits", (t, side), 1):
            # "a press that began up to 1,000 ms before the placing, while its side held a glass, counts at the placing"
            self.press_waits.append((t, side))
        else:
            self.press_short(t, side)
        self.follow_up(t)

    def _may_wait(self, side: str) -> bool:
        rights = (*self.move_rights, *self.claims, *self.penalties)
        return self.settings.rings == "buttons" and self._has_in_hand(side) and all(r.side != side for r in rights)

    def _press_long(self, t: int, side: str) -> None:
        if self.settings.rings == "buttons" and any(right.side == side for right in self.penalties):
            self.penalties = [right for right in self.penalties if right.side != side]
            self.count(t, side, self.lamp(side), "penalty")

    def press_short(self, t: int, side: str) -> None:
        """A short press that waits for no glass."""
        mode = self.settings.rings
        has_penalty = any(right.side == side for right in self.penalties)
        has_right = has_penalty or any(right.side == side for right in (*self.move_rights, *self.claims))
        if mode == "buttons" and self._use_own_right(t, side, with_penalty=False):
            return
        if has_penalty and mode in ("buttons", "holder"):
            self.lamps[side] = self.next_lamp(self.lamp(side))
        elif (mode == "stack" and self.says_it_was_its_own(t, side)) or self._waives_timer(t, side) or has_right:
            return
        elif self.closing_since_ms is None and side == self.to_move:
            if self.can_move(side):
                self.say(t, "violation", code="must_move", player=side)  # "a side that can move asks to pass"
        elif mode == "buttons":
            self.say(t, "violation", code="ring_not_due", player=side)

    def _has_in_hand(self, side: str) -> bool:
        """With free placement a glass may come from beside the board, where nothing tells that it is in a hand."""
        return self.holds(side) or any(glass.unplaced and glass.owner == side for glass in self.glasses.values())

    def _waives_timer(self, t: int, side: str) -> bool:
        """ "may say that it was not its doing by a short press within 5,000 ms of `timer_started`" """
        if self.started_timer is None or self.armed_until_ms is None:
            return False
        started, turner = self.started_timer
        if turner != side or t - started > WAIVED_WITHIN_MS:
            return False
        self.armed_until_ms = None
        self.fault(t, "timer_waived", player=side)
        return True

    def resign(self, t: int, side: str) -> None:
        """A side's button was held for three seconds."""
        self.run_before(t)
        if not self.over:
            self.end(t, self.other(side), "resigned")

    def agree(self, t: int) -> None:
        """Both sides hold their buttons: a draw."""
        self.run_before(t)
        if not self.over:
            self.end(t, None, "agreed")
