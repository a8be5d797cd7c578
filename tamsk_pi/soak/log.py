"""What happened in a game, in order of time, for the witness to go through once the game is over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import Player
from tamsk_pi.sim.acts import Act, DropRing, Lift, PickRing, Press, Release, ReturnRing, Seat, TakeRing, Turn
from tamsk_pi.soak.witness import Expected, Witness


@attrs.frozen
class Done:
    """An act; `seen`: whether sensors told of it."""

    t_ms: int
    act: Act
    seen: bool


@attrs.frozen
class Cut:
    """From here on nobody watched."""

    t_ms: int


@attrs.frozen
class Back:
    """From here on the board is watched again, and this is the referee's picture of it."""

    t_ms: int
    picture: Snapshot


@attrs.frozen
class Said:
    """A word of the arbiter's."""

    t_ms: int
    what: str
    details: Mapping[str, object]


Entry = Done | Cut | Back | Said


def testify(witness: Witness, log: Iterable[Entry], until_ms: int) -> list[Expected]:
    """Everything that ought to have been ruled."""
    entries = sorted(log, key=lambda entry: (entry.t_ms, _rank(entry)))
    lengths = _press_lengths(entries)
    watching = True
    for entry in entries:
        match entry:
            case Done(_, act, seen=False):
                witness.see_in_the_dark(act)
            case Done(t_ms, Press(button)):
                length_ms = lengths.get((t_ms, button))
                if length_ms is not None and button != "arbiter":
                    witness.see_press(t_ms, _side(button), length_ms)
            case Done(t_ms, act):
                witness.see(t_ms, act)
            case Cut(t_ms):
                if watching:
                    witness.run_to(t_ms)
                watching = False
            case Back(t_ms, picture):
                witness.adopt(t_ms, picture)
                watching = True
            case Said(t_ms, "place", details):
                turned = bool(details["turned"])
                witness.hear_place(t_ms, str(details["glass"]), str(details["socket"]), turned=turned)
            case Said(t_ms, "rings", details):
                witness.hear_rings(
                    t_ms, str(details["socket"]), int(str(details["count"])), _side(str(details["side"]))
                )
            case Said(t_ms, "glass", details):
                left_ms = details.get("left_ms")
                witness.hear_sand(t_ms, str(details["glass"]), left_ms if isinstance(left_ms, int) else None)
    if watching:
        witness.run_to(until_ms)
    return witness.expected


def _rank(entry: Entry) -> int:
    """At equal times (sensing.md, "Order"): tilt, then socket opened, socket closed, ring, holder, button."""
    if not isinstance(entry, Done):
        return len(_ORDER)
    return next((rank for rank, kinds in enumerate(_ORDER) if isinstance(entry.act, kinds)), len(_ORDER) - 1)


_ORDER: Final[tuple[tuple[type[Act], ...], ...]] = (
    (Turn,),
    (Lift,),
    (Seat,),
    (DropRing, PickRing),
    (TakeRing, ReturnRing),
    (Press, Release),
)


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


def _side(button: str) -> Player:
    return "red" if button == "red" else "black"
