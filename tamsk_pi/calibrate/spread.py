"""What several runs of one glass amount to: its time, how far it strays, which runs are refused, and the tolerance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Final

import attrs

from tamsk_pi.rules.board import TIMER
from tamsk_pi.rules.sand import GLASS_MS, TIMER_MS

BAND_PART: Final = 0.03
"""A run further from the median than this part of it is refused: a hand that came late, a glass that was bumped."""
BAND_LEAST_MS: Final = 600
"""... but never one this near: fingers alone are that unsteady."""
EARLIEST_PART: Final = 0.25
LATEST_PART: Final = 2.0
"""Parts of the nominal time outside which a press was surely not for the last grain."""
FINGER_MS: Final = 300
"""How late a finger may be without anyone's fault; part of every tolerance."""
STRAY_FACTOR: Final = 1.5
"""A few runs do not show the worst one: the tolerance is the widest stray seen times this, and the finger's part."""
ROUND_MS: Final = 100
GLASS_LEAST_MS, GLASS_MOST_MS = 500, 10_000
TIMER_LEAST_MS, TIMER_MOST_MS = 300, 5_000

Runs = Mapping[str, Mapping[str, Sequence[int]]]
"""Per glass and end up: every run that was timed, in ms."""


def nominal_ms(glass: str) -> int:
    """How long a glass should run."""
    return TIMER_MS if glass == TIMER else GLASS_MS


def is_plausible(glass: str, run_ms: int) -> bool:
    """Whether a press can have been for the last grain."""
    return EARLIEST_PART * nominal_ms(glass) <= run_ms <= LATEST_PART * nominal_ms(glass)


@attrs.frozen
class Timed:
    """One glass with one end up. `time_ms`: the median of the runs that count; `stray_ms`: how far the worst of those
    lies from it; `refused`: the runs that do not count."""

    counted: tuple[int, ...]
    refused: tuple[int, ...]

    @property
    def time_ms(self) -> int:
        return round(median(self.counted))

    @property
    def stray_ms(self) -> int:
        return max(abs(run_ms - self.time_ms) for run_ms in self.counted)

    @property
    def spread_ms(self) -> int:
        return max(self.counted) - min(self.counted)


def timed(runs_ms: Sequence[int]) -> Timed:
    """Sort runs into those that count and those that are refused: too far from the median of all. At least one run."""
    middle_ms = median(runs_ms)
    band_ms = max(BAND_LEAST_MS, BAND_PART * middle_ms)
    near = tuple(run_ms for run_ms in runs_ms if abs(run_ms - middle_ms) <= band_ms)
    # Two runs far apart have a median between them that neither is near to: nothing counts yet, and nothing is refused.
    return Timed(near or tuple(runs_ms), tuple(r for r in runs_ms if r not in near) if near else ())


def is_enough(runs_ms: Sequence[int], repeats: int) -> bool:
    """Whether `repeats` runs agree, and for each that was refused there are three that count: anyone presses late
    once, but runs that agree by chance among others say nothing."""
    if len(runs_ms) < repeats:
        return False
    of = timed(runs_ms)
    agree = of.spread_ms <= 2 * max(BAND_LEAST_MS, BAND_PART * of.time_ms)
    return agree and len(of.counted) >= repeats and 3 * len(of.refused) <= len(of.counted)


def most_runs(repeats: int) -> int:
    """After so many runs of one end without `repeats` that agree, the glass is called one that wanders."""
    return 2 * repeats


def tolerance_ms(runs: Runs) -> dict[str, int]:
    """`glass` and `timer`: what the setting of that name is to be after these runs; a kind without runs is left out."""
    tolerances = {}
    for kind, least_ms, most_ms in (
        ("glass", GLASS_LEAST_MS, GLASS_MOST_MS),
        ("timer", TIMER_LEAST_MS, TIMER_MOST_MS),
    ):
        strays = [
            timed(runs_ms).stray_ms
            for glass, ends in runs.items()
            if (glass == TIMER) == (kind == "timer")
            for runs_ms in ends.values()
            if runs_ms
        ]
        if strays:
            wide_ms = STRAY_FACTOR * max(strays) + FINGER_MS
            tolerances[kind] = min(most_ms, max(least_ms, _rounded_up(wide_ms)))
    return tolerances


def _rounded_up(ms: float) -> int:
    return -int(-ms // ROUND_MS) * ROUND_MS


def ends_of(runs: Runs) -> Iterable[tuple[str, str, Sequence[int]]]:
    """Every glass and end that has runs."""
    return ((glass, end, runs_ms) for glass, ends in runs.items() for end, runs_ms in ends.items() if runs_ms)
