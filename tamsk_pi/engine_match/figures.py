"""What a match says about two players: points, Elo, and how far off that may be."""

from __future__ import annotations

import math
from typing import Final

import attrs

_SURE: Final = 1.96
"""Standard errors to either side within which 95 % lie."""


@attrs.define
class Score:
    """One player's results against another."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def games(self) -> int:
        return self.won + self.lost + self.drawn

    @property
    def share(self) -> float:
        """Points of all points, a draw being half; 0.5 where nothing was played."""
        return (self.won + self.drawn / 2) / self.games if self.games else 0.5

    @property
    def share_error(self) -> float:
        """Half the width of the interval that holds the true share in 95 of 100 matches."""
        if not self.games:
            return 0.5
        mean = self.share
        spread = self.won * (1 - mean) ** 2 + self.drawn * (0.5 - mean) ** 2 + self.lost * mean**2
        return _SURE * math.sqrt(spread / self.games / self.games)

    @property
    def elo(self) -> float | None:
        """How many points of Elo better; None where every point went to one side."""
        return elo_of(self.share)

    @property
    def elo_error(self) -> float | None:
        """How far off `elo` may be, at 95 %."""
        low, high = elo_of(self.share - self.share_error), elo_of(self.share + self.share_error)
        return None if low is None or high is None else (high - low) / 2


def elo_of(share: float) -> float | None:
    """The difference in Elo that a share of the points stands for; None for all or nothing."""
    return -400 * math.log10(1 / share - 1) if 0 < share < 1 else None


def elo_text(score: Score) -> str:
    """Elo with its error, as a table shows it."""
    elo, error = score.elo, score.elo_error
    if elo is None:
        return "more than can be told" if score.share > 0.5 else "less than can be told"
    return f"{elo:+.0f}" + (f" ± {error:.0f}" if error is not None else "")
