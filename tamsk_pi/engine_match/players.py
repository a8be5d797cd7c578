"""Players for matches: the engine in this process, and the two simple ones that it is measured against."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from tamsk_pi.engine.masks import mixed
from tamsk_pi.engine.situation import Situation
from tamsk_pi.engine.strength import BEST, USES_TIMER_FROM
from tamsk_pi.engine.think import Limits, NothingToDecide, best_thought, score_moves
from tamsk_pi.engine.timer import timer_wait_ms
from tamsk_pi.engine.weights import TUNED, Weights
from tamsk_pi.engine_match.refereed import PlayerFailed
from tamsk_pi.rules.board import Player
from tamsk_pi.rules.notation import Turn, parse_move
from tamsk_pi.rules.position import Position


@attrs.define
class EngineHere:
    """The engine at one of its strengths, thinking in this process."""

    strength: int = BEST
    nodes: int | None = None
    weights: Weights = TUNED
    seed: int = 0
    name: str = ""
    asked: int = 0

    def __attrs_post_init__(self) -> None:
        self.name = self.name or f"strength {self.strength}"

    def choose(self, situation: Situation) -> Turn:
        self.asked += 1
        seed = mixed(self.seed << 16 | self.asked)
        try:
            thought = best_thought(
                situation, Limits(nodes=self.nodes), strength=self.strength, seed=seed, weights=self.weights
            )
        except NothingToDecide as error:
            raise PlayerFailed(str(error)) from None
        return thought.turn

    def timer_wait_ms(self, situation: Situation) -> int | None:
        return timer_wait_ms(situation, self.weights) if self.strength >= USES_TIMER_FROM else None


@attrs.define
class Greedy:
    """Takes the move after which it can move most next, and knows nothing of the other side or of sand."""

    name: str = "greedy"
    seed: int = 0
    asked: int = 0

    def choose(self, situation: Situation) -> Turn:
        self.asked += 1
        return _best_of(situation, _own_moves_after, self.seed << 16 | self.asked)

    def timer_wait_ms(self, situation: Situation) -> int | None:
        return None


@attrs.define
class Plain:
    """Plain alpha-beta of depth 2 on the number of own moves."""

    name: str = "plain"
    seed: int = 0
    asked: int = 0

    def choose(self, situation: Situation) -> Turn:
        self.asked += 1
        return _best_of(situation, _own_moves_after_reply, self.seed << 16 | self.asked)

    def timer_wait_ms(self, situation: Situation) -> int | None:
        return None


def _best_of(situation: Situation, worth: Callable[[Position, Player], int], seed: int) -> Turn:
    side = situation.to_move
    legal = list(score_moves(situation, 1))
    if not legal:
        raise PlayerFailed(f"{side} cannot move")

    def key(text: str) -> tuple[int, int]:
        move = parse_move(text)
        return worth(situation.position.after(move.origin, move.to), side), mixed(seed ^ hash_of(text))

    return Turn(side, parse_move(max(legal, key=key)))


def hash_of(text: str) -> int:
    """The same number for the same text in every run."""
    return int.from_bytes(text.encode()[:7], "big")


def _own_moves_after(then: Position, side: Player) -> int:
    return len(then.moves(side))


def _own_moves_after_reply(then: Position, side: Player) -> int:
    replies = then.moves(then.to_move)
    if not replies or not then.rings_left[then.to_move]:
        return len(then.moves(side))
    return min(len(then.after(*reply).moves(side)) for reply in replies)
