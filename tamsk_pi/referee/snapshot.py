"""An immutable picture of the game for lamps and pages; nobody but the referee's thread touches the referee."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import attrs

from tamsk_pi.rules.board import Player
from tamsk_pi.sensing.self_check import Suspect

Phase = Literal["setting_up", "to_move", "carrying", "mending", "paused", "closing", "tie_break", "over"]


@attrs.frozen
class GlassView:
    """One of the seven glasses. Times are ms since the game's start."""

    name: str
    socket: str | None
    """Where it stands; None in hand, off the board, and for the timer."""
    in_hand: bool
    lifted_from: str | None
    """The socket it was last lifted from, while in hand."""
    up: str
    """The end that is up, `a` or `b`."""
    stops_at_ms: int | None
    """When its upper chamber runs out; None when it is empty."""
    full_ms: int
    """How long a full upper chamber runs with this end up."""
    moved: bool
    out: bool
    """It has run out for good (levels 2, 3)."""


@attrs.frozen
class RightView:
    """An open ring right."""

    kind: Literal["move", "claim", "penalty"]
    player: Player
    socket: str | None
    """The socket it is for; None for a penalty ring (any socket that is not full)."""
    closes_at_ms: int | None
    """When it closes by itself; None where only a lift or a move closes it."""


@attrs.frozen
class ViolationView:
    """A violation still to be mended."""

    code: str
    player: Player | None
    glass: str | None
    home: str | None
    """Where the glass is to be put back."""
    socket: str | None
    """Where the glass wrongly stands, or the socket of the ring."""
    since_ms: int


@attrs.frozen
class SetupProblem:
    """Something at one socket that keeps the game from beginning, or from going on."""

    socket: str
    what: Literal["put_glass", "take_glass", "take_rings", "put_rings"]


@attrs.frozen
class Upcoming:
    """The next game, while it is waited for."""

    level: int
    rules: str
    edition: int
    """The place of `rules` among the editions, from 1."""
    names: Mapping[str, str]
    begins: Literal["by_itself", "by_press"]
    """By itself a few seconds after the board is set up, or by a press of the arbiter's button or of both players'."""
    holders_lacking: Mapping[str, int] = attrs.field(factory=dict)
    """How many rings each holder lacks that is sensed and is not full."""
    chosen: int = 0
    """Counts what was chosen for it."""


@attrs.frozen
class Snapshot:
    """Everything a lamp, a page or a test may want to know of the game at `now_ms`."""

    now_ms: int
    phase: Phase
    level: int
    rules: str
    names: Mapping[str, str]
    """`red` and `black` to the players' names; empty where none were given."""
    to_move: Player | None
    glasses: Mapping[str, GlassView]
    rings: Mapping[str, int]
    """Counted rings by socket."""
    seen_rings: Mapping[str, int]
    """Rings as the sensors last told them, by socket; differs from `rings` while a ring violation is open."""
    rings_left: Mapping[str, int]
    rights: tuple[RightView, ...]
    violations: tuple[ViolationView, ...]
    targets: Mapping[str, tuple[str, ...]]
    """For each glass that may be moved now: where it may go."""
    timer_armed_against: Player | None
    timer_expires_at_ms: int | None
    penalty_owed: tuple[Player, ...]
    skip_owed: tuple[Player, ...]
    penalty_lamp: str | None
    last_move: tuple[str | None, str] | None
    """From (None for a free placing) and to."""
    faults: tuple[str, ...]
    """Inputs that are not trusted now, as `kind:name`."""
    setup_problems: tuple[SetupProblem, ...]
    """Before play: every socket that is not as it must be at the start."""
    winner: Player | None
    result: str | None
    """The `reason` of `game_over`, or None while the game runs."""
    waits: Literal["", "resume", "accept"] = ""
    """What the arbiter is asked for while the game is paused: whether a game that was cut off goes on, or whether a
    board that differs from the game is right."""
    differing: tuple[SetupProblem, ...] = ()
    """What would make a board that is heard again the same as the game."""
    suspects: tuple[Suspect, ...] = ()
    """Before play: every sensor whose state cannot be right."""
    upcoming: Upcoming | None = None
    """Between two games: the next one."""
