"""What sensors of a table tell beside what is done: rattling, glitches, silence, and the arbiter's pauses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random
from typing import Any

from tamsk_pi.witness.acts import Act
from tamsk_pi.witness.game import Game
from tamsk_pi.witness.geometry import CAPACITY, SOCKETS
from tamsk_pi.witness.settings import Settings

KEYS = {"tilt": "up", "ring": "count", "holder": "count", "button": "down"}


class Trouble(ABC):
    """A table's sensors, as far as they lie."""

    settings: Settings
    rng: Random
    game: Game
    now: int
    at: dict[str, str | None]
    up: dict[str, str]
    rings: dict[str, int]
    holders: dict[str, int]
    edges: list[dict[str, Any]]
    is_lost: bool
    is_sly: bool

    @abstractmethod
    def plan(self, t: int, order: int, act: Callable[[int], None]) -> None:
        """Plan an act."""

    @abstractmethod
    def tell(self, act: Act) -> None:
        """Let the game see an act."""

    def _truth(self, kind: str, name: str) -> Any:
        if kind == "tilt":
            return self.up[name]
        return self.rings[name] if kind == "ring" else self.holders[name] if kind == "holder" else False

    def _untruth(self, kind: str, name: str) -> Any:
        here = self._truth(kind, name)
        if kind == "tilt":
            return "b" if here == "a" else "a"
        if kind == "button":
            return True
        most = CAPACITY[name] if kind == "ring" else 32
        return here + 1 if here < most and (here == 0 or self.rng.random() < 0.5) else here - 1

    def rattle(self, t: int, kind: str, name: str, duration: int, apart: tuple[int, int]) -> None:
        """An input toggles for a while, `apart` ms between its edges, and ends with what is true."""

        self.is_sly = True

        def step(at: int, told_truth: bool) -> None:
            if at >= t + duration:
                self.edges.append({"t": at, kind: name, KEYS[kind]: self._truth(kind, name)})
                return
            value = self._untruth(kind, name) if told_truth else self._truth(kind, name)
            self.edges.append({"t": at, kind: name, KEYS[kind]: value})
            self.plan(at + self.rng.randint(*apart), 6, lambda later: step(later, not told_truth))

        self.plan(t, 6, lambda at: step(at, True))

    def glitch(self, t: int, kind: str, name: str, value: int, duration: int) -> None:
        """A count jumps for a while to what no hand can make."""
        self.is_sly = True
        self.plan(t, 6, lambda at: self.edges.append({"t": at, kind: name, "count": value}))
        self.plan(
            t + duration, 6, lambda at: self.edges.append({"t": at, kind: name, "count": self._truth(kind, name)})
        )

    # -- nobody watches

    def cut_link(self, t: int, duration: int, known: bool) -> None:
        """Plan that the sensors go silent, and come back with a snapshot."""
        self.plan(t, 7, self._link_down)
        self.plan(t + duration, -1, lambda at: self._link_up(at, known))

    def _link_down(self, t: int) -> None:
        self.is_sly = True
        self.edges.append({"t": t, "link": "down"})
        self.tell(Act(t, "blind"))

    def _link_up(self, t: int, known: bool) -> None:
        occupied = sorted(at for at in self.at.values() if at)
        line = {"t": t, "link": "up", "occupied": occupied, "up": dict(self.up)}
        if self.settings.hall:
            fields = {"a": "N", "b": "S"}
            line["fields"] = {at: fields[self.up[glass]] for glass, at in self.at.items() if at}
        if not known:
            line["gap_known"] = False
        self.edges.append(line)
        self.tell(Act(t, "see_again", ({}, known)))

    def told_by_snapshot(self, line: dict[str, Any]) -> dict[tuple[str, str], Any]:
        """What the inputs of a snapshot tell from then on."""
        fields = line.get("fields", {})
        told: dict[tuple[str, str], Any] = {("tilt", glass): end for glass, end in line["up"].items()}
        for socket in SOCKETS:
            stands = socket in line["occupied"]
            told["socket", socket] = fields.get(socket) if self.settings.hall else stands
        return told

    def pause(self, t: int, duration: int, by_button: bool) -> None:
        """Plan the arbiter's pause, by word or button."""
        self.is_sly = True
        if by_button:
            duration = max(duration, 2_000)
        for at, word, order in ((t, "pause", 7), (t + duration, "resume", -1)):
            if by_button:
                self.plan(at, order, lambda now, word=word: self._arbiter_presses(now, word))  # type: ignore[misc]
            else:
                self.plan(at, order, lambda now, word=word: self._arbiter_says(now, word))  # type: ignore[misc]

    def _arbiter_says(self, t: int, word: str) -> None:
        self.edges.append({"t": t, "arbiter": word})
        self.tell(Act(t, "blind") if word == "pause" else Act(t, "see_again", ({},)))

    def _arbiter_presses(self, t: int, word: str) -> None:
        self.edges += [
            {"t": t, "button": "arbiter", "down": True},
            {"t": t + self.rng.choice((40, 200, 799)), "button": "arbiter", "down": False},
        ]
        self.tell(Act(t, "blind") if word == "pause" else Act(t, "see_again", ({},)))
