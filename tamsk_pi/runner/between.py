"""The time between two games at one board: what still keeps the next one from beginning, and what is pressed meanwhile.

It looks at raw inputs, as nothing is judged, and knows nothing of the game that was. Times are the host's, in ms.
Source: architecture.md, "One game after another".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from tamsk_pi.referee.snapshot import SetupProblem
from tamsk_pi.rules.board import RINGS_PER_SIDE, SOCKETS, START
from tamsk_pi.sensing.edges import BUTTONS, HOLDERS, Edge, EdgeValue
from tamsk_pi.sensing.presses import HELD_MS, LONG_MS
from tamsk_pi.sensing.self_check import SelfCheck, Suspect
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.sensing.settle import Input

AT_REST_MS: Final = 3_000
"""For so long everything must stand and lie as a game begins."""

Pressed = Literal["red", "black", "both", "arbiter", "arbiter_long", "arbiter_held"]

Inputs = Mapping[tuple[str, str], EdgeValue]


class Between:
    """Follows the board while it is set up. `inputs`: what it tells now."""

    def __init__(self, settings: Settings, inputs: Inputs, now_ms: int, dead: Iterable[str] = ()) -> None:
        """`settings`: of the board and the next game's set-up. `dead`: sockets that are not listened to."""
        self.dead: Final[set[str]] = set(dead)
        self._settings: Final = settings
        self._values: dict[tuple[str, str], EdgeValue] = dict(inputs)
        self._at_first: Final = self._sockets()
        self._self_check: Final = SelfCheck(settings)
        self._presses: Final = _Presses(settings)
        self.touched = False
        """Whether a glass was lifted or set down since."""
        self.was_otherwise = False
        """Whether the board has not been set up for a game since."""
        self._since_ms: int | None = None
        self._look(now_ms)

    # -- what comes

    def take(self, edges: Sequence[Edge]) -> None:
        """Take what the board has posted."""
        self._self_check.take(edges)
        for edge in edges:
            self._presses.take(edge)
            self._values[edge.kind, edge.name] = edge.value
            self._look(edge.t_ms)

    def go_round(self, inputs: Inputs, now_ms: int, *, heard: bool) -> None:
        """Take what the board tells now; what is not heard is not known to be at rest."""
        self._presses.settle(now_ms)
        self._values = dict(inputs)
        if heard:
            self._look(now_ms)
        else:
            self._since_ms = None

    def _look(self, now_ms: int) -> None:
        self.touched = self.touched or self._sockets() != self._at_first
        if self.is_set_up:
            self._since_ms = now_ms if self._since_ms is None else self._since_ms
        else:
            self.was_otherwise, self._since_ms = True, None

    def _sockets(self) -> frozenset[str]:
        return frozenset(s for s in SOCKETS if self._values.get(("socket", s)))

    # -- what is told

    @property
    def is_set_up(self) -> bool:
        """Whether everything that is sensed stands and lies as a game begins."""
        return not self.problems() and not self.holders_lacking()

    def problems(self) -> tuple[SetupProblem, ...]:
        """Every socket that is not as it must be, in order of its name."""
        closed = self._sockets() - self.dead
        wanted = (frozenset() if self._settings.setup == "free" else frozenset(START.values())) - self.dead
        found = [SetupProblem(s, "put_glass") for s in wanted - closed]
        found += [SetupProblem(s, "take_glass") for s in closed - wanted]
        if self._settings.rings == "stack":
            found += [SetupProblem(s, "take_rings") for s in SOCKETS if self._values.get(("ring", s))]
        return tuple(sorted(found, key=lambda problem: (problem.socket, problem.what)))

    def holders_lacking(self) -> dict[str, int]:
        """How many rings each holder lacks that is sensed and is not full."""
        if self._settings.rings != "holder":
            return {}
        counts = {p: self._values.get(("holder", p)) for p in HOLDERS}
        return {p: RINGS_PER_SIDE - n for p, n in counts.items() if isinstance(n, int) and n != RINGS_PER_SIDE}

    def suspects(self, now_ms: int) -> tuple[Suspect, ...]:
        """Every sensor whose state cannot be right."""
        return self._self_check.suspects(self._values, now_ms)

    def ready_ms(self) -> int | None:
        """From when on the next game may begin by itself; None while something keeps it from that."""
        if self._since_ms is None or not self.was_otherwise or self._settings.rings == "buttons":
            return None
        return self._since_ms + AT_REST_MS

    def settles_ms(self) -> int | None:
        """When a press that has come is certain."""
        return self._presses.due_ms()

    def pressed(self) -> list[Pressed]:
        """The presses that have ended (`both`: two players', that began) since the last call."""
        return self._presses.fetch()


class _Presses:
    """Presses of all three buttons, settled as everywhere else."""

    def __init__(self, settings: Settings) -> None:
        gap_ms, settle_ms = settings.gap_ms["button"], settings.settle_ms["button"]
        self._inputs: Final = {name: Input("button", name, False, gap_ms, settle_ms) for name in BUTTONS}
        self._down_ms: dict[str, int] = {}
        self._together = False
        """Both players' buttons were down at once, and one still is."""
        self._found: list[Pressed] = []

    def take(self, edge: Edge) -> None:
        if edge.kind == "button":
            self.settle(edge.t_ms)
            self._inputs[edge.name].edge(edge.t_ms, edge.value)

    def settle(self, now_ms: int) -> None:
        due = [i for i in self._inputs.values() if i.due_ms is not None and i.due_ms <= now_ms]
        for button in sorted(due, key=lambda i: i.due_ms or 0):
            change = button.settle()
            if change is None:
                continue
            if change.value:
                self._press(button.name, change.t_ms)
            elif button.name in self._down_ms:
                self._release(button.name, change.t_ms - self._down_ms.pop(button.name))

    def _press(self, name: str, t_ms: int) -> None:
        self._down_ms[name] = t_ms
        if {"red", "black"} <= self._down_ms.keys() and not self._together:
            self._together = True
            self._found.append("both")

    def _release(self, name: str, for_ms: int) -> None:
        if name == "arbiter":
            self._found.append(
                "arbiter" if for_ms < LONG_MS else "arbiter_long" if for_ms < HELD_MS else "arbiter_held"
            )
        elif self._together:
            self._together = bool({"red", "black"} & self._down_ms.keys())
        elif for_ms < LONG_MS:
            self._found.append("red" if name == "red" else "black")

    def due_ms(self) -> int | None:
        return min((i.due_ms for i in self._inputs.values() if i.due_ms is not None), default=None)

    def fetch(self) -> list[Pressed]:
        found, self._found = self._found, []
        return found
