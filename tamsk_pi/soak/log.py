"""What happened in a game, in order of time, for the second referee to judge once the game is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Final

import attrs

from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import GLASSES, TIMER, Player, player_named
from tamsk_pi.sim.acts import Act as Deed
from tamsk_pi.sim.acts import DropRing, Lift, PickRing, Press, Release, ReturnRing, Seat, TakeRing, Turn
from tamsk_pi.sim.truth import Fitted, Input
from tamsk_pi.soak.adopt import go_on, hear_place, hear_rings, hear_sand, see_again
from tamsk_pi.soak.compare import COMPARED, UNSETTLED_MS, Expected
from tamsk_pi.soak.ring_hands import RingHands
from tamsk_pi.witness.acts import Act, judge
from tamsk_pi.witness.game import Game
from tamsk_pi.witness.settings import Settings

LONG_MS: Final = 800
HELD_MS: Final = 3_000
SETTLED_BY_MS: Final = 2_000
"""What was done by then is certain, whatever had to be waited for."""


@attrs.frozen
class Done:
    """An act; `seen`: whether sensors told of it."""

    t_ms: int
    act: Deed
    seen: bool


@attrs.frozen
class Cut:
    """From here on nobody watched."""

    t_ms: int


@attrs.frozen
class Back:
    """From here on the board is watched again, and this is the referee's picture of it.

    `resumed_ms`: since when time counts again. `off_holder`: how many rings more than were counted are off each side's
    holder. `opened`: the sockets that were told to be empty unobserved. `ran_out`: whether
    the timer ran out meanwhile after the move had begun, None where nothing was told of it.
    """

    t_ms: int
    picture: Snapshot
    resumed_ms: int
    off_holder: Mapping[Player, int]
    length_is_known: bool = True
    opened: frozenset[str] = frozenset()
    ran_out: bool | None = None


@attrs.frozen
class Said:
    """A word of the arbiter's."""

    t_ms: int
    what: str
    details: Mapping[str, object]


@attrs.frozen
class Hung:
    """From here on an input tells nothing of what is done; or it tells again, and at once what has become of it."""

    t_ms: int
    which: Input
    hangs: bool


Entry = Done | Cut | Back | Said | Hung


def testify(settings: Settings, fitted: Fitted, log: Iterable[Entry], until_ms: int) -> list[Expected]:
    """Everything that ought to have been ruled up to `until_ms`."""
    entries = sorted(log, key=lambda entry: entry.t_ms)
    rulings = judge(settings, _Acts(fitted).of(entries), until_ms + SETTLED_BY_MS)
    return [
        Expected(int(told["t"]), str(told["ruling"]), {key: told[key] for key in told if key not in ("t", "ruling")})
        for told in rulings
        if told["ruling"] in COMPARED and told["t"] <= until_ms
    ]


class _Acts:
    """Turns a log to the second referee's acts."""

    def __init__(self, fitted: Fitted) -> None:
        self._fitted: Final = fitted
        self._rings: Final = RingHands()
        self._up: Final = dict.fromkeys((*GLASSES, TIMER), "a")
        self._touched = False
        self._hung: Final[dict[Input, int]] = {}
        """Inputs that tell nothing, with what has become of them: turnings, rings more."""
        self._last_ms = -UNSETTLED_MS

    def of(self, entries: list[Entry]) -> Iterator[Act]:
        """The acts, in order of time."""
        lengths = _press_lengths(entries)
        watching = True
        for entry in entries:
            match entry:
                case Done(t_ms, Press(button)):
                    length_ms = lengths.get((t_ms, button))
                    if length_ms is not None and button != "arbiter":
                        yield _press(t_ms, player_named(button), length_ms)
                case Done(t_ms, act, seen):
                    acts = list(self._acts(t_ms, act))
                    if seen and watching:
                        yield from acts
                        self._last_ms = t_ms
                    else:
                        self._touched = True
                case Cut(t_ms):
                    if watching:
                        yield Act(t_ms, "blind")
                        self._touched = t_ms - self._last_ms < UNSETTLED_MS
                    watching = False
                case Back(t_ms, resumed_ms=resumed_ms):
                    watching = True
                    if self._touched or not entry.length_is_known:
                        yield _do(t_ms, partial(go_on, back=entry))
                    else:
                        yield _do(resumed_ms, partial(see_again, length_is_known=entry.length_is_known))
                case Hung(t_ms, which, hangs=True):
                    self._hung[which] = 0
                case Hung(t_ms, which):
                    yield from self._freed(t_ms, which, self._hung.pop(which))
                case Said(t_ms, what, details) if what in _WORDS:
                    yield _do(t_ms, partial(_WORDS[what], details=details))

    def _acts(self, t_ms: int, act: Deed) -> Iterator[Act]:
        rings, owner = self._fitted.rings, self._rings.follow(act)
        match act:
            case Lift(glass) if glass != TIMER:
                yield Act(t_ms, "lift", (glass,))
            case Turn(glass):
                self._up[glass] = "b" if self._up[glass] == "a" else "a"
                if ("tilt", glass) in self._hung:
                    self._hung["tilt", glass] += 1
                elif self._fitted.tilt:
                    yield Act(t_ms, "turn_timer") if glass == TIMER else Act(t_ms, "tilt", (glass,))
            case Seat(glass, socket):
                hall = self._fitted.sockets == "hall"
                yield Act(t_ms, "place", (glass, socket, self._up[glass] if hall else None))
            case DropRing(_, socket) | PickRing(_, socket) if ("ring", socket) in self._hung:
                self._hung["ring", socket] += 1 if isinstance(act, DropRing) else -1
            case DropRing(_, socket) if rings == "stack":
                yield Act(t_ms, "ring_on", (socket,))
            case PickRing(_, socket) if rings == "stack":
                yield Act(t_ms, "ring_off", (socket,))
            case TakeRing(_, holder) if rings == "holder":
                yield Act(t_ms, "holder_taken", (holder,))
            case ReturnRing() if rings == "holder":
                yield Act(t_ms, "holder_returned", (owner,))

    def _freed(self, t_ms: int, which: Input, changed: int) -> Iterator[Act]:
        # By its kind: B1 is a glass, and a socket.
        kind, name = which
        if kind == "tilt":
            if changed % 2:
                yield Act(t_ms, "tilt", (name,))
        elif changed:
            yield Act(t_ms, "ring_on" if changed > 0 else "ring_off", (name, abs(changed)))


def _do(t_ms: int, what: Callable[[Game, int], None]) -> Act:
    return Act(t_ms, "adopt", (what,))


def _press(t_ms: int, side: Player, length_ms: int) -> Act:
    if length_ms >= HELD_MS:
        return Act(t_ms + HELD_MS, "resign", (side,))
    return Act(t_ms, "press", (side, length_ms >= LONG_MS))


def _press_lengths(entries: Iterable[Entry]) -> dict[tuple[int, str], int]:
    """How long each press lasted that was seen from beginning to end."""
    down: dict[str, int] = {}
    lengths: dict[tuple[int, str], int] = {}
    for entry in entries:
        match entry:
            case Done(t_ms, Press(button), seen=True):
                down[button] = t_ms
            case Done(t_ms, Release(button), seen):
                since_ms = down.pop(button, None)
                if since_ms is not None and seen:
                    lengths[since_ms, button] = t_ms - since_ms
            case Cut():
                down.clear()
    return lengths


_WORDS: Final[Mapping[str, Callable[..., None]]] = {"place": hear_place, "rings": hear_rings, "glass": hear_sand}
