"""What the hands do: mostly play, often clumsily, and now and then at the very instant of a deadline."""

from __future__ import annotations

from tamsk_pi.witness.geometry import GLASSES
from tests.oracle.brink import Brink


class Director(Brink):
    """Plays one game on a table."""

    def play(self, duration_ms: int) -> None:
        """Act until the game is over or the time is up."""
        while not (self.game.over or self.table.is_lost) and self.table.now < duration_ms:
            self._step()
        self._afterthought()
        self.table.drain()

    def _afterthought(self) -> None:
        """After the end nothing counts: do a little more now and then."""
        if self.game.over and self._chance(0.3):
            self._any_handling(self.rng.choice(GLASSES))

    # -- steps -------------------------------------------------------------------------------------------------------

    def _step(self) -> None:
        table, game = self.table, self.game
        if self._chance(0.05 * self.temper.untidy):
            self._sensor_trouble()
        if self.level == 3 and self._chance(self.temper.timer):
            self._turn_timer()
        if self._chance(self.temper.ties) and self._on_the_brink():
            return
        if self._chance(0.25 * self.temper.clumsy):
            self._ring_mischief()
        if self._chance(0.06):
            self._whose_ring()
        if game.penalties and self._chance(0.5):
            self._penalty_ring()
        elif game.claims and self._chance(0.3):
            self._claim()
        if self._chance(self.temper.waits):
            table.advance(table.now + self._pause(2_000, 20_000))
            return
        wrong = [glass.name for glass in game.glasses.values() if glass.violation and table.is_free(glass.name)]
        if wrong and not self._chance(0.12):
            self._mend(game.glasses[self.rng.choice(wrong)])
        elif self._chance(self.temper.clumsy):
            self._clumsy()
        elif not self._play_well():
            table.advance(table.now + self._pause(300, 6_000))
        if self._chance(0.01 if self.table.settings.rings == "stack" else 0.1):
            held = self._chance(0.01)
            duration = 3_000 if held else self.rng.choice((60, 120, 300, 799, 800, 1_200))
            table.press(table.now + self._pause(50, 800), self.rng.choice(("red", "black")), duration)

    def _play_well(self) -> bool:
        """A legal move by the side to move, if it has a glass free for it."""
        choices = self._legal_moves(self.game.to_move)
        if not choices:
            return False
        glass, socket = self.rng.choice(choices)
        place_at = self._handle(glass, socket, turns=self._proper_turns())
        self._go_on_after(place_at)
        return True
