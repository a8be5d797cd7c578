"""Acts that are known exactly to rulings: for who saw the hands themselves, and not only what sensors told of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tamsk_pi.witness.game import Game
from tamsk_pi.witness.geometry import owner
from tamsk_pi.witness.settings import Settings
from tamsk_pi.witness.suppose import OFF_BOARD_MS, UNDECIDED_MS, until_it_holds


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

    return until_it_holds(lambda supposed: _Reader(settings, ordered, Game(settings, tilts, blind, supposed)).read(end))


class _Reader:
    """Tells a game its acts once, as `trace_reader.Reader` does with settled changes; but nothing is unknown."""

    def __init__(self, settings: Settings, acts: Sequence[Act], game: Game) -> None:
        self.settings, self.acts, self.game = settings, acts, game
        self.resting: set[str] = set()
        self.rested: dict[str, tuple[int, int]] = {}
        """Where a glass in hand rested last: which act, and when it was lifted again."""

    def read(self, end: int) -> list[dict[str, Any]]:
        """The rulings up to `end`."""
        for index, act in enumerate(self.acts):
            glass = act.args[0] if act.kind in ("lift", "place") else ""
            if act.kind == "adopt":
                act.args[0](self.game, act.t)
                self.resting.clear()
            elif act.kind == "lift" and glass in self.resting:
                self.resting.discard(glass)
            elif act.kind == "place" and self._rests(index, glass):
                self.resting.add(glass)
            else:
                getattr(self.game, act.kind)(act.t, *act.args)
        return self.game.finish(end)

    def _rests(self, index: int, glass: str) -> bool:
        self._went_on(index, glass)
        again = _lifted_too_soon(self.settings, self.acts, index)
        if again is None or not self.game.supposed.ask("rests", index, 1):
            return False
        self.rested[glass] = index, again
        return True

    def _went_on(self, index: int, glass: str) -> None:
        """It was set down elsewhere, or has been in hand for a second and something else came: else it was placed."""
        if glass not in self.rested:
            return
        before, lifted = self.rested.pop(glass)
        placing, now = self.acts[before], self.acts[index]
        if placing.args[1] != now.args[1]:
            return
        others = any(
            lifted < act.t < now.t and not (act.kind == "tilt" and act.args[0] == glass)
            for act in self.acts[before:index]
        )
        due = any(placing.t <= t < now.t for t in self.game.fell_due_ms)
        off_board = self.game.glasses[glass].lifted_at_ms + OFF_BOARD_MS < now.t
        if not (now.t > lifted + UNDECIDED_MS and (others or due or off_board)):
            raise self.game.supposed.otherwise("rests", before, 0)


def _lifted_too_soon(settings: Settings, acts: Sequence[Act], index: int) -> int | None:
    """rules.md: "Lifted from there sooner [than `release_ms`] … it was not placed there … unless the other side lifted
    a glass or a ring came meanwhile" """
    placing = acts[index]
    glass = placing.args[0]
    for act in acts[index + 1 :]:
        if act.t - placing.t >= settings.release_ms or act.kind in ("blind", "adopt"):
            return None
        if (act.kind == "ring_on" and act.args[0] == placing.args[1]) or (
            act.kind == "holder_taken" and act.args[0] == owner(glass)
        ):
            return None
        if act.kind == "lift":
            if act.args[0] == glass:
                return act.t
            if owner(act.args[0]) != owner(glass):
                return None
    return None
