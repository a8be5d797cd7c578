"""A match: many games between two players, each opening played twice with the colours changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

import attrs

from tamsk_pi.engine.situation import Situation
from tamsk_pi.engine_match.figures import Score
from tamsk_pi.engine_match.refereed import Contestant, Outcome, PlayerFailed, RefereedGame
from tamsk_pi.rules.board import PLAYERS, Player, opponent
from tamsk_pi.rules.notation import Turn
from tamsk_pi.sensing.settings import Settings


class MatchPlayer(Protocol):
    """A contestant that can be made ready for a game."""

    name: str

    def new_game(self, seed: int) -> None: ...

    def choose(self, situation: Situation) -> Turn: ...

    def timer_wait_ms(self, situation: Situation) -> int | None: ...


@attrs.frozen
class Played:
    """One game of a match."""

    number: int
    first_is: Player
    outcome: Outcome
    turns: tuple[str, ...]
    violations: int


@attrs.frozen(kw_only=True)
class MatchPlan:
    """What to play."""

    games: int
    settings: Settings
    pace_ms: int
    opening: int
    seed: int


@attrs.define
class Match:
    """Plays the games of a plan one by one. `score` is the first player's so far."""

    first: MatchPlayer
    second: MatchPlayer
    plan: MatchPlan
    score: Score = attrs.field(factory=Score)

    def play(self) -> Iterator[Played]:
        """Play; a player that fails loses that game and nothing else."""
        for number in range(self.plan.games):
            played = self._game(number)
            self._count(played)
            yield played

    def _game(self, number: int) -> Played:
        first_is = PLAYERS[number % 2]
        sides: Final[dict[Player, MatchPlayer]] = {first_is: self.first, opponent(first_is): self.second}
        for side, player in sides.items():
            try:
                player.new_game(self.plan.seed * 10_000 + number)
            except PlayerFailed as failed:
                outcome = Outcome(opponent(side), "failed", 0, (32, 32), f"{player.name}: {failed}")
                return Played(number + 1, first_is, outcome, (), 0)
        contestants: dict[Player, Contestant] = {side: player for side, player in sides.items()}
        game = RefereedGame(
            contestants, self.plan.settings, pace_ms=self.plan.pace_ms, opening=self.plan.opening,
            seed=self.plan.seed * 10_000 + number // 2,
        )  # fmt: skip
        outcome = game.play()
        return Played(number + 1, first_is, outcome, tuple(game.record), sum(1 for _ in game.violations()))

    def _count(self, played: Played) -> None:
        winner = played.outcome.winner
        if winner is None:
            self.score.drawn += 1
        elif winner == played.first_is:
            self.score.won += 1
        else:
            self.score.lost += 1
