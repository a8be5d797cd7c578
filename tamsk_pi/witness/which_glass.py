"""Which of several glasses in hand a closed socket takes (sensing.md, "Which glass")."""

from __future__ import annotations

from collections.abc import Container, Sequence

from tamsk_pi.witness.game import Game
from tamsk_pi.witness.geometry import NEIGHBOURS


def choose_glass(game: Game, hand: Sequence[str], tilted: Container[str], socket: str, t: int) -> tuple[str, bool]:
    """The glass of `hand` (in the order of lifting) that the socket takes, and whether that is not a guess.

    `tilted`: those whose tilt changed since their lift. `game` must stand at the time `t` of the closing. With free
    placement the glasses beside the board are in hand too.
    """
    # "the one that came from this very socket; else the one whose placing there would be legal, if that is one only;
    # else the one whose home touches this socket, if that is one only; else the one whose tilt changed since its lift,
    # if that is one only"
    glasses = game.glasses
    came = [glass for glass in hand if glasses[glass].lifted_from == socket]
    legal = [glass for glass in hand if game.would_be_legal(glass, socket)]
    near = [glass for glass in hand if (home := glasses[glass].home) is not None and socket in NEIGHBOURS[home]]
    turned = [glass for glass in hand if glass in tilted]
    for candidates in (came, legal, near):
        if len(candidates) == 1:
            return candidates[0], True
    if legal and all(glasses[glass].unplaced for glass in legal):
        return _from_beside(game, hand, legal, turned, t), True
    if len(turned) == 1:
        return turned[0], True
    # "else the one lifted first, with a `notice` of code `ambiguous`"
    return hand[0], False


def _from_beside(game: Game, hand: Sequence[str], legal: Sequence[str], turned: Sequence[str], t: int) -> str:
    """Free placement: which of several glasses that were never on the board, where only such may be placed.

    The contract is silent. A tilt sensor tells it, of either side's glasses; else a turning that comes late; else the
    first by name of the side to move, as they are all alike.
    """
    late = [
        glass
        for glass in legal
        if game.turned_over and game.senses_tilt and game.late_tilt(game.glasses[glass], t) is not None
    ]
    own = [glass for glass in legal if glass in turned]
    any_side = [glass for glass in hand if game.glasses[glass].unplaced and glass in turned]
    for candidates in (own, any_side, late):
        if len(candidates) == 1:
            return candidates[0]
    return min(legal)
