"""Glasses are lifted, turned and set down (rules.md, "Levels", "Violations")."""

from __future__ import annotations

from bisect import bisect_right

from tamsk_pi.witness.state import Glass
from tamsk_pi.witness.turns import Turns


class Handling(Turns):
    """What is done with the travelling glasses."""

    def lift(self, t: int, name: str) -> None:
        """A glass leaves its socket."""
        self.run_before(t)
        if self.over:
            return
        glass = self.glasses[name]
        glass.lifted_from, glass.lifted_at_ms = glass.at, t
        glass.openings_ms.append(t)
        glass.up_when_lifted = glass.up
        # "without the turning that belongs to that very handling": the early turning is applied after this.
        glass.ran_when_lifted = self.may_still_be_moved(glass) if glass.moved else True
        glass.full_when_lifted = frozenset(socket for socket in self.counted if self.is_full(socket))
        glass.at = None
        glass.unjudged = False
        glass.first_stop_in_hand_ms = None
        if glass.in_doubt:
            # It has the benefit of the doubt, so it is not out unless it is put back.
            glass.first_stop_in_hand_ms, glass.out_at_ms, glass.in_doubt = glass.out_at_ms, None, False
        glass.tilted_in_hand = False
        glass.sand_when_lifted = glass.sand.copy()
        if not glass.violation:
            glass.home, glass.home_up = glass.lifted_from, glass.up
        # "from `flip_grace_ms` before the lift"
        early = [c for c in glass.loose_tilts if c >= t - self.settings.flip_grace_ms]
        self.tell_loose_tilts(glass, before=t - self.settings.flip_grace_ms)
        glass.loose_tilts = []
        for c in early:
            self._turn_in_handling(glass, c)
        self.follow_up(t)

    def tilt(self, t: int, name: str) -> None:
        """A glass's tilt sensor changed (settled)."""
        self.run_before(t)
        if self.over or not self.turned_over or not self.senses_tilt:
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

    def tell_loose_tilts(self, glass: Glass, before: int) -> None:
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
        if glass.unplaced:
            glass.full_when_lifted = frozenset(one for one in self.counted if self.is_full(one))
        glass.unplaced = False
        turned = self._see_turning(t, glass, at_home, field_up)
        if self._is_uncertain(t, glass, turned, at_home):
            self._place_uncertain(t, glass, at_home, field_up)
            return
        legal_if = self.fault_in(glass, socket, turned)
        moved, mended = self._judge_placing(t, glass, socket, at_home, turned, legal_if)
        # "so is one that stops in the hand, unless that handling completes a move"
        stopped = glass.first_stop_in_hand_ms if self.turned_over and not moved and glass.moved else None
        if stopped is not None and glass.out_at_ms is None:
            glass.out_at_ms = stopped
            glass.in_doubt = t <= stopped + self.settings.glass_tolerance_ms > stopped
        glass.first_stop_in_hand_ms = None
        if moved and self.closing_since_ms is None and not self.over:
            self._turn_unseen(t, glass)
            self.complete_move(t, glass, socket, mended)
        glass.lifted_from = None
        self.no_longer_waiting(t, name)
        self.follow_up(t)

    def _judge_placing(
        self, t: int, glass: Glass, socket: str, at_home: bool, turned: bool, legal_if: str | None
    ) -> tuple[bool, bool]:
        """Whether it is a move, and whether that mended something."""
        if not glass.violation:
            if at_home:
                # "Putting a glass back into its own socket the same way up is no move and no violation."
                if turned:
                    self._report(t, glass, "flipped_in_place", socket)
            elif legal_if is None:
                return True, False
            else:
                self._report(t, glass, legal_if, socket)
        elif at_home:
            # "at home, the same way up: `resolved`; at home, the other way up: `resolved`, then `flipped_in_place`"
            self._resolve(t, glass)
            self.undue_for = {at: name for at, name in self.undue_for.items() if name != glass.name}
            if turned:
                self._report(t, glass, "flipped_in_place", socket)
        elif legal_if == "must_mend":
            # "unless another glass is still to be put back (then `must_mend`)"
            self._report(t, glass, "must_mend", socket)
        elif legal_if is None:
            self._resolve(t, glass)
            return True, True
        elif socket != glass.stands_wrongly_at:
            self._report(t, glass, legal_if, socket)
        return False, False

    def _is_uncertain(self, t: int, glass: Glass, turned: bool, at_home: bool) -> bool:
        """sensing.md, "Order": "a turning might still have come within `flip_grace_ms`"; or it was not released yet."""
        if not at_home and self.judged_until_ms(t) - t < self.settings.release_ms:
            return True
        if not self.turned_over or not self.senses_tilt or self.settings.hall:
            return False
        until = self.judged_until_ms(t)
        if at_home:
            return until - t < self.settings.settle_ms["tilt"] and turned
        return not turned and until <= t + self.settings.flip_grace_ms

    def _place_uncertain(self, t: int, glass: Glass, at_home: bool, field_up: str | None) -> None:
        """ "only the part that is certain is ruled" """
        if at_home and glass.violation:
            self._resolve(t, glass)
        glass.unjudged, glass.unjudged_field_up = not at_home, field_up
        glass.lifted_from = None if at_home else glass.lifted_from

    def judge_what_stands(self, t: int) -> None:
        """sensing.md, "Order": "that placing is judged then, with what the board tells then, if its glass still stands
        there" """
        for glass in self.glasses.values():
            if glass.unjudged and glass.at is not None and not self.over:
                socket, glass.at, glass.unjudged = glass.at, None, False
                self.seen_late.add(glass.name)
                self.place(t, glass.name, socket, glass.unjudged_field_up)
                self.seen_late.discard(glass.name)

    # -- turning

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
            late = self.late_tilt(glass, t)
            if late is not None:
                self._claim_late(glass, late)
        return glass.up != glass.home_up

    def late_tilt(self, glass: Glass, t: int) -> int | None:
        """A change of its tilt soon enough after a placing at `t` to belong to it."""
        if glass.name in self.seen_late:
            return None
        tilts = self.tilts[glass.name]
        index = bisect_right(tilts, t)
        last = min(t + self.settings.flip_grace_ms, self.judged_until_ms(t))
        if index < len(tilts) and tilts[index] <= last:
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
        late = self.late_tilt(glass, t) if self.senses_tilt and not at_home and glass.up == glass.home_up else None
        if late is not None:
            self._claim_late(glass, late)
            return
        glass.up = field_up
        if glass.tilted_in_hand and glass.sand_when_lifted is not None:
            # The tilt told something else, so nothing of what it told counts.
            glass.sand = glass.sand_when_lifted.copy()
        if field_up != glass.up_when_lifted:
            self._turn_midway(t, glass)

    def _turn_unseen(self, t: int, glass: Glass) -> None:
        """No sensor tells when: as for hall sockets, "at the middle of its way"."""
        if self.turned_over and not self.senses_tilt and not self.settings.hall:
            glass.up = "b" if glass.up == "a" else "a"
            self._turn_midway(t, glass)

    def _turn_midway(self, t: int, glass: Glass) -> None:
        """sensing.md: "a glass is then taken to have been turned at the middle of its way".

        A stop in the hand that was told before it was set down has been told: nobody knew of the turning then.
        """
        # One that comes from beside the board has been on no way that could be halved.
        glass.sand.turn(t if glass.lifted_from is None else (glass.lifted_at_ms + t) // 2)

    # -- violations

    def _report(self, t: int, glass: Glass, code: str, socket: str) -> None:
        if self.closing_since_ms is not None and code == "must_mend":
            return
        # "`player` is the side to move, except for `wrong_glass` and `flipped_in_place` (the glass's owner)"
        player = glass.owner if code in ("wrong_glass", "flipped_in_place") else self.to_move
        self.say(t, "violation", code=code, player=player, glass=glass.name, to=socket)
        glass.violation, glass.stands_wrongly_at = code, socket
        if code == "full_socket":
            self.end(t, self.other(self.to_move), "full_socket")

    def _resolve(self, t: int, glass: Glass) -> None:
        self.say(t, "resolved", code=glass.violation, glass=glass.name)  # "`resolved` names the code reported last"
        glass.violation = glass.stands_wrongly_at = None
