"""Lamps that show a state for as long as it holds: whose turn, what is wrong and where it belongs, what may be done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal

import attrs

from tamsk_pi.referee.snapshot import GlassView, SetupProblem, Snapshot, ViolationView
from tamsk_pi.rules.board import PLAYERS, TIMER
from tamsk_pi.signals.rhythm import Rhythm

Plane = Literal["panel", "red", "green"]

SOON_MS: Final = 10_000
"""A glass that runs out sooner than this is pointed out to the players."""

VERY_SOON_MS: Final = 5_000
"""From then on its lamp blinks faster."""

ASKED: Final = "turning_not_seen"
"""The code of a placing that is no violation yet: the mover is asked whether the glass was turned over."""


TAKEN_BACK: Final = "taken_back"
"""The code of a glass that is to be put back because its move was taken back: nothing about it is illegal."""


@attrs.frozen
class State:
    """One thing that lamps show."""

    meaning: str
    plane: Plane
    rhythm: Rhythm
    in_referee_mode: bool = False


STATES: Final[Mapping[str, State]] = MappingProxyType(
    {
        "take_away": State(
            "set-up, or a board that differs: a glass or rings are to be taken away", "red", "fast", True
        ),
        "put_here": State(
            "set-up, or a board that differs: a glass or rings are to be put here", "green", "slow", True
        ),
        "wrong": State("a glass stands, or a ring lies, where it may not", "red", "fast", True),
        "asked": State("a glass of which no sensor saw the turning stands here", "red", "flash", True),
        "put_back": State("the glass, or the ring, that is to be put back belongs here", "green", "slow", True),
        "penalty_lamp": State("the socket that the penalty ring would be set on", "green", "double", True),
        "nearly_out": State("this glass runs out within 5 s", "red", "hurried"),
        "soon_out": State("this glass runs out within 10 s", "red", "winking"),
        "ring_due": State("a ring may still be dropped here", "green", "slow"),
        "target": State("the glass in hand may go here", "green", "steady"),
        "offer": State(
            "a game was cut off: the arbiter lets it go on or sets it aside (both turn lamps)", "panel", "flash", True
        ),
        "next_level_1": State("set-up: the next game is at level 1 (red's turn lamp)", "panel", "flash", True),
        "next_level_2": State("set-up: the next game is at level 2 (red's turn lamp)", "panel", "double", True),
        "next_level_3": State("set-up: the next game is at level 3 (red's turn lamp)", "panel", "triple", True),
        "next_rules_1": State("set-up: the next game is by the rulebook (black's turn lamp)", "panel", "flash", True),
        "next_rules_2": State(
            "set-up: the next game is by the rules as Wikipedia has them (black's turn lamp)", "panel", "double", True
        ),
        "next_rules_3": State(
            "set-up: the next game is by the first edition (black's turn lamp)", "panel", "triple", True
        ),
        "timer_side": State(
            "set-up at level 3: black chooses the timer's side of the board (turn lamp)", "panel", "winking", True
        ),
        "penalty_due": State("this side may drop a penalty ring (its turn lamp)", "panel", "double", True),
        "carrying": State("this side holds a glass (its turn lamp)", "panel", "slow"),
        "turn": State("this side is to move (its turn lamp)", "panel", "steady"),
    }
)
"""What is shown, the weightiest first: of several meanings one lamp, or one socket, shows the first."""


@attrs.frozen
class Shown:
    """A lamp that shows a state now."""

    state: str
    name: str
    """A socket, or a panel lamp."""


def timer_side_is_open(snapshot: Snapshot) -> bool:
    """Whether black may still choose the timer's side of the board: at level 3, until the first move or turning."""
    begun = snapshot.last_move is not None or snapshot.glasses[TIMER].stops_at_ms is not None
    return snapshot.level == 3 and not begun and snapshot.phase in ("setting_up", "to_move", "carrying")


def running_out(snapshot: Snapshot, now_ms: int) -> Iterator[tuple[GlassView, int]]:
    """The glasses on the board that run out within `SOON_MS` of `now_ms`, and how many ms each has left."""
    if snapshot.level == 1 or snapshot.phase in ("setting_up", "paused", "over"):
        return
    for glass in snapshot.glasses.values():
        if glass.socket is not None and glass.moved and not glass.out and glass.stops_at_ms is not None:
            left_ms = glass.stops_at_ms - now_ms
            if 0 < left_ms <= SOON_MS:
                yield glass, left_ms


def next_running_out_ms(snapshot: Snapshot, now_ms: int) -> int | None:
    """When a glass next begins to run out, nearly does, or has."""
    stops_ms = [g.stops_at_ms for g in snapshot.glasses.values() if g.stops_at_ms is not None and g.socket is not None]
    marks_ms = (stop_ms - before_ms for stop_ms in stops_ms for before_ms in (SOON_MS, VERY_SOON_MS, 0))
    return min((mark_ms for mark_ms in marks_ms if mark_ms > now_ms), default=None)


def shown_now(snapshot: Snapshot, now_ms: int, mode: Literal["play", "referee"]) -> list[Shown]:
    """What the lamps are to show, one meaning for each lamp and each socket."""
    found: dict[str, Shown] = {}
    order = list(STATES)
    for shown in sorted(_all(snapshot, now_ms), key=lambda shown: order.index(shown.state)):
        if mode == "play" or STATES[shown.state].in_referee_mode:
            found.setdefault(shown.name, shown)
    return list(found.values())


def _all(snapshot: Snapshot, now_ms: int) -> Iterator[Shown]:
    match snapshot.phase:
        case "setting_up":
            yield from _to_be_done(snapshot.setup_problems)
            yield from _upcoming(snapshot)
            if timer_side_is_open(snapshot):
                yield Shown("timer_side", "turn_black")
        case "paused":
            # Nothing is judged, so nothing is asked for but what keeps the game from going on.
            yield from _to_be_done(snapshot.differing)
            if snapshot.waits == "resume":
                yield from (Shown("offer", f"turn_{player}") for player in PLAYERS)
        case "over":
            yield from _to_be_done(snapshot.setup_problems)
            yield from _upcoming(snapshot)
        case _:
            for violation in snapshot.violations:
                yield from _violation(violation)
            yield from _rights(snapshot)
            yield from _turn(snapshot)
            for glass, left_ms in running_out(snapshot, now_ms):
                if glass.socket is not None:
                    yield Shown("nearly_out" if left_ms <= VERY_SOON_MS else "soon_out", glass.socket)


def _upcoming(snapshot: Snapshot) -> Iterator[Shown]:
    if snapshot.upcoming is not None:
        yield Shown(f"next_level_{snapshot.upcoming.level}", "turn_red")
        yield Shown(f"next_rules_{snapshot.upcoming.edition}", "turn_black")


def _to_be_done(problems: Iterable[SetupProblem]) -> Iterator[Shown]:
    for problem in problems:
        yield Shown("put_here" if problem.what in ("put_glass", "put_rings") else "take_away", problem.socket)


def _violation(violation: ViolationView) -> Iterator[Shown]:
    if violation.code == "ring_removed":
        if violation.socket is not None:
            yield Shown("put_back", violation.socket)
        return
    if violation.socket is not None:
        yield Shown("asked" if violation.code == ASKED else "wrong", violation.socket)
    if violation.home is not None and violation.code != ASKED:
        yield Shown("put_back", violation.home)


def _rights(snapshot: Snapshot) -> Iterator[Shown]:
    for right in snapshot.rights:
        if right.socket is not None:
            yield Shown("ring_due", right.socket)
        elif right.kind == "penalty":
            yield Shown("penalty_due", f"turn_{right.player}")
    if snapshot.penalty_lamp is not None:
        yield Shown("penalty_lamp", snapshot.penalty_lamp)


def _turn(snapshot: Snapshot) -> Iterator[Shown]:
    if snapshot.to_move is None:
        return
    yield Shown("carrying" if snapshot.phase == "carrying" else "turn", f"turn_{snapshot.to_move}")
    for glass, targets in snapshot.targets.items():
        # A glass that has not been on the board yet may go almost anywhere: that needs no lamps.
        if snapshot.glasses[glass].in_hand and snapshot.glasses[glass].lifted_from is not None:
            yield from (Shown("target", socket) for socket in targets)
