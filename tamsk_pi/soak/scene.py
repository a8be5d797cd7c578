"""The game as the witness has it: plain data, filled from what hands did and from nothing the referee says."""

from __future__ import annotations

from typing import Final, Literal

import attrs

from tamsk_pi.rules.board import (
    CAPACITY,
    GLASSES,
    NEIGHBOURS,
    PLAYERS,
    RINGS_PER_SIDE,
    SOCKETS,
    START,
    TIMER,
    Player,
    opponent,
    owner_of,
)
from tamsk_pi.sim.sand import GlassMs, Sand


@attrs.define
class Handled:
    """One travelling glass."""

    name: str
    sand: Sand
    at: str | None
    """The socket it stands in; None in hand."""
    home: str
    """Where it stands, or stood when it was lifted."""
    home_up: str = "a"
    moved: bool = False
    out: bool = False
    out_at_ms: int | None = None
    ran: bool = True
    """Whether it may be moved, as judged when it was lifted."""
    stopped_in_hand_ms: int | None = None
    lifted_ms: int = 0
    flipped: bool = False
    """Turned over since it was lifted, where only the field in the next socket will tell so."""
    stop_told_ms: int | None = None

    @property
    def owner(self) -> Player:
        return owner_of(self.name)


@attrs.define
class Wrong:
    """A glass that is to be put back."""

    home: str
    home_up: str
    code: str
    stands: str


RightKind = Literal["move", "claim", "penalty"]


@attrs.define
class Due:
    """A ring that may be dropped."""

    kind: RightKind
    player: Player
    socket: str | None
    closes_ms: int | None
    overtaken: bool = False
    """A move was completed since."""


_ORDER: Final = ("move", "claim", "penalty")


@attrs.define
class Scene:
    """Everything there is to know of a game, by rules.md."""

    level: int
    rules: str
    glasses: dict[str, Handled]
    timer: Sand
    to_move: Player = "red"
    counted: dict[str, int] = attrs.field(factory=lambda: dict.fromkeys(SOCKETS, 0))
    stray: dict[str, int] = attrs.field(factory=lambda: dict.fromkeys(SOCKETS, 0))
    """Rings that lie there and count for nobody (below 0: counted ones that are off)."""
    holder_stray: dict[Player, int] = attrs.field(factory=lambda: dict.fromkeys(PLAYERS, 0))
    left: dict[Player, int] = attrs.field(factory=lambda: dict.fromkeys(PLAYERS, RINGS_PER_SIDE))
    lamps: dict[Player, str] = attrs.field(factory=dict)
    """Where each side's penalty lamp stands (rings not noticed by stacks)."""
    wrong: dict[str, Wrong] = attrs.field(factory=dict)
    dues: list[Due] = attrs.field(factory=list)
    owed: set[Player] = attrs.field(factory=set)
    skips: set[Player] = attrs.field(factory=set)
    expires_ms: int | None = None
    begun_late: bool = False
    """The timer ran out in this turn after it had begun."""
    closing_ms: int | None = None
    over: bool = False

    # -- questions

    def is_full(self, socket: str) -> bool:
        return self.counted[socket] >= CAPACITY[socket]

    def ways(self, glass: Handled) -> list[str]:
        """Where a glass could go from its home: sockets that touch it, vacant and not full."""
        taken = {g.home for g in self.glasses.values()}
        return [s for s in NEIGHBOURS[glass.home] if s not in taken and not self.is_full(s)]

    def can_move(self, side: Player) -> bool:
        return any(g.owner == side and not g.out and self.ways(g) for g in self.glasses.values())

    def holds(self, side: Player) -> bool:
        return any(g.owner == side and g.at is None for g in self.glasses.values())

    def fault_in(self, glass: Handled, socket: str, home: str) -> str | None:
        """What forbids the glass to go from `home` to `socket`; the turning over is not looked at."""
        if glass.owner != self.to_move:
            return "wrong_glass"
        if self.is_full(socket):
            return "full_socket"
        if self.level > 1 and glass.moved and not glass.ran:
            return "stopped_glass"
        if self.level > 1 and glass.moved:
            at, glass.home = glass.home, home
            unmoved = [g for g in self.glasses.values() if g.owner == self.to_move and not g.moved]
            duty = any(self.ways(g) for g in unmoved)
            glass.home = at
            if duty:
                return "opening_order"
        return None if socket in NEIGHBOURS[home] else "not_adjacent"

    def due_at(self, socket: str) -> Due | None:
        """What a ring seen on that socket uses, whoever dropped it: a move right, a penalty right, a claim."""
        if self.is_full(socket):
            return None
        for kind in ("move", "penalty", "claim"):
            for due in reversed(self.dues):
                if due.kind == kind and due.socket in (socket, None):
                    return due
        return None

    def due_of(self, player: Player) -> Due | None:
        """What a ring of that side uses where its place is not seen."""
        own = [due for due in self.dues if due.player == player]
        return min(own, key=lambda due: _ORDER.index(due.kind), default=None)

    def lamp_from(self, socket: str) -> str:
        """That socket, or the next one in the order A1 to G4 that is not full."""
        first = SOCKETS.index(socket)
        return next((s for s in (*SOCKETS[first:], *SOCKETS[:first]) if not self.is_full(s)), socket)

    # -- rights

    def close(self, t_ms: int, due: Due, window_ms: int) -> None:
        """An unused right ends; a move right leaves a claim."""
        self.dues.remove(due)
        if due.kind == "move" and due.socket is not None and not due.overtaken and not self.is_full(due.socket):
            closes_ms = None if self.closing_ms is None else max(t_ms, self.closing_ms) + window_ms
            self.dues.append(Due("claim", opponent(due.player), due.socket, closes_ms))


def scene_at_start(level: int, rules: str, glass_ms: GlassMs) -> Scene:
    """The start: every glass at its corner with its end a up and its sand run down."""
    glasses = {g: Handled(g, Sand(glass_ms[g]), START[g], START[g]) for g in GLASSES}
    return Scene(level, rules, glasses, Sand(glass_ms[TIMER]))
