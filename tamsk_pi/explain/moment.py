"""One ruling with everything it rests on, as facts; `explanation.py` makes an explanation of it."""

from __future__ import annotations

import attrs

from tamsk_pi.explain.before import Before
from tamsk_pi.explain.edge_log import Burst
from tamsk_pi.referee.game import Right
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.words import Word
from tamsk_pi.rules.board import Player
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Cause, Deadline
from tamsk_pi.trace import LinkDown, LinkUp


@attrs.frozen
class Handling:
    """A glass lifted and, where `to` is given, set down again, with the edges that told of it."""

    glass: str
    lifted_ms: int
    start: str | None
    """The socket it was lifted from; None for a glass that had not been on the board."""
    up_before: str
    left_at_lift_ms: int
    """The sand it had left when it was lifted, without any turning that belongs to this handling."""
    ran: bool
    """Whether it might still be moved, as judged at the lift."""
    home: str | None
    """Where it would have to be put back: where it was lifted, or where an open violation says."""
    bursts: tuple[Burst, ...] = ()
    to: str | None = None
    placed_ms: int | None = None
    up: str | None = None


@attrs.frozen
class Opening:
    """A completed move as what opened ring rights: a move ring right, the claim that follows it, a penalty right."""

    player: Player
    """Whose move it was."""
    socket: str
    placed_ms: int
    bursts: tuple[Burst, ...]


@attrs.frozen
class Ended:
    """A ring right that is open no more: it was used, or it closed."""

    right: Right
    ended_ms: int


@attrs.frozen
class Moment:
    """A ruling, and what it came of."""

    settings: Settings
    number: int
    """Which ruling of the game this is, counted from 1."""
    ruling: Ruling
    cause: Cause
    before: Before
    bursts: tuple[Burst, ...]
    """The raw edges that it rests on."""
    records: tuple[LinkDown | LinkUp | Word, ...]
    """What it rests on besides edges."""
    handling: Handling | None
    """The handling of a glass that it judges, or by which a turn had begun."""
    opened: tuple[Opening, ...] = ()
    """The moves that opened the ring rights that it was given by."""
    ended: tuple[Ended, ...] = ()
    """The rights that a ring which is not due came too late for."""

    @property
    def was_asked(self) -> bool:
        """Whether it came of a question for a turning that nobody answered in time."""
        return isinstance(self.cause, Deadline) and self.ruling.kind == "violation"
