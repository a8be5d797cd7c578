"""Pairs of games between two players, judged by the referee, and what came of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import attrs

from tamsk_pi.engine_match.refereed import Contestant, RefereedGame
from tamsk_pi.rules.board import Player
from tamsk_pi.sensing.settings import Settings

OPENING: Final = 4
"""So many turns at random come first, the same for both games of a pair."""

Make = Callable[[int], Contestant]
"""Makes a player for a game, from a seed."""


@attrs.define
class Tally:
    """The first player's results."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    violations: int = 0
    """Rulings that something was wrong, in all games."""
    forfeits: int = 0
    faults: list[str] = attrs.field(factory=list)

    @property
    def games(self) -> int:
        return self.won + self.lost + self.drawn

    @property
    def share(self) -> float:
        """Points of all points: a draw is half."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.0


def play_pairs(first: Make, second: Make, *, level: int, pairs: int, seed: int) -> Tally:
    """`pairs` openings, each played twice with the colours changed."""
    tally = Tally()
    for number in range(2 * pairs):
        one, two = first(seed * 100_000 + 2 * number), second(seed * 100_000 + 2 * number + 1)
        sides: dict[Player, Contestant] = (
            {"red": one, "black": two} if number % 2 == 0 else {"red": two, "black": one}
        )  # fmt: skip
        game = RefereedGame(sides, Settings(level=level), opening=OPENING, seed=seed * 10_000 + number // 2)
        outcome = game.play()
        tally.violations += sum(1 for _ in game.violations())
        tally.forfeits += outcome.forfeits
        if outcome.fault:
            tally.faults.append(outcome.fault)
        if outcome.winner is None:
            tally.drawn += 1
        elif sides[outcome.winner] is one:
            tally.won += 1
        else:
            tally.lost += 1
    return tally
