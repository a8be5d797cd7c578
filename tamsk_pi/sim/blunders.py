"""How hands err. Each blunder is done on the virtual board if the moment allows it, and told as a `Deed`.

A blunder names the violation that the rules give for it, or None where the rules let it pass (a glass put back, a
ring forgotten).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from tamsk_pi.rules.board import NEIGHBOURS, SOCKETS, TIMER, glasses_of, opponent
from tamsk_pi.sim.deeds import Deed
from tamsk_pi.sim.hands import Gesture
from tamsk_pi.sim.moment import Moment

Blunder = Callable[[Moment], Deed | None]
"""Does it and tells it; None if it cannot be done now."""


def _deed(
    moment: Moment,
    what: str,
    gestures: list[Gesture],
    expects: str | None,
    glass: str | None = None,
    socket: str | None = None,
) -> Deed:
    return Deed(moment.now_ms, moment.side, what, tuple(gestures), True, expects, glass, socket)


def _misplaced(moment: Moment, what: str, glass: str, socket: str, *, turned: bool | None = None) -> Deed:
    """Move a glass where it must not go; the code is the blunder's name."""
    turned = moment.turns_glasses if turned is None else turned
    gesture = moment.hands.move(moment.side, glass, socket, moment.now_ms, turned=turned)
    return _deed(moment, what, [gesture], what, glass, socket)


# -- on the own turn ---------------------------------------------------------------------------------------------------


def wrong_glass(moment: Moment) -> Deed | None:
    """A glass of the other side is moved, but not while that side may drop a ring: the lift would end its right."""
    other = opponent(moment.side)
    if any(right.player == other and right.kind != "claim" for right in moment.picture.rights):
        return None
    choices = [
        (name, socket)
        for name in glasses_of(other)
        if (home := moment.glass(name).socket) is not None
        for socket in moment.open_neighbours(home)
    ]
    return _misplaced(moment, "wrong_glass", *moment.rng.choice(choices)) if choices else None


def full_socket(moment: Moment) -> Deed | None:
    """A glass is placed on a full socket, which loses the game."""
    full = [
        socket
        for socket in SOCKETS
        if moment.truth.is_vacant(socket) and moment.picture.rings[socket] == len(moment.truth.stacks[socket])
        if moment.is_full(socket)
    ]
    glasses = sorted({glass for glass, _ in moment.legal_moves() if moment.glass(glass).socket is not None})
    if not full or not glasses:
        return None
    return _misplaced(moment, "full_socket", moment.rng.choice(glasses), moment.rng.choice(full))


def stopped_glass(moment: Moment) -> Deed | None:
    """A glass that has run out is moved."""
    choices = [
        (name, socket)
        for name in moment.own_standing()
        if moment.turns_glasses and moment.has_stopped(name)
        for socket in moment.open_neighbours(str(moment.glass(name).socket))
    ]
    return _misplaced(moment, "stopped_glass", *moment.rng.choice(choices)) if choices else None


def opening_order(moment: Moment) -> Deed | None:
    """A glass moves again before all three have moved."""
    if not moment.turns_glasses or not moment.picture.targets:
        return None
    choices = [
        (name, socket)
        for name in moment.own_standing()
        if name not in moment.picture.targets and moment.picture.glasses[name].moved and moment.still_moves(name)
        if all(not moment.picture.glasses[other].moved for other in moment.picture.targets)
        for socket in moment.open_neighbours(str(moment.glass(name).socket))
    ]
    return _misplaced(moment, "opening_order", *moment.rng.choice(choices)) if choices else None


def not_adjacent(moment: Moment) -> Deed | None:
    """A glass goes too far."""
    choices = [
        (name, socket)
        for name in sorted({glass for glass, _ in moment.legal_moves()})
        if (home := moment.glass(name).socket) is not None
        for socket in moment.open_sockets()
        if socket not in NEIGHBOURS[home]
    ]
    return _misplaced(moment, "not_adjacent", *moment.rng.choice(choices)) if choices else None


def not_flipped(moment: Moment) -> Deed | None:
    """A move without turning the glass over."""
    choices = moment.legal_moves() if moment.turnings_are_seen else []
    return _misplaced(moment, "not_flipped", *moment.rng.choice(choices), turned=False) if choices else None


def flipped_in_place(moment: Moment) -> Deed | None:
    """A glass is turned over and set back where it stood."""
    choices = moment.own_standing() if moment.turnings_are_seen else []
    if not choices:
        return None
    glass = moment.rng.choice(choices)
    return _misplaced(moment, "flipped_in_place", glass, str(moment.glass(glass).socket), turned=True)


def put_back(moment: Moment) -> Deed | None:
    """A glass is lifted, and put back as it stood."""
    choices = moment.own_standing()
    if not choices:
        return None
    glass = moment.rng.choice(choices)
    home = moment.glass(glass).socket
    gestures = [moment.hands.lift(moment.side, glass, moment.now_ms)]
    gestures.append(moment.hands.put_back(moment.side, glass, moment.now_ms + moment.rng.randint(200, 2_000)))
    return _deed(moment, "put_back", gestures, None, glass, home)


def two_in_hand(moment: Moment) -> Deed | None:
    """Two glasses are lifted; one is put back, then the other one is moved."""
    moves = [move for move in moment.legal_moves() if moment.glass(move[0]).socket is not None]
    if not moves:
        return None
    glass, socket = moment.rng.choice(moves)
    others = [name for name in moment.own_standing() if name != glass]
    if not others:
        return None
    other, side, now_ms, hands = moment.rng.choice(others), moment.side, moment.now_ms, moment.hands
    gestures = [hands.lift(side, glass, now_ms), hands.lift(side, other, now_ms), hands.put_back(side, other, now_ms)]
    gestures.append(hands.move(side, glass, socket, now_ms, turned=moment.turns_glasses, lifted=True))
    return _deed(moment, "two_in_hand", gestures, None, glass, socket)


# -- while the other side is to move -----------------------------------------------------------------------------------


def early_lift(moment: Moment) -> Deed | None:
    """A glass is lifted before the turn has come, and held."""
    choices = [name for name in moment.own_standing() if moment.still_moves(name)]
    if not choices or not moment.all_is_quiet():
        return None
    glass = moment.rng.choice(choices)
    return _deed(
        moment,
        "early_lift",
        [moment.hands.lift(moment.side, glass, moment.now_ms)],
        None,
        glass,
        moment.glass(glass).socket,
    )


def timer_running(moment: Moment) -> Deed | None:
    """The timer is turned over while its sand still runs."""
    timer = moment.glass(TIMER)
    if moment.picture.level < 3 or not moment.hands.board.fitted.tilt:
        return None
    if timer.hand is not None or timer.sand.left_ms(moment.now_ms) < 4_000 or moment.someone_is_at_it():
        return None
    gesture = moment.hands.turn_timer(moment.side, moment.now_ms)
    return _deed(moment, "timer_running", [gesture], "timer_running", TIMER)


def ring_removed(moment: Moment) -> Deed | None:
    """A ring that counts is taken off, and kept in hand."""
    choices = [
        socket
        for socket, count in moment.picture.rings.items()
        if count and count == moment.picture.seen_rings[socket] == len(moment.truth.stacks[socket])
    ]
    if not choices or moment.hands.board.fitted.rings != "stack" or not moment.all_is_quiet():
        return None
    socket = moment.rng.choice(choices)
    gesture = moment.hands.take_ring_off(moment.side, socket, moment.now_ms, keep=True)
    return _deed(moment, "ring_removed", [gesture], "ring_removed", None, socket)


def undue_ring(moment: Moment) -> Deed | None:
    """A ring is dropped that no right covers. Where holders are sensed, two: one may be in the hand early."""
    rings = moment.hands.board.fitted.rings
    needed = 2 if rings == "holder" else 1
    choices = [socket for socket in SOCKETS if moment.room_for_rings(socket) >= needed]
    if not choices or rings == "buttons" or not moment.all_is_quiet():
        return None
    if moment.truth.holders[moment.side] < needed:
        return None
    socket = moment.rng.choice(choices)
    drop = moment.hands.drop_two_rings if needed == 2 else moment.hands.drop_ring
    gesture = drop(moment.side, socket, moment.now_ms)
    return _deed(moment, "undue_ring", [gesture], "ring_not_due", None, socket)


# -- with an open move right, or a violation ---------------------------------------------------------------------------


def ring_elsewhere(moment: Moment) -> Deed | None:
    """The ring of a move goes to another socket."""
    rights = moment.picture.rights
    if moment.hands.board.fitted.rings != "stack" or any(right.kind != "move" for right in rights):
        return None
    due = {right.socket for right in rights}
    choices = [socket for socket in SOCKETS if socket not in due and not moment.is_full(socket)]
    if not choices or moment.picture.penalty_owed or moment.hands.is_busy(opponent(moment.side), moment.now_ms):
        return None
    socket = moment.rng.choice(choices)
    gesture = moment.hands.drop_ring(moment.side, socket, moment.now_ms)
    return _deed(moment, "ring_elsewhere", [gesture], "ring_not_due", None, socket)


def must_mend(moment: Moment) -> Deed | None:
    """Another glass is moved while one still stands wrongly."""
    wrong = {violation.glass for violation in moment.picture.violations}
    homes = {violation.home for violation in moment.picture.violations}
    choices = [
        (name, socket)
        for name in moment.own_standing()
        if name not in wrong and moment.still_moves(name)
        if moment.picture.to_move == moment.side and _may_open_with(moment, name)
        for socket in moment.open_neighbours(str(moment.glass(name).socket))
        if socket not in homes
    ]
    if not choices or moment.someone_is_at_it():
        return None
    return _misplaced(moment, "must_mend", *moment.rng.choice(choices))


def _may_open_with(moment: Moment, glass: str) -> bool:
    """No opening duty asks for another glass."""
    moved = [moment.picture.glasses[name].moved for name in glasses_of(moment.side)]
    return not moment.turns_glasses or all(moved) or not moment.picture.glasses[glass].moved


ON_OWN_TURN: Final[Mapping[Blunder, int]] = MappingProxyType(
    {
        wrong_glass: 20,
        not_adjacent: 30,
        not_flipped: 30,
        flipped_in_place: 20,
        stopped_glass: 30,
        opening_order: 30,
        put_back: 30,
        two_in_hand: 15,
        full_socket: 1,
    }
)
"""What goes wrong on a player's turn, and how much more often than `full_socket`, which ends the game."""

WHILE_WAITING: Final[Mapping[Blunder, int]] = MappingProxyType(
    {early_lift: 3, timer_running: 4, ring_removed: 3, undue_ring: 2}
)


def commit(moment: Moment, blunders: Mapping[Blunder, int]) -> Deed | None:
    """Commit one of these, by weight, that can be done now; None if none can."""
    left = dict(blunders)
    while left:
        blunder = moment.rng.choices(list(left), list(left.values()))[0]
        del left[blunder]
        deed = blunder(moment)
        if deed is not None:
            return deed
    return None
