"""The witness's word held against the rulings: what was told, what was told wrongly, and what was not told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.soak.tally import Tally

COMPARED: Final = (
    "move", "ring", "violation", "resolved", "timer_started", "timeout", "forfeit", "pass", "skip", "glass_stopped",
    "game_over",
)  # fmt: skip
"""The kinds of rulings that follow from what hands did; the others are about the box itself."""

UNSETTLED_MS: Final = 900
"""An act this short before a cut may or may not have settled; nobody can say which."""

SLACK_MS: Final = 600
"""A contact that flickers before it has settled shifts a time, by as much at most; all others tell it to the ms."""


@attrs.frozen
class Expected:
    """A ruling that ought to come: its time, its kind, and the details that are certain."""

    t_ms: int
    kind: str
    details: Mapping[str, object]


@attrs.frozen
class Dark:
    """When nobody watched: from the cut to the moment the game went on.

    `at_work`: hands put right what the referee told them to, and may err in it.
    """

    cut_ms: int
    back_ms: int
    at_work: bool = False


def compare(
    game: str,
    expected: Iterable[Expected],
    rulings: Sequence[Ruling],
    dark: Sequence[Dark],
    slack_ms: Callable[[int], int],
    tally: Tally,
) -> None:
    """Pair expectations with rulings and add to the tally what is left over on either side.

    `slack_ms` tells by how much the time of a ruling may differ from the expected one it is given.
    """
    left = [ruling for ruling in rulings if ruling.kind in COMPARED]
    tally.rulings += len(left)
    tally.moves += sum(ruling.kind == "move" for ruling in left)
    missing = []
    for wanted in expected:
        ruling = next((r for r in left if _fits(wanted, r, slack_ms(wanted.t_ms))), None)
        if ruling is None:
            missing.append(wanted)
            continue
        left.remove(ruling)
        if ruling.kind == "violation":
            tally.true_violations += 1
            tally.violations[str(ruling.get("code"))] += 1
    for wanted in missing:
        if any(d.cut_ms - UNSETTLED_MS <= wanted.t_ms <= d.back_ms for d in dark):
            continue
        if wanted.kind == "violation":
            tally.missed_violations += 1
        else:
            tally.lost_events += 1
        tally.note(f"{game}: not told: {wanted.t_ms} {wanted.kind} {dict(wanted.details)}")
    for ruling in left:
        if ruling.kind == "violation":
            if any(_came_late(wanted, ruling, dark) for wanted in missing):
                tally.true_violations += 1
                continue
            if any(d.at_work and d.cut_ms <= ruling.t_ms <= d.back_ms for d in dark):
                continue
            tally.false_violations += 1
        elif any(d.cut_ms - UNSETTLED_MS <= ruling.t_ms <= d.back_ms for d in dark):
            continue
        else:
            tally.unfounded += 1
        tally.note(f"{game}: unfounded: {ruling.json_line()}")


def _came_late(wanted: Expected, ruling: Ruling, dark: Sequence[Dark]) -> bool:
    """Whether it was expected just before or in the dark, and could be judged only when the board was heard again."""
    return any(
        d.cut_ms - UNSETTLED_MS <= min(wanted.t_ms, ruling.t_ms) and max(wanted.t_ms, ruling.t_ms) <= d.back_ms
        for d in dark
    ) and _fits(attrs.evolve(wanted, t_ms=ruling.t_ms), ruling, 0)


def _fits(wanted: Expected, ruling: Ruling, slack_ms: int) -> bool:
    return (
        wanted.kind == ruling.kind
        and abs(wanted.t_ms - ruling.t_ms) <= slack_ms
        and all(ruling.get(key) == value for key, value in wanted.details.items())
    )
