"""Sensors that lie, rattle or are not heard."""

from __future__ import annotations

from tamsk_pi.witness.geometry import CAPACITY, GLASSES, NEIGHBOURS, SIDES, SOCKETS
from tests.oracle.hands import MIN_TILT_SPACING_MS, Hands

RATTLE_MS = (30, 140)


class Rattling(Hands):
    """What goes wrong with sensors."""

    def _nobody_watches(self) -> None:
        """The board goes silent for a while, or the arbiter pauses: mostly when nobody has a hand on it."""
        table, rng = self.table, self.rng
        if self._chance(0.7):
            table.advance(table.now + 1_500)
            if not table.is_quiet():
                return
        if self.game.over:
            return
        t, duration = table.now + rng.randint(0, 300), rng.choice((100, 700, 2_000, 3_000, 15_000))
        if self._chance(0.5):
            table.cut_link(t, duration, known=self._chance(0.8))
        else:
            table.pause(t, duration, by_button=self._chance(0.3))
        if table.is_quiet_but_for_plans() and self._chance(0.25):
            self._move_in_the_dark(t, duration)
        if self._chance(0.85):
            table.advance(t + duration + 1)
            table.advance(table.now + self._pause(0, 1_500))

    def _move_in_the_dark(self, t: int, duration: int) -> None:
        moves = [move for move in self._legal_moves(self.game.to_move) if self.table.at[move[0]]]
        if not moves or duration < 1_500:
            return
        glass, socket = self.rng.choice(moves)
        start, end = t + 100, t + duration - 400
        self._handle(glass, socket, 1 if self.level >= 2 else 0, start, self.rng.randint(start + 500, end))

    def _sensor_trouble(self) -> None:
        """A tilt sensor that changes by itself, a contact that flickers, an input that rattles or jumps."""
        table, rng = self.table, self.rng
        glass = rng.choice(GLASSES)
        t = table.now + rng.randint(0, 400)
        kind = rng.random()
        if kind < 0.05:
            table.make_noise(t, rng.choice(SOCKETS), rng.choice((40, 41, 60)))
        elif kind < 0.17:
            self._nobody_watches()
        elif kind < 0.4:
            self._rattle(t)
        elif kind < 0.5:
            self._impossible_count(t)
        elif kind < 0.57:
            # A contact that is stuck for a while: closed where nothing stands, open where a glass does.
            socket, duration = rng.choice(SOCKETS), rng.choice((500, 3_000, 20_000))
            table.plan(t, 6, lambda at: table.pass_over(at, socket, duration))
        elif kind < 0.8 and table.is_free(glass):
            table.tilt(t, glass)
            table.busy_until[glass] = t + rng.choice((MIN_TILT_SPACING_MS, 300))
        elif (at := table.at[glass]) is not None:
            longest = 100 if self._chance(0.9) else 4_000
            table.plan(t, 6, lambda moment: table.flicker(moment, at, rng.randint(2, longest)))

    def _rattle(self, t: int) -> None:
        table, rng = self.table, self.rng
        duration = rng.choice((300, 950, 1_100, 3_100, 8_000))
        mode = table.settings.rings
        kinds = ["tilt", "tilt", "timer", *(["ring"] if mode == "stack" else []), *(["holder"] * (mode == "holder"))]
        kind = rng.choice([*kinds, "button"])
        if kind == "tilt" and table.settings.tilt:
            table.rattle(t, "tilt", rng.choice(GLASSES), duration, RATTLE_MS)
        elif kind == "timer" and table.settings.tilt:
            table.rattle(t, "tilt", "N", duration, RATTLE_MS)
        elif kind == "ring":
            at = [one for glass in GLASSES if (one := table.at[glass])]
            table.rattle(t, "ring", rng.choice([*at, *SOCKETS]), duration, RATTLE_MS)
        elif kind == "holder":
            table.rattle(t, "holder", rng.choice(SIDES), duration, RATTLE_MS)
        elif kind == "button":
            side = rng.choice(SIDES)
            if table.pressed_until[side] < t:
                table.pressed_until[side] = t + 500
                table.rattle(t, "button", side, rng.choice((100, 300)), rng.choice(((3, 12), (12, 19))))

    def _impossible_count(self, t: int) -> None:
        table, rng = self.table, self.rng
        duration = rng.choice((160, 200, 1_000, 2_500, 5_000))
        if table.settings.rings == "stack":
            socket = rng.choice([*NEIGHBOURS["D4"], "D4", *SOCKETS])
            table.glitch(t, "ring", socket, CAPACITY[socket] + rng.choice((1, 2, 5)), duration)
        elif table.settings.rings == "holder":
            side = rng.choice(SIDES)
            values = [value for value in (0, 33, table.holders[side] - 3, table.holders[side] - 7) if value >= 0]
            table.glitch(t, "holder", side, rng.choice(values), duration)
