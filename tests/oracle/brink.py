"""Acts at the very instant of a deadline, and beside it."""

from __future__ import annotations

from tamsk_pi.witness.geometry import other_side
from tests.oracle.hands import MIN_TILT_SPACING_MS
from tests.oracle.ring_play import RingPlay


class Brink(RingPlay):
    """Play on the brink."""

    # -- the timer, ties, trouble ------------------------------------------------------------------------------------

    def _turn_timer(self) -> None:
        table, timer = self.table, self.game.timer
        if table.busy_until["N"] > table.now or (timer.stop_ms > table.now and not self._chance(0.1)):
            return
        t = table.now + self._pause(50, 3_000)
        table.tilt(t, "N")
        table.busy_until["N"] = t + MIN_TILT_SPACING_MS
        if self._chance(0.1):
            # Turned twice: by mistake, or by both.
            twice = t + MIN_TILT_SPACING_MS + self.rng.randint(0, 2_000)
            table.tilt(twice, "N")
            table.busy_until["N"] = twice + MIN_TILT_SPACING_MS
        if self.game.last_move_ms is not None and self._chance(0.1):
            return
        if self._chance(0.5):
            # Think on, so that it may run out: with a glass in the hand, or not.
            moves = [move for move in self._legal_moves(self.game.to_move) if table.at[move[0]]]
            runs_out = t + timer.full_ms["b" if timer.end == "a" else "a"]
            if moves and self._chance(0.4):
                glass, socket = self.rng.choice(moves)
                placed = runs_out + self.rng.choice((-200, 0, 1, 300, 2_000))
                self._go_on_after(self._handle(glass, socket, self._proper_turns(), t + 500, placed))
            else:
                table.advance(t + int(self.rng.uniform(0.5, 1.6) * timer.full_ms["a"]))

    def _on_the_brink(self) -> bool:
        """Do something at, or within a millisecond of, the next deadline."""
        table, game, rng = self.table, self.game, self.rng
        due = sorted(deadline[:3] for deadline in game.deadlines() if deadline[0] > table.now + 200)
        if game.timer.stop_ms > table.now + 200 and self.level == 3:
            due.append((game.timer.stop_ms, 9, "N"))
        due = [one for one in due if one[0] < table.now + 25_000]
        if not due:
            return False
        moment, _, _ = rng.choice(due[:3])
        if self._chance(0.3) and self._stop_together(rng.choice(due)[0]):
            return True
        moment += rng.choice((0, 0, 0, -1, 1))
        table.advance(max(table.now, moment - self._pause(100, 1_500)))
        if game.over:
            return True
        what = rng.choice(("lift", "place", "ring", "ring", "timer", "turn"))
        moves = self._legal_moves(rng.choice((game.to_move, game.to_move, other_side(game.to_move))))
        moves = [move for move in moves if table.at[move[0]]]
        if what == "ring":
            rights = [*game.move_rights, *game.claims]
            if rights:
                right = rng.choice(rights)
                self._drop(moment, right.socket, right.side)
        elif what == "timer" and self.level == 3 and table.busy_until["N"] <= moment:
            table.tilt(moment, "N")
            table.busy_until["N"] = moment + MIN_TILT_SPACING_MS
        elif moves:
            glass, socket = rng.choice(moves)
            before = max(table.now, moment - rng.randint(150, 1_200))
            if what == "lift":
                self._handle(glass, socket, self._proper_turns(), start=moment)
            elif what == "place":
                self._handle(glass, socket, self._proper_turns(), start=before, place_at=moment)
            else:
                table.lift(before, glass)
                table.tilt(moment, glass)
                table.place(moment + rng.randint(0, 600), glass, socket, self._after_placing)
                table.busy_until[glass] = moment + 1_300
        table.advance(moment + self._pause(1, 700))
        return True

    def _stop_together(self, moment: int) -> bool:
        """Turn a glass over at such a time that it will stop at the same moment as something else is due."""
        moves = [move for move in self._legal_moves(self.game.to_move) if self.table.at[move[0]]]
        if not moves or self.level == 1 or not self.table.settings.tilt:
            return False
        glass, socket = self.rng.choice(moves)
        start = self.table.now + 100
        for turn_at in range(start + 1, start + 3_000):
            sand = self.game.glasses[glass].sand.copy()
            if not sand.empty and sand.stop_ms <= turn_at:
                return False
            sand.turn(turn_at)
            if sand.stop_ms == moment:
                placed = turn_at + self.rng.randint(1, 600)
                self.table.lift(start, glass)
                self.table.tilt(turn_at, glass)
                self.table.place(placed, glass, socket, self._after_placing)
                self.table.busy_until[glass] = max(placed + self._least_standing(), turn_at + MIN_TILT_SPACING_MS)
                self._go_on_after(placed)
                return True
        return False
