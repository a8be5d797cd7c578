"""Rings: those that are due, and those that are not."""

from __future__ import annotations

from tamsk_pi.witness.geometry import CAPACITY, SOCKETS
from tests.oracle.clumsy import Clumsy


class RingPlay(Clumsy):
    """What is done with rings beside the ring of a move."""

    # -- rings -------------------------------------------------------------------------------------------------------

    def _penalty_ring(self) -> None:
        right = self.rng.choice(self.game.penalties)
        window = self.table.settings.penalty_window_ms
        t = self.table.now + self._pause(100, 6_000)
        if self._chance(self.temper.ties):
            t = max(self.table.now + 1, right.opened_ms + window + self.rng.choice((-1, 0, 0, 1)))
        room = [socket for socket in SOCKETS if self.table.rings[socket] < CAPACITY[socket]]
        if self.table.settings.rings == "buttons":
            self.table.press(t, right.side, self.rng.choice((60, 900, 1_500)))
        elif room:
            self.table.ring_on(t, self.rng.choice(room), right.side)

    def _claim(self) -> None:
        right = self.rng.choice(self.game.claims)
        self._drop(self.table.now + self._pause(50, 3_000), right.socket, right.side)

    def _whose_ring(self) -> None:
        """A press soon after a ring, or after the timer was turned: it was my own, or not my doing."""
        said = [one.t for one in self.game.credited[-1:]]
        if self.game.started_timer is not None:
            said.append(self.game.started_timer[0])
        for t in said:
            if self.table.now - t <= 5_100:
                late = max(self.table.now, t + self._near(5_000) if self._chance(0.2) else t)
                self.table.press(late + self._pause(1, 300), self.rng.choice(("red", "black")), 60)

    def _ring_mischief(self) -> None:
        table, rng = self.table, self.rng
        side = rng.choice(("red", "black"))
        t = table.now + self._pause(50, 2_000)
        socket = rng.choice([socket for socket in SOCKETS if table.rings[socket]] or SOCKETS)
        back = t + rng.choice((400, 2_000, 8_000))
        if self._chance(0.5):
            socket = rng.choice([*SOCKETS, *(at for at in table.at.values() if at)])
            table.ring_on(t, socket, side)
            if self._chance(0.1):
                table.ring_on(t + rng.choice((0, 0, 200)), socket, side)
            if self._chance(0.7):
                table.ring_off(back, socket, side)
        else:
            table.ring_off(t, socket, side)
            if self._chance(0.8):
                table.ring_on(back, socket, side)
