"""Goes through a trace and judges each move by the engine.

The situation of a move is taken from the picture of the game that the lamps were made from before it; so the analysis
needs nothing but the trace, and comes out the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import attrs

from tamsk_pi.engine.situation import GlassSand, Situation
from tamsk_pi.engine.think import Limits, NothingToDecide, Thought, best_thought, margin, score_of
from tamsk_pi.opponent.seeing import Paces, situation_of
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import Player, owner_of
from tamsk_pi.rules.notation import format_turn
from tamsk_pi.session import Session
from tamsk_pi.trace import TraceReader

NODES: Final = 2_000
"""How many positions are looked at for each move."""

WORST: Final = 3
"""So many of each side's worst moves are named."""


@attrs.frozen
class MoveJudged:
    """One move. Scores are hundredths of a ring; proven ends count twenty rings and more."""

    number: int
    t_ms: int
    player: Player
    origin: str | None
    to: str
    score: int
    """What the game is worth to red after it."""
    best_score: int
    """What it would have been worth to red after the best move."""
    lost: int
    """By how much the move was worse than the best, for who made it; 0 for the best."""
    better: str | None
    """The best turn in notation, where the move was another."""
    line: tuple[str, ...]
    """What is thought to follow the best turn, with it."""
    proven: bool


@attrs.frozen
class GlassLost:
    """A glass that stopped for good."""

    t_ms: int
    player: Player
    glass: str
    cost: int
    """What it cost its side, in hundredths of a ring."""


@attrs.define
class Analysis:
    """What was found of a game."""

    moves: list[MoveJudged] = attrs.field(factory=list)
    glasses: list[GlassLost] = attrs.field(factory=list)
    unjudged: int = 0
    """Moves of which the situation could not be told, as after a cut."""

    def worst(self, player: Player) -> list[MoveJudged]:
        """The moves of a side that cost it most, the worst first; those that cost nothing are none."""
        found = [move for move in self.moves if move.player == player and move.lost > 0]
        return sorted(found, key=lambda move: (-move.lost, move.number))[:WORST]


def analyse(reader: TraceReader, nodes: int = NODES, progress: Callable[[int], None] = lambda moves: None) -> Analysis:
    """Judge a trace to its end. `progress` is told after each move how many have been judged."""
    analyst = _Analyst(reader, nodes, progress)
    for record in reader:
        analyst.take(analyst.session.take(record))
    if not analyst.session.ended:
        analyst.take(analyst.session.finish(analyst.session.now_ms))
    return analyst.analysis


class _Analyst:
    def __init__(self, reader: TraceReader, nodes: int, progress: Callable[[int], None]) -> None:
        self.session: Final = Session(reader.settings)
        self.analysis: Final = Analysis()
        self._settings: Final = reader.settings
        self._nodes: Final = nodes
        self._progress: Final = progress
        self._paces: Final = Paces()
        self._before: Snapshot | None = None
        """The last picture in which a side was to move and held nothing."""

    def take(self, rulings: Iterable[Ruling]) -> None:
        """Judge what a record brought about."""
        for ruling in rulings:
            if ruling.kind == "move":
                self._judge(ruling)
            elif ruling.kind == "glass_stopped":
                self._cost_of(ruling)
        picture = self.session.snapshot()
        self._paces.see(picture)
        if picture.phase == "to_move" and picture.targets:
            self._before = picture

    def _situation(self, picture: Snapshot, at_ms: int, side: Player) -> Situation | None:
        # Sand ran until the hand was there; a glass that ran out since is told by its own time.
        moved = attrs.evolve(picture, now_ms=max(picture.now_ms, at_ms))
        return situation_of(
            moved, self._settings.glass_ms, setup=self._settings.setup, paces_ms=self._paces.now_ms(), side=side
        )

    def _judge(self, ruling: Ruling) -> None:
        player: Player = "red" if ruling.get("player") == "red" else "black"
        origin, to = ruling.get("from"), str(ruling.get("to"))
        before, self._before = self._before, None
        if before is None or before.to_move != player:
            self.analysis.unjudged += 1
            return
        # What is thought about is the choice as the turn began: the time it took is part of what was chosen.
        situation = self._situation(before, before.now_ms, player)
        judged = None if situation is None else self._scores(situation, origin if isinstance(origin, str) else None, to)
        if judged is None:
            self.analysis.unjudged += 1
            return
        thought, played = judged
        best = max(thought.score, played)
        sign = 1 if player == "red" else -1
        same = played >= thought.score
        self.analysis.moves.append(
            MoveJudged(
                number=len(self.analysis.moves) + 1,
                t_ms=ruling.t_ms,
                player=player,
                origin=origin if isinstance(origin, str) else None,
                to=to,
                score=sign * margin(played),
                best_score=sign * margin(best),
                lost=margin(best) - margin(played),
                better=None if same else format_turn(thought.turn),
                line=thought.line,
                proven=thought.proven,
            )
        )
        self._progress(len(self.analysis.moves))

    def _scores(self, situation: Situation, origin: str | None, to: str) -> tuple[Thought, int] | None:
        try:
            thought = best_thought(situation, Limits(nodes=self._nodes))
        except NothingToDecide:
            return None
        played = score_of(situation, origin, to, thought.depth)
        return None if played is None else (thought, played)

    def _cost_of(self, ruling: Ruling) -> None:
        glass = str(ruling.get("glass"))
        picture = self.session.snapshot()
        if glass not in picture.glasses or not picture.glasses[glass].out or picture.to_move is None:
            return
        situation = self._situation(picture, ruling.t_ms, picture.to_move)
        if situation is None:
            return
        full_ms = self._settings.glass_ms[glass]["a"]
        alive = attrs.evolve(
            situation, sand={**situation.sand, glass: GlassSand(full_ms // 2, full_ms, full_ms, moved=True)}
        )
        try:
            without, having = (margin(best_thought(one, Limits(nodes=self._nodes)).score) for one in (situation, alive))
        except NothingToDecide:
            return
        owner = owner_of(glass)
        cost = having - without if owner == picture.to_move else without - having
        self.analysis.glasses.append(GlassLost(ruling.t_ms, owner, glass, max(0, cost)))
