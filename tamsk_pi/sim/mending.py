"""How a player puts right what the referee found wrong, as the rules demand (rules.md, "Mending")."""

from __future__ import annotations

from itertools import takewhile

from tamsk_pi.referee.snapshot import ViolationView
from tamsk_pi.referee.takeback import TAKEN_BACK
from tamsk_pi.rules.board import Player
from tamsk_pi.sim.blunders import must_mend
from tamsk_pi.sim.deeds import Deed
from tamsk_pi.sim.moment import Moment

_SEEN_FOR_MS = 700
"""A player looks at an alarm this long before acting; a turning any sooner might count for the wrong placing."""


def concerns(moment: Moment, violation: ViolationView) -> bool:
    """Whether it is for this side to mend: its own error, its ring that lies wrongly, what it has in hand."""
    if violation.code == "ring_removed":
        return bool(moment.truth.in_hand[moment.side])
    if violation.code == "ring_not_due":
        return _stray_ring(moment, violation) is not None
    if violation.glass is None:
        return violation.player == moment.side
    return (
        _is_to_be_moved(moment, violation) and (moment.glass(violation.glass).hand or violation.player) == moment.side
    )


def holds_up(moment: Moment, violation: ViolationView) -> bool:
    """Whether a player waits until it has been mended, whoever mends it."""
    return violation.glass is not None and _is_to_be_moved(moment, violation)


def _is_to_be_moved(moment: Moment, violation: ViolationView) -> bool:
    """A glass that was placed freely has been put right once it is off the board again."""
    is_off = violation.glass is not None and moment.glass(violation.glass).socket is None
    return not (_goes_off(violation) and is_off)


def _goes_off(violation: ViolationView) -> bool:
    """Placed freely out of turn, or as a move that was taken back."""
    return violation.code in ("wrong_glass", TAKEN_BACK) and violation.home is None


def mend(moment: Moment, clumsy: float) -> Deed | None:
    """Mend the first violation that can be mended now; with probability `clumsy / 4` make it worse first."""
    for violation in moment.picture.violations:
        if not concerns(moment, violation) or moment.now_ms < violation.since_ms + _SEEN_FOR_MS:
            continue
        if violation.code == "ring_removed":
            return _put_ring_back(moment, violation)
        if violation.code == "ring_not_due":
            return _take_ring_off(moment, violation)
        if moment.rng.random() < clumsy / 4 and len(moment.picture.violations) == 1:
            deed = must_mend(moment)
            if deed is not None:
                return deed
        deed = _mend_glass(moment, violation)
        if deed is not None:
            return deed
    return None


def _stray_ring(moment: Moment, violation: ViolationView) -> str | None:
    """The socket where an own ring lies that does not count; where only holders are sensed, any such socket."""
    if violation.socket is not None:
        stack = moment.truth.stacks[violation.socket]
        # It may be off already, and the referee not know yet.
        still_there = len(stack) > moment.picture.rings[violation.socket]
        return violation.socket if still_there and stack[-1] == moment.side else None
    if violation.player != moment.side:
        return None
    counted = moment.picture.rings
    strays = (socket for socket, stack in moment.truth.stacks.items() if len(stack) > counted[socket])
    return next((socket for socket in strays if moment.truth.stacks[socket][-1] == moment.side), None)


def _take_ring_off(moment: Moment, violation: ViolationView) -> Deed | None:
    socket = _stray_ring(moment, violation)
    if socket is None:
        return None
    # Of two rings dropped at once where holders are sensed only one was objected to; both are put back.
    stack, counted = moment.truth.stacks[socket], moment.picture.rings[socket]
    own = list(takewhile(lambda ring: ring == moment.side, reversed(stack[counted:])))
    many = len(own) if violation.socket is None else 1
    gestures = [moment.hands.take_ring_off(moment.side, socket, moment.now_ms) for _ in range(many)]
    return Deed(moment.now_ms, moment.side, "mend", tuple(gestures), socket=socket)


def _put_ring_back(moment: Moment, violation: ViolationView) -> Deed | None:
    socket = violation.socket
    if socket is None:
        return None
    gesture = moment.hands.drop_ring(moment.side, socket, moment.now_ms, in_hand=True)
    return Deed(moment.now_ms, moment.side, "mend", (gesture,), socket=socket)


def _mend_glass(moment: Moment, violation: ViolationView) -> Deed | None:
    if violation.glass is None:
        return None
    glass = moment.glass(violation.glass)
    if glass.hand not in (None, moment.side):
        return None
    if _goes_off(violation):
        off = [moment.hands.lift(moment.side, glass.name, moment.now_ms)] if glass.hand is None else []
        if violation.code == TAKEN_BACK and moment.turns_glasses:
            off.append(moment.hands.turn_over(moment.side, glass.name, moment.now_ms))
        off.append(moment.hands.lay_aside(moment.side, glass.name, moment.now_ms))
        return Deed(moment.now_ms, moment.side, "mend", tuple(off), glass=glass.name)
    home = violation.home
    home_up = _home_up(moment, violation)
    socket, way_up = _where_to(moment, violation)
    if socket is None:
        return None
    turned = moment.turns_glasses and (glass.up == home_up if way_up == "turned" else glass.up != home_up)
    gesture = moment.hands.move(
        moment.side, glass.name, socket, moment.now_ms, turned=turned, lifted=glass.hand is not None
    )
    what = "mend" if socket == home else "mend_by_move"
    return Deed(moment.now_ms, moment.side, what, (gesture,), glass=glass.name, socket=socket)


def _home_up(moment: Moment, violation: ViolationView) -> str:
    """The end that was up before it all began: how the players remember the glass at its home."""
    glass = moment.glass(str(violation.glass))
    if violation.home is None:
        # A glass never on the board before, set down as it was.
        return glass.up
    # The referee may take one glass for another; nobody remembers it there then.
    remembered = glass.stood.get(violation.home, glass.up)
    if violation.code == "flipped_in_place":
        return "b" if remembered == "a" else "a"
    return remembered


def _where_to(moment: Moment, violation: ViolationView) -> tuple[str | None, str]:
    """Where the glass is put, and which way up: `home`'s, or `turned` against it."""
    home, chance = violation.home, moment.rng.random()
    alone = sum(v.glass is not None for v in moment.picture.violations) == 1
    may_move = violation.code in ("not_flipped", "not_adjacent") and alone and _is_own(moment, violation)
    if violation.code == "not_flipped" and may_move and (home is None or chance < 0.5):
        return violation.socket, "turned"
    if home is None:
        return None, "home"
    if may_move and chance < 0.7 and moment.still_moves(str(violation.glass)):
        choices = [socket for socket in moment.open_neighbours(home) if socket != violation.socket]
        if choices:
            return moment.rng.choice(choices), "turned"
    held = moment.glass(str(violation.glass))
    return (home if held.socket == home or moment.truth.is_vacant(home) else None), "home"


def _is_own(moment: Moment, violation: ViolationView) -> bool:
    owner: Player = "red" if str(violation.glass).startswith("R") else "black"
    return owner == moment.side == moment.picture.to_move
