"""A whole game in virtual time: the players' hands move the virtual board, and a session judges its raw edges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import START
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.session import Session
from tamsk_pi.sim.acts import TimedAct
from tamsk_pi.sim.board import VirtualBoard
from tamsk_pi.sim.deeds import Deed
from tamsk_pi.sim.hands import Hands, Tempo
from tamsk_pi.sim.players import Pace, Table
from tamsk_pi.sim.recorder import trace_header
from tamsk_pi.sim.sand import GlassMs
from tamsk_pi.sim.sensors import Habits
from tamsk_pi.sim.truth import Fitted
from tamsk_pi.trace_header import read_header

LONGEST_MS = 3_600_000
"""No game that the players finish lasts for an hour."""


class Match:
    """One game between two automatic players. Deterministic from its arguments.

    `acts` and `deeds` grow while the game goes on, as do `edges` and `rulings`: they are what a soak test compares.
    """

    def __init__(
        self,
        seed: int | str,
        *,
        level: int,
        rules: str = "rulebook",
        setup: str = "corners",
        clumsy: float = 0.0,
        fitted: Fitted | None = None,
        glass_ms: GlassMs | None = None,
        habits: Habits | None = None,
        tempo: Tempo | None = None,
        pace: Pace | None = None,
        tolerance_ms: int = 0,
    ) -> None:
        standing: Mapping[str, str] = {} if setup == "free" else START
        self.board = VirtualBoard(seed, fitted=fitted, glass_ms=glass_ms, habits=habits, standing=standing)
        self.hands = Hands(self.board, seed, tempo)
        self.table = Table(self.hands, seed, clumsy=clumsy, pace=pace)
        self.header = trace_header(self.board, level=level, rules=rules, setup=setup, tolerance_ms=tolerance_ms)
        self.session = Session(read_header(self.header))
        self.edges: list[Edge] = []
        self.rulings: list[Ruling] = list(self.session.advance(0))
        self.deeds: list[Deed] = []
        self.acts: list[TimedAct] = []

    @property
    def is_over(self) -> bool:
        return any(ruling.kind == "game_over" for ruling in self.rulings[-3:])

    def next_ms(self) -> int | None:
        """When something happens next: on the board, in a player's mind, or by a deadline."""
        times = (self.board.next_ms(), self.table.next_ms(), self.session.next_deadline())
        return min((t_ms for t_ms in times if t_ms is not None), default=None)

    def step(self) -> Sequence[Ruling]:
        """Go on to the next moment at which something happens; the rulings it brought."""
        t_ms = self.next_ms()
        t_ms = self.board.now_ms + 1 if t_ms is None else max(t_ms, self.board.now_ms)
        edges = self.board.run_to(t_ms)
        self.edges += edges
        rulings = [*self.session.feed_all(edges), *self.session.advance(t_ms)]
        if rulings:
            self.rulings += rulings
            self.table.hear(t_ms)
        self.table.act(self.session.snapshot, t_ms)
        self.deeds += self.table.take_deeds()
        self.acts += self.board.take_done()
        return rulings

    def play(self, until: Callable[[Match], bool] | None = None, *, longest_ms: int = LONGEST_MS) -> None:
        """Play to the end of the game, or until `until` says so, or for `longest_ms` at most."""
        while not self.is_over and self.board.now_ms < longest_ms and not (until and until(self)):
            self.step()
