"""Players that play whole games by themselves, with hands that err and then mend their errors.

A player knows the rules as far as the referee's lamps tell them: it looks at a `Snapshot`, as a person looks at board
and lamps, and at the virtual board's sand, rings and glasses. It is woken, does one thing, and says when to wake it
next; so it plays in virtual time as well as beside a page.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import attrs

from tamsk_pi.referee.snapshot import RightView, Snapshot
from tamsk_pi.rules.board import PLAYERS, SOCKETS, TIMER, Player, opponent
from tamsk_pi.sim.blunders import ON_OWN_TURN, WHILE_WAITING, commit, not_flipped, ring_elsewhere
from tamsk_pi.sim.deeds import Deed
from tamsk_pi.sim.hands import Gesture, Hands, Span
from tamsk_pi.sim.mending import concerns, holds_up, mend
from tamsk_pi.sim.moment import Moment
from tamsk_pi.sim.truth import ImpossibleAct

_NOTICED_AFTER_MS = 750
"""After an own deed a player gives the referee this long to notice it, before it trusts the lamps again."""
_RING_HASTE_MS = 1_700
"""A ring takes at most so long from the wish to the socket, with a press of the button after it."""
_TOO_LATE_MS = 700
"""Nobody reaches for a glass so short before the timer runs out: the turn might end under the hand."""


@attrs.frozen
class Pace:
    """How players take their time, in ms, and what they tend to do, from 0 to 1."""

    think: Span = (400, 5_000)
    slow_think: Span = (12_000, 25_000)
    slow_chance: float = 0.1
    react: Span = (120, 400)
    ring_wait: Span = (50, 900)
    ring_patience: Span = (2_500, 3_500)
    """Level 1: how long one waits for the other side's ring before taking it to be forgotten."""
    hold: Span = (500, 4_000)
    """How long a glass lifted in thought, or too early, is held."""
    hold_chance: float = 0.05
    long_hold: Span = (9_000, 18_000)
    long_hold_chance: float = 0.15
    keep_ring_chance: float = 0.02
    claim_chance: float = 0.7
    hurry_chance: float = 0.6
    timer_chance: float = 0.4


class AutoPlayer:
    """One side. `clumsy`: the probability of an error per turn, from 0 to 1."""

    def __init__(
        self, side: Player, hands: Hands, seed: int | str, *, clumsy: float = 0.0, pace: Pace | None = None
    ) -> None:
        if not 0 <= clumsy <= 1:
            raise ValueError(f"clumsy is a probability from 0 to 1, not {clumsy}")
        self.side = side
        self.wakes_at_ms: int | None = hands.board.now_ms
        self.is_careful = False
        """While it is, nothing is touched out of turn: the arbiter has asked for it, as a sensor cannot be trusted."""
        self._hands = hands
        self._clumsy = clumsy
        self._pace = pace or Pace()
        self._rng = random.Random(f"{seed}/{side}")
        self._deeds: list[Deed] = []
        self._trusts_from_ms = 0
        self._thinks_until_ms: int | None = None
        self._hurries = False
        self._holds_until_ms = 0
        self._drops_ring: bool | None = None
        self._claims: bool | None = None
        self._waits_for_ring_until_ms: int | None = None
        self._has_waited = False

    def hear(self, now_ms: int) -> None:
        """Something was ruled: look up soon."""
        soon_ms = now_ms + self._rng.randint(*self._pace.react)
        if self.wakes_at_ms is None or self.wakes_at_ms > soon_ms:
            self.wakes_at_ms = soon_ms

    def take_deeds(self) -> list[Deed]:
        """What was done since this was last asked."""
        deeds, self._deeds = self._deeds, []
        return deeds

    def act(self, picture: Snapshot, now_ms: int) -> None:
        """Look at the board and do one thing, or nothing; sets `wakes_at_ms`."""
        self.wakes_at_ms = None
        if picture.phase == "over":
            return
        if self._hands.is_busy(self.side, now_ms):
            self.wakes_at_ms = self._hands.free_at_ms(self.side)
            return
        moment = Moment(now_ms, self.side, picture, self._hands, self._rng)
        try:
            deed = self._decide(moment)
        except ImpossibleAct:
            # The other hand was quicker; look again.
            self._look_again(now_ms, 300)
            return
        if deed is not None:
            self._deeds.append(deed)
            free_ms = self._hands.free_at_ms(self.side)
            self._trusts_from_ms = max(now_ms, free_ms) + _NOTICED_AFTER_MS
            self._look_again(max(now_ms, free_ms), _NOTICED_AFTER_MS)
        elif self.wakes_at_ms is None:
            self._look_again(now_ms, 5_000)

    def _look_again(self, now_ms: int, in_ms: int) -> None:
        self.wakes_at_ms = now_ms + in_ms

    def _draw(self, span: Span) -> int:
        return self._rng.randint(*span)

    def _decide(self, moment: Moment) -> Deed | None:
        match moment.picture.phase:
            case "setting_up":
                return self._set_up(moment)
            case "paused":
                return None
            case "tie_break":
                return self._watch_glasses(moment)
        for what in (self._use_move_right, self._use_penalty_right, self._use_claim):
            deed = what(moment)
            if deed is not None:
                return deed
        if moment.other_side_claims() or moment.timer_is_turned_wrongly():
            self._look_again(moment.now_ms, 200)
            return None
        if any(concerns(moment, violation) or holds_up(moment, violation) for violation in moment.picture.violations):
            return self._mend(moment)
        if moment.now_ms < self._trusts_from_ms:
            self._look_again(self._trusts_from_ms, 0)
            return None
        if moment.truth.held_by(self.side):
            return self._end_holding(moment)
        if moment.picture.to_move == self.side:
            return self._take_turn(moment)
        if moment.picture.to_move is not None:
            return self._wait(moment)
        return None

    # -- rings -------------------------------------------------------------------------------------------------------

    def _right(self, moment: Moment, kind: str, side: Player | None = None) -> RightView | None:
        side = side or self.side
        return next((right for right in moment.picture.rights if right.kind == kind and right.player == side), None)

    def _in_time(self, moment: Moment, right: RightView) -> bool:
        return right.closes_at_ms is None or moment.now_ms + _RING_HASTE_MS < right.closes_at_ms

    def _use_move_right(self, moment: Moment) -> Deed | None:
        right = self._right(moment, "move")
        if right is None or right.socket is None or self._drops_ring is not None or not self._in_time(moment, right):
            return None
        chance = self._rng.random()
        if chance < self._clumsy * 0.5:
            self._drops_ring = False
            if chance < self._clumsy * 0.2:
                deed = ring_elsewhere(moment)
                if deed is not None:
                    return deed
            return Deed(moment.now_ms, self.side, "forgotten_ring", blunder=True, socket=right.socket)
        if self._rng.random() < self._pace.keep_ring_chance or moment.is_full(right.socket):
            self._drops_ring = False
            return None
        self._drops_ring = True
        return self._drop_ring(moment, "ring", right.socket, right.closes_at_ms)

    def _use_claim(self, moment: Moment) -> Deed | None:
        right = self._right(moment, "claim")
        if right is None or right.socket is None or not self._in_time(moment, right) or moment.is_full(right.socket):
            return None
        if moment.picture.level == 1 and moment.picture.to_move == self.side:
            # The other side may still drop its ring: the claim goes with the move.
            return None
        if not moment.lamps_agree() or moment.someone_is_at_it():
            self._look_again(moment.now_ms, 200)
            return None
        if self._claims is None:
            self._claims = self._rng.random() < self._pace.claim_chance
        if not self._claims:
            return None
        self._claims = False
        return self._drop_ring(moment, "claim", right.socket, right.closes_at_ms)

    def _use_penalty_right(self, moment: Moment) -> Deed | None:
        right = self._right(moment, "penalty")
        if right is None or not self._in_time(moment, right) or self._hands.is_busy(opponent(self.side), moment.now_ms):
            return None
        if moment.now_ms < self._trusts_from_ms:
            # The last ring may not have been noticed yet, nor the lamp moved.
            self._look_again(self._trusts_from_ms, 0)
            return None
        if self._hands.board.fitted.rings != "stack":
            return self._use_penalty_lamp(moment, right)
        due = {right.socket for right in moment.picture.rights}
        choices = [socket for socket in SOCKETS if socket not in due and not moment.is_full(socket)]
        if not choices:
            return None
        return self._drop_ring(moment, "penalty", self._rng.choice(choices), right.closes_at_ms)

    def _use_penalty_lamp(self, moment: Moment, right: RightView) -> Deed | None:
        socket, mode = moment.picture.penalty_lamp, self._hands.board.fitted.rings
        both = self._right(moment, "penalty", opponent(self.side)) is not None
        if socket is None or both or self._right(moment, "move") or self._right(moment, "claim"):
            return None
        time_left = right.closes_at_ms is None or moment.now_ms + 4_000 < right.closes_at_ms
        if moment.is_full(socket) or (time_left and self._rng.random() < 0.5):
            gesture = self._hands.press(self.side, self.side, moment.now_ms, "short")
            return Deed(moment.now_ms, self.side, "move_lamp", (gesture,))
        gestures = [self._hands.drop_ring(self.side, socket, moment.now_ms)]
        if mode == "buttons":
            gestures.append(self._hands.press(self.side, self.side, moment.now_ms, "long"))
        return Deed(moment.now_ms, self.side, "penalty", tuple(gestures), socket=socket)

    def _drop_ring(self, moment: Moment, what: str, socket: str, closes_at_ms: int | None) -> Deed:
        """Drop a ring, with a button pressed for it where the board needs that."""
        wait_ms = self._draw(self._pace.ring_wait)
        if closes_at_ms is not None:
            wait_ms = max(0, min(wait_ms, closes_at_ms - moment.now_ms - _RING_HASTE_MS))
        gestures = [self._hands.drop_ring(self.side, socket, moment.now_ms, after_ms=wait_ms)]
        if self._hands.board.fitted.rings == "buttons":
            gestures.append(self._hands.press(self.side, self.side, moment.now_ms, "short"))
        return Deed(moment.now_ms, self.side, what, tuple(gestures), socket=socket)

    # -- the own turn ------------------------------------------------------------------------------------------------

    def _take_turn(self, moment: Moment) -> Deed | None:
        self._has_waited = False
        if not moment.lamps_agree() and moment.now_ms < self._trusts_from_ms + 4_000:
            self._look_again(moment.now_ms, 300)
            return None
        if self._waits_for_ring(moment) or self._thinks(moment) or self._is_too_late(moment):
            return None
        moves = moment.legal_moves()
        if moves and self._rng.random() < self._clumsy and not moment.someone_is_at_it():
            # A glass that was never on the board has no home to be put back to.
            deed = not_flipped(moment) if moment.is_placing_freely() else commit(moment, ON_OWN_TURN)
            if deed is not None:
                self._begin_move()
                return deed
        if not moves:
            self._look_again(moment.now_ms, 500)
            return None
        return self._move(moment, *self._rng.choice(moves))

    def _move(self, moment: Moment, glass: str, socket: str) -> Deed:
        forgotten = self._forgotten(moment)
        self._begin_move()
        # Only a glass that stands can be held while the ring falls: one from the table is known when it is placed.
        claimed = forgotten if moment.glass(glass).socket is not None else None
        if claimed is not None and not moment.is_full(claimed) and self._rng.random() < self._pace.claim_chance:
            # With the glass in the hand the ring is the claim, and the placing would end that.
            gestures = [self._hands.lift(self.side, glass, moment.now_ms)]
            gestures += self._drop_ring(moment, "claim", claimed, None).gestures
            gestures.append(self._hands.move(self.side, glass, socket, moment.now_ms, turned=False, lifted=True))
            return Deed(moment.now_ms, self.side, "claim_and_move", tuple(gestures), glass=glass, socket=socket)
        if self._rng.random() < self._pace.hold_chance and moment.glass(glass).socket is not None:
            long = self._rng.random() < self._pace.long_hold_chance
            self._holds_until_ms = moment.now_ms + self._draw(self._pace.long_hold if long else self._pace.hold)
            gesture = self._hands.lift(self.side, glass, moment.now_ms)
            return Deed(moment.now_ms, self.side, "lift", (gesture,), glass=glass)
        gesture = self._hands.move(self.side, glass, socket, moment.now_ms, turned=moment.turns_glasses)
        return Deed(moment.now_ms, self.side, "move", (gesture,), glass=glass, socket=socket)

    def _forgotten(self, moment: Moment) -> str | None:
        """Level 1: the socket that the other side left without a ring, once that is this side's to claim."""
        right = self._right(moment, "claim")
        return right.socket if right is not None and moment.picture.level == 1 else None

    def _begin_move(self) -> None:
        self._thinks_until_ms = None
        self._drops_ring = self._claims = self._waits_for_ring_until_ms = None
        self._hurries = False

    def _thinks(self, moment: Moment) -> bool:
        now_ms = moment.now_ms
        if self._thinks_until_ms is None:
            slow = self._rng.random() < self._pace.slow_chance
            self._thinks_until_ms = now_ms + self._draw(self._pace.slow_think if slow else self._pace.think)
        if moment.picture.timer_armed_against == self.side and not self._hurries:
            self._hurries = True
            if self._rng.random() < self._pace.hurry_chance:
                self._thinks_until_ms = min(self._thinks_until_ms, now_ms + self._rng.randint(500, 6_000))
        if now_ms < self._thinks_until_ms:
            self._look_again(self._thinks_until_ms, 0)
            return True
        return False

    def _is_too_late(self, moment: Moment) -> bool:
        """The timer runs out before a hand could be at a glass: see what comes of it."""
        expires_ms = moment.picture.timer_expires_at_ms
        if expires_ms is None or not 0 <= expires_ms - moment.now_ms < _TOO_LATE_MS:
            return False
        self._look_again(expires_ms, _NOTICED_AFTER_MS)
        return True

    def _waits_for_ring(self, moment: Moment) -> bool:
        """At level 1 the move ends the other side's move right: let it drop its ring first."""
        if moment.picture.level != 1 or self._right(moment, "move", opponent(self.side)) is None:
            return False
        if self._waits_for_ring_until_ms is None:
            self._waits_for_ring_until_ms = moment.now_ms + self._draw(self._pace.ring_patience)
        busy = self._hands.is_busy(opponent(self.side), moment.now_ms)
        if busy or moment.now_ms < self._waits_for_ring_until_ms:
            self._look_again(moment.now_ms, 250)
            return True
        return False

    def _end_holding(self, moment: Moment) -> Deed | None:
        """Place a glass held in hand if that is a move now, or put it back after a while."""
        if moment.now_ms < self._holds_until_ms:
            self._look_again(self._holds_until_ms, 0)
            return None
        glass = moment.truth.held_by(self.side)[0]
        targets = moment.picture.targets.get(glass.name, ()) if moment.picture.to_move == self.side else ()
        choices = [socket for socket in targets if moment.is_open(socket)]
        if choices and moment.picture.glasses[glass.name].in_hand and not self._waits_for_ring(moment):
            self._begin_move()
            socket = self._rng.choice(choices)
            gesture = self._hands.move(
                self.side, glass.name, socket, moment.now_ms, turned=moment.turns_glasses, lifted=True
            )
            return Deed(moment.now_ms, self.side, "move", (gesture,), glass=glass.name, socket=socket)
        gesture = self._hands.put_back(self.side, glass.name, moment.now_ms)
        return Deed(moment.now_ms, self.side, "put_back", (gesture,), glass=glass.name, socket=glass.lifted_from)

    # -- the rest ----------------------------------------------------------------------------------------------------

    def _mend(self, moment: Moment) -> Deed | None:
        if moment.picture.to_move == self.side:
            # The other side keeps in mind whether it has dropped the ring of its move.
            self._begin_move()
        if moment.now_ms < self._trusts_from_ms:
            self._look_again(self._trusts_from_ms, 0)
            return None
        deed = mend(moment, self._clumsy)
        if deed is None:
            self._look_again(moment.now_ms, 400)
        return deed

    def _wait(self, moment: Moment) -> Deed | None:
        """The other side is to move: perhaps turn the timer, perhaps meddle. Decided once a turn."""
        if self._has_waited:
            return None
        self._has_waited = True
        meddles = self._rng.random() < self._clumsy * 0.5 and not self.is_careful
        if meddles and not moment.is_placing_freely():
            deed = commit(moment, WHILE_WAITING)
            if deed is not None:
                self._holds_until_ms = deed.ends_ms + self._draw(self._pace.hold)
                return deed
        timer = moment.glass(TIMER)
        if (
            moment.picture.level == 3
            and self._rng.random() < self._pace.timer_chance
            and self._hands.board.fitted.tilt
            and timer.hand is None
            and timer.sand.left_ms(moment.now_ms) == 0
        ):
            gesture = self._hands.turn_timer(self.side, moment.now_ms)
            return Deed(moment.now_ms, self.side, "timer", (gesture,), glass=TIMER)
        return None

    def _set_up(self, moment: Moment) -> Deed | None:
        """Red puts the board right; black watches."""
        if self.side != "red" or not moment.picture.setup_problems or moment.now_ms < self._trusts_from_ms:
            return None
        gestures: list[Gesture] = []
        for socket, stack in moment.truth.stacks.items():
            gestures += [self._hands.take_ring_off(self.side, socket, moment.now_ms) for _ in stack]
        gestures += self._hands.set_up(self.side, moment.now_ms)
        return Deed(moment.now_ms, self.side, "set_up", tuple(gestures)) if gestures else None

    def _watch_glasses(self, moment: Moment) -> Deed | None:
        """Too close for the model: take each own glass off the board as it stops."""
        running = []
        for name in moment.own_standing():
            stops_ms = moment.glass(name).sand.stops_at_ms
            if stops_ms is None or not moment.picture.glasses[name].moved or self._lay_off(moment, stops_ms):
                continue
            if stops_ms <= moment.now_ms:
                gestures = [self._hands.lift(self.side, name, moment.now_ms)]
                gestures.append(self._hands.lay_aside(self.side, name, moment.now_ms))
                return Deed(moment.now_ms, self.side, "take_off", tuple(gestures), glass=name)
            running.append(stops_ms)
        if running:
            self._look_again(min(running), 0)
        return None

    @staticmethod
    def _lay_off(moment: Moment, stops_ms: int) -> bool:
        """Stopped so long ago that it decides nothing."""
        return stops_ms < moment.now_ms - 10_000


class Table:
    """Both players at one board."""

    def __init__(self, hands: Hands, seed: int | str, *, clumsy: float = 0.0, pace: Pace | None = None) -> None:
        self.players = tuple(AutoPlayer(side, hands, seed, clumsy=clumsy, pace=pace) for side in PLAYERS)

    def next_ms(self) -> int | None:
        """When a player wants to look up next."""
        return min((p.wakes_at_ms for p in self.players if p.wakes_at_ms is not None), default=None)

    def hear(self, now_ms: int) -> None:
        """A ruling was told."""
        for player in self.players:
            player.hear(now_ms)

    def act(self, take_picture: Callable[[], Snapshot], now_ms: int) -> None:
        """Wake every player whose time has come."""
        for player in self.players:
            if player.wakes_at_ms is not None and player.wakes_at_ms <= now_ms:
                player.act(take_picture(), now_ms)

    def take_deeds(self) -> Iterable[Deed]:
        """What both did since this was last asked, in order of time."""
        deeds = [deed for player in self.players for deed in player.take_deeds()]
        return sorted(deeds, key=lambda deed: deed.t_ms)
