"""Where a glass may go, and what is wrong with where it went.

Source: rules.md, "A turn", "Levels" and "Violations". These are pure functions of a `Table`: who stands where,
how many rings lie where, which glasses have moved and which are out. Turning over and mending are the referee's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from tamsk_pi.rules.board import CAPACITY, NEIGHBOURS, SOCKETS, Player, glasses_of, owner_of


@attrs.define
class Table:
    """The game as it lies on the table.

    `standing` maps each travelling glass to its socket, or None while it is off the board; a glass in hand is
    entered where it was lifted, which is how the rules want it counted.
    """

    level: int
    free: bool
    """Free placement: a glass off the board may be placed on any vacant socket that is not full."""
    standing: dict[str, str | None]
    rings: dict[str, int] = attrs.field(factory=lambda: dict.fromkeys(SOCKETS, 0))
    moved: set[str] = attrs.field(factory=set)
    out: set[str] = attrs.field(factory=set)
    """Glasses that may not be moved again (levels 2, 3)."""

    def is_full(self, socket: str) -> bool:
        """Whether the socket holds as many counted rings as fit."""
        return self.rings[socket] >= CAPACITY[socket]

    def occupied(self) -> set[str]:
        """The sockets that hold a glass."""
        return {socket for socket in self.standing.values() if socket is not None}

    def destinations(self, glass: str) -> Iterator[str]:
        """Where `glass` could go from where it stands, whoever is to move: vacant and not full."""
        home = self.standing[glass]
        if home is not None:
            near: Iterable[str] = NEIGHBOURS[home]
        elif self.free:
            near = SOCKETS
        else:
            near = ()
        occupied = self.standing.values()
        return (s for s in near if self.rings[s] < CAPACITY[s] and s not in occupied)

    def has_destination(self, glass: str) -> bool:
        """Whether there is any socket that `glass` could go to."""
        return next(self.destinations(glass), None) is not None

    def can_move(self, player: Player) -> bool:
        """Whether the side has a glass that may still be moved and a socket for it to go to."""
        return any(g not in self.out and self.has_destination(g) for g in glasses_of(player))

    def opening_duty(self, player: Player) -> tuple[str, ...]:
        """The glasses one of which the side must move now; empty where it may choose.

        Levels 2 and 3: first moves go to glasses that have not moved, while one of them has a legal destination.
        In a game with free placement the glasses off the board come first at every level.
        """
        if self.level == 1 and not self.free:
            return ()
        due = [g for g in glasses_of(player) if g not in self.moved]
        if self.level == 1:
            due = [g for g in due if self.standing[g] is None]
        return tuple(due) if any(self.has_destination(g) for g in due) else ()

    def targets(self, player: Player) -> dict[str, tuple[str, ...]]:
        """Every glass that the side may move now, with its legal destinations."""
        duty = self.opening_duty(player)
        found = {
            g: tuple(self.destinations(g)) for g in glasses_of(player) if g not in self.out and (not duty or g in duty)
        }
        return {g: sockets for g, sockets in found.items() if sockets}

    def fault_in_going(
        self, glass: str, socket: str, to_move: Player, *, ran: bool, is_full: bool | None = None
    ) -> str | None:
        """What forbids `glass` to go to `socket` from where `standing` has it, or None; turning over not looked at.

        `ran` tells whether it still ran when it was lifted, `is_full` whether the socket was full then (as it is now
        where that is not told). The codes come in the order of rules.md, "Violations".
        The socket is taken to hold no glass: the one that was placed there has just closed it.
        """
        if owner_of(glass) != to_move:
            return "wrong_glass"
        if self.is_full(socket) if is_full is None else is_full:
            return "full_socket"
        if self.level > 1 and glass in self.moved and not ran:
            return "stopped_glass"
        duty = self.opening_duty(to_move)
        if duty and glass not in duty:
            return "opening_order"
        home = self.standing[glass]
        if home is not None and socket not in NEIGHBOURS[home]:
            return "not_adjacent"
        return None
