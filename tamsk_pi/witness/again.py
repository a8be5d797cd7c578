"""Judging begins again after a cut link or a pause (sensing.md, "The trace format"; rules.md, "Ring rights")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamsk_pi.witness.geometry import GLASSES, SOCKETS
from tamsk_pi.witness.inputs import CLOSED, HOLDER, OPENED, RING, TILT, Again

if TYPE_CHECKING:
    from tamsk_pi.witness.trace_reader import Reader


def see_again(reader: Reader, t: int, again: Again) -> None:
    """What happened while nothing was judged is told, never judged; one move that is plain to see counts."""
    game = reader.game
    if not again.length_is_known:
        # The sand is the players' to say.
        reader.known_until = min(reader.known_until, reader.blind_since or t)
    if again.values is None:
        gone, appeared, turned, rings_changed = _net(reader)
    else:
        occupied = {socket for socket in SOCKETS if again.values["socket", socket]}
        before = set(reader.standing) | reader.phantoms
        gone, appeared = sorted(before - occupied), sorted(occupied - before)
        turned, rings_changed = [], False
        for glass in (*GLASSES, "N"):
            if game.senses_tilt and game.turned_over and again.values["tilt", glass] != reader.tilt_before(glass):
                turned.append(glass)
    if again.values is not None and game.senses_tilt:
        reader.note_tilts({glass: again.values["tilt", glass] for glass in (*GLASSES, "N")})
    if not (gone or appeared or turned or rings_changed):
        game.see_again(t, {}, again.length_is_known)
        game.judge_what_stands(t)
        return
    # The contract speaks of a link that comes up; what is moved in a pause the arbiter has seen.
    moved = None if again.values is None else _one_move(reader, gone, appeared, turned)
    if moved is None or rings_changed:
        # How a game goes on from a board that differs is the arbiter's to say.
        game.see_again(t, {"gone": gone, "appeared": appeared, "turned": turned}, again.length_is_known)
        reader.horizon = min(reader.horizon, t)
        reader.known_until = min(reader.known_until, reader.blind_since or t)
        return
    glass, socket = moved
    game.see_again(t, {}, again.length_is_known)
    game.lift(t, glass)
    if turned:
        game.tilt(t, glass)
    game.place(t, glass, socket)
    reader.standing = {at: name for at, name in reader.standing.items() if name != glass} | {socket: glass}


def _net(reader: Reader) -> tuple[list[str], list[str], list[str], bool]:
    """What the changes that nobody judged come to."""
    before = set(reader.standing) | reader.phantoms
    now = set(before)
    turns = dict.fromkeys((*GLASSES, "N"), 0)
    rings: dict[tuple[int, str], int] = {}
    for change in reader.unwatched:
        if change.order == OPENED:
            now.discard(change.name)
        elif change.order == CLOSED:
            now.add(change.name)
        elif change.order == TILT:
            turns[change.name] += 1
        elif change.order in (RING, HOLDER):
            rings[change.order, change.name] = rings.get((change.order, change.name), 0) + change.value
    turned = [glass for glass in (*GLASSES, "N") if turns[glass] % 2 and reader.game.turned_over]
    if turns["N"] % 2:
        reader.game.armed_until_ms = None
    return sorted(before - now), sorted(now - before), turned, any(rings.values())


def _one_move(reader: Reader, gone: list[str], appeared: list[str], turned: list[str]) -> tuple[str, str] | None:
    """ "Where the only difference is one glass of the side to move that stands where it could legally have gone" """
    game = reader.game
    if len(gone) != 1 or len(appeared) != 1 or reader.hand or gone[0] not in reader.standing:
        return None
    glass = reader.standing[gone[0]]
    needs_turning = game.turned_over and (game.senses_tilt or game.settings.hall)
    if turned not in ([glass] if needs_turning else [], []) or (needs_turning and not turned):
        return None
    one = game.glasses[glass]
    if one.violation or one.owner != game.to_move:
        return None
    one.home, one.home_up = one.at, one.up
    one.full_when_lifted = frozenset(socket for socket in SOCKETS if game.is_full(socket))
    one.ran_when_lifted = game.may_still_be_moved(one)
    legal = game.would_be_legal(glass, appeared[0])
    return (glass, appeared[0]) if legal else None
