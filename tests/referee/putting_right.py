"""Hands that put a board right after anything, doing only what the referee says, and then make a legal move.

They know what lies on the board (the raw values they sent themselves) and look at nothing but the snapshot.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot, ViolationView
from tamsk_pi.referee.words import Word
from tamsk_pi.rules.board import CAPACITY, GLASSES, PLAYERS, RINGS_PER_SIDE, SOCKETS
from tamsk_pi.sensing.edges import BUTTONS, Edge, EdgeValue, InputKind
from tamsk_pi.session import Session

PATIENCE: Final = 150
"""So many things are put right at most before the arbiter is called."""

QUIET_MS: Final = 6_000
"""Every input has settled, every press has ended and every noisy input is trusted again."""

OTHER_END: Final = {"a": "b", "b": "a"}
FIELD_OF: Final = {"a": "N", "b": "S"}


class Board:
    """Feeds a session and remembers what it was told last. `words` counts the arbiter's that were needed."""

    def __init__(self, session: Session) -> None:
        settings = session.settings
        self.session: Final = session
        self.hall: Final = settings.sockets == "hall"
        self.rulings: list[Ruling] = list(session.advance(0))
        self.words: Counter[str] = Counter()
        self.now_ms = 0
        self.raw: dict[tuple[InputKind, str], EdgeValue] = {("socket", s): self._nothing for s in SOCKETS}
        self.raw |= {("socket", s): "N" if self.hall else True for s in settings.occupied}
        self.raw |= {("tilt", g): up for g, up in settings.up.items()}
        self.raw |= {("ring", s): 0 for s in SOCKETS} | {("holder", p): RINGS_PER_SIDE for p in PLAYERS}
        self.raw |= {("button", b): False for b in BUTTONS}

    @property
    def _nothing(self) -> EdgeValue:
        return None if self.hall else False

    def edge(self, kind: InputKind, name: str, value: EdgeValue, *, after_ms: int = 0) -> None:
        """An input takes a value."""
        self.now_ms += after_ms
        self.raw[kind, name] = value
        self.rulings += self.session.feed(Edge(self.now_ms, kind, name, value))

    def say(self, what: str, **details: object) -> None:
        """The arbiter says a word."""
        self.words[what] += 1
        self.rulings += self.session.say(Word(self.now_ms, what, details))
        self.wait(1_000)

    def wait(self, ms: int) -> None:
        self.now_ms += ms
        self.rulings += self.session.advance(self.now_ms)

    @property
    def picture(self) -> Snapshot:
        return self.session.snapshot()

    # -- putting right

    def put_right(self) -> None:
        """Leave nothing that the referee complains of; call the arbiter only where hands cannot do it."""
        for button in BUTTONS:
            self.edge("button", button, False, after_ms=50)
        self.wait(QUIET_MS)
        for _ in range(PATIENCE):
            if not self._put_one_thing_right():
                break
        if self.picture.violations and self.picture.phase != "over":
            self.say("accept")

    def _put_one_thing_right(self) -> bool:
        picture = self.picture
        if picture.phase == "paused" or picture.result in ("resigned", "agreed"):
            # A button did it, maybe long ago, behind what only hands could make clear: whoever pressed takes it back.
            self.say("resume" if picture.phase == "paused" else "annul")
            return self.words.total() < PATIENCE
        if picture.phase in ("over", "setting_up", "tie_break"):
            return False
        standing = {g.socket: g.name for g in picture.glasses.values() if g.socket is not None}
        # Nothing closes a socket but a glass: what else does is taken away, and a glass that stands is there.
        for socket in SOCKETS:
            if self.raw["socket", socket] != self._nothing and socket not in standing:
                self.edge("socket", socket, self._nothing, after_ms=100)
                self.wait(1_500)
                return True
        homes = {v.home for v in picture.violations} | {g.lifted_from for g in picture.glasses.values()}
        free = [s for s in SOCKETS if s not in standing and s not in homes and picture.rings[s] < CAPACITY[s]]
        # First nothing stays in hand, so that it is never in doubt which glass is set down where.
        for glass in sorted(picture.glasses.values(), key=lambda g: g.lifted_from in standing):
            if glass.in_hand:
                home = glass.lifted_from
                self._set_down(glass.name, home if home is not None and home not in standing else free[0])
                return True
        for violation in picture.violations:
            if violation.glass is None or violation.home not in standing or violation.home == violation.socket:
                self._mend(picture, violation)
                return True
        for violation in picture.violations:
            there = standing[str(violation.home)]
            if violation.socket is not None and any(v.glass == there for v in picture.violations):
                # Where it is to go another one stands wrongly: out of the way with that one.
                self._lift(str(violation.home))
                self._set_down(there, free[0])
                return True
        return False

    def _mend(self, picture: Snapshot, violation: ViolationView) -> None:
        more = 1 if violation.code == "ring_removed" else -1
        if violation.glass is None and violation.socket is not None:
            count = self.raw["ring", violation.socket]
            assert isinstance(count, int)
            self.edge("ring", violation.socket, count + more, after_ms=500)
        elif violation.glass is None:
            count = self.raw["holder", str(violation.player)]
            assert isinstance(count, int)
            self.edge("holder", str(violation.player), count - more, after_ms=500)
        elif violation.socket is not None:
            # Where it stands at home the wrong way up it is turned back, else just put back.
            self._lift(violation.socket)
            turned_back = violation.socket == violation.home
            if turned_back and self.session.settings.tilt:
                self._turn(violation.glass)
            self._set_down(violation.glass, str(violation.home), turned=turned_back and not self.session.settings.tilt)
        else:
            self._set_down(violation.glass, str(violation.home))
        self.wait(2_500)

    def _lift(self, socket: str) -> None:
        self.edge("socket", socket, self._nothing, after_ms=1_200)
        self.wait(300)

    def _turn(self, glass: str) -> None:
        self.edge("tilt", glass, OTHER_END[str(self.raw["tilt", glass])], after_ms=300)
        self.wait(300)

    def _set_down(self, glass: str, socket: str, *, turned: bool = False) -> None:
        field: EdgeValue = True
        if self.hall:
            up = self.picture.glasses[glass].up
            field = FIELD_OF[OTHER_END[up] if turned else up]
        self.edge("socket", socket, field, after_ms=600)
        self.wait(1_500)

    # -- play goes on

    def move(self) -> tuple[str, str] | None:
        """Make the first legal move the lamps offer; None where they offer none."""
        picture, settings = self.picture, self.session.settings
        targets = {g: sockets for g, sockets in picture.targets.items() if picture.glasses[g].socket is not None}
        if not targets:
            return None
        glass, sockets = next(iter(targets.items()))
        self._lift(str(picture.glasses[glass].socket))
        turned = settings.level > 1
        if turned and settings.tilt:
            self._turn(glass)
        self._set_down(glass, sockets[0], turned=turned and not settings.tilt)
        return glass, sockets[0]


def glasses_match(board: Board) -> bool:
    """Whether the referee has every glass in a socket of its own, each of them closed, and no other socket is."""
    stands = [board.picture.glasses[g].socket for g in GLASSES]
    closed = {s for s in SOCKETS if board.raw["socket", s] not in (None, False)}
    return set(stands) == closed and len(closed) == len(GLASSES)
