"""What came of the games of a soak, as numbers."""

from __future__ import annotations

from collections import Counter
from typing import Final, Self

import attrs

MOST_PROBLEMS: Final = 20
"""So many lines about what went wrong are kept."""


@attrs.define
class Tally:
    """Counts over some games."""

    games: int = 0
    finished: int = 0
    moves: int = 0
    rulings: int = 0
    """Rulings that were compared."""
    true_violations: int = 0
    false_violations: int = 0
    missed_violations: int = 0
    lost_events: int = 0
    """Legal acts done in plain sight, and things that fell due, that were not ruled on, or at a wrong time."""
    unfounded: int = 0
    """Rulings, violations aside, that nothing on the board accounts for."""
    recoveries: int = 0
    """Links, kills and dead or noisy sensors after which the game went on as it was."""
    broken_recoveries: int = 0
    missed_faults: int = 0
    """Sensors that lied and were not named."""
    faults: Counter[str] = attrs.field(factory=Counter)
    """How often each kind of fault was injected."""
    violations: Counter[str] = attrs.field(factory=Counter)
    """True violations by their code."""
    problems: list[str] = attrs.field(factory=list)
    """The first few things that went wrong, one line each, with the game's number."""

    @property
    def is_clean(self) -> bool:
        """No false word, none missing, nothing lost, every game finished."""
        wrong = self.false_violations + self.missed_violations + self.lost_events + self.unfounded + self.missed_faults
        return wrong + self.broken_recoveries == 0 and self.finished == self.games

    def note(self, text: str) -> None:
        """Keep the first few problems."""
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(text)

    def __iadd__(self, other: Tally) -> Self:
        for field in attrs.fields(Tally):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            setattr(self, field.name, (mine + theirs)[:MOST_PROBLEMS] if field.name == "problems" else mine + theirs)
        return self
