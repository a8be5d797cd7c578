"""The first lesson: ten short tasks on the virtual board, each judged by what the referee rules.

Nothing is faked: each task is a game with settings that bring it about soon, and it is done once the referee has said
what it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

import attrs

from tamsk_pi.opponent.seat import Choice
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import GLASSES, TIMER
from tamsk_pi.sensing.settings import Settings, default_glass_ms

SHORT_GLASS_MS: Final = 20_000
"""In the task of the glass that stops nobody waits for three minutes."""

SHORT_TIMER_MS: Final = 6_000

Done = Callable[[Ruling], bool]


def _kind(kind: str, **details: object) -> Done:
    return lambda ruling: ruling.kind == kind and all(ruling.get(key) == value for key, value in details.items())


def _red_glass_stops(ruling: Ruling) -> bool:
    return ruling.kind == "glass_stopped" and str(ruling.get("glass")).startswith("R")


@attrs.frozen(kw_only=True)
class Task:
    """One task. `done` is asked of each ruling of its game."""

    level: int
    done: Done
    position: str = ""
    """Where it begins, as text; empty: the usual set-up."""
    glass_ms: int | None = None
    timer_ms: int | None = None
    opponent: Choice | None = None


FULL_BESIDE: Final = "0b010r/00000/000000/0r000000b/000000/00000/0b000r r 31 32"
"""Red stands beside a full socket."""

NEARLY_STUCK: Final = "0b00r0/12000/000001/0r000020b/000001/12000/0b100r r 27 26"
"""One ring more, and none of black's glasses can move."""

TASKS: Final[tuple[Task, ...]] = (
    Task(level=1, done=_kind("move", player="red")),
    Task(level=1, done=_kind("ring", player="red", reason="move")),
    Task(level=1, done=_kind("game_over", reason="full_socket"), position=FULL_BESIDE),
    Task(level=1, done=_kind("pass", player="black"), position=NEARLY_STUCK),
    Task(level=2, done=_kind("move", player="red")),
    Task(level=2, done=_red_glass_stops, glass_ms=SHORT_GLASS_MS),
    Task(level=2, done=_kind("ring", reason="claim")),
    Task(level=3, done=_kind("timer_started")),
    Task(level=3, done=_kind("ring", reason="penalty"), timer_ms=SHORT_TIMER_MS),
    Task(level=1, done=_kind("game_over"), opponent=Choice("black", 1)),
)


def settings_for(number: int, base: Settings) -> Settings:
    """The settings of a task's game, counted from 1; the rest is as in `base`."""
    task = TASKS[number - 1]
    times: dict[str, Mapping[str, int]] = dict(default_glass_ms())
    if task.glass_ms is not None:
        times |= {g: {"a": task.glass_ms, "b": task.glass_ms} for g in GLASSES}
    if task.timer_ms is not None:
        times[TIMER] = {"a": task.timer_ms, "b": task.timer_ms}
    return attrs.evolve(
        base, level=task.level, rules="rulebook", setup="corners", position=task.position,
        glass_ms=MappingProxyType(times), red="", black="",
    )  # fmt: skip


class Lesson:
    """Where somebody stands in the lesson. Used in the loop's thread."""

    def __init__(self) -> None:
        self._number: int | None = None
        self._before = 0
        """The game that was shown last."""
        self._game = 0
        self._seen = 0
        self._done = False

    def begin(self, number: int) -> None:
        """Begin a task; 0 ends the lesson."""
        self._number = number or None
        self._game, self._seen, self._done = 0, 0, False

    def look(self, game: int, rulings: Sequence[Ruling]) -> Mapping[str, object] | None:
        """How the task stands, as JSON: its `task`, `of` how many, and whether it is `done`; None outside the lesson.

        `game` counts games; with one that was not begun for the task the lesson ends.
        """
        if self._number is None:
            self._before = game
            return None
        if not self._game:
            if game == self._before:
                # The board was laid out already, and the game that is to be judged has not been shown yet.
                return {"task": self._number, "of": len(TASKS), "done": False}
            self._game = game
        self._before = game
        if game != self._game:
            self._number = None
            return None
        task = TASKS[self._number - 1]
        self._done = self._done or any(task.done(ruling) for ruling in rulings[self._seen :])
        self._seen = len(rulings)
        return {"task": self._number, "of": len(TASKS), "done": self._done}
