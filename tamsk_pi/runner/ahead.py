"""What a game looks like if nothing older than what has been told still comes: for lamps and pages, never for a ruling.

A board with radio caps holds its edges back until a turning that is told late has had its time
(`tamsk_pi.devices.caps`). Rulings wait for that; a lamp need not. A twin of the session is fed what is held as soon as
it is told, and made anew from the session itself whenever something comes that belongs before what the twin has taken
already. Nothing that accuses a player, counts against him or ends the game is shown from it: of that the certain
picture alone tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tamsk_pi.devices.caps import Held
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.session import Session

_SHOWN: Final = ("to_move", "carrying", "mending")
"""The phases that a picture may be ahead in and lead to."""
_WAIT: Final = (
    "violations",
    "result",
    "winner",
    "penalty_owed",
    "skip_owed",
    "faults",
    "setup_problems",
    "level",
    "names",
)
"""Where these are not what is certain, the picture waits."""


class Ahead:
    """The twin of one session. Times of edges are the host's, those of the session the game's."""

    def __init__(self, origin_ms: int) -> None:
        self._origin_ms: Final = origin_ms
        self._twin: Session | None = None
        self._expected: dict[int, Edge] = {}
        """What the twin was fed and the session was not yet."""
        self.twins_made = 0

    def forget(self) -> None:
        """Something came that was not foreseen: a word, a link that went down, an edge at another time."""
        self._twin = None

    def took(self, edge: Edge, t_ms: int) -> None:
        """The session took an edge, at the game's time `t_ms`."""
        number = next((n for n, expected in self._expected.items() if expected == edge), None)
        if number is None or t_ms != edge.t_ms - self._origin_ms:
            self.forget()
        if number is not None:
            del self._expected[number]

    def follow(self, session: Session, held: Held) -> None:
        """Take what is held now."""
        if not session.link_is_up:
            self._twin = None
            self._expected.clear()
            return
        fresh = [(number, edge) for number, edge in held.edges if number not in self._expected]
        self._expected |= dict(fresh)
        twin = self._twin
        feed: Sequence[Edge] = [edge for _, edge in fresh]
        if twin is None or any(edge.t_ms - self._origin_ms < twin.now_ms for edge in feed):
            twin = self._twin = session.twin()
            self.twins_made += 1
            feed = sorted(self._expected.values(), key=lambda edge: edge.t_ms)
        for edge in feed:
            twin.feed(edge._replace(t_ms=max(edge.t_ms - self._origin_ms, twin.now_ms)))
        twin.advance(max(held.read_ms - self._origin_ms, twin.now_ms))

    def picture(self, certain: Snapshot) -> Snapshot | None:
        """The twin's picture where it may be shown in place of the certain one."""
        if self._twin is None or certain.phase not in _SHOWN:
            return None
        ahead = self._twin.snapshot()
        if ahead.phase not in _SHOWN or any(getattr(ahead, name) != getattr(certain, name) for name in _WAIT):
            return None
        return ahead

    def next_ms(self) -> int | None:
        """The host's time at which the picture may change by itself."""
        due_ms = None if self._twin is None else self._twin.next_deadline()
        return None if due_ms is None else due_ms + self._origin_ms
