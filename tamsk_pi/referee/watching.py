"""The tie-break: whose glass stops last, by the model or, where that can't tell, as the players watch the last glasses.

Source: rules.md, "Levels", *Tie-break*; sensing.md, "Tolerances".
"""

from __future__ import annotations

from typing import Final

from tamsk_pi.referee import rings
from tamsk_pi.referee.game import Game
from tamsk_pi.rules.board import owner_of
from tamsk_pi.rules.tie_break import last_to_stop, too_close

TOGETHER_MS: Final = 1_000
"""Sockets of both sides that open within so long of each other tell that their glasses stopped together."""


def stops_ms(game: Game) -> dict[str, int]:
    """When each moved glass stopped (for good, where it is out) or will stop, by the model."""
    found = {}
    for glass in game.table.moved:
        held = game.held.get(glass)
        candidates = (
            game.out_ms.get(glass),
            game.doubted_ms.get(glass),
            held.stopped_ms if held else None,
            game.sand[glass].stops_at_ms,
            game.stopped_ms.get(glass),
        )
        stop_ms = next((t for t in candidates if t is not None), None)
        if stop_ms is not None:
            found[glass] = stop_ms
    return found


def break_tie(game: Game, t_ms: int) -> None:
    """Decide the tie by the model, or have the players watch the glasses between which it can't tell."""
    game.stops_ms = stops_ms(game)
    game.opened_ms = {}
    game.unwatched = {g for g in game.stops_ms if g in game.held}
    _decide(game, t_ms)


def taken_off(game: Game, t_ms: int, glass: str) -> None:
    """A glass that is watched was taken off: that tells its stop, if real sand may stray so far from the model."""
    if glass not in game.watched:
        return
    if abs(t_ms - game.stops_ms[glass]) <= game.settings.tolerance.glass_ms:
        game.opened_ms[glass] = t_ms
    game.unwatched.add(glass)
    _decide(game, t_ms)


def next_due_ms(game: Game) -> int | None:
    """When it is too late for the next watched glass to be taken off, so that the model's time counts."""
    return min((_latest_ms(game, g) for g in game.watched), default=None)


def too_late(game: Game, t_ms: int) -> None:
    """The model's time counts for the watched glasses that were not taken off in time."""
    late = [g for g in game.watched if _latest_ms(game, g) <= t_ms]
    if late:
        game.unwatched.update(late)
        _decide(game, t_ms)


def _latest_ms(game: Game, glass: str) -> int:
    return game.stops_ms[glass] + game.settings.tolerance.glass_ms


def _decide(game: Game, t_ms: int) -> None:
    watched_before = game.watched
    while True:
        stops = game.stops_ms | game.opened_ms
        near = too_close(stops, 2 * game.settings.tolerance.glass_ms)
        game.watched = tuple(g for g in near if g not in game.unwatched and _latest_ms(game, g) >= t_ms)
        if game.watched:
            if not set(game.watched) <= set(watched_before):
                game.say(t_ms, "notice", code="watch_glasses", glasses=list(game.watched))
            return
        together = _opened_together(game, stops)
        if not together:
            rings.finish(game, t_ms, last_to_stop(stops), "tie_break")
            return
        for glass in together:
            del game.stops_ms[glass]
            game.opened_ms.pop(glass, None)


def _opened_together(game: Game, stops: dict[str, int]) -> set[str]:
    """The last glasses, if they are of both sides and their sockets opened together."""
    last = max(stops, key=lambda g: stops[g], default=None)
    if last is None or last not in game.opened_ms:
        return set()
    together = {g for g, t_ms in game.opened_ms.items() if stops[last] - t_ms <= TOGETHER_MS}
    return together if len({owner_of(g) for g in together}) == 2 else set()
