"""What the second referee takes over from the first where nobody watched: the position, never a judgement.

Turn, rings left and rights follow from what both knew before; they are taken over only where hands were at work in the
dark, and `game.py` checks that they did not change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from tamsk_pi.referee.snapshot import GlassView, RightView, Snapshot
from tamsk_pi.rules.board import Player
from tamsk_pi.witness.game import Game
from tamsk_pi.witness.geometry import GLASSES, SIDES
from tamsk_pi.witness.sand import Sand
from tamsk_pi.witness.state import Glass, Right

TIMER: Final = "N"
BOUNCING_MS: Final = 60
"""For how long a contact may have bounced before it rested."""


class Again(Protocol):
    """What is known when judging begins again (`log.Back`)."""

    @property
    def picture(self) -> Snapshot:
        """The referee's picture of the board."""

    @property
    def resumed_ms(self) -> int:
        """Since when time counts again."""

    @property
    def off_holder(self) -> Mapping[Player, int]:
        """How many rings more than were counted are off each side's holder."""

    @property
    def opened(self) -> frozenset[str]:
        """The sockets that were told to be empty unobserved."""

    @property
    def ran_out(self) -> bool | None:
        """Whether the timer ran out meanwhile after the move had begun; None: nothing was told of it."""

    @property
    def length_is_known(self) -> bool:
        """Whether it is known how long nobody judged."""


def see_again(game: Game, t_ms: int, *, length_is_known: bool) -> None:
    """Time counts again from `t_ms` on, and all is as it was."""
    game.see_again(t_ms, {}, length_is_known)


def go_on(game: Game, t_ms: int, back: Again) -> None:
    """Judging begins again at `t_ms` after something was done that nobody saw, or had not settled before."""
    game.see_again(back.resumed_ms, {}, back.length_is_known, follows=False)
    _judge_what_stood(game, back.resumed_ms, back.picture)
    game.run_before(t_ms)
    _adopt(game, t_ms, back)
    if back.ran_out is not None:
        game.expiry_noted = back.ran_out
    for side, off in back.off_holder.items():
        # One that was in the hand is there still, if it did not come back to its holder.
        game.ring_in_hand[side] = game.ring_in_hand[side] and off > game.undue_of_holder[side]
    game.follow_up(t_ms)


def _judge_what_stood(game: Game, t_ms: int, picture: Snapshot) -> None:
    """What was set down too shortly before the cut to be judged is judged now, if it still stands there."""
    for name, glass in game.glasses.items():
        view = picture.glasses[name]
        # How long a contact bounced only the board knows; what had not settled is taken as it stands.
        had_settled = game.blind_since_ms - glass.placed_at_ms - game.settings.settle_ms["socket"]
        if had_settled < BOUNCING_MS and name in {violation.glass for violation in picture.violations}:
            had_settled = BOUNCING_MS
        if glass.unjudged and view.socket == glass.at and had_settled >= BOUNCING_MS:
            glass.up = view.up
            glass.unjudged_field_up = view.up if game.settings.hall else None
        else:
            glass.unjudged = False
    game.judge_what_stands(t_ms)


def _adopt(game: Game, t_ms: int, back: Again) -> None:
    picture = back.picture
    game.over = picture.phase == "over"
    if picture.to_move is not None:
        game.to_move = picture.to_move
    if picture.phase in ("closing", "tie_break") and game.closing_since_ms is None:
        game.closing_since_ms = t_ms
    _adopt_rights(game, t_ms, picture)
    game.armed_until_ms = picture.timer_expires_at_ms
    game.counted.update(picture.rings)
    game.rings_left.update({side: picture.rings_left[side] for side in SIDES})
    game.owed = {side: side in picture.penalty_owed for side in SIDES}
    game.to_skip = {side: side in picture.skip_owed for side in SIDES}
    game.from_hand.clear()
    # Rings that were wrong before still are; what came in the dark is nobody's, and right.
    open_at = {violation.socket or violation.player for violation in picture.violations if violation.glass is None}
    for among in (game.undue, game.removed, game.undue_of_holder, game.removed_of_holder):
        among.update({name: 0 for name in among if name not in open_at})
    homes = {name: (glass.home, glass.home_up) for name, glass in game.glasses.items()}
    for name in GLASSES:
        glass, view = game.glasses[name], picture.glasses[name]
        if glass.in_hand and view.in_hand and glass.lifted_from in back.opened:
            # Its lift was not known yet: it is in hand from now on.
            glass.lifted_at_ms = back.resumed_ms
        _adopt_glass(glass, view, t_ms, lifted_ms=back.resumed_ms)
    timer = picture.glasses[TIMER]
    _adopt_sand(game.timer, timer.up, timer.stops_at_ms, t_ms)
    told = {violation.glass: violation for violation in picture.violations if violation.glass is not None}
    for name, glass in game.glasses.items():
        violation = told.get(name)
        if violation is None:
            glass.violation = glass.stands_wrongly_at = None
        elif glass.violation != violation.code:
            glass.violation, glass.stands_wrongly_at = violation.code, violation.socket
            glass.home = violation.home
        else:
            # What was wrong before and still is has to go back to where, and as, it stood then.
            glass.home, glass.home_up = homes[name]


def _adopt_rights(game: Game, t_ms: int, picture: Snapshot) -> None:
    window, longer = game.settings.ring_window_ms, game.settings.penalty_window_ms
    known = {(right.side, right.socket): right for right in (*game.move_rights, *game.claims)}

    def taken_over(view: RightView, lasts_ms: int) -> Right:
        right = known.get((view.player, view.socket or "")) or Right(view.player, view.socket or "", t_ms, game.moves)
        if view.closes_at_ms is not None:
            right.opened_ms = view.closes_at_ms - lasts_ms
        return right

    of_kind = {kind: [view for view in picture.rights if view.kind == kind] for kind in ("move", "claim", "penalty")}
    game.move_rights = [taken_over(view, window) for view in of_kind["move"]]
    game.claims = [taken_over(view, window) for view in of_kind["claim"]]
    game.penalties = [taken_over(view, longer) for view in of_kind["penalty"]]
    for right in game.penalties:
        game.lamps.setdefault(right.side, picture.penalty_lamp or "A1")


def _adopt_glass(glass: Glass, view: GlassView, t_ms: int, *, lifted_ms: int) -> None:
    was_in_hand = glass.at is None
    glass.at, glass.unjudged = view.socket, False
    # One that was placed freely, and taken back, lies beside the board again.
    glass.unplaced = view.socket is None and view.lifted_from is None
    if view.socket is not None or not was_in_hand:
        glass.home = view.socket or view.lifted_from or glass.home
        glass.home_up = glass.up_when_lifted = view.up
        glass.lifted_from, glass.lifted_at_ms = (view.lifted_from if view.socket is None else None), lifted_ms
        glass.ran_when_lifted = not view.out
    glass.up, glass.moved = view.up, view.moved
    glass.loose_tilts, glass.late_turning_ms = [], None
    _adopt_sand(glass.sand, view.up, view.stops_at_ms, t_ms)
    if not view.out and not (glass.in_doubt and glass.sand.empty):
        # One that stopped within the tolerance is given the benefit of the doubt, and is not out yet.
        glass.out_at_ms, glass.in_doubt = None, False
    elif view.out and glass.out_at_ms is None and (view.stops_at_ms or glass.first_stop_in_hand_ms) is not None:
        # One in which nothing has run yet is empty only, and stops for good once something did.
        glass.out_at_ms = t_ms


def _adopt_sand(sand: Sand, up: str, stops_at_ms: int | None, t_ms: int) -> None:
    sand.end = up
    if stops_at_ms is not None and stops_at_ms >= t_ms:
        sand.left_ms, sand.since_ms, sand.empty = stops_at_ms - t_ms, t_ms, False
    elif sand.stop_ms > t_ms:
        sand.left_ms, sand.since_ms, sand.empty = 0, t_ms, True
    else:
        sand.empty = True


# -- the arbiter's words


def hear_place(game: Game, t_ms: int, details: Mapping[str, object]) -> None:
    """A glass that no sensor told of was lifted and set down there."""
    name, socket = str(details["glass"]), str(details["socket"])
    glass = game.glasses[name]
    if game.over:
        return
    if glass.at is not None:
        game.lift(t_ms, name)
    # Turned or not in this handling; where it wrongly stood before, it may have been the other way up than at home.
    other_end = "b" if glass.up_when_lifted == "a" else "a"
    up = other_end if details["turned"] else glass.up_when_lifted
    if game.settings.hall or not game.senses_tilt:
        game.place(t_ms, name, socket, up if game.settings.hall else None)
        return
    if glass.up != up and game.turned_over:
        glass.up = up
        glass.sand.turn(t_ms)
    game.place(t_ms, name, socket)


def hear_rings(game: Game, t_ms: int, details: Mapping[str, object]) -> None:
    """So many rings count on a socket; the difference is that side's."""
    socket, side, count = str(details["socket"]), str(details["side"]), int(str(details["count"]))
    game.run_before(t_ms)
    if game.over:
        return
    if count > game.counted[socket]:
        game.ring_in_hand[side] = False
    game.rings_left[side] -= count - game.counted[socket]
    game.counted[socket] = count
    game.undue[socket] = game.removed[socket] = 0
    if game.is_full(socket):
        game.move_rights = [right for right in game.move_rights if right.socket != socket]
        game.claims = [right for right in game.claims if right.socket != socket]
    if game.rings_left[side] == 0:
        game.end(t_ms, side, "last_ring")
    game.follow_up(t_ms)


def hear_sand(game: Game, t_ms: int, details: Mapping[str, object]) -> None:
    """How long a glass still runs, or that it has stopped."""
    left_ms = details.get("left_ms")
    game.run_before(t_ms)
    if game.over:
        return
    if details["glass"] == TIMER:
        told_ms = left_ms if isinstance(left_ms, int) else 0
        game.timer.left_ms, game.timer.since_ms, game.timer.empty = told_ms, t_ms, not told_ms
        return
    glass = game.glasses[str(details["glass"])]
    if isinstance(left_ms, int):
        full_ms = glass.sand.full_ms[glass.sand.end]
        glass.sand.left_ms, glass.sand.since_ms, glass.sand.empty = min(left_ms, full_ms), t_ms, False
        glass.out_at_ms, glass.in_doubt, glass.watched_out = None, False, False
    elif not glass.sand.empty:
        glass.sand.left_ms, glass.sand.since_ms = 0, t_ms
        game.stop(t_ms, glass)
        # Told by who looks at it: there is nothing to doubt.
        glass.in_doubt = False
    game.follow_up(t_ms)
