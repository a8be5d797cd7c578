"""Sand that runs, stops and is turned over, and the 15-second timer.

Source: rules.md, "Levels", *Sand*, and "The 15-second timer (level 3)"; sensing.md, "Tolerances".
"""

from __future__ import annotations

from tamsk_pi.referee.game import Game, Held
from tamsk_pi.rules.board import GLASSES, TIMER, opponent
from tamsk_pi.rules.sand import Sand
from tamsk_pi.sensing.gestures import Lift, Place


def next_stop_ms(game: Game) -> int | None:
    """When the next travelling glass stops that is not out yet."""
    return min((stop for _, stop in _stops(game)), default=None)


def _stops(game: Game) -> list[tuple[str, int]]:
    found = []
    for glass in GLASSES:
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


def turn(game: Game, t_ms: int, glass: str) -> None:
    """A travelling glass was turned over; its sand moves at that time."""
    game.turns_later_ms.pop(glass, None)
    game.sand[glass] = game.sand[glass].turned(t_ms)


def lift(game: Game, gesture: Lift, before_lift: Sand | None) -> Held:
    """Judge whether a glass still runs as it is lifted; `before_lift` is its sand before a turning of this handling."""
    t_ms, glass = gesture.t_ms, gesture.glass
    sand = before_lift or game.sand[glass]
    doubted_ms = game.doubted_ms.pop(glass, None)
    if glass in game.out_ms:
        ran = False
    elif doubted_ms is not None:
        ran = True
        game.say(t_ms, "notice", code="close_call", glass=glass, stopped_ms=doubted_ms)
    else:
        ran = sand.stops_at_ms is not None and t_ms <= sand.stops_at_ms + game.settings.tolerance.glass_ms
    held = Held(t_ms, gesture.socket, gesture.up, sand, ran, stopped_ms=doubted_ms)
    game.held[glass] = held
    return held


def settle_sand(game: Game, place: Place, held: Held) -> None:
    """Put a placed glass's sand right where no tilt sensor told, or the field in the socket knows better."""
    if place.sand == "turned_midway":
        game.sand[place.glass] = held.sand.turned((held.lifted_ms + place.t_ms) // 2)
    elif place.sand == "never_turned":
        game.sand[place.glass] = held.sand
    if place.late_turn_ms is not None:
        game.turns_later_ms[place.glass] = place.late_turn_ms


def end_handling(game: Game, place: Place, held: Held, *, moved: bool) -> None:
    """Settle what a stop in the hand means once it is known whether the handling completed a move.

    Without a move a moved glass is out. With one it is not, but it stays where it is all the same if it was not
    turned over after it had stopped: nothing runs in it that it could be moved with again.
    """
    glass, stopped_ms = place.glass, held.stopped_ms
    if stopped_ms is None or glass in game.out_ms or not (moved or glass in game.table.moved):
        return
    runs_again = game.sand[glass].stops_at_ms is not None or place.late_turn_ms is not None
    if not moved or not runs_again:
        _doubt(game, place.t_ms, glass, stopped_ms)


def expiry_ms(game: Game) -> int | None:
    """When the armed timer is ruled to have run out: later than the model says by as much as real sand strays."""
    return None if game.armed_ms is None else game.armed_ms + game.settings.tolerance.timer_ms


def turn_timer(game: Game, t_ms: int, *, playing: bool) -> None:
    """The timer was turned over: armed against the side to move if it was empty, else a violation that voids it.

    Turned within the tolerance of its own end it is given the benefit of the doubt.
    """
    sand = game.sand[TIMER]
    left_ms = sand.left_ms(t_ms)
    tolerance_ms = game.settings.tolerance.timer_ms
    if left_ms > tolerance_ms:
        game.sand[TIMER] = sand.turned(t_ms)
        game.armed_ms = None
        if playing:
            game.say(t_ms, "violation", code="timer_running", player=opponent(game.to_move))
        return
    game.sand[TIMER] = sand.filled(t_ms)
    if not playing or game.mends:
        return
    if left_ms > 0:
        game.say(t_ms, "notice", code="close_call", glass=TIMER, stopped_ms=t_ms + left_ms)
    game.armed_ms = game.sand[TIMER].stops_at_ms
    game.say(t_ms, "timer_started", player=opponent(game.to_move))
