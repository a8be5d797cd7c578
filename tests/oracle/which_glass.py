"""Which of several glasses in hand a closed socket takes (sensing.md, "Which glass")."""

from __future__ import annotations

from collections.abc import Container, Sequence

from tests.oracle.judge import Game


def choose_glass(game: Game, hand: Sequence[str], tilted: Container[str], socket: str) -> tuple[str, bool]:
    """The glass of `hand` (in the order of lifting) that the socket takes, and whether that is not a guess.

    `tilted`: those whose tilt changed since their lift. `game` must stand at the time of the closing.
    """
    # "the one that came from this very socket; else the one whose placing there would be legal, if that is one
    # only; else the one whose tilt changed since its lift, if that is one only"
    came = [glass for glass in hand if game.glasses[glass].lifted_from == socket]
    legal = [glass for glass in hand if game.would_be_legal(glass, socket)]
    turned = [glass for glass in hand if glass in tilted]
    for candidates in (came, legal, turned):
        if len(candidates) == 1:
            return candidates[0], True
    # "else the one lifted first, with a `notice` of code `ambiguous`"
    return hand[0], False
