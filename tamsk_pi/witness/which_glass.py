"""Which of several glasses in hand a closed socket takes (sensing.md, "Which glass")."""

from __future__ import annotations

from collections.abc import Container, Sequence

from tamsk_pi.witness.game import Game
from tamsk_pi.witness.geometry import NEIGHBOURS


def choose_glass(game: Game, hand: Sequence[str], tilted: Container[str], socket: str) -> tuple[str, bool]:
    """The glass of `hand` (in the order of lifting) that the socket takes, and whether that is not a guess.

    `tilted`: those whose tilt changed since their lift. `game` must stand at the time of the closing.
    """
    # "the one that came from this very socket; else the one whose placing there would be legal, if that is one only;
    # else the one whose home touches this socket, if that is one only; else the one whose tilt changed since its lift,
    # if that is one only"
    glasses = game.glasses
    came = [glass for glass in hand if glasses[glass].lifted_from == socket]
    legal = [glass for glass in hand if game.would_be_legal(glass, socket)]
    near = [glass for glass in hand if (home := glasses[glass].home) is not None and socket in NEIGHBOURS[home]]
    turned = [glass for glass in hand if glass in tilted]
    for candidates in (came, legal, near, turned):
        if len(candidates) == 1:
            return candidates[0], True
    # "else the one lifted first, with a `notice` of code `ambiguous`"
    return hand[0], False


def choose_unplaced(game: Game, beside: Sequence[str], tilted: Container[str], t: int) -> str:
    """Free placement, and nothing is in hand but glasses that have not been placed: one of the side to move.

    The contract tells no glass's place beside the board. The one that was turned is taken, else the first by name: at
    level 1 they are all alike.
    """
    own = [glass for glass in beside if game.glasses[glass].owner == game.to_move] or list(beside)
    if not game.turned_over or not game.senses_tilt:
        return own[0]
    late = [glass for glass in own if game.late_tilt(game.glasses[glass], t) is not None]
    for candidates in (own, beside):
        turned = [glass for glass in candidates if glass in tilted]
        if turned:
            return turned[0]
        if late:
            return late[0]
    return own[0]
