"""The opponent's seat: from the picture that the lamps are made from, what it wants done now.

It never touches the referee. It sees what anybody may see, and its wishes are carried out by hands: the virtual ones
of the simulator, or those of the person at the board.
"""

from __future__ import annotations

from typing import Final

import attrs

from tamsk_pi.engine.situation import Situation
from tamsk_pi.opponent.mind import Mind
from tamsk_pi.opponent.seeing import FullMs, Paces, situation_of
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import GLASSES, TIMER, Player, opponent, owner_of
from tamsk_pi.rules.notation import Move, Turn
from tamsk_pi.signals.advice import Advice, Stage

THINK_MS: Final = 1_500
"""How long it thinks about a turn where nothing hurries it."""

HURRIED_THINK_MS: Final = 200

_HURRY_MS: Final = 8_000
"""With a glass of its own, or the timer, running out so soon, it thinks less."""

_ASTRAY_FOR_MS: Final = 10_000

_Key = tuple[object, ...]


class Seat:
    """One side's opponent through one game. `see` each picture in turn, then ask for `turn` or `advice`."""

    def __init__(
        self, side: Player, strength: int, mind: Mind, full_ms: FullMs, *, setup: str = "corners", game: int = 1
    ) -> None:
        self.side: Final = side
        self.strength: Final = strength
        self._mind: Final = mind
        self._full_ms: Final = full_ms
        self._setup: Final = setup
        self._game: Final = game
        self._paces: Final = Paces()
        self._wanted: Turn | None = None
        """The turn that was asked for last, until the next own turn begins."""
        self._wanted_at: tuple[str | None, str] | None = None
        self._up_at_start: dict[str, str] = {}
        self._turn_since_ms: int | None = None
        self._seen_turn: tuple[Player | None, object] = (None, None)
        self._astray_since_ms: int | None = None
        self._timer: tuple[_Key, int | None] | None = None

    def see(self, picture: Snapshot) -> None:
        """Take note of a picture."""
        self._paces.see(picture)
        seen = (picture.to_move, picture.last_move)
        if seen == self._seen_turn:
            return
        moved = picture.last_move != self._seen_turn[1]
        if moved and self._seen_turn[0] == self.side and self._wanted is not None:
            self._astray_since_ms = None if self._was_followed(picture) else picture.now_ms
        elif moved:
            self._astray_since_ms = None
        if picture.to_move == self.side:
            self._wanted = None
            self._up_at_start = {g: picture.glasses[g].up for g in GLASSES}
        self._seen_turn = seen
        self._turn_since_ms = picture.now_ms

    def _was_followed(self, picture: Snapshot) -> bool:
        action = self._wanted.action if self._wanted is not None else None
        return not isinstance(action, Move) or picture.last_move == (action.origin, action.to)

    # -- what it wants

    def situation(self, picture: Snapshot, side: Player | None = None) -> Situation | None:
        """What there is to think about; None while there is nothing."""
        return situation_of(
            picture, self._full_ms, setup=self._setup, paces_ms=self._paces.now_ms(), side=side or picture.to_move
        )

    def turn(self, picture: Snapshot) -> Turn | None:
        """Its turn, once it has thought of one; None while it thinks, and when it is not to move."""
        if picture.to_move != self.side or not picture.targets:
            return self._wanted if picture.to_move == self.side else None
        situation = self.situation(picture)
        if situation is None:
            return None
        think_ms = HURRIED_THINK_MS if self._is_hurried(picture) else THINK_MS
        self._wanted = self._mind.turn(situation, self._key(picture), picture.now_ms, think_ms)
        return self._wanted

    def _key(self, picture: Snapshot) -> _Key:
        claims = tuple(right.socket for right in picture.rights if right.kind == "claim")
        return (
            self._game,
            picture.to_move,
            picture.last_move,
            tuple(picture.rings.values()),
            claims,
            picture.penalty_owed,
        )

    def _is_hurried(self, picture: Snapshot) -> bool:
        ends = [picture.timer_expires_at_ms]
        if picture.level > 1:
            ends += [g.stops_at_ms for n, g in picture.glasses.items() if n != TIMER and owner_of(n) == self.side
                     and g.moved and not g.out]  # fmt: skip
        return any(end is not None and end - picture.now_ms < _HURRY_MS for end in ends)

    def wants_no_ring(self) -> bool:
        """Whether the ring of its last move is to be kept."""
        action = self._wanted.action if self._wanted is not None else None
        return isinstance(action, Move) and action.ring == "none"

    def penalty_socket(self) -> str | None:
        """Where it wants the penalty ring of its last move."""
        action = self._wanted.action if self._wanted is not None else None
        return action.penalty.socket if isinstance(action, Move) and action.penalty is not None else None

    def wants_timer(self, picture: Snapshot) -> bool:
        """Whether it wants the timer turned now, against the other side."""
        timer = picture.glasses[TIMER]
        waits = picture.level == 3 and picture.to_move == opponent(self.side) and picture.timer_armed_against is None
        if not waits or self._turn_since_ms is None or (timer.stops_at_ms or 0) > picture.now_ms or timer.in_hand:
            return False
        key = self._key(picture)
        if self._timer is None or self._timer[0] != key:
            situation = self.situation(picture)
            self._timer = (key, None if situation is None else self._mind.timer_wait_ms(situation))
        wait_ms = self._timer[1]
        return wait_ms is not None and picture.now_ms >= self._turn_since_ms + wait_ms

    def ponder(self, picture: Snapshot) -> None:
        """Think in the other side's time."""
        if picture.to_move == opponent(self.side):
            situation = self.situation(picture)
            if situation is not None:
                self._mind.ponder(situation, self._key(picture), picture.now_ms)

    # -- for a person's hands

    def advice(self, picture: Snapshot) -> Advice:
        """What is to be done for it now."""
        stage, glass, home, socket = self._stage(picture)
        return Advice(self.side, self.strength, stage, glass, home, socket, self._mind.problem)

    def _stage(self, picture: Snapshot) -> tuple[Stage, str | None, str | None, str | None]:
        nothing: tuple[Stage, None, None, None] = ("", None, None, None)
        if picture.phase not in ("to_move", "carrying", "closing") or picture.violations:
            return nothing
        due = self._ring_due(picture)
        if due is not None:
            return due
        if self._astray_since_ms is not None and picture.now_ms < self._astray_since_ms + _ASTRAY_FOR_MS:
            action = self._wanted.action if self._wanted is not None else None
            if isinstance(action, Move):
                return "astray", None, action.origin or "*", action.to
        if picture.to_move != self.side:
            return ("timer", None, None, None) if self.wants_timer(picture) else nothing
        turn = self._wanted if picture.phase == "carrying" and self._wanted is not None else self.turn(picture)
        if turn is None or not isinstance(turn.action, Move):
            return "thinking", None, None, None
        if turn.claim is not None and any(r.kind == "claim" and r.player == self.side for r in picture.rights):
            return "claim", None, None, turn.claim
        return self._carrying(picture, turn.action)

    def _carrying(self, picture: Snapshot, move: Move) -> tuple[Stage, str | None, str | None, str | None]:
        own = [g for g in GLASSES if owner_of(g) == self.side]
        at = {g: picture.glasses[g].socket or picture.glasses[g].lifted_from for g in own}
        glass = next((g for g in own if at[g] == move.origin), None)
        if glass is None:
            return "thinking", None, None, None
        view = picture.glasses[glass]
        if not view.in_hand and move.origin is not None:
            return "lift", glass, move.origin, move.to
        turned = picture.level == 1 or view.up != self._up_at_start.get(glass, view.up)
        return ("place" if turned else "turn_and_place"), glass, move.origin, move.to

    def _ring_due(self, picture: Snapshot) -> tuple[Stage, str | None, str | None, str | None] | None:
        for right in picture.rights:
            if right.player != self.side:
                continue
            if right.kind == "move" and not self.wants_no_ring():
                return "ring", None, None, right.socket
            if right.kind == "penalty" and self.penalty_socket() is not None:
                return "penalty", None, None, self.penalty_socket()
        return None

    def close(self) -> None:
        """End its thinking."""
        self._mind.close()


@attrs.frozen
class Choice:
    """Which side the opponent plays, and how well."""

    side: Player
    strength: int
