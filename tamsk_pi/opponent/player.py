"""The opponent's hands on the virtual board: they carry out what its seat wants, at a human pace."""

from __future__ import annotations

from typing import Final

from tamsk_pi.opponent.seat import Seat
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import TIMER
from tamsk_pi.rules.notation import Move
from tamsk_pi.sim.deeds import Deed
from tamsk_pi.sim.hands import Hands
from tamsk_pi.sim.moment import Moment
from tamsk_pi.sim.players import AutoPlayer, Pace

PACE: Final = Pace(ring_wait=(100, 600), hold_chance=0.0, keep_ring_chance=0.0, claim_chance=0.0, timer_chance=0.0)

_LOOKS_AT_LEAST_MS: Final = 700
"""Nobody moves at the very moment at which it is their turn."""

_POLL_MS: Final = 100

_NOTICED_MS: Final = 900
_MAY_SAY_MS: Final = 4_000
"""So long after a ring its side may say that it was its own."""


class SeatedPlayer(AutoPlayer):
    """Plays a side as its seat wants. It commits no errors, and mends what the other hand has done to its glasses."""

    def __init__(self, seat: Seat, hands: Hands, seed: int | str, *, pace: Pace = PACE) -> None:
        super().__init__(seat.side, hands, seed, pace=pace)
        self._seat: Final = seat
        self._saw_turn_at_ms: int | None = None
        self._dropped_at_ms: int | None = None

    def act(self, picture: Snapshot, now_ms: int) -> None:
        # Its clock is the game's, the hands' is the board's.
        self._seat.see(picture)
        if picture.to_move != self.side:
            self._saw_turn_at_ms = None
        elif self._saw_turn_at_ms is None:
            self._saw_turn_at_ms = picture.now_ms
        super().act(picture, now_ms)

    def _decide(self, moment: Moment) -> Deed | None:
        claimed = self._say_whose_ring(moment)
        return claimed if claimed is not None else super()._decide(moment)

    def _say_whose_ring(self, moment: Moment) -> Deed | None:
        """Press the button where a ring of this side was taken for the other's (rules.md, "Ring rights")."""
        dropped_ms = self._dropped_at_ms
        if dropped_ms is None or not dropped_ms + _NOTICED_MS <= moment.now_ms < dropped_ms + _MAY_SAY_MS:
            return None
        truth = moment.truth
        lying = truth.holders[self.side] + truth.in_hand[self.side].count(self.side)
        if moment.picture.rings_left[self.side] <= lying or moment.picture.violations:
            return None
        self._dropped_at_ms = None
        gesture = self._hands.press(self.side, self.side, moment.now_ms, "short")
        return Deed(moment.now_ms, self.side, "own_ring", (gesture,))

    def _drop_ring(self, moment: Moment, what: str, socket: str, closes_at_ms: int | None) -> Deed:
        deed = super()._drop_ring(moment, what, socket, closes_at_ms)
        self._dropped_at_ms = deed.ends_ms if self._hands.board.fitted.rings == "stack" else None
        return deed

    def _take_turn(self, moment: Moment) -> Deed | None:
        self._has_waited = False
        picture, now_ms = moment.picture, moment.now_ms
        if not moment.lamps_agree():
            self._look_again(now_ms, _POLL_MS)
            return None
        turn = self._seat.turn(picture)
        if turn is None or not isinstance(turn.action, Move):
            self._look_again(now_ms, _POLL_MS)
            return None
        move = turn.action
        hurried = self._is_hurried(moment) or move.ring == "none"
        if not hurried and self._waits_for_ring(moment):
            return None
        if not hurried and picture.now_ms < (self._saw_turn_at_ms or 0) + _LOOKS_AT_LEAST_MS:
            self._look_again(now_ms, _POLL_MS)
            return None
        if turn.claim is not None and not moment.is_full(turn.claim):
            right = self._right(moment, "claim")
            if right is not None and right.socket == turn.claim:
                return self._drop_ring(moment, "claim", turn.claim, right.closes_at_ms)
        glass = self._glass_at(moment, move.origin)
        if glass is None or not moment.is_open(move.to):
            self._look_again(now_ms, _POLL_MS)
            return None
        self._begin_move()
        gesture = self._hands.move(self.side, glass, move.to, now_ms, turned=moment.turns_glasses)
        return Deed(now_ms, self.side, "move", (gesture,), glass=glass, socket=move.to)

    def _is_hurried(self, moment: Moment) -> bool:
        picture = moment.picture
        ends = [picture.timer_expires_at_ms] if picture.timer_armed_against == self.side else []
        if moment.turns_glasses:
            views = (picture.glasses[name] for name in moment.own_standing())
            ends += [view.stops_at_ms for view in views if view.moved and not view.out]
        return any(end is not None and end - picture.now_ms < 5_000 for end in ends)

    def _glass_at(self, moment: Moment, origin: str | None) -> str | None:
        for name in moment.picture.targets:
            if moment.glass(name).socket == origin:
                return name
        return None

    def _use_move_right(self, moment: Moment) -> Deed | None:
        right = self._right(moment, "move")
        if right is None or right.socket is None or self._drops_ring is not None or not self._in_time(moment, right):
            return None
        if self._seat.wants_no_ring() or moment.is_full(right.socket):
            self._drops_ring = False
            return None
        self._drops_ring = True
        return self._drop_ring(moment, "ring", right.socket, right.closes_at_ms)

    def _use_claim(self, moment: Moment) -> Deed | None:
        """A claim is part of its turn, where it pays."""
        return None

    def _use_penalty_right(self, moment: Moment) -> Deed | None:
        right, socket = self._right(moment, "penalty"), self._seat.penalty_socket()
        if self._hands.board.fitted.rings != "stack" or right is None or socket is None or moment.is_full(socket):
            return super()._use_penalty_right(moment)
        if not self._in_time(moment, right):
            return None
        if moment.now_ms < self._trusts_from_ms:
            self._look_again(self._trusts_from_ms, 0)
            return None
        return self._drop_ring(moment, "penalty", socket, right.closes_at_ms)

    def _wait(self, moment: Moment) -> Deed | None:
        """The other side is to move: think ahead, and turn the timer where that is wanted."""
        self._look_again(moment.now_ms, 250)
        if self._hands.board.fitted.tilt and self._seat.wants_timer(moment.picture):
            timer = moment.glass(TIMER)
            if timer.hand is None and timer.sand.left_ms(moment.now_ms) == 0:
                gesture = self._hands.turn_timer(self.side, moment.now_ms)
                return Deed(moment.now_ms, self.side, "timer", (gesture,), glass=TIMER)
        self._seat.ponder(moment.picture)
        return None

    def _set_up(self, moment: Moment) -> Deed | None:
        """The board is set up by whoever plays against it."""
        return None
