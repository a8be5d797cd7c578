"""Thinking: from a situation, again and again as the search deepens, the best turn so far.

Nothing here reads a clock. Whoever asks says how many nodes or moves deep, and may stop at any time by `stop`; with
the same situation and limits the answers are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import attrs

from tamsk_pi.engine.level1 import LevelOneSearch
from tamsk_pi.engine.masks import OFF, SOCKET_AT, mixed
from tamsk_pi.engine.sand_search import SandSearch
from tamsk_pi.engine.situation import Situation
from tamsk_pi.engine.strength import BEST, STRENGTHS, Strength
from tamsk_pi.engine.tree import PASS_CODE, OutOfNodes, unpacked
from tamsk_pi.engine.weights import RING, TUNED, WIN, Weights
from tamsk_pi.rules.board import CAPACITY
from tamsk_pi.rules.notation import PASS, Move, MoveRing, PenaltyRing, Turn, format_move, format_turn
from tamsk_pi.rules.position import Position

DEEPEST: Final = 60
"""No game has more moves before it than this that would be worth looking at."""

_LINE: Final = 12
_INFINITE: Final = 1 << 24
_ENDLESS: Final = 1 << 60


def _never() -> bool:
    return False


@attrs.frozen
class Limits:
    """How far to look: at most so many nodes, at most so many moves ahead; None: as the strength has it."""

    nodes: int | None = None
    depth: int | None = None


@attrs.frozen
class Thought:
    """What the engine thinks so far."""

    depth: int
    score: int
    """What the situation is worth to the side to move, a ring counting 100; beyond ±500,000 the end is proven."""
    nodes: int
    line: tuple[str, ...]
    """The best line in notation, this side's turn first."""
    turn: Turn
    """The best turn: its move with what to do with its ring, the claim before and the penalty ring after it."""
    proven: bool
    """The end of the game was reached in every line that matters. At levels 2 and 3 that rests on the paces."""
    finished: bool = False
    """This depth has been looked at in full."""

    @property
    def wins(self) -> bool:
        """Whether the side to move wins in every line."""
        return self.score > WIN // 2

    @property
    def loses(self) -> bool:
        """Whether the side to move loses in every line."""
        return self.score < -WIN // 2


class NothingToDecide(ValueError):
    """The side to move cannot move: it passes, or the game is over."""


def margin(score: int) -> int:
    """A score as hundredths of a ring, with the ends of games folded in: what a table or a bar shows."""
    if score > WIN // 2:
        return score - WIN + 20 * RING
    return score + WIN - 20 * RING if score < -WIN // 2 else score


def think(
    situation: Situation,
    limits: Limits | None = None,
    *,
    strength: int = BEST,
    seed: int = 0,
    stop: Callable[[], bool] = _never,
    weights: Weights = TUNED,
) -> Iterator[Thought]:
    """Think about the turn of the side to move; each thought is at least as good as those before it.

    `strength`: 1 to 10. Weak ones look less far, and take at random (by `seed`) what is a little worse. `stop` is asked
    now and then, and ends the thinking once there is a first thought. `NothingToDecide` where there is no legal move,
    `ValueError` for a strength that does not exist.
    """
    if strength not in STRENGTHS:
        raise ValueError(f"strength {strength} (allowed: 1 to {BEST})")
    return _Thinking(situation, limits or Limits(), STRENGTHS[strength], seed, stop, weights).thoughts()


def best_thought(
    situation: Situation,
    limits: Limits | None = None,
    *,
    strength: int = BEST,
    seed: int = 0,
    weights: Weights = TUNED,
) -> Thought:
    """The last of `think`'s thoughts."""
    *_, last = think(situation, limits, strength=strength, seed=seed, weights=weights)
    return last


def score_moves(situation: Situation, depth: int, weights: Weights = TUNED) -> dict[str, int]:
    """Every legal move with its ring, as notation, to its score at exactly `depth` moves ahead."""
    branch = _Branch(situation, weights, None)
    return {branch.text(code): branch.search.score(code, depth, -_INFINITE, _INFINITE) for code in branch.codes}


def score_of(situation: Situation, origin: str | None, to: str, depth: int, weights: Weights = TUNED) -> int | None:
    """What one move with its ring is worth at exactly `depth` moves ahead; None where it is not legal."""
    branch = _Branch(situation, weights, None)
    for code in branch.codes:
        move = branch.move(code)
        if (move.origin, move.to) == (origin, to) and move.ring != "none":
            return branch.search.score(code, depth, -_INFINITE, _INFINITE)
    return None


class _Branch:
    """One way to begin the turn: with the claim that is open, or without it."""

    def __init__(self, situation: Situation, weights: Weights, claim: str | None) -> None:
        self.claim: Final = claim
        self.situation: Final = situation if claim is None else _claimed(situation, claim)
        self.search: Final[LevelOneSearch | SandSearch] = (
            LevelOneSearch(self.situation, weights) if situation.level == 1 else SandSearch(self.situation, weights)
        )
        self.codes: list[int] = self.search.moves()

    def text(self, code: int) -> str:
        """A move in notation, whether its ring would fill the socket included."""
        return format_move(self.move(code))

    def move(self, code: int, penalty: int | None = None) -> Move:
        """A move as the rules have it."""
        origin, to, keep = unpacked(code)
        socket = SOCKET_AT[to]
        full = self.situation.position.rings[socket] + 1 >= CAPACITY[socket]
        ring: MoveRing = "none" if keep else "filled" if full else "dropped"
        dropped = None
        if penalty is not None:
            where = SOCKET_AT[penalty]
            lying = self.situation.position.rings[where] + (1 if where == socket and not keep else 0)
            dropped = PenaltyRing(where, filled=lying + 1 >= CAPACITY[where])
        return Move(None if origin == OFF else SOCKET_AT[origin], socket, ring, dropped)

    def turn(self, code: int, depth: int) -> Turn:
        """The whole turn with its claim and its penalty ring."""
        penalty = self.search.penalty(code, min(2, depth - 1)) if isinstance(self.search, SandSearch) else None
        return Turn(self.situation.to_move, self.move(code, penalty), self.claim)

    def line(self, code: int) -> tuple[str, ...]:
        """The line that begins with this move. Which later rings fill a socket is not said."""
        found = self.search.line(code, _LINE)
        return tuple(PASS if c == PASS_CODE else self.text(c) if not n else _bare(c) for n, c in enumerate(found))


class _Thinking:
    def __init__(
        self, situation: Situation, limits: Limits, strength: Strength, seed: int, stop: Callable[[], bool],
        weights: Weights,
    ) -> None:  # fmt: skip
        self._strength: Final = strength
        self._seed: Final = seed
        self._stop: Final = stop
        self._nodes: Final = limits.nodes if limits.nodes is not None else strength.nodes
        self._depth: Final = min(d for d in (limits.depth, strength.depth, DEEPEST) if d is not None)
        claims: list[str | None] = [None]
        if situation.claim is not None and situation.position.rings_left[situation.to_move] > 1:
            claims.append(situation.claim)
        self._branches: Final = [b for b in (_Branch(situation, weights, c) for c in claims) if b.codes]
        if not self._branches:
            raise NothingToDecide(f"{situation.to_move} cannot move")

    def thoughts(self) -> Iterator[Thought]:
        if self._strength.error:
            yield self._careless()
            return
        last: Thought | None = None
        for depth in range(1, self._depth + 1):
            thoughts = []
            for branch in self._branches:
                found = self._deepen(branch, depth, last is None)
                if found is None:
                    break
                thoughts.append(found)
            if not thoughts:
                return
            whole = len(thoughts) == len(self._branches)
            best = max(thoughts, key=lambda thought: thought.score)
            if last is None or whole or best.score > last.score:
                last = best
                yield best
            if not whole or not best.finished or best.proven:
                return

    def _used(self) -> int:
        return sum(branch.search.nodes for branch in self._branches)

    def _deepen(self, branch: _Branch, depth: int, first: bool) -> Thought | None:
        """Look at every move of the root; None if the nodes did not even do for the best one so far."""
        search = branch.search
        others = self._used() - search.nodes
        # The first look is cheap, and there must be an answer.
        search.budget.nodes = _ENDLESS if first else self._nodes - others
        search.budget.stop = _never if first else self._stop
        search.limit = 0
        search.guessed = False
        best, scored, finished = -_INFINITE, [], True
        for number, code in enumerate(branch.codes):
            if not first and self._stop():
                finished = False
                break
            try:
                if number == 0:
                    score = search.score(code, depth, -_INFINITE, _INFINITE)
                else:
                    score = search.score(code, depth, best, best + 1)
                    if score > best:
                        score = search.score(code, depth, best, _INFINITE)
            except OutOfNodes:
                finished = False
                break
            scored.append((score, code))
            best = max(best, score)
        if not scored:
            return None
        order = sorted(range(len(scored)), key=lambda place: (-scored[place][0], place))
        rest = branch.codes[len(scored) :]
        branch.codes = [scored[place][1] for place in order] + rest
        code = branch.codes[0]
        proven = (abs(best) > WIN // 2 and (best > 0 or finished)) or (finished and not search.guessed)
        search.budget.nodes, search.budget.stop = _ENDLESS, _never
        return Thought(depth, best, self._used(), branch.line(code), branch.turn(code, depth), proven, finished)

    def _careless(self) -> Thought:
        """What a weak player takes: every move gets its score, and then some error."""
        depth, error = self._depth, self._strength.error
        found: list[tuple[int, int, _Branch, int]] = []
        for branch in self._branches:
            for number, code in enumerate(branch.codes):
                score = branch.search.score(code, depth, -_INFINITE, _INFINITE)
                chance = mixed(self._seed << 20 ^ mixed(code << 1 | (branch.claim is not None)))
                swing = chance % (error + 1) + (chance >> 30) % (error + 1) - error
                # A proven end is an end for a weak player too, if it happens to see it.
                found.append((margin(score) + swing, -number, branch, code))
        _, _, branch, code = max(found, key=lambda one: one[:2])
        score = branch.search.score(code, depth, -_INFINITE, _INFINITE)
        return Thought(depth, score, self._used(), branch.line(code), branch.turn(code, depth), False, True)


def _bare(code: int) -> str:
    origin, to, keep = unpacked(code)
    return f"{'*' if origin == OFF else SOCKET_AT[origin]}-{SOCKET_AT[to]}{'~' if keep else ''}"


def _claimed(situation: Situation, claim: str) -> Situation:
    position, side = situation.position, situation.to_move
    rings = {**position.rings, claim: position.rings[claim] + 1}
    left = {**position.rings_left, side: position.rings_left[side] - 1}
    then = Position(position.glasses, rings, side, left, position.setup)
    return attrs.evolve(situation, position=then, claim=None)


def text_of(thought: Thought) -> str:
    """The whole turn in notation."""
    return format_turn(thought.turn)
