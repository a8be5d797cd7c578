"""How a game stands, and the questions that its rules ask of that (rules.md, "A turn", "Levels", "Violations").

Quotations in comments of this package are from rules.md unless they say otherwise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tamsk_pi.witness.geometry import CAPACITY, CORNERS, GLASSES, NEIGHBOURS, SIDES, SOCKETS, other_side, owner
from tamsk_pi.witness.sand import Sand
from tamsk_pi.witness.settings import Settings
from tamsk_pi.witness.suppose import Supposed

RINGS_PER_SIDE = 32
NEVER_MS = 10**12


@dataclass
class Glass:
    """One travelling glass. `at` is the socket it stands in, None in the hand (or beside the board: `unplaced`)."""

    name: str
    sand: Sand
    up: str
    at: str | None
    home: str | None
    home_up: str
    up_when_lifted: str = "a"
    unplaced: bool = False
    moved: bool = False
    out_at_ms: int | None = None
    in_doubt: bool = False
    """It is out by the model, but by less than the tolerance."""
    openings_ms: list[int] = field(default_factory=list)
    """When it was lifted."""
    watched_out: bool = False
    """Its stop is longer ago than the tolerance: no opening tells of it any more."""
    lifted_from: str | None = None
    lifted_at_ms: int = 0
    ran_when_lifted: bool = False
    full_when_lifted: frozenset[str] = frozenset()
    first_stop_in_hand_ms: int | None = None
    tilted_in_hand: bool = False
    sand_when_lifted: Sand | None = None
    violation: str | None = None
    stands_wrongly_at: str | None = None
    placed_at_ms: int = -1
    unjudged: bool = False
    unjudged_field_up: str | None = None
    late_turning_ms: int | None = None
    claimed_tilts: set[int] = field(default_factory=set)
    loose_tilts: list[int] = field(default_factory=list)

    @property
    def owner(self) -> str:
        """Whose it is."""
        return owner(self.name)

    @property
    def in_hand(self) -> bool:
        """Lifted and not yet set down."""
        return self.at is None and not self.unplaced


@dataclass
class Right:
    """An open ring right of `side`; a penalty right has no socket. `move_number`: of the move that it belongs to."""

    side: str
    socket: str
    opened_ms: int
    move_number: int
    overtaken: bool = False
    """Level 1: the next move is completed."""
    claim_came: bool = False
    """Level 1: its claim has been opened, or was not to be."""
    rings_then: int = 0


@dataclass
class Credited:
    """A ring that was ruled for a move right or a claim: who may still say that it was its own."""

    t: int
    socket: str
    mover: str
    player: str
    count: int
    was_claimed: bool
    """The claim was open then, or was what it was ruled for."""
    said: set[str] = field(default_factory=set)


class State(ABC):
    """A game. `tilts`: every settled tilt change of each glass; `blind_ms`: when judging stops, or the trace ends."""

    def __init__(
        self,
        settings: Settings,
        tilts: Mapping[str, Sequence[int]] | None = None,
        blind_ms: Sequence[int] = (),
        supposed: Supposed | None = None,
    ) -> None:
        self.settings = settings
        self.level = settings.level
        self.turned_over = settings.level >= 2
        self.senses_tilt = settings.tilt
        self.supposed = supposed or Supposed()
        self.tilts = {glass: sorted((tilts or {}).get(glass, ())) for glass in GLASSES}
        self.blind_ms = sorted(blind_ms)
        self.rulings: list[dict[str, Any]] = []
        self.glasses: dict[str, Glass] = {}
        for name in GLASSES:
            at = None if settings.free else CORNERS[name]
            up = settings.up[name]
            # "All upper chambers start empty."
            sand = Sand(settings.glass_ms[name], up)
            self.glasses[name] = Glass(
                name,
                sand,
                up,
                at,
                at,
                up,
                up_when_lifted=up,
                unplaced=settings.free,
                sand_when_lifted=sand.copy() if settings.free else None,
            )
        self.timer = Sand(settings.glass_ms["N"], settings.up["N"])
        self.armed_until_ms: int | None = None
        self.started_timer: tuple[int, str] | None = None
        self.expiry_noted = False
        self.to_move = "red"  # "Red begins."
        self.moves = 0
        self.last_move_ms: int | None = None
        self.counted = dict.fromkeys(SOCKETS, 0)
        self.undue = dict.fromkeys(SOCKETS, 0)
        self.undue_for: dict[str, str] = {}
        """The glass whose violation was open at a socket when a ring came there that was not due."""
        self.removed = dict.fromkeys(SOCKETS, 0)
        self.undue_of_holder = dict.fromkeys(SIDES, 0)
        self.removed_of_holder = dict.fromkeys(SIDES, 0)
        self.ring_in_hand = dict.fromkeys(SIDES, False)
        self.from_hand: dict[str, Right] = {}
        """Mode `holder`: the move right that took the ring in the hand, while it may be put back."""
        self.rings_left = dict.fromkeys(SIDES, RINGS_PER_SIDE)
        self.credited: list[Credited] = []
        self.ring_waits: list[tuple[int, str, list[str]]] = []
        """Rings that may belong to a glass still in the air: when, where, to which glasses."""
        self.press_waits: list[tuple[int, str]] = []
        """Presses that may belong to such a glass: when, whose."""
        self.move_rights: list[Right] = []
        self.claims: list[Right] = []
        self.penalties: list[Right] = []
        self.lamps: dict[str, str] = {}
        self.owed = dict.fromkeys(SIDES, False)
        self.to_skip = dict.fromkeys(SIDES, False)
        self.closing_since_ms: int | None = None
        self.watching_last_glasses = False
        self.over = False
        self.seen_late: set[str] = set()
        """Glasses that were set down before judging went on: no turning is late for them."""
        self.fell_due_ms: list[int] = []
        self.is_blind = False

    # -- reporting

    def say(self, t: int, ruling: str, **details: object) -> None:
        """Give a ruling; sensing.md: "nothing is told twice for one instant"."""
        told = {"t": t, "ruling": ruling, **details}
        if ruling not in ("violation", "resolved", "fault", "notice") or told not in self.rulings[-8:]:
            self.rulings.append(told)

    def fault(self, t: int, code: str, **details: object) -> None:
        """A fault or, with some codes, a notice."""
        kind = "notice" if code in NOTICES else "fault"
        if not self.over:
            self.say(t, kind, code=code, **details)

    @abstractmethod
    def end(self, t: int, winner: str | None, reason: str) -> None:
        """The game is over."""

    @abstractmethod
    def run_before(self, t: int) -> None:
        """Let fall due what is due before `t`."""

    @abstractmethod
    def follow_up(self, t: int) -> None:
        """What comes at the same instant after an act: a pass, the closing, the end."""

    @abstractmethod
    def press_short(self, t: int, side: str) -> None:
        """A short press of a player that waits for no glass."""

    # -- questions

    def is_full(self, socket: str) -> bool:
        """Counted rings only: one not due "counts for nobody", a removed one "counts as lying there"."""
        return self.counted[socket] >= CAPACITY[socket]

    def open_violations(self) -> list[Glass]:
        """Glasses that are to be put right."""
        return [glass for glass in self.glasses.values() if glass.violation]

    def holds(self, side: str) -> bool:
        """Whether a side has one of its glasses in hand."""
        # One that was set down too late to be judged is in hand as far as is known.
        return any((glass.in_hand or glass.unjudged) and glass.owner == side for glass in self.glasses.values())

    def may_still_be_moved(self, glass: Glass) -> bool:
        """ "levels 2 and 3: counting only glasses that may still be moved" """
        if not self.turned_over or not glass.moved:
            return True  # "a glass that has not moved yet may move all the same"
        if glass.in_hand:
            return glass.ran_when_lifted  # "Whether a glass still runs is judged when it is lifted"
        if glass.out_at_ms is not None:
            return glass.in_doubt  # sensing.md: "within the tolerance of the model's stop is given the benefit"
        return not glass.sand.empty or glass.late_turning_ms is not None

    def has_destination(self, glass: Glass) -> bool:
        """Whether there is "an adjacent vacant socket that is not full".

        "For this question a glass in hand counts as standing where it was lifted."
        """
        # Where it stands wrongly itself, it could still go, made whole.
        taken = {
            spot for other in self.glasses.values() if other is not glass and (spot := other.at or other.lifted_from)
        }
        if glass.unplaced:
            return any(socket not in taken and not self.is_full(socket) for socket in SOCKETS)
        origin = glass.home if glass.violation else glass.at or glass.lifted_from
        if origin is None:
            return True
        return any(socket not in taken and not self.is_full(socket) for socket in NEIGHBOURS[origin])

    def can_move(self, side: str) -> bool:
        """ "It cannot move when none of its glasses has an adjacent vacant socket that is not full." """
        return any(
            self.may_still_be_moved(glass) and self.has_destination(glass)
            for glass in self.glasses.values()
            if glass.owner == side
        )

    def _opening_asks_for_another(self, glass: Glass) -> bool:
        side = [other for other in self.glasses.values() if other.owner == glass.owner and other is not glass]
        if self.settings.free:
            # "In its first three turns each side places one of its glasses": one to be mended is not placed yet.
            return glass.moved and any(not other.moved for other in side)
        if not self.turned_over or not glass.moved:
            return False
        # "judged with the glass back where it came from": it counts in its home, and its home as taken.
        at, lifted_from = glass.at, glass.lifted_from
        glass.at, glass.lifted_from = None, glass.home
        try:
            # "Opening duty lapses while none of the unmoved glasses has a legal destination."
            return any(not other.moved and self.has_destination(other) for other in side)
        finally:
            glass.at, glass.lifted_from = at, lifted_from

    def fault_in(self, glass: Glass, socket: str, turned: bool) -> str | None:
        """The first code of the table that applies to this placing away from home; None where it is legal."""
        if glass.owner != self.to_move:
            return "wrong_glass"
        # "Full is judged as it was when the glass was lifted"
        if self.is_full(socket) if glass.unplaced else socket in glass.full_when_lifted:
            return "full_socket"
        if self.turned_over and glass.moved and not glass.ran_when_lifted:
            return "stopped_glass"
        if self._opening_asks_for_another(glass):
            return "opening_order"
        if glass.home is not None and socket not in NEIGHBOURS[glass.home]:
            return "not_adjacent"
        if self.turned_over and not turned:
            return "not_flipped"
        # "Not while only `wrong_glass` is open"
        if any(other is not glass and other.violation != "wrong_glass" for other in self.open_violations()):
            return "must_mend"
        return None

    def would_be_legal(self, name: str, socket: str) -> bool:
        """For sensing.md, "Which glass": whether this glass may be set down there (its turning is looked at later)."""
        glass = self.glasses[name]
        if socket == glass.home:
            return True
        return self.fault_in(glass, socket, turned=True) is None

    def judged_until_ms(self, t: int) -> int:
        """When judging stops next, at or after `t`."""
        return next((blind for blind in self.blind_ms if blind >= t), NEVER_MS)

    def other(self, side: str) -> str:
        """The other side."""
        return other_side(side)


NOTICES = ("ambiguous", "unobserved", "glass_off_board", "lapsed", "timer_waived", "close_call")
