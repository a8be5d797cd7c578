"""Hands: what players do to the board, in the words of the field. Each gesture takes time, drawn from the seed.

One gesture at a time and hand: a gesture asked for while its hand is busy begins when the hand is free. So a page can
ask for one as it is clicked, and a player that plays by itself can ask for several in a row.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final, Literal

import attrs

from tamsk_pi.rules.board import NEIGHBOURS, PLAYERS, START, TIMER, Player, is_socket
from tamsk_pi.sensing.edges import BUTTONS
from tamsk_pi.sim.acts import (
    Act,
    DropRing,
    Hover,
    Knock,
    LayAside,
    Leave,
    Lift,
    PickRing,
    Press,
    Release,
    ReturnRing,
    Seat,
    Straddle,
    TakeRing,
    TimedAct,
    Turn,
)
from tamsk_pi.sim.board import VirtualBoard
from tamsk_pi.sim.truth import Glass, ImpossibleAct

PressLength = Literal["short", "long", "held"]
Span = tuple[int, int]
"""From and to, in ms, both included."""

_TURNS_APART_MS: Final = 600
"""A hand needs this long from one turning of a glass to the next."""


@attrs.frozen
class Tempo:
    """How quick and how clean the hands are. Spans in ms, chances from 0 to 1."""

    reach: Span = (150, 450)
    """From the wish to the touch."""
    carry: Span = (250, 900)
    """From the lift to the placing."""
    step: Span = (60, 160)
    """Between two moments of one carrying: lift, turning, placing."""
    ring: Span = (250, 700)
    """From the holder to the socket, or back."""
    hover: Span = (20, 90)
    """How long a carried glass is low over a socket it passes; as long as the settle time, it looks placed there."""
    hover_chance: float = 0.25
    hovers: Span = (1, 1)
    """Over how many sockets in a row a glass slides if it comes low at all."""
    knock_chance: float = 0.1
    press: Mapping[PressLength, Span] = attrs.field(
        factory=lambda: {"short": (90, 400), "long": (950, 1_800), "held": (3_200, 3_800)}
    )


@attrs.frozen
class Gesture:
    """What a hand is going to do, and when."""

    name: str
    hand: Player
    acts: tuple[TimedAct, ...]

    @property
    def begins_ms(self) -> int:
        return self.acts[0][0]

    @property
    def ends_ms(self) -> int:
        return self.acts[-1][0]

    def time_of(self, kind: type[Act]) -> int | None:
        """When the last act of a kind is done; None if there is none."""
        return next((t_ms for t_ms, act in reversed(self.acts) if isinstance(act, kind)), None)


class Hands:
    """The hands of both sides over one board. Every method plans a gesture and returns it.

    `now_ms`: when it is asked for, not before the board's own time. What no hand can do is refused with
    `ImpossibleAct` (one line, for a person to read), and nothing is done then.
    """

    def __init__(self, board: VirtualBoard, seed: int | str, tempo: Tempo | None = None) -> None:
        self.board = board
        self.tempo = tempo or Tempo()
        self._rng = random.Random(f"{seed}/hands")
        self._free_at_ms = dict.fromkeys(PLAYERS, board.now_ms)
        self._turned_at_ms: dict[str, int] = {}

    def free_at_ms(self, hand: Player) -> int:
        """When a hand has finished what it was asked to do."""
        return self._free_at_ms[hand]

    def is_busy(self, hand: Player, now_ms: int) -> bool:
        return now_ms < self._free_at_ms[hand]

    # -- glasses -----------------------------------------------------------------------------------------------------

    def lift(self, hand: Player, glass: str, now_ms: int) -> Gesture:
        """Take a glass up, from its socket or from the table."""
        t_ms = self._start(hand, now_ms)
        return self._plan("lift", hand, [(t_ms, Lift(glass, hand))])

    def turn_over(self, hand: Player, glass: str, now_ms: int) -> Gesture:
        """Turn over a glass that is in hand."""
        t_ms = self._when_turnable(glass, self._start(hand, now_ms))
        return self._plan("turn over", hand, [(t_ms, Turn(glass))])

    def place(self, hand: Player, glass: str, socket: str, now_ms: int) -> Gesture:
        """Set a glass that is in hand into a socket; in passing it may come low over another one."""
        self._check_socket(socket)
        lifted_ms = self._start(hand, now_ms)
        seat_ms = lifted_ms + self._draw(self.tempo.carry)
        acts = [*self._passing(glass, socket, lifted_ms, seat_ms), (seat_ms, Seat(glass, socket))]
        return self._plan("place", hand, acts + self._knock(glass, seat_ms))

    def put_back(self, hand: Player, glass: str, now_ms: int) -> Gesture:
        """Set a glass that is in hand back to where it was lifted: its socket, or the table."""
        home = self._glass(glass).lifted_from
        if home is None:
            return self.lay_aside(hand, glass, now_ms)
        return self.place(hand, glass, home, now_ms)

    def lay_aside(self, hand: Player, glass: str, now_ms: int) -> Gesture:
        """Set a glass that is in hand on the table."""
        t_ms = self._start(hand, now_ms) + self._draw(self.tempo.carry)
        return self._plan("lay aside", hand, [(t_ms, LayAside(glass))])

    def move(
        self, hand: Player, glass: str, socket: str, now_ms: int, *, turned: bool, lifted: bool = False
    ) -> Gesture:
        """Lift a glass, turn it over on the way if `turned`, and place it in `socket`, its own one perhaps.

        `lifted`: it is in hand already.
        """
        self._check_socket(socket)
        t_ms = self._start(hand, now_ms)
        acts: list[TimedAct] = [] if lifted else [(t_ms, Lift(glass, hand))]
        if turned:
            turn_ms = self._when_turnable(glass, t_ms + self._draw(self.tempo.step))
            acts.append((turn_ms, Turn(glass)))
            seat_ms = max(t_ms + self._draw(self.tempo.carry), turn_ms + self._draw(self.tempo.step))
        else:
            seat_ms = t_ms + self._draw(self.tempo.carry)
        acts += self._passing(glass, socket, acts[-1][0] if acts else t_ms, seat_ms)
        acts.append((seat_ms, Seat(glass, socket)))
        return self._plan("move", hand, acts + self._knock(glass, seat_ms))

    def drop_between(self, hand: Player, glass: str, sockets: tuple[str, str], now_ms: int) -> Gesture:
        """Set a glass that is in hand down between two neighbouring tubes: both sockets close."""
        first, second = sockets
        self._check_socket(first)
        if second not in NEIGHBOURS[first]:
            raise ImpossibleAct(f"{first} and {second} do not touch: a glass cannot lie across both")
        t_ms = self._start(hand, now_ms) + self._draw(self.tempo.carry)
        return self._plan("drop between", hand, [(t_ms, Straddle(glass, (first, second)))])

    def nudge(self, hand: Player, glass: str, socket: str, now_ms: int) -> Gesture:
        """Push a glass that lies across two tubes into one of them."""
        lying = self._glass(glass).straddles
        if lying is None or socket not in lying:
            raise ImpossibleAct(f"{glass} does not lie across {socket}")
        return self._plan("nudge", hand, [(self._start(hand, now_ms), Seat(glass, socket))])

    def turn_timer(self, hand: Player, now_ms: int) -> Gesture:
        """Turn the 15-second glass over, beside the board."""
        t_ms = self._start(hand, now_ms)
        turn_ms = self._when_turnable(TIMER, t_ms + self._draw(self.tempo.step))
        down_ms = turn_ms + self._draw(self.tempo.step)
        acts: list[TimedAct] = [(t_ms, Lift(TIMER, hand)), (turn_ms, Turn(TIMER)), (down_ms, LayAside(TIMER))]
        return self._plan("turn timer", hand, acts)

    def sweep(self, hand: Player, now_ms: int, *, rings: bool = False) -> Gesture:
        """Sweep all glasses off the board with one arm; with `rings`, then take every ring back to its holder."""
        truth = self.board.foreseen()
        t_ms = self._start(hand, now_ms)
        acts: list[TimedAct] = []
        for glass in truth.glasses.values():
            if glass.socket is not None or glass.straddles is not None:
                t_ms += self._rng.randint(15, 60)
                acts.append((t_ms, Lift(glass.name, hand)))
                if self._rng.random() < 0.5 and self._when_turnable(glass.name, t_ms) == t_ms:
                    acts.append((t_ms + 5, Turn(glass.name)))
                acts.append((t_ms + 10, LayAside(glass.name)))
        if rings:
            for socket, stack in truth.stacks.items():
                for _ in stack:
                    t_ms += self._rng.randint(15, 60)
                    acts += [(t_ms, PickRing(hand, socket)), (t_ms + 10, ReturnRing(hand))]
        if not acts:
            raise ImpossibleAct("there is nothing to sweep off the board")
        return self._plan("sweep", hand, acts)

    def set_up(
        self, hand: Player, now_ms: int, standing: Mapping[str, str] = START, up: Mapping[str, str] | None = None
    ) -> list[Gesture]:
        """Put glasses where they belong (`standing`: glass to socket), turned where `up` names another end.

        Glasses that stand wrongly are taken off first. The board is ready when the last gesture ends.
        """
        truth = self.board.foreseen()
        gestures = []
        for glass in truth.glasses.values():
            wanted = standing.get(glass.name)
            if glass.hand is not None:
                gestures.append(self.lay_aside(glass.hand, glass.name, now_ms))
            elif glass.straddles is not None or glass.socket not in (None, wanted):
                gestures.append(self.lift(hand, glass.name, now_ms))
                gestures.append(self.lay_aside(hand, glass.name, now_ms))
        truth = self.board.foreseen()
        for name, socket in standing.items():
            if truth.glasses[name].socket != socket:
                begins_ms = max([now_ms, *(gesture.ends_ms for gesture in gestures)])
                turned = up is not None and up[name] != truth.glasses[name].up
                gestures.append(self.move(hand, name, socket, begins_ms, turned=turned))
        return gestures

    # -- rings -------------------------------------------------------------------------------------------------------

    def drop_ring(self, hand: Player, socket: str, now_ms: int, *, in_hand: bool = False, after_ms: int = 0) -> Gesture:
        """Take a ring from the own holder (or use the one `in_hand`) and drop it around a socket's tube.

        `after_ms`: how long the player waits before reaching for it.
        """
        self._check_socket(socket)
        t_ms = self._start(hand, now_ms) + after_ms
        acts: list[TimedAct] = [] if in_hand else [(t_ms, TakeRing(hand, hand))]
        acts.append((t_ms + self._draw(self.tempo.ring), DropRing(hand, socket)))
        return self._plan("drop ring", hand, acts)

    def drop_two_rings(self, hand: Player, socket: str, now_ms: int) -> Gesture:
        """Take two rings from the own holder with one grip and drop both around a socket's tube."""
        self._check_socket(socket)
        t_ms = self._start(hand, now_ms)
        drop_ms = t_ms + self._draw(self.tempo.ring)
        acts: list[TimedAct] = [(t_ms, TakeRing(hand, hand))] * 2 + [(drop_ms, DropRing(hand, socket))] * 2
        return self._plan("drop two rings", hand, acts)

    def take_ring_off(self, hand: Player, socket: str, now_ms: int, *, keep: bool = False) -> Gesture:
        """Take the topmost ring off a socket, and back to its owner's holder unless the hand is to `keep` it."""
        self._check_socket(socket)
        t_ms = self._start(hand, now_ms)
        acts: list[TimedAct] = [(t_ms, PickRing(hand, socket))]
        if not keep:
            acts.append((t_ms + self._draw(self.tempo.ring), ReturnRing(hand)))
        return self._plan("take ring off", hand, acts)

    # -- buttons -----------------------------------------------------------------------------------------------------

    def press(self, hand: Player, button: str, now_ms: int, length: PressLength = "short") -> Gesture:
        """Press a button and let it go: for less than 800 ms, longer, or over 3 s."""
        self._check_button(button)
        t_ms = self._start(hand, now_ms)
        acts: list[TimedAct] = [(t_ms, Press(button)), (t_ms + self._draw(self.tempo.press[length]), Release(button))]
        return self._plan(f"press {length}", hand, acts)

    def hold_down(self, hand: Player, button: str, now_ms: int) -> Gesture:
        """Press a button at once and keep it down until `let_go`: what a page does while the mouse is down."""
        self._check_button(button)
        return self._plan("hold down", hand, [(max(now_ms, self._free_at_ms[hand]), Press(button))])

    def let_go(self, hand: Player, button: str, now_ms: int) -> Gesture:
        """Let go of a button that is down."""
        self._check_button(button)
        return self._plan("let go", hand, [(max(now_ms, self._free_at_ms[hand]), Release(button))])

    # -- how --------------------------------------------------------------------------------------------------------

    def _draw(self, span: Span) -> int:
        return self._rng.randint(*span)

    def _start(self, hand: Player, now_ms: int) -> int:
        return max(now_ms, self._free_at_ms[hand]) + self._draw(self.tempo.reach)

    def _plan(self, name: str, hand: Player, acts: list[TimedAct]) -> Gesture:
        acts.sort(key=lambda timed: timed[0])
        self.board.plan(acts)
        gesture = Gesture(name, hand, tuple(acts))
        self._free_at_ms[hand] = max(self._free_at_ms[hand], gesture.ends_ms)
        for t_ms, act in acts:
            if isinstance(act, Turn):
                self._turned_at_ms[act.glass] = t_ms
        return gesture

    def _when_turnable(self, glass: str, t_ms: int) -> int:
        """A hand does not turn a glass twice in a breath: the earliest time from `t_ms` on."""
        last_ms = self._turned_at_ms.get(glass)
        return t_ms if last_ms is None else max(t_ms, last_ms + _TURNS_APART_MS)

    def _passing(self, glass: str, socket: str, from_ms: int, seat_ms: int) -> list[TimedAct]:
        """Perhaps a moment low over vacant neighbours of the destination. Well before the placing, and over no
        socket that any glass is bound for, as nobody could tell what its sensor means then."""
        chosen = self._rng.random() < self.tempo.hover_chance
        length_ms = self._draw(self.tempo.hover)
        latest_ms = seat_ms - 40 - length_ms
        if not chosen or latest_ms <= from_ms + 10:
            return []
        truth = self.board.foreseen()
        home = truth.glasses[glass].socket or truth.glasses[glass].lifted_from
        others = {act.socket for _, act in self.board.planned() if isinstance(act, Hover)}
        over = [name for name in NEIGHBOURS[socket] if name not in (home, *others) and truth.is_vacant(name)]
        if not over:
            return []
        t_ms = self._rng.randint(from_ms + 10, latest_ms)
        first = self._rng.choice(over)
        acts: list[TimedAct] = [(t_ms, Hover(glass, first))]
        t_ms += length_ms
        if self.tempo.hovers[1] > 1:
            further = [name for name in over if name != first]
            for name in self._rng.sample(further, min(len(further), self._draw(self.tempo.hovers) - 1)):
                length_ms = self._draw(self.tempo.hover)
                if t_ms + length_ms > seat_ms - 40:
                    break
                acts.append((t_ms, Hover(glass, name)))
                t_ms += length_ms
        return [*acts, (t_ms, Leave(glass))]

    def _knock(self, glass: str, seat_ms: int) -> list[TimedAct]:
        if self._rng.random() >= self.tempo.knock_chance:
            return []
        return [(seat_ms + self._rng.randint(1, 10), Knock(glass))]

    def _glass(self, name: str) -> Glass:
        return self.board.foreseen().glasses[name]

    @staticmethod
    def _check_socket(name: str) -> None:
        if not is_socket(name):
            raise ImpossibleAct(f"there is no socket {name!r}; sockets are A1 to G4")

    @staticmethod
    def _check_button(name: str) -> None:
        if name not in BUTTONS:
            raise ImpossibleAct(f"there is no button {name!r}; there are {', '.join(BUTTONS)}")
