"""One game between two engines under the referee: their turns become raw edges, as a perfect board would tell them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final, Protocol

import attrs

from tamsk_pi.engine.situation import Situation
from tamsk_pi.opponent.seeing import Paces, situation_of
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import TIMER, Player, opponent
from tamsk_pi.rules.notation import Move, Turn, format_turn
from tamsk_pi.rules.sand import other_end
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session

PACE_MS: Final = 5_000
"""How long a side takes for a turn, from the other side's placing to its own."""

LONGEST_TURNS: Final = 400
"""A game that goes on for so long, which takes moves without rings for ever, is a draw."""

_NOTICED_MS: Final = 1_400
"""After a placing its ring has been dropped and noticed within this."""
_PENALTY_NOTICED_MS: Final = 2_300
_TURN_AFTER_MS: Final = 200
_PLACE_AFTER_MS: Final = 600
_RING_AFTER_MS: Final = 600
_PENALTY_AFTER_MS: Final = 1_500
_BEFORE_IT_STOPS_MS: Final = 40


class PlayerFailed(Exception):
    """An engine did not answer, or not with a turn; the text says what it did instead, in one line."""


class Contestant(Protocol):
    """Somebody who decides turns."""

    name: str

    def choose(self, situation: Situation) -> Turn:
        """The turn of the side to move. `PlayerFailed` where there is none."""
        ...

    def timer_wait_ms(self, situation: Situation) -> int | None:
        """After how many ms of the other side's turn, which `situation` is, to turn the timer; None: not at all."""
        ...


@attrs.frozen
class Outcome:
    """How a game ended."""

    winner: Player | None
    reason: str
    """The referee's reason, or `failed`: an engine lost by itself, or `too long`."""
    turns: int
    rings_left: tuple[int, int]
    """Red's and black's."""
    fault: str = ""
    """What the loser did, in one line, where the reason is `failed`."""
    forfeits: int = 0
    """How many turns were lost to the timer, by either side."""
    stopped: tuple[str, ...] = ()
    """The glasses that stopped for good."""


class RefereedGame:
    """A game from its beginning. `players` by side; `opening`: so many turns at random come first, by `seed`."""

    def __init__(
        self,
        players: dict[Player, Contestant],
        settings: Settings,
        *,
        pace_ms: int = PACE_MS,
        opening: int = 0,
        seed: int = 0,
    ) -> None:
        self._players: Final = players
        self._settings: Final = settings
        self._pace_ms: Final = max(pace_ms, _PENALTY_NOTICED_MS + _PLACE_AFTER_MS + 100)
        self._opening: Final = opening
        self._rng: Final = random.Random(f"opening/{seed}")
        self.session: Final = Session(settings)
        self.paces: Final = Paces(first_ms=self._pace_ms)
        self.rulings: list[Ruling] = list(self.session.advance(0))
        self.record: list[str] = []
        self.illegal: list[str] = []
        self._rings: dict[str, int] = {}
        self._up: dict[str, str] = dict(settings.up)
        self._turn_began_ms = 0
        self._kept = False
        self._mover: Player | None = None

    def play(self) -> Outcome:
        """Play it to its end."""
        for _ in range(LONGEST_TURNS):
            picture = self.session.snapshot()
            self.paces.see(picture)
            if picture.result is not None:
                return self._outcome(picture.winner, picture.result)
            if picture.to_move is None:
                self._pass_time()
                continue
            side = picture.to_move
            try:
                self._take_turn(side)
            except PlayerFailed as failed:
                return self._outcome(opponent(side), "failed", f"{self._players[side].name}: {failed}")
        return self._outcome(None, "too long")

    def _pass_time(self) -> None:
        due_ms = self.session.next_deadline()
        self._advance(self.session.now_ms + 1_000 if due_ms is None else max(due_ms, self.session.now_ms + 1))

    def _advance(self, t_ms: int) -> None:
        self.rulings += self.session.advance(max(t_ms, self.session.now_ms))

    def _feed(self, edges: list[Edge]) -> None:
        for edge in sorted(edges, key=lambda edge: edge.t_ms):
            self.rulings += self.session.feed(edge)

    def _take_turn(self, side: Player) -> None:
        began_ms = self._turn_began_ms
        picture = self.session.snapshot()
        if self._kept and self._mover != side:
            # The other side's ring was kept: the claim opens once its time is over.
            self._advance(began_ms + self._settings.ring_window_ms + 50)
            picture = self.session.snapshot()
        situation = situation_of(
            picture, self._settings.glass_ms, setup=self._settings.setup, paces_ms=self.paces.now_ms()
        )
        if situation is None or picture.to_move != side:
            self._pass_time()
            return
        turn = self._choice(side, situation)
        self._carry_out(side, turn, situation)

    def _choice(self, side: Player, situation: Situation) -> Turn:
        if len(self.record) < self._opening:
            targets = self.session.snapshot().targets
            fresh = [g for g in targets if situation.position.glasses.get(g) is None]
            choices = [(g, s) for g, sockets in targets.items() if g not in fresh[1:] for s in sockets]
            glass, socket = self._rng.choice(sorted(choices))
            return Turn(side, Move(situation.position.glasses.get(glass), socket, "dropped"))
        return self._players[side].choose(situation)

    def _carry_out(self, side: Player, turn: Turn, situation: Situation) -> None:
        now_ms = self.session.now_ms
        move = turn.action
        if not isinstance(move, Move):
            raise PlayerFailed(f"it answered {format_turn(turn)} where it can move")
        picture = self.session.snapshot()
        glass = self._glass(side, move, situation)
        self._check(turn, glass, situation)
        edges: list[Edge] = []
        if turn.claim is not None:
            edges.append(self._ring(now_ms + 50, turn.claim))
            now_ms += 700
        lift_ms = max(now_ms + 50, self._turn_began_ms + self._pace_ms - _PLACE_AFTER_MS)
        if self._kept and self._mover == side:
            # The side that is stuck could claim what was kept; it is kept from that by moving on at once.
            lift_ms = min(lift_ms, now_ms + 100)
        stops_ms = picture.glasses[glass].stops_at_ms
        if picture.level > 1 and picture.glasses[glass].moved and stops_ms is not None:
            lift_ms = max(now_ms + 1, min(lift_ms, stops_ms - _BEFORE_IT_STOPS_MS))
        expires_ms = picture.timer_expires_at_ms
        if picture.level == 3 and expires_ms is None:
            wait_ms = self._players[opponent(side)].timer_wait_ms(situation)
            turned_ms = now_ms if wait_ms is None else max(now_ms + 1, self._turn_began_ms + wait_ms)
            if now_ms < turned_ms < lift_ms and turned_ms >= (picture.glasses[TIMER].stops_at_ms or 0):
                self._up[TIMER] = other_end(self._up[TIMER])
                edges.append(Edge(turned_ms, "tilt", TIMER, self._up[TIMER]))
                expires_ms = turned_ms + self._settings.glass_ms[TIMER][self._up[TIMER]]
        if expires_ms is not None:
            lift_ms = max(now_ms + 1, min(lift_ms, expires_ms - _PLACE_AFTER_MS - 100))
        placed_ms = lift_ms + _PLACE_AFTER_MS
        origin = situation.position.glasses.get(glass)
        if origin is not None:
            edges.append(Edge(lift_ms, "socket", origin, False))
        if picture.level > 1:
            self._up[glass] = other_end(self._up[glass])
            edges.append(Edge(lift_ms + _TURN_AFTER_MS, "tilt", glass, self._up[glass]))
        edges.append(Edge(placed_ms, "socket", move.to, True))
        if move.ring != "none":
            edges.append(self._ring(placed_ms + _RING_AFTER_MS, move.to))
        noticed_ms = placed_ms + _NOTICED_MS
        if move.penalty is not None:
            edges.append(self._ring(placed_ms + _PENALTY_AFTER_MS, move.penalty.socket))
            noticed_ms = placed_ms + _PENALTY_NOTICED_MS
        self.record.append(format_turn(turn))
        self._feed(edges)
        self._turn_began_ms, self._mover = placed_ms, side
        self._kept = move.ring == "none"
        self._advance(noticed_ms if move.ring != "none" else placed_ms + 750)

    def _glass(self, side: Player, move: Move, situation: Situation) -> str:
        glasses = situation.position.glasses
        own = [g for g in self.session.snapshot().targets if glasses.get(g) == move.origin]
        if not own:
            raise PlayerFailed(f"it asked for {format_turn(Turn(side, move))}, where none of its glasses may move")
        return own[0]

    def _check(self, turn: Turn, glass: str, situation: Situation) -> None:
        move = turn.action
        assert isinstance(move, Move)
        text = format_turn(turn)
        rings = dict(situation.position.rings)
        if turn.claim is not None and turn.claim != situation.claim:
            raise PlayerFailed(f"it asked for {text}, where it may not claim {turn.claim}")
        if move.to not in self.session.snapshot().targets[glass]:
            raise PlayerFailed(f"it asked for {text}, where {glass} may not go to {move.to}")
        if turn.claim is not None:
            rings[turn.claim] += 1
        if move.penalty is not None and situation.to_move not in situation.penalty_owed:
            raise PlayerFailed(f"it asked for {text}, where no penalty ring is due")

    def _ring(self, t_ms: int, socket: str) -> Edge:
        self._rings[socket] = self._rings.get(socket, 0) + 1
        return Edge(t_ms, "ring", socket, self._rings[socket])

    def _outcome(self, winner: Player | None, reason: str, fault: str = "") -> Outcome:
        picture = self.session.snapshot()
        return Outcome(
            winner,
            reason,
            len(self.record),
            (picture.rings_left["red"], picture.rings_left["black"]),
            fault,
            sum(ruling.kind == "forfeit" for ruling in self.rulings),
            tuple(g for g, view in picture.glasses.items() if view.out),
        )

    def violations(self) -> Iterator[Ruling]:
        """What the referee found wrong: nothing, while both players keep to the rules."""
        return (ruling for ruling in self.rulings if ruling.kind == "violation")
