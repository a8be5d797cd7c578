"""Whose ring lies where: an act names the hand, a ring has an owner."""

from __future__ import annotations

from typing import Final

from tamsk_pi.rules.board import PLAYERS, SOCKETS, Player
from tamsk_pi.sim.acts import Act, DropRing, PickRing, ReturnRing, TakeRing


class RingHands:
    """Follows every ring from holder to hand to socket and back."""

    def __init__(self) -> None:
        self._in_hand: Final[dict[Player, list[Player]]] = {side: [] for side in PLAYERS}
        self._stacks: Final[dict[str, list[Player]]] = {socket: [] for socket in SOCKETS}

    def follow(self, act: Act) -> Player:
        """Take an act; the owner of the ring it is about (red where it is about none)."""
        owner: Player = "red"
        match act:
            case TakeRing(hand, holder):
                owner = holder
                self._in_hand[hand].append(owner)
            case PickRing(hand, socket):
                owner = self._stacks[socket].pop()
                self._in_hand[hand].append(owner)
            case DropRing(hand, socket):
                owner = self._in_hand[hand].pop()
                self._stacks[socket].append(owner)
            case ReturnRing(hand):
                owner = self._in_hand[hand].pop()
        return owner
