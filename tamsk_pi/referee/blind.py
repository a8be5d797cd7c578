"""What happened while nothing could be judged: told, taken as it is, and never called illegal.

Source: sensing.md, "The trace format" (link down and up); architecture.md, "Manners of failure". It serves a link that
was cut, a pause by the arbiter, and a game that goes on after its end was annulled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from tamsk_pi.referee import glasses, placing, rights, rings
from tamsk_pi.referee.game import Game, Held
from tamsk_pi.referee.snapshot import SetupProblem
from tamsk_pi.rules.board import GLASSES, NEIGHBOURS, PLAYERS, RINGS_PER_SIDE, TIMER, Player, opponent, owner_of
from tamsk_pi.rules.sand import other_end
from tamsk_pi.sensing.gestures import Place, Turn
from tamsk_pi.sensing.hands import FIELD_UP, Hands
from tamsk_pi.sensing.seen import Seen


@attrs.frozen
class Differences:
    """How the board differs from what it was when it was last judged."""

    opened: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    rings: Mapping[str, int] = attrs.field(factory=dict)
    """Rings that came (above 0) or went, by socket."""
    holders: Mapping[Player, int] = attrs.field(factory=dict)
    """Rings that came back to a side's holder (above 0) or were taken off it (ring mode `holder`)."""

    def __bool__(self) -> bool:
        return bool(self.opened or self.closed or self.turned or self.rings or self.holders)

    def as_details(self) -> dict[str, object]:
        """The details of the notice `unobserved`; what does not differ is left out."""
        told = {
            "opened": list(self.opened),
            "closed": list(self.closed),
            "turned": list(self.turned),
            "rings": dict(self.rings),
            "holders": dict(self.holders),
        }
        return {key: value for key, value in told.items() if value}


def to_be_done(found: Differences) -> tuple[SetupProblem, ...]:
    """What would make the board the same as the game again, as far as it is to be done at sockets."""
    problems = [SetupProblem(s, "put_glass") for s in found.opened]
    problems += [SetupProblem(s, "take_glass") for s in found.closed]
    problems += [SetupProblem(s, "take_rings" if by > 0 else "put_rings") for s, by in found.rings.items()]
    return tuple(sorted(problems, key=lambda problem: (problem.socket, problem.what)))


def differences(game: Game, hands: Hands, then: Seen, now: Seen) -> Differences:
    """Hold what the sensors tell `now` against the game, and the tilts against what they were `then`."""
    standing, closed = hands.standing.keys(), now.fields.keys()
    explained = standing | hands.unexplained
    rings = {s: now.rings.get(s, 0) - seen for s, seen in game.seen_rings.items() if now.rings.get(s, 0) != seen}
    holders = {p: _left_on(now, p) - _left_on(then, p) for p in PLAYERS if _left_on(now, p) != _left_on(then, p)}
    return Differences(
        opened=tuple(sorted(standing - closed - hands.dead)),
        closed=tuple(sorted(closed - explained - hands.dead)),
        turned=tuple(g for g in GLASSES if game.senses_tilt(g) and now.up.get(g) != then.up.get(g)),
        rings=rings if game.settings.rings == "stack" else {},
        holders=holders if game.settings.rings == "holder" else {},
    )


def _left_on(seen: Seen, player: Player) -> int:
    return seen.holders.get(player, RINGS_PER_SIDE)


@attrs.frozen
class Dark:
    """Nothing was sensed while nothing was judged: a cut link."""

    gap_known: bool
    """Whether it is known how long it lasted."""
    up_told: frozenset[str]
    """The glasses of which it was told which end is up now."""


def go_on(game: Game, hands: Hands, then: Seen, now: Seen, since_ms: int, t_ms: int, dark: Dark | None) -> list[Place]:
    """Take the board as it is at `t_ms`, after nothing was judged since `since_ms`.

    Glasses that stopped meanwhile are announced with their own times. A glass that was turned meanwhile is taken to
    have been turned half way through. Gives the placings that are still to be judged: those that had settled before,
    and after a cut link the one that is all that differs and a move.
    """
    found = differences(game, hands, then, now)
    midway_ms = (since_ms + t_ms) // 2
    _stop_until(game, midway_ms)
    for glass in found.turned:
        hands.turn_unseen(glass)
        glasses.turn(game, Turn(midway_ms, glass, "in_hand"))
    timer_turned = game.settings.level == 3 and now.up.get(TIMER) != then.up.get(TIMER)
    if timer_turned:
        game.sand[TIMER] = game.sand[TIMER].turned(midway_ms)
    _stop_until(game, t_ms)
    if found:
        game.say(t_ms, "notice", code="unobserved", **found.as_details())
    _stand_still(game, found, since_ms, t_ms)
    _see_to_timer(game, t_ms, void=timer_turned or (dark is not None and not dark.gap_known))
    for socket, count in found.rings.items():
        rings.changed_unseen(game, t_ms, socket, count)
    for player, count in found.holders.items():
        rings.holder_changed_unseen(game, t_ms, player, count)
    judged = _rehouse(game, hands, found, now, since_ms, t_ms, dark)
    _believe_fields(game, hands, now, midway_ms)
    _see_who_still_runs(game)
    _ask_nothing_impossible(game, hands, t_ms)
    hands.unexplained = set(now.fields) - set(hands.standing) - hands.dead
    return [Place(t_ms, g, s, hands.up[g], None, "by_tilt") for g, s in judged.items()]


def _stop_until(game: Game, t_ms: int) -> None:
    if not game.settings.orientation_matters:
        return
    while (stop_ms := glasses.next_stop_ms(game)) is not None and stop_ms <= t_ms:
        glasses.stop_due(game, stop_ms)
    if game.doubted_ms:
        glasses.stop_due(game, t_ms)


def _stand_still(game: Game, found: Differences, since_ms: int, t_ms: int) -> None:
    """Ring rights have the time that they had left, unless rings changed where they count: then they lapse."""
    by_ms = t_ms - since_ms
    for right in (*game.rights, *game.from_hand.values()):
        right.opened_ms += by_ms
        right.window_ms += by_ms
        right.closes_ms = None if right.closes_ms is None else right.closes_ms + by_ms
    for right in list(game.rights):
        if found.holders.get(right.player) or (found.rings if right.socket is None else right.socket in found.rings):
            game.rights.remove(right)
            where = {} if right.socket is None else {"socket": right.socket}
            game.say(t_ms, "notice", code="lapsed", what=right.kind, player=right.player, **where)
    for player in found.holders:
        game.from_hand.pop(player, None)
    rights.put_lamps_out(game)
    for ring in game.dropped:
        ring.t_ms += by_ms
    for mend in game.mends.values():
        mend.confirm_until_ms = None if mend.confirm_until_ms is None else mend.confirm_until_ms + by_ms
    for held in game.held.values():
        held.notice_ms = None if held.notice_ms is None else max(held.notice_ms, t_ms)
    if game.timer_turned_ms is not None:
        game.timer_turned_ms += by_ms
    if game.closing_ms is not None:
        game.closing_ms += by_ms


def _see_to_timer(game: Game, t_ms: int, *, void: bool) -> None:
    """Sand does not stand still: an armed timer goes on only if it still runs and was left alone."""
    if game.armed_ms is not None and (void or game.armed_ms <= t_ms):
        game.armed_ms = None
        game.say(t_ms, "notice", code="lapsed", what="timer", player=opponent(game.to_move))


def _rehouse(
    game: Game, hands: Hands, found: Differences, now: Seen, since_ms: int, t_ms: int, dark: Dark | None
) -> dict[str, str]:
    """Settle which glass stands where now, and bring the game's memory in line with it.

    Gives the glasses (to sockets) whose placing is still to be judged.
    """
    came_from = {g: h.socket for g, h in hands.in_hand.items()}
    came_from |= {hands.standing[s]: s for s in found.opened}
    judged = {g: s for g, s in hands.unjudged.items() if s in found.closed and g in came_from}
    hands.unjudged.clear()
    left = {g: s for g, s in came_from.items() if g not in judged}
    turned = {g for g in left if g in found.turned or (g in hands.in_hand and hands.in_hand[g].turned)}
    # One that was turned over was on its way; a glass of the side to move rather than another; else by name.
    likely = sorted(left, key=lambda g: (g not in turned, owner_of(g) != game.to_move, g))
    housed = judged | _match(left, [s for s in found.closed if s not in judged.values()], likely)
    hands.rehouse(housed, came_from, t_ms)
    for glass, socket in came_from.items():
        if glass not in game.held and hands.up[glass] is not None:
            up = other_end(hands.up[glass]) if glass in found.turned else hands.up[glass]
            sand = game.sand[glass]
            held = Held(t_ms, socket, up, sand, ran=_may_move(game, glass, since_ms), full=game.full_sockets())
            game.held[glass] = held
    if dark is not None and not judged and len(housed) == 1:
        judged = {g: s for g, s in housed.items() if _is_a_move(game, hands, g, s, found, now, since_ms, t_ms, dark)}
    for glass in GLASSES:
        socket_now = next((s for s, g in hands.standing.items() if g == glass), None)
        if socket_now is not None and glass not in judged:
            _stands(game, hands, glass, socket_now, t_ms, touched=glass in came_from or glass in found.turned)
    for held in game.held.values():
        held.set_down = False
    return judged


def _may_move(game: Game, glass: str, since_ms: int) -> bool:
    """Whether a glass that was lifted unseen, no earlier than `since_ms`, may be moved."""
    if glass in game.out_ms:
        return game.out_ms[glass] > since_ms
    return True


def _is_a_move(
    game: Game,
    hands: Hands,
    glass: str,
    socket: str,
    found: Differences,
    now: Seen,
    since_ms: int,
    t_ms: int,
    dark: Dark,
) -> bool:
    """Whether all that differs is one glass of the side to move that stands where it could legally have gone."""
    held = game.held[glass]
    mend = game.mends.get(glass)
    home, home_up = (mend.home, mend.home_up) if mend else (held.socket, held.up)
    others = found.rings or found.holders or set(found.turned) - {glass} or len(found.closed) > 1
    if others or set(found.opened) - {held.socket} or game.closing_ms is not None or socket == home:
        return False
    if game.must_mend(besides=glass) or placing.fault_in(game, glass, socket, home, held) is not None:
        return False
    field_up = FIELD_UP.get(now.fields.get(socket))
    up = field_up or hands.up[glass]
    if not game.settings.orientation_matters or not game.senses_turning(glass) or up != home_up:
        return True
    if glass in dark.up_told or field_up is not None:
        return False
    # Nobody tells which end is up: it is taken to have been turned over, as its level asks.
    hands.turn_unseen(glass)
    glasses.turn(game, Turn((since_ms + t_ms) // 2, glass, "in_hand"))
    return True


def _believe_fields(game: Game, hands: Hands, now: Seen, turned_ms: int) -> None:
    """Hall sockets tell which end of a glass is up, whatever is remembered of it."""
    for socket, glass in hands.standing.items():
        up = FIELD_UP.get(now.fields.get(socket))
        if game.settings.orientation_matters and up is not None and up != hands.up[glass]:
            hands.turn_unseen(glass)
            glasses.turn(game, Turn(turned_ms, glass, "in_hand"))


def _see_who_still_runs(game: Game) -> None:
    """A glass that stands with nothing running in it may not be moved again: nobody must wait for it."""
    for glass in game.table.moved if game.settings.orientation_matters else ():
        if glass in game.held or glass in game.doubted_ms:
            continue
        empty = game.sand[glass].stops_at_ms is None or glass in game.out_ms
        (game.table.out.add if empty else game.table.out.discard)(glass)


def _ask_nothing_impossible(game: Game, hands: Hands, t_ms: int) -> None:
    """A glass can't be put back where another one stands for good: it is accepted where it is."""
    homes: set[str | None] = set()
    for glass, mend in list(game.mends.items()):
        there = hands.standing.get(mend.home or "", glass)
        stays = there != glass and (there not in game.mends or game.mends[there].home == mend.home)
        if stays or (mend.home in homes and mend.home is not None):
            del game.mends[glass]
            game.say(t_ms, "resolved", code=mend.code, glass=glass)
        homes.add(mend.home)


def _stands(game: Game, hands: Hands, glass: str, socket: str, t_ms: int, *, touched: bool) -> None:
    held = game.held.pop(glass, None)
    if held is not None and held.stopped_ms is not None and glass in game.table.moved and glass not in game.out_ms:
        game.out_ms[glass] = held.stopped_ms
        game.table.out.add(glass)
    mend = game.mends.get(glass)
    if mend is not None and touched and (socket != mend.stands or socket == mend.home):
        # Moved while nobody could judge it: accepted where it stands now.
        del game.mends[glass]
        game.say(t_ms, "resolved", code=mend.code, glass=glass)
    if socket != game.table.standing[glass] and (mend is None or socket != mend.home):
        # Put back where it belongs it has not moved; anywhere else it has.
        game.table.moved.add(glass)
        if game.settings.orientation_matters and not game.senses_turning(glass):
            # A move is taken to have turned its glass over.
            game.sand[glass] = game.sand[glass].turned(t_ms)
            hands.turn_unseen(glass)
    game.table.standing[glass] = socket


def _match(came_from: Mapping[str, str | None], sockets: list[str], likely: Sequence[str]) -> dict[str, str]:
    """Which loose glass most likely stands in which newly closed socket: its own, a neighbour's, else the likeliest."""
    left = dict(came_from)
    housed: dict[str, str] = {}
    for fits in (
        lambda glass, socket: left[glass] == socket,
        lambda glass, socket: left[glass] in NEIGHBOURS[socket],
        lambda glass, socket: True,
    ):
        for socket in sockets:
            if socket in housed.values():
                continue
            glass = next((g for g in likely if g in left and fits(g, socket)), None)
            if glass is not None:
                housed[glass] = socket
                del left[glass]
    return housed
