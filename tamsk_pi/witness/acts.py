"""Acts that are known exactly to rulings: for who saw the hands themselves, and not only what sensors told of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tamsk_pi.witness.game import Game
from tamsk_pi.witness.geometry import owner
from tamsk_pi.witness.settings import Settings
from tamsk_pi.witness.suppose import Supposed, until_it_holds


@dataclass(frozen=True)
class Act:
    """One act at its true time: `kind` is a method of `Game`, `args` what it takes after the time.

    `adopt` takes a function instead, which is given the game and the time: to put the game right where nobody watched.
    """

    t: int
    kind: str
    args: tuple[Any, ...] = ()


_ORDER = (
    *("see_again", "tilt", "turn_timer", "lift", "place", "ring_on", "ring_off", "holder_taken", "holder_returned"),
    *("press", "resign", "agree", "blind", "adopt"),
)


def _place_in_order(act: Act) -> tuple[int, int, str]:
    return act.t, _ORDER.index(act.kind), "" if act.kind == "adopt" else str(act.args[:1])


def judge(settings: Settings, acts: Iterable[Act], end: int) -> list[dict[str, Any]]:
    """The rulings on acts, up to `end` (ms)."""
    ordered = sorted(
        acts, key=lambda act: (act.t, _ORDER.index(act.kind), "" if act.kind == "adopt" else str(act.args[:1]))
    )
    tilts: dict[str, list[int]] = {}
    for act in ordered:
        if act.kind == "tilt":
            tilts.setdefault(act.args[0], []).append(act.t)
    blind = [*(act.t for act in ordered if act.kind == "blind"), end]

    def read(supposed: Supposed) -> list[dict[str, Any]]:
        game = Game(settings, tilts, blind, supposed)
        resting: set[str] = set()
        for index, act in enumerate(ordered):
            glass = act.args[0] if act.kind in ("lift", "place") else None
            if act.kind == "adopt":
                act.args[0](game, act.t)
                continue
            if act.kind == "lift" and glass in resting:
                resting.discard(str(glass))
                continue
            if act.kind == "place" and _only_rests(settings, ordered, index):
                resting.add(str(glass))
                continue
            getattr(game, act.kind)(act.t, *act.args)
        return game.finish(end)

    return until_it_holds(read)


def _only_rests(settings: Settings, acts: Sequence[Act], index: int) -> bool:
    """rules.md: "Lifted from there sooner [than `release_ms`] … it was not placed there … unless the other side lifted
    a glass or a ring came meanwhile" """
    placing = acts[index]
    glass = placing.args[0]
    for act in acts[index + 1 :]:
        if act.t - placing.t >= settings.release_ms or act.kind in ("blind", "adopt"):
            return False
        if (act.kind == "ring_on" and act.args[0] == placing.args[1]) or (
            act.kind == "holder_taken" and act.args[0] == owner(glass)
        ):
            return False
        if act.kind == "lift":
            if act.args[0] == glass:
                return True
            if owner(act.args[0]) != owner(glass):
                return False
    return False
