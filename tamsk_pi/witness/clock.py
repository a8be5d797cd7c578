"""The timer, the deadlines, and the time in which nothing is judged (rules.md, "The 15-second timer", "Levels")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tamsk_pi.witness.handling import Handling
from tamsk_pi.witness.state import Glass, Right

# "Deadlines at one instant come in this order".
STOP, NO_DOUBT, TIMER, CLAIM_COMES, MOVE_RIGHT, CLAIM, PENALTY = range(7)
Deadline = tuple[int, int, str, "Right | Glass | None"]


class Clock(Handling):
    """What falls due."""

    # -- the 15-second timer

    def turn_timer(self, t: int) -> None:
        """The timer was turned over."""
        self.run_before(t)
        if self.over or self.level != 3:
            return
        # "only when its upper chamber is empty (it is at the very instant it runs out, too)"
        tolerance = self.settings.timer_tolerance_ms
        running = self.timer.stop_ms > t + tolerance
        if not running and self.timer.stop_ms > t:
            self.timer.left_ms, self.timer.since_ms = 0, t  # "given the benefit of the doubt"
        self.timer.turn(t)
        if self.closing_since_ms is not None:
            return
        # "that counts as done by the side that is not to move"
        turner = self.other(self.to_move)
        if running:
            # "nothing is armed by it, and what was armed stands with its deadline"
            self.say(t, "violation", code="timer_running")
        elif self.last_move_ms is not None and t - self.last_move_ms <= self.settings.release_ms:
            # "Turned within `release_ms` after a placing that completed a move it was meant for that move"
            self.armed_until_ms = None
        elif not self.open_violations():
            # "Turned over when empty it is armed against the side to move, and expires T(N) later."
            self.armed_until_ms = self.timer.stop_ms + tolerance
            self.started_timer = t, turner
            self.say(t, "timer_started", player=turner)
        # "While a glass violation is open, turning it arms nothing (an armed one runs on)."

    def _expire(self, t: int) -> None:
        side = self.to_move
        self.armed_until_ms = None
        # "if the side to move holds one of its glasses, or a glass violation other than `wrong_glass` is open"
        begun = self.holds(side) or any(glass.violation != "wrong_glass" for glass in self.open_violations())
        self.say(t, "timeout", player=side, begun=begun)
        if begun:
            self.expiry_noted = True
            return
        self.say(t, "forfeit", player=side)
        if self.settings.rules == "rulebook":
            self.owed[self.other(side)] = True
        elif self.settings.rules == "schmidt1998":
            self.to_skip[side] = True
        self.give_turn(t, self.other(side))

    # -- deadlines

    def deadlines(self) -> Iterator[Deadline]:
        """Everything that will fall due as things stand."""
        for glass in self.glasses.values():
            # "a stop of that glass between the placing and the late turning is not one"
            if self.turned_over and not glass.sand.empty and glass.late_turning_ms is None:
                yield glass.sand.stop_ms, STOP, glass.name, glass
            if self.settings.glass_tolerance_ms and self._is_past(glass) and not glass.watched_out:
                yield self.stop_of(glass) + self.settings.glass_tolerance_ms, NO_DOUBT, glass.name, glass
        if self.is_blind:
            return
        if self.armed_until_ms is not None:
            yield self.armed_until_ms, TIMER, "", None
        window, closing = self.settings.ring_window_ms, self.closing_since_ms
        for right in self.move_rights:
            if self.level > 1 or right.overtaken:
                yield right.opened_ms + window, MOVE_RIGHT, right.side, right
                continue
            if not right.claim_came:
                yield right.opened_ms + window, CLAIM_COMES, right.side, right
            if closing is not None:
                # "Then a level-1 move ring right also closes `ring_window_ms` after that moment"
                yield max(closing, right.opened_ms) + window, MOVE_RIGHT, right.side, right
        for right in self.claims:
            if closing is not None:
                # "a claim `ring_window_ms` after it opens or after that moment, whichever is later"
                yield max(closing, right.opened_ms) + window, CLAIM, right.side, right
        for right in self.penalties:
            yield right.opened_ms + self.settings.penalty_window_ms, PENALTY, right.side, right

    def _is_past(self, glass: Glass) -> bool:
        return glass.moved and (glass.out_at_ms is not None or glass.sand.empty)

    def _run(self, limit: int) -> None:
        """All deadlines up to and including `limit`."""
        while not self.over:
            due = sorted((deadline for deadline in self.deadlines() if deadline[0] <= limit), key=lambda one: one[:3])
            if not due:
                return
            t, kind, _, subject = due[0]
            self.fell_due_ms.append(t)
            if isinstance(subject, Glass) and kind == NO_DOUBT:
                subject.in_doubt, subject.watched_out = False, True
                if len(due) > 1 and due[1][:2] == (t, NO_DOUBT):
                    continue
            elif isinstance(subject, Glass):
                self.stop(t, subject)
                # "glasses stop (by name), then a pass or closing that follows from it"
                if len(due) > 1 and due[1][:2] == (t, STOP):
                    continue
            elif subject is None:
                self._expire(t)
            elif kind == CLAIM_COMES:
                self.open_claim(t, subject)
            elif kind == MOVE_RIGHT:
                self.close_move_right(t, subject)
            elif kind == CLAIM:
                self.claims.remove(subject)
            else:
                self.penalties.remove(subject)
            self.follow_up(t)

    def run_before(self, t: int) -> None:
        """sensing.md: "an action at t beats a deadline at t", so before an action only earlier ones fall due."""
        self.no_longer_waiting(t, None)
        self._run(t - 1)
        for glass in self.glasses.values():
            self.tell_loose_tilts(glass, before=t - self.settings.flip_grace_ms)

    def finish(self, t: int) -> list[dict[str, Any]]:
        """Let the deadlines up to the trace's end fall due. The rulings, in order of time."""
        self.no_longer_waiting(t, None)
        self._run(t)
        for glass in self.glasses.values():
            self.tell_loose_tilts(glass, before=t - self.settings.flip_grace_ms)
        return sorted(self.rulings, key=lambda ruling: int(ruling["t"]))

    def stop(self, t: int, glass: Glass) -> None:
        """Its upper chamber has run out."""
        glass.sand.empty, glass.watched_out = True, False
        if glass.out_at_ms is not None:
            return
        # "announces every stop of a glass that is not out yet (in the hand too)"
        self.say(t, "glass_stopped", glass=glass.name)
        if glass.at is None:
            if glass.first_stop_in_hand_ms is None:
                glass.first_stop_in_hand_ms = t
        elif glass.moved:
            glass.in_doubt = self.settings.glass_tolerance_ms > 0
            glass.out_at_ms = t  # "A moved glass that stops while standing on the board is out for good"

    # -- nothing is judged

    def blind(self, t: int) -> None:
        """sensing.md: "While the link is down nothing is judged"; nor in the arbiter's pause."""
        if self.is_blind:
            return
        self.run_before(t)
        self.is_blind = True
        self.blind_since_ms = t

    def see_again(
        self, t: int, differences: Mapping[str, object], length_is_known: bool = True, follows: bool = True
    ) -> None:
        """ "ring rights stand still"; "an armed timer goes on if its sand still runs afterwards"

        `follows`: the board is as it was, so that what follows from that is ruled at once.
        """
        if not self.is_blind:
            return
        self.run_before(t)
        self.is_blind = False
        if self.over:
            return
        for right in (*self.move_rights, *self.claims, *self.penalties):
            right.opened_ms += t - self.blind_since_ms
        if self.closing_since_ms is not None:
            # What a right has left from then on stands still, too.
            self.closing_since_ms += t - self.blind_since_ms
        # "void if it ran out meanwhile": its sand, whatever tolerance its expiry is given.
        ran_out_ms = None if self.armed_until_ms is None else self.armed_until_ms - self.settings.timer_tolerance_ms
        if ran_out_ms is not None and (ran_out_ms < t or not length_is_known):
            self.armed_until_ms = None
        if differences:
            self.fault(t, "unobserved", **differences)
        if follows:
            self.follow_up(t)
