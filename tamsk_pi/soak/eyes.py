"""What sensors cannot tell because one of them lies, and the arbiter who tells it instead.

A socket whose sensor is stuck or noisy is declared dead; what is lifted from it or set down in it is told by word, and
the sand that ran meanwhile with it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final

from tamsk_pi.rules.board import GLASSES
from tamsk_pi.sim.acts import Act, Hover, Leave, Lift, Seat, Turn
from tamsk_pi.sim.board import VirtualBoard

Say = Callable[[str, Mapping[str, object]], None]
"""Says a word of the arbiter's, with its details, now."""


class Eyes:
    """Sees which acts no sensor tells, and says them."""

    def __init__(self, board: VirtualBoard, level: int, rng: random.Random) -> None:
        self._board: Final = board
        self._level: Final = level
        self._rng: Final = rng
        self.blinded: set[str] = set()
        """Sockets whose sensors lie."""
        self.unseen: dict[str, str] = {}
        """Glasses that were lifted or set down unseen and not told of yet, with the end that was up before."""
        self.phantom: set[str] = set()
        """Glasses that stand, but whose sensor came off, so that they look lifted."""
        self._up_at_lift: dict[str, str] = {}
        self._due_ms: dict[str, int] = {}
        """When the arbiter says where a glass stands."""

    def is_seen(self, t_ms: int, act: Act) -> bool:
        """Whether the sensors, while they are listened to, tell of this act."""
        match act:
            case Lift(glass):
                truth = self._board.truth.glasses[glass]
                self._up_at_lift[glass] = truth.stood.get(truth.lifted_from or "", truth.up)
                if glass in self.phantom:
                    # It looked lifted before it was: from now on that is true.
                    self.phantom.discard(glass)
                elif truth.lifted_from in self.blinded:
                    self.unseen[glass] = self._up_at_lift[glass]
                self._due_ms.pop(glass, None)
            case Seat(glass, socket):
                if socket in self.blinded:
                    self.unseen.setdefault(glass, self._up_at_lift[glass])
                if glass in self.unseen:
                    self._due_ms[glass] = t_ms + self._rng.randint(400, 900)
            case Turn(glass) | Hover(glass) | Leave(glass):
                pass
            case _:
                return True
        return act.glass not in self.unseen

    def wonder(self, t_ms: int, glass: str) -> None:
        """A glass that stands looks lifted to a sensor that came off: say that it stands where it stood."""
        self.phantom.discard(glass)
        self.unseen[glass] = self._board.truth.glasses[glass].up
        self._due_ms[glass] = t_ms

    def next_ms(self) -> int | None:
        """When something is to be said."""
        return min(self._due_ms.values(), default=None)

    def say_what_is_due(self, t_ms: int, say: Say) -> None:
        """Tell where the glasses really stand that no sensor told of."""
        for name in [g for g in GLASSES if self._due_ms.get(g, t_ms + 1) <= t_ms]:
            glass = self._board.truth.glasses[name]
            before_up = self.unseen.pop(name)
            del self._due_ms[name]
            if glass.socket is None:
                continue
            say("place", {"glass": name, "socket": glass.socket, "turned": self._level > 1 and glass.up != before_up})
            left_ms = glass.sand.left_ms(t_ms)
            if self._level > 1 and left_ms > 0:
                say("glass", {"glass": name, "state": "running", "left_ms": left_ms})

    def say_what_runs(self, t_ms: int, say: Say) -> None:
        """Tell of each glass whether it still runs, and for how long: nobody knows how long it went unwatched."""
        if self._level == 1:
            return
        for name, glass in self._board.truth.glasses.items():
            left_ms = glass.sand.left_ms(t_ms)
            if left_ms > 0:
                say("glass", {"glass": name, "state": "running", "left_ms": left_ms})
            elif glass.sand.stops_at_ms is not None:
                say("glass", {"glass": name, "state": "stopped"})

    def forget(self) -> None:
        """The board is taken as it stands."""
        self.unseen.clear()
        self.phantom.clear()
        self._due_ms.clear()
