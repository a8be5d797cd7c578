"""What a report tells of a game, as plain data. Times are ms since the game's start unless a name says otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import Player
from tamsk_pi.rules.record import Record, Result
from tamsk_pi.sensing.settings import Settings

Mending = Literal["put_right", "moved", "ring_off", "ring_back", "annulled", "accepted", "noted", "lost", "open"]
"""How a violation ended: put back, made whole by a move, its ring taken off or put back, taken back or accepted by the
arbiter, nothing to mend, the game lost by it, or not at all."""


@attrs.frozen
class Span:
    """A stretch of time; `until_ms` is where it ended, the report's end for one that had not."""

    since_ms: int
    until_ms: int

    def overlap_ms(self, since_ms: int, until_ms: int) -> int:
        """How much of it lies between two times."""
        return max(0, min(self.until_ms, until_ms) - max(self.since_ms, since_ms))


@attrs.frozen
class RingsLeft:
    """The rings left on both holders from a time on."""

    t_ms: int
    red: int
    black: int


@attrs.frozen
class TurnTime:
    """How long a turn took: from the end of the turn before it to its own."""

    player: Player
    notation: str
    kind: Literal["move", "pass", "forfeit", "skip"]
    since_ms: int
    t_ms: int
    paused_ms: int
    """How much of it nothing was judged: the link was down, or the arbiter had paused the game."""

    @property
    def took_ms(self) -> int:
        """The time that counts: without pauses."""
        return self.t_ms - self.since_ms - self.paused_ms


@attrs.frozen
class SandPoint:
    """A corner of the line that a glass's sand draws: it runs evenly from one to the next, or jumps at a turning."""

    t_ms: int
    left_ms: int
    """How long the upper chamber would still run."""


@attrs.frozen
class GlassHistory:
    """One glass over the game."""

    name: str
    full_ms: int
    """How long its upper chamber runs when it is full, the longer of its two ends."""
    points: tuple[SandPoint, ...]
    stops_ms: tuple[int, ...]
    """When it ran out, each time; for the timer, when it ran out on a side."""
    outs: tuple[Span, ...]
    """While it was out for good; more than one only where the arbiter brought it back."""


@attrs.frozen
class Violation:
    """A violation and how it ended."""

    ruling: Ruling
    mending: Mending
    ended_ms: int | None = None
    moved_to: str | None = None
    """Where the move that made it whole went."""


@attrs.frozen
class Flaw:
    """Why a report does not tell a whole trace."""

    kind: Literal["torn", "broken", "record"]
    problem: str = ""
    """In one line of English, as the reader of traces tells it."""


@attrs.frozen
class Report:
    """Everything that a sheet shows."""

    settings: Settings
    began: bool
    """Whether the board was ever set up."""
    start_ms: int
    end_ms: int
    """The end of the game, or of what there is of it."""
    outcome: Ruling | None
    """The ruling `game_over`, None while the game is not over."""
    result: Result | None
    record: Record
    rings: tuple[RingsLeft, ...]
    turns: tuple[TurnTime, ...]
    pauses: tuple[Span, ...]
    glasses: tuple[GlassHistory, ...]
    violations: tuple[Violation, ...]
    penalties: tuple[Ruling, ...]
    """What the timer cost: expiries, forfeits, skips, penalty rings, and what the arbiter changed in them."""
    final: Snapshot
    owners: Mapping[str, Mapping[int, Player]]
    """Whose ring lies at each height (1 is the lowest) of each socket, as far as it was told."""
    flaws: tuple[Flaw, ...] = ()

    @property
    def length_ms(self) -> int:
        """From the start to the end, pauses included."""
        return self.end_ms - self.start_ms

    @property
    def rest_ms(self) -> int:
        """What passed after the last turn: a move not completed, or rings still dropped while the game closed."""
        return self.end_ms - (self.turns[-1].t_ms if self.turns else self.start_ms)

    def took_ms(self, player: Player) -> int:
        """How long a side thought and moved in all its turns together."""
        return sum(turn.took_ms for turn in self.turns if turn.player == player)
