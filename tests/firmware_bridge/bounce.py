"""The search for a lost or wrong edge: contacts that bounce, all at once, against what the board tells of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

import attrs

from firmware_bridge.inputs import InputName
from tests.firmware_bridge.latency import SWITCHES, started, value_of
from tests.firmware_bridge.rig import Bench

HELD_US: Final = 1_100
"""A level held this long is longer than a scan period: it must be told."""
SLACK_US: Final = 100
CHUNK_US: Final = 1_000_000
PAUSE_US: Final = 100_000
EVERY_US: Final = 40_000


class Bouncer:
    """One contact that changes and bounces, and the check that all it held was told."""

    def __init__(self, name: InputName, noise: random.Random) -> None:
        self.name = name
        self._noise = noise
        self._t_us = 0
        self._level = False
        self._history: list[tuple[int, bool]] = [(0, False)]
        self._told: list[tuple[int, bool]] = [(0, False)]
        self.injected = 0

    def play(self, from_us: int, until_us: int, every_us: int) -> Iterator[tuple[int, bool]]:
        self._t_us = max(self._t_us, from_us)
        while self._t_us < until_us:
            for _ in range(1 + 2 * self._noise.randrange(4)):  # bounces end on the other level
                self._level = not self._level
                self._history.append((self._t_us, self._level))
                self.injected += 1
                yield self._t_us, self._level
                self._t_us += 50 + self._noise.randrange(1_400)
            self._t_us += HELD_US + self._noise.randrange(2 * every_us)

    def hear(self, t_us: int, level: bool) -> None:
        self._told.append((t_us, level))

    def wrong_and_lost(self, until_us: int) -> tuple[int, int]:
        """Edges told at a time when the contact did not have that level; levels held and never told."""
        wrong = lost = 0
        history = [*self._history, (until_us, self._level)]
        at = 0
        for (t_us, level), (next_us, _) in zip(self._told, [*self._told[1:], (until_us, self._level)], strict=True):
            while at + 1 < len(history) - 1 and history[at + 1][0] <= t_us - SLACK_US:
                at += 1
            near = at
            fits = False
            while near < len(history) - 1 and history[near][0] <= t_us + SLACK_US:
                fits = fits or history[near][1] == level
                near += 1
            wrong += not fits
            look = at
            while look < len(history) - 1 and history[look][0] < next_us - SLACK_US:
                (begin_us, held), end_us = history[look], history[look + 1][0]
                begin_us, end_us = max(begin_us, t_us + SLACK_US), min(end_us, next_us - SLACK_US)
                lost += held != level and end_us - begin_us >= HELD_US
                look += 1
        return wrong, lost

    def forget(self) -> None:
        """Keep what the next check needs: the last edge told, and the contact's history around it."""
        t_us = self._told[-1][0]
        keep = max((n for n, (began_us, _) in enumerate(self._history) if began_us <= t_us - SLACK_US), default=0)
        del self._history[:keep]
        del self._told[:-1]


@attrs.frozen
class Found:
    """What a search found."""

    injected: int
    told: int
    wrong: int
    lost: int
    overflows: int
    limited: int
    mismatches: int
    simulated_s: float


def search_lost_edges(bench: Bench, edges: int) -> Found:
    """At least `edges` contact changes, bounces included, on all switches at once; the board's answer to each."""
    noise = random.Random(99)
    with started(bench) as rig:
        rig.start()
        bouncers = {name: Bouncer(name, random.Random(f"bounce/{name}")) for name in SWITCHES}
        wrong = lost = injected = told = 0
        now_us = rig.now_us + 10_000
        while injected < edges:
            until_us = now_us + CHUNK_US
            changes = [
                (t_us, bouncer.name, level)
                for bouncer in bouncers.values()
                for t_us, level in bouncer.play(now_us, until_us, EVERY_US)
            ]
            noise.shuffle(changes)
            for t_us, name, level in changes:
                rig.bench.set(name, value_of(name, level), t_us)
            rig.run_to(until_us + PAUSE_US, step_us=10_000)
            for change in rig.changes:
                bouncers[change.name].hear(change.t_us, change.value in (True, "b"))
            told += len(rig.changes)
            rig.changes.clear()
            rig.events.clear()
            rig.sent.clear()
            for bouncer in bouncers.values():
                w, m = bouncer.wrong_and_lost(until_us + PAUSE_US // 2)
                wrong, lost = wrong + w, lost + m
                bouncer.forget()
            injected = sum(bouncer.injected for bouncer in bouncers.values())
            now_us = until_us + PAUSE_US
        counters = rig.host.counters
        assert counters is not None
        return Found(
            injected, told, wrong, lost, counters.overflows, counters.limited, rig.host.statistics.mismatches,
            rig.now_us / 1e6,
        )  # fmt: skip
