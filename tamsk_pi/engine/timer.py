"""When to turn the 15-second timer against the other side, which costs nothing and may cost the other side much.

Source: rules.md, "The 15-second timer (level 3)". Turned at once it stops nobody who is quick, and then is not empty
when it is wanted; so it is turned once the other side has thought for a while.
"""

from __future__ import annotations

from typing import Final

import attrs

from tamsk_pi.engine.sand_search import SandSearch
from tamsk_pi.engine.situation import Situation
from tamsk_pi.engine.weights import TUNED, Weights
from tamsk_pi.rules.board import opponent

PATIENCE_MS: Final = 4_000
"""The other side gets at most so long before the timer is turned."""

_DAWDLES_MS: Final = 30_000
"""What is feared of a side that has thought long already."""

_PENALTY_HOPED_FOR: Final = 40
"""What the chance of a penalty is worth, in hundredths of a ring."""

_DEPTH: Final = 2


def timer_wait_ms(situation: Situation, weights: Weights = TUNED) -> int | None:
    """After how many ms of this turn the side that is not to move does well to turn the timer; None: not at all.

    `situation` is that of the side to move. Not turned where its sand still runs, and where it suits the waiting side
    better that the other goes on thinking, as that one's glasses stop first.
    """
    if situation.level != 3 or situation.expires_ms is not None:
        return None
    pace_ms = situation.paces_ms[situation.to_move]
    wait_ms = min(PATIENCE_MS, max(1_000, pace_ms // 2))
    if situation.timer_left_ms > wait_ms:
        return None
    hurried = _worth(situation, wait_ms + situation.timer_full_ms, weights)
    left_alone = _worth(situation, _DAWDLES_MS, weights)
    if hurried is None or left_alone is None:
        return None
    return wait_ms if hurried - _PENALTY_HOPED_FOR <= left_alone else None


def _worth(situation: Situation, takes_ms: int, weights: Weights) -> int | None:
    """What the situation is worth to the side to move if it takes so long for this turn, whatever stops meanwhile."""
    paces = {situation.to_move: takes_ms, opponent(situation.to_move): situation.paces_ms[opponent(situation.to_move)]}
    search = SandSearch(attrs.evolve(situation, paces_ms=paces, level=2), weights, hurries=False)
    return max((search.score(code, _DEPTH, -(1 << 24), 1 << 24) for code in search.moves()), default=None)
