"""A scene at the board, written down act by act, and what the referee says to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.referee.words import Word
from tamsk_pi.rules.board import START
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.trace import LinkDown, LinkUp, Record

PRELUDE = ("ready", "started")


def brief(ruling: Ruling) -> str:
    """A ruling in one line: its time, its kind and the values of its details."""
    details = {key: value for key, value in ruling.details.items() if key != "home"}
    return " ".join([str(ruling.t_ms), ruling.kind, *(str(value) for value in details.values())])


def glass_ms(full_ms: int = 180_000, timer_ms: int = 15_000) -> Mapping[str, Mapping[str, int]]:
    """Six glasses that take alike, either end up, and the timer."""
    return {g: {"a": full_ms, "b": full_ms} for g in START} | {"N": {"a": timer_ms, "b": timer_ms}}


class Scene:
    """Acts in any order of writing; `says` plays them in order of time."""

    def __init__(self, level: int = 2, **settings: Any) -> None:
        self.settings = Settings(level=level, **settings)
        self.records: list[Record] = []
        self.up = dict(self.settings.up)
        self.session = Session(self.settings)
        self.rulings: list[Ruling] = []

    def turn(self, t_ms: int, glass: str) -> Self:
        """Turn a glass over, the timer `N` included."""
        self.up[glass] = "b" if self.up[glass] == "a" else "a"
        self.records.append(Edge(t_ms, "tilt", glass, self.up[glass]))
        return self

    def lift(self, t_ms: int, socket: str) -> Self:
        """Lift what stands there."""
        self.records.append(Edge(t_ms, "socket", socket, False))
        return self

    def place(self, t_ms: int, socket: str) -> Self:
        """Set down what is in hand."""
        self.records.append(Edge(t_ms, "socket", socket, True))
        return self

    def field(self, t_ms: int, socket: str, field: str | None) -> Self:
        """Hall boards: the field in a socket from now on."""
        self.records.append(Edge(t_ms, "socket", socket, field))
        return self

    def carry(self, t_ms: int, glass: str, start: str, to: str, *, turned: bool = True) -> Self:
        """Lift a glass at `t_ms - 400`, turn it over 200 ms later and set it down at `t_ms`."""
        self.lift(t_ms - 400, start).place(t_ms, to)
        return self.turn(t_ms - 200, glass) if turned else self

    def ring(self, t_ms: int, socket: str, count: int = 1) -> Self:
        """From now on so many rings lie there."""
        self.records.append(Edge(t_ms, "ring", socket, count))
        return self

    def holder(self, t_ms: int, side: str, count: int) -> Self:
        """From now on so many rings are left on a side's holder."""
        self.records.append(Edge(t_ms, "holder", side, count))
        return self

    def press(self, t_ms: int, button: str, for_ms: int = 100) -> Self:
        """Press a button."""
        self.records += [Edge(t_ms, "button", button, True), Edge(t_ms + for_ms, "button", button, False)]
        return self

    def word(self, t_ms: int, what: str, **details: object) -> Self:
        """The arbiter says a word."""
        self.records.append(Word(t_ms, what, details))
        return self

    def link_down(self, t_ms: int) -> Self:
        """The sensors go silent."""
        self.records.append(LinkDown(t_ms))
        return self

    def link_up(self, t_ms: int, *occupied: str, up: Mapping[str, str] | None = None, **rings: int) -> Self:
        """They are back, and tell this."""
        self.records.append(LinkUp(t_ms, occupied, up or {}, rings))
        return self

    def says(self, until_ms: int, *but: str) -> list[str]:
        """Play everything, and what the referee said up to `until_ms`; `ready`, `started` and kinds in `but` left out.

        Times are those of the last stroke of the clock: nothing more is played afterwards.
        """
        for record in sorted(self.records, key=lambda record: record.t_ms):
            self.rulings += self.session.take(record)
        self.rulings += self.session.finish(until_ms)
        return [brief(ruling) for ruling in self.rulings if ruling.kind not in (*PRELUDE, *but)]

    def picture(self) -> Snapshot:
        """The game after `says`."""
        return self.session.snapshot()
