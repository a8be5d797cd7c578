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
    for candidates in (came, legal, near, turned):
        if len(candidates) == 1:
            return candidates[0], True
    late = [glass for glass in hand if glasses[glass].unplaced and game.late_tilt(glasses[glass], t) is not None]
    if not turned and game.turned_over and game.senses_tilt and len(late) == 1:
        # Free placement: "a late turning can still make the move whole", and tells which glass it was.
        return late[0], True
    # "else the one lifted first, with a `notice` of code `ambiguous`". Glasses beside the board were never lifted: there
    # the first that may be placed.
    unplaced = [glass for glass in legal if glasses[glass].unplaced]
    return (unplaced if len(unplaced) == len(legal) and unplaced else hand)[0], False
