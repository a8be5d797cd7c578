"""Deeds: what a player set out to do and what its hands really did, to compare a referee's rulings with."""

from __future__ import annotations

import attrs

from tamsk_pi.rules.board import Player
from tamsk_pi.sim.hands import Gesture


@attrs.frozen
class Deed:
    """One thing a player did on purpose, or the error it was made to commit.

    `what`: `move`, `ring`, `claim`, `penalty`, `mend`, `timer` and the like, or the name of a blunder. `expects`: the
    code of the violation that the rules give for it if nothing else comes between; None for what is allowed. The
    times are those of the acts in `gestures`; a deed of omission (a forgotten ring) has none.
    """

    t_ms: int
    player: Player
    what: str
    gestures: tuple[Gesture, ...] = ()
    blunder: bool = False
    expects: str | None = None
    glass: str | None = None
    socket: str | None = None
    """Where the glass or the ring went."""

    @property
    def ends_ms(self) -> int:
        return self.gestures[-1].ends_ms if self.gestures else self.t_ms
