"""The referee's whole memory of a game, as plain data that can be copied.

Who may change what is told by the modules beside this one; this one only says what there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import GLASSES, PLAYERS, RINGS_PER_SIDE, SOCKETS, TIMER, Player, glasses_of
from tamsk_pi.rules.editions import EDITIONS, Edition
from tamsk_pi.rules.moves import Table
from tamsk_pi.rules.sand import Sand
from tamsk_pi.sensing.settings import Settings

RightKind = Literal["move", "claim", "penalty"]


@attrs.define
class Right:
    """An open ring right (rules.md, "Ring rights"). `socket` is None for a penalty ring: any that is not full."""

    kind: RightKind
    player: Player
    socket: str | None
    opened_ms: int
    closes_ms: int | None
    """None: only a move closes it."""
    window_ms: int
    """When its time of its own is over: at level 1 a claim then opens beside a move right."""
    superseded: bool = False
    """A move was completed since it opened, so that no claim follows it."""
    shared: bool = False
    """Level 1: the claim beside this move right has opened."""


@attrs.define
class Dropped:
    """A counted ring of which its two sides may still say, by a press, that it was their own."""

    t_ms: int
    socket: str
    count: int
    mover: Player
    player: Player
    """Whose it counts as now."""
    said: set[Player] = attrs.field(factory=set)
    """The sides that have said so, each once."""


@attrs.define
class Held:
    """A glass in hand, as the referee sees it."""

    lifted_ms: int
    socket: str | None
    up: str
    sand: Sand
    """Its sand when it was lifted, without any turning that belongs to this handling."""
    ran: bool
    """Whether it may still be moved, as judged at the lift."""
    stopped_ms: int | None = None
    """When it stopped in the hand, or the stop that is being given the benefit of the doubt."""
    notice_ms: int | None = None
    """When it will have been off the board for too long."""
    full: frozenset[str] = frozenset()
    """The sockets that were full when it was lifted; rings that fall while it is in the air lose no game."""
    set_down: bool = False
    """It stands somewhere, but judging ended before it could be known for certain."""


@attrs.define
class Mend:
    """A glass that is to be put back (rules.md, "Mending a glass violation")."""

    home: str | None
    home_up: str
    code: str
    """The code reported last."""
    stands: str
    """Where it was set down last."""
    since_ms: int
    player: Player
    stood: dict[str, int] = attrs.field(factory=dict)
    """Every socket where it wrongly stood, and since when first."""
    left_ms: dict[str, int] = attrs.field(factory=dict, kw_only=True)
    """Of those, the ones where it stands no more, and since when it has wrongly stood elsewhere."""
    confirm_until_ms: int | None = None
    """Until when the mover may confirm a turning that no sensor saw; then it is a violation."""


@attrs.frozen
class Made:
    """A completed move, and how everything was just before it, so that it can be taken back (`takeback.py`)."""

    t_ms: int
    glass: str
    home: str | None
    home_up: str
    armed_ms: int | None
    fields: dict[str, object]
    """Fields of the game."""
    rings: dict[str, int]
    moved: frozenset[str]


VerdictKind = Literal["glass", "ring", "timer", "timeout", "end"]


@attrs.define
class Verdict:
    """The last verdict, as long as the arbiter may take it back, and what it changed."""

    kind: VerdictKind
    ruling: Ruling
    before: dict[str, object]
    """Fields of the game as they were before it."""


_TOLD_ONCE: Final = ("violation", "resolved", "notice", "fault", "fault_cleared")

_TAKEN_BACK: Final = ("to_move", "armed_ms", "expired", "penalty_owed", "skip_owed", "closing_ms", "watched", "rights")


@attrs.define
class Game:
    """One game. Times are ms since its start."""

    settings: Settings
    table: Table
    sand: dict[str, Sand]
    to_move: Player = "red"
    held: dict[str, Held] = attrs.field(factory=dict)
    mends: dict[str, Mend] = attrs.field(factory=dict)
    rights: list[Right] = attrs.field(factory=list)
    rings_left: dict[Player, int] = attrs.field(factory=lambda: dict.fromkeys(PLAYERS, RINGS_PER_SIDE))
    seen_rings: dict[str, int] = attrs.field(factory=lambda: dict.fromkeys(SOCKETS, 0))
    """What the stack sensors told last; where it differs from the counted rings a ring violation is open."""
    excused_rings: dict[str, int] = attrs.field(factory=dict)
    """Rings by socket that came (above 0) or went unobserved: no violation, and nobody's."""
    ring_since_ms: dict[str, int] = attrs.field(factory=dict)
    """Since when a ring violation is open, by socket or (mode `holder`) side."""
    holder_debt: dict[Player, int] = attrs.field(factory=lambda: dict.fromkeys(PLAYERS, 0))
    """Ring mode `holder`: rings taken off that no right covers (above 0), or counted rings put back (below 0)."""
    ring_in_hand: set[Player] = attrs.field(factory=set)
    """Ring mode `holder`: sides that hold the ring of their next move."""
    from_hand: dict[Player, Right] = attrs.field(factory=dict)
    """The move right that a ring in the hand used at the placing: put back within the window it is open again."""
    dropped: list[Dropped] = attrs.field(factory=list)
    """Rings of which a side may still say that they were its own."""
    penalty_owed: set[Player] = attrs.field(factory=set)
    skip_owed: set[Player] = attrs.field(factory=set)
    lamp: dict[Player, str] = attrs.field(factory=dict)
    """Where each side's penalty lamp stands while its penalty right is open (ring modes `buttons`, `holder`)."""
    armed_ms: int | None = None
    """When the timer that is armed against the side to move runs out."""
    timer_turned_ms: int | None = None
    """When the timer that is armed was turned over."""
    expired: bool = False
    """The timer ran out in this turn after the move had begun: completing it costs the edition's penalty."""
    stopped_ms: dict[str, int] = attrs.field(factory=dict)
    """When each glass stopped last."""
    out_ms: dict[str, int] = attrs.field(factory=dict)
    """Glasses that have stopped for good, and when."""
    doubted_ms: dict[str, int] = attrs.field(factory=dict)
    """Standing glasses that stopped by the model no longer ago than the tolerance, and when."""
    turns_later_ms: dict[str, int] = attrs.field(factory=dict)
    """Glasses whose placing was told before the turning that belongs to it, and when that comes."""
    before_lift: dict[str, Sand] = attrs.field(factory=dict)
    """The sand of glasses turned just before the lift that is about to come, as it was before that turning."""
    turns_at_lift: dict[str, int] = attrs.field(factory=dict)
    """Such turnings of glasses that stop before that lift: they count from the lift on."""
    unheard: set[str] = attrs.field(factory=set)
    """Glasses whose radio caps are not heard; the hands' own set, which they share."""
    turned_unseen: list[str] = attrs.field(factory=list)
    """Glasses that count as turned over though no sensor told so: the hands are to hear of it."""
    closing_ms: int | None = None
    watched: tuple[str, ...] = ()
    """The glasses whose stopping the players watch, because the model can't decide the tie-break."""
    stops_ms: dict[str, int] = attrs.field(factory=dict)
    """When the moved glasses that may still decide the tie-break stop, by the model as it was at its beginning."""
    opened_ms: dict[str, int] = attrs.field(factory=dict)
    """When those stopped of which the players have told by taking them off."""
    unwatched: set[str] = attrs.field(factory=set)
    """Glasses of which the players can tell no more."""
    last_move: tuple[str | None, str] | None = None
    moved_ms: int | None = None
    """When the last move was completed."""
    made: list[Made] = attrs.field(factory=list)
    """The moves that can be taken back, the last one last."""
    verdict: Verdict | None = None
    paused_ms: int | None = None
    """Since when nothing is judged."""
    over_ms: int | None = None
    """When the game was over; while it is, nothing is judged."""
    winner: Player | None = None
    result: str | None = None
    said: list[Ruling] = attrs.field(factory=list)
    """Rulings not fetched yet."""
    said_now: list[Ruling] = attrs.field(factory=list)
    """Every ruling that bears the time of the last one."""

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return EDITIONS[self.settings.rules]

    def senses_turning(self, glass: str) -> bool:
        """Whether anything tells that this glass was turned over; else every move is taken to have done it."""
        settings = self.settings
        return settings.senses_turning and (settings.sockets == "hall" or glass not in self.unheard)

    def senses_tilt(self, glass: str) -> bool:
        """Whether a tilt sensor tells of this glass's turnings, and they matter."""
        return self.settings.senses_tilt and glass not in self.unheard

    def keep(self) -> dict[str, object]:
        """What a verdict about to be given may change, as it is now."""
        return {name: _copied(getattr(self, name)) for name in _TAKEN_BACK}

    def note_verdict(self, kind: VerdictKind, before: dict[str, object]) -> None:
        """The ruling said last is a verdict that the arbiter may take back."""
        self.verdict = Verdict(kind, self.said_now[-1], before)

    def say(self, t_ms: int, kind: str, /, **details: object) -> None:
        """Add a ruling. They come in the order of time, and what is wrong or noted is not told twice for an instant.

        (A pass may well come twice at one instant, with a skip in between.)
        """
        if self.said_now and t_ms < self.said_now[-1].t_ms:
            t_ms = self.said_now[-1].t_ms
        ruling = Ruling(t_ms, kind, details)
        if self.said_now and self.said_now[-1].t_ms != t_ms:
            self.said_now.clear()
        if kind not in _TOLD_ONCE or ruling not in self.said_now:
            self.said_now.append(ruling)
            self.said.append(ruling)

    def full_sockets(self) -> frozenset[str]:
        """The sockets that hold as many rings as fit."""
        return frozenset(s for s in SOCKETS if self.table.is_full(s))

    def must_mend(self, besides: str = "") -> bool:
        """Whether a glass other than `besides` is to be put back that holds the side to move up.

        It is not held up by a glass of the other side that was moved out of turn (`wrong_glass`).
        """
        return any(m.code != "wrong_glass" for g, m in self.mends.items() if g != besides)

    def can_move(self, player: Player) -> bool:
        """Whether the side can move. A glass to be put back could go from its home, and to where it stands as well."""
        return any(g not in self.table.out and self._has_destination(g) for g in glasses_of(player))

    def _has_destination(self, glass: str) -> bool:
        stood = self.table.standing[glass]
        if glass in self.mends:
            self.table.standing[glass] = self.mends[glass].home
        found = self.table.has_destination(glass)
        self.table.standing[glass] = stood
        return found

    def holds_own_glass(self, player: Player) -> bool:
        """Whether a glass of that side is in hand (one beside the board does not count before it is set down)."""
        first = "R" if player == "red" else "B"
        return any(g[0] == first and (h.socket is not None or h.set_down) for g, h in self.held.items())


def _copied(value: object) -> object:
    if isinstance(value, set):
        return set(value)
    if isinstance(value, list):
        return [attrs.evolve(right) for right in value]
    return value


def new_game(settings: Settings, standing: Mapping[str, str], up: Mapping[str, str]) -> Game:
    """A game about to begin, with these glasses standing (glass to socket) and these ends up."""
    game = Game(
        settings=settings,
        table=Table(settings.level, settings.setup == "free", {g: standing.get(g) for g in GLASSES}),
        sand={g: Sand(settings.glass_ms[g], up[g]) for g in (*GLASSES, TIMER)},
    )
    if settings.position:
        begins_with = settings.begins_with
        game.table.rings.update(begins_with.rings)
        game.seen_rings.update(begins_with.rings)
        game.rings_left.update(begins_with.rings_left)
        game.to_move = begins_with.to_move
    return game
