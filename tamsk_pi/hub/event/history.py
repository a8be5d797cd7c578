"""An event as pairing and standings want it: who took part, and what each pairing of each round came to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from tamsk_pi.hub.event.results import PLAYED, POINTS


@attrs.frozen
class Player:
    """`number`: the starting number, from 1; `withdrawn_from`: the first round without this player."""

    number: int
    name: str
    club: str = ""
    rating: int = 0
    withdrawn_from: int | None = None

    def takes_part(self, round_number: int) -> bool:
        return self.withdrawn_from is None or round_number < self.withdrawn_from


@attrs.frozen
class Pairing:
    """Two players at a board; `black` None: `red` has a bye. `result` None: not known yet."""

    round: int
    board: int
    red: int
    black: int | None
    result: str | None = None
    reason: str | None = None
    by: str | None = None
    game: int | None = None

    @property
    def is_played(self) -> bool:
        return self.result in PLAYED

    def points_of(self, player: int) -> float:
        """What this pairing has brought one of its players; nothing while it has no result."""
        if self.result is None:
            return 0.0
        return POINTS[self.result][0 if player == self.red else 1]

    def opponent_of(self, player: int) -> int | None:
        return self.black if player == self.red else self.red


@attrs.frozen
class History:
    """Everything that was paired so far."""

    players: Sequence[Player]
    pairings: Sequence[Pairing]
    rounds: int
    """How many the event has."""

    def of(self, player: int) -> Iterator[Pairing]:
        """The pairings of one player, in order of the rounds."""
        mine = (p for p in self.pairings if player in (p.red, p.black))
        return iter(sorted(mine, key=lambda pairing: pairing.round))

    def points(self, player: int) -> float:
        return sum(pairing.points_of(player) for pairing in self.of(player))

    def newest_round(self) -> int:
        """The round that was paired last; 0 before the first."""
        return max((pairing.round for pairing in self.pairings), default=0)

    def missing(self) -> list[Pairing]:
        """Pairings without a result."""
        return [pairing for pairing in self.pairings if pairing.result is None]
