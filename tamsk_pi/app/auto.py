"""Whole games that play themselves on the virtual board, through the pins and the loop that a real board uses.

Time is virtual and jumps from event to event, so a game depends on its seed alone, however fast it is run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import attrs

from tamsk_pi.app.simulator import table_for
from tamsk_pi.clock import Clock, VirtualClock
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.runner.desk import OpenKeeper
from tamsk_pi.runner.loop import Loop
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.sim.players import Table as Players
from tamsk_pi.sim.rig import Rig, Table

LONGEST_MS: Final = 3_600_000
"""No game lasts longer; one that would is ended as it stands."""

AFTERMATH_MS: Final = 3_000
"""How long to look on after the end, so that what was still settling is told too."""


@attrs.frozen
class AutoGame:
    """What to play."""

    settings: Settings
    seed: int | str
    clumsy: float = 0.0


MakeRig = Callable[[Clock, int | str, Table], Rig]
"""Makes a virtual board on this clock, from this seed, laid out like this."""


def play(
    game: AutoGame,
    make_rig: MakeRig,
    open_keeper: OpenKeeper,
    *,
    tell: Callable[[Sequence[Ruling]], None] = lambda rulings: None,
    wait: Callable[[int], None] = lambda ms: None,
) -> list[Ruling]:
    """Play one game to its end; its rulings. `tell` gets them as they come; `wait` is told how much time passes."""
    clock = VirtualClock()
    rig = make_rig(clock, game.seed, table_for(game.settings, Table()))
    loop = Loop(rig, clock, lambda settings: Conductor("play"), open_keeper=open_keeper, pump=rig)
    rig.open()
    try:
        rig.start(loop.post)
        loop.begin(game.settings)
        players = Players(rig.hands, game.seed, clumsy=game.clumsy)
        told = 0
        over_ms: int | None = None
        while clock.now_ms() < (LONGEST_MS if over_ms is None else over_ms + AFTERMATH_MS):
            now_ms = clock.now_ms()
            wake_ms = loop.go_round()
            rulings = loop.desk.rulings
            if len(rulings) > told:
                tell(rulings[told:])
                told = len(rulings)
                players.hear(now_ms)
            if loop.desk.snapshot().result is not None:
                over_ms = now_ms if over_ms is None else over_ms
            else:
                over_ms = None
                players.act(loop.desk.snapshot, now_ms)
            due = [t for t in (wake_ms, players.next_ms() if over_ms is None else None, rig.next_ms()) if t is not None]
            next_ms = max(min(due), now_ms + 1)
            wait(next_ms - now_ms)
            clock.go_to(next_ms)
        loop.close()
        if len(loop.desk.rulings) > told:
            tell(loop.desk.rulings[told:])
        return loop.desk.rulings
    finally:
        rig.close()
