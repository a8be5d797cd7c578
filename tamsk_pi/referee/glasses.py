"""Sand that runs, stops and is turned over, and the 15-second timer.

Source: rules.md, "Levels", *Sand*, and "The 15-second timer (level 3)"; sensing.md, "Tolerances".
"""

from __future__ import annotations

from typing import Final

from tamsk_pi.referee.game import Game, Held
from tamsk_pi.rules.board import GLASSES, TIMER, Player, opponent
from tamsk_pi.rules.sand import Sand
from tamsk_pi.sensing.gestures import Lift, Place, Turn

WAIVE_MS: Final = 5_000
"""How long the side said to have started the timer may say that it was not its doing."""


def next_stop_ms(game: Game) -> int | None:
    """When the next travelling glass stops that is not out yet."""
    return min((stop for _, stop in _stops(game)), default=None)


def _stops(game: Game) -> list[tuple[str, int]]:
    found = []
    for glass in sorted(GLASSES):
        stop_ms = game.sand[glass].stops_at_ms
        if stop_ms is None or glass in game.out_ms:
            continue
        # Between a placing and the late turning that belongs to it the glass does not stop.
        if stop_ms <= game.turns_later_ms.get(glass, stop_ms - 1):
            continue
        found.append((glass, stop_ms))
    return found


def next_doubt_ms(game: Game) -> int | None:
    """When the benefit of the doubt ends for the next standing glass that stopped by the model."""
    if not game.doubted_ms:
        return None
    return min(game.doubted_ms.values()) + game.settings.tolerance.glass_ms


def stop_due(game: Game, t_ms: int) -> None:
    """Announce the glasses that stop at `t_ms`, by name; those whose doubt ends are out for good."""
    for glass, stop_ms in _stops(game):
        if stop_ms != t_ms:
            continue
        game.sand[glass] = game.sand[glass].emptied()
        game.stopped_ms[glass] = t_ms
        game.say(t_ms, "glass_stopped", glass=glass)
        held = game.held.get(glass)
        if held is not None:
            held.stopped_ms = t_ms
        elif glass in game.table.moved:
            _doubt(game, t_ms, glass, t_ms)
    for glass, stopped_ms in list(game.doubted_ms.items()):
        if stopped_ms + game.settings.tolerance.glass_ms <= t_ms:
            del game.doubted_ms[glass]
            _out(game, glass, stopped_ms)


def _doubt(game: Game, t_ms: int, glass: str, stopped_ms: int) -> None:
    """A moved glass stands and has stopped: out, unless that rests on the model alone by less than the tolerance."""
    if t_ms < stopped_ms + game.settings.tolerance.glass_ms:
        game.doubted_ms[glass] = stopped_ms
    else:
        _out(game, glass, stopped_ms)


def _out(game: Game, glass: str, stopped_ms: int) -> None:
    game.out_ms[glass] = stopped_ms
    game.table.out.add(glass)


def stop_by_word(game: Game, t_ms: int, glass: str) -> None:
    """The arbiter says that a glass has stopped, whatever the model says."""
    game.sand[glass] = game.sand[glass].emptied()
    held = game.held.get(glass)
    if glass == TIMER or glass in game.out_ms:
        return
    game.stopped_ms[glass] = t_ms
    game.say(t_ms, "glass_stopped", glass=glass)
    if held is not None:
        held.stopped_ms = t_ms
    elif glass in game.table.moved:
        _out(game, glass, t_ms)


def run_by_word(game: Game, t_ms: int, glass: str, left_ms: int) -> None:
    """The arbiter says that a glass still runs, for `left_ms` more."""
    sand = game.sand[glass]
    game.sand[glass] = Sand(sand.full_ms, sand.up, t_ms + min(left_ms, sand.full_ms[sand.up]))
    game.out_ms.pop(glass, None)
    game.doubted_ms.pop(glass, None)
    game.table.out.discard(glass)
    if glass in game.held:
        game.held[glass].stopped_ms = None
        game.held[glass].ran = True


def turn(game: Game, gesture: Turn) -> None:
    """A travelling glass was turned over; its sand moves at that time.

    A glass that would stop between a turning and the lift it belongs to does stop: it is judged at the lift as if it
    had not been turned yet.
    """
    t_ms, glass, when, lift_ms = gesture
    sand = game.sand[glass]
    if when == "before_lift" and lift_ms is not None:
        game.before_lift.setdefault(glass, sand)
        if glass in game.turns_at_lift or (sand.stops_at_ms is not None and sand.stops_at_ms < lift_ms):
            game.turns_at_lift[glass] = game.turns_at_lift.get(glass, 0) + 1
            return
    elif when == "after_placing":
        game.turns_later_ms.pop(glass, None)
    game.sand[glass] = sand.turned(t_ms)


def lift(game: Game, gesture: Lift) -> Held:
    """Judge whether a glass still runs as it is lifted, a turning just before the lift not counted."""
    t_ms, glass = gesture.t_ms, gesture.glass
    turns = game.turns_at_lift.pop(glass, 0)
    before = game.before_lift.pop(glass, None)
    sand = before if before is not None and not turns else game.sand[glass]
    doubted_ms = game.doubted_ms.pop(glass, None)
    if glass in game.out_ms:
        ran = False
    elif doubted_ms is not None:
        ran = True
        game.say(t_ms, "notice", code="close_call", glass=glass, stopped_ms=doubted_ms)
    else:
        ran = sand.stops_at_ms is not None and t_ms <= sand.stops_at_ms + game.settings.tolerance.glass_ms
        # Between a placing and its late turning it has not stopped.
        ran = ran or t_ms <= game.turns_later_ms.get(glass, t_ms - 1)
    held = Held(t_ms, gesture.socket, gesture.up, sand, ran, stopped_ms=doubted_ms, full=game.full_sockets())
    game.held[glass] = held
    for _ in range(turns):
        game.sand[glass] = game.sand[glass].turned(t_ms)
    return held


def as_if_lifted(game: Game, glass: str, t_ms: int) -> Held:
    """What a lift at `t_ms` would come to, as far as can be told now; it changes nothing."""
    stops_ms = game.sand[glass].stops_at_ms
    ran = glass not in game.out_ms and stops_ms is not None and t_ms <= stops_ms + game.settings.tolerance.glass_ms
    ran = ran or glass in game.doubted_ms
    socket = game.table.standing[glass]
    return Held(t_ms, socket, game.sand[glass].up, game.sand[glass], ran, full=game.full_sockets())


def settle_sand(game: Game, place: Place, held: Held) -> None:
    """Put a placed glass's sand right where no tilt sensor told, or the field in the socket knows better."""
    if place.sand == "turned_midway":
        turn_midway(game, place, held)
    elif place.sand == "never_turned":
        # If it has run out since it was lifted, that has been told.
        told = held.sand.stops_at_ms is not None and held.sand.stops_at_ms == game.stopped_ms.get(place.glass)
        game.sand[place.glass] = held.sand.emptied() if told else held.sand
    _stop_on_the_way(game, place, held)
    if place.late_turn_ms is not None:
        game.turns_later_ms[place.glass] = place.late_turn_ms


def _stop_on_the_way(game: Game, place: Place, held: Held) -> None:
    """A stop before the placing that only the placing has told of: announced now, with its own time."""
    glass, stop_ms = place.glass, game.sand[place.glass].stops_at_ms
    if place.sand != "by_tilt" and stop_ms is not None and stop_ms < place.t_ms:
        game.sand[glass] = game.sand[glass].emptied()
        game.stopped_ms[glass] = held.stopped_ms = stop_ms
        if glass not in game.out_ms:
            game.say(stop_ms, "glass_stopped", glass=glass)


def turn_midway(game: Game, place: Place, held: Held) -> None:
    """The glass was turned over once between lift and placing, nobody knows when: at the middle of its way."""
    # One that comes from beside the board has been on no way that could be halved.
    since_ms = place.t_ms if held.socket is None else held.lifted_ms
    game.sand[place.glass] = held.sand.turned((since_ms + place.t_ms) // 2)


def end_handling(game: Game, place: Place, held: Held, *, moved: bool) -> None:
    """Settle what a stop means once it is known whether the handling completed a move.

    Without a move, a moved glass that stopped in the hand is out. With one it is not; but while nothing runs in it, it
    may not be moved all the same.
    """
    glass = place.glass
    if glass in game.out_ms or not game.settings.orientation_matters or not (moved or glass in game.table.moved):
        return
    if held.stopped_ms is not None and not moved:
        _doubt(game, place.t_ms, glass, held.stopped_ms)
    elif game.sand[glass].stops_at_ms is None and place.late_turn_ms is None:
        game.table.out.add(glass)
    else:
        game.table.out.discard(glass)


def expiry_ms(game: Game) -> int | None:
    """When the armed timer is ruled to have run out: later than the model says by as much as real sand strays."""
    return None if game.armed_ms is None else game.armed_ms + game.settings.tolerance.timer_ms


def turn_timer(game: Game, t_ms: int, *, playing: bool) -> None:
    """The timer was turned over: armed against the side to move if it was empty, else a violation, nobody's.

    Turned within the tolerance of its own end it is given the benefit of the doubt.
    """
    sand = game.sand[TIMER]
    left_ms = sand.left_ms(t_ms)
    if left_ms > game.settings.tolerance.timer_ms:
        game.sand[TIMER] = sand.turned(t_ms)
        if playing:
            # What was armed stands with its deadline: neither side can cancel it so.
            game.say(t_ms, "violation", code="timer_running")
            game.note_verdict("timer", {})
        return
    game.sand[TIMER] = sand.filled(t_ms)
    if not playing or game.mends:
        return
    if game.moved_ms is not None and t_ms - game.moved_ms <= game.settings.release_ms:
        # It was meant for the move just made, which was in time.
        return
    if left_ms > 0:
        game.say(t_ms, "notice", code="close_call", glass=TIMER, stopped_ms=t_ms + left_ms)
    game.armed_ms = game.sand[TIMER].stops_at_ms
    game.timer_turned_ms = t_ms
    game.say(t_ms, "timer_started", player=opponent(game.to_move))


def waive_timer(game: Game, t_ms: int, player: Player) -> bool:
    """The side said to have started the timer says that it was not its doing: it is void. False where it is not so."""
    turned_ms = game.timer_turned_ms
    if game.armed_ms is None or turned_ms is None or player == game.to_move or t_ms - turned_ms > WAIVE_MS:
        return False
    game.armed_ms = None
    game.say(t_ms, "notice", code="timer_waived", player=player)
    return True
