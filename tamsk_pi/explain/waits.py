"""The settle times, windows and deadlines that applied to a ruling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tamsk_pi.explain.moment import Moment
from tamsk_pi.referee.game import Right
from tamsk_pi.referee.placing import CONFIRM_MS
from tamsk_pi.referee.referee import OFF_BOARD_MS
from tamsk_pi.rules.board import TIMER, opponent
from tamsk_pi.sensing.gestures import Press
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.sensing.settle import NOISY_WINDOW_MS, WEAK_WINDOW_MS

Wait = dict[str, object]
"""`what` it is, and as far as they apply: its length `ms`, `from_ms`, `until_ms` (null: only an act ends it), and the
`kind` and `input`, the `player`, the `socket` that it is about."""

_ABOUT_RINGS: Final = ("ring_not_due", "ring_removed")
_ABOUT_CONFIRMING: Final = ("turning_not_seen", "turning_confirmed")


def waits_of(moment: Moment) -> Iterator[Wait]:
    """Each wait once, those of the sensors first."""
    settings = moment.settings
    ruling, before = moment.ruling, moment.before
    unsettled = ruling.get("code") in ("noisy", "weak")
    settling = (burst for burst in moment.bursts if burst.kind in settings.settle_ms)
    for burst in () if unsettled else settling:
        settle_ms = settings.settle_ms[burst.kind]
        until_ms = burst.last_ms + settle_ms
        about = {"kind": burst.kind, "input": burst.name, "ms": settle_ms}
        yield {"what": "settle", **about, "from_ms": burst.first_ms, "until_ms": until_ms}
    if ruling.get("code") == "noisy":
        yield {"what": "noisy", "ms": NOISY_WINDOW_MS}
    if ruling.get("code") == "weak":
        yield {"what": "weak", "ms": WEAK_WINDOW_MS}
    if isinstance(moment.cause, Press):
        yield {"what": "press"}
    handling = moment.handling
    if handling is not None and handling.placed_ms is not None and settings.senses_tilt:
        grace_ms = settings.flip_grace_ms
        from_ms, until_ms = handling.lifted_ms - grace_ms, handling.placed_ms + grace_ms
        yield {"what": "flip_grace", "ms": grace_ms, "from_ms": max(0, from_ms), "until_ms": until_ms}
    if ruling.kind == "ring" or ruling.get("code") in _ABOUT_RINGS:
        for opening in moment.opened:
            yield {"what": "opened", "player": opening.player, "socket": opening.socket, "from_ms": opening.placed_ms}
        for ended in moment.ended:
            yield {**_right(ended.right), "until_ms": ended.ended_ms}
        yield from (_right(right) for right in before.rights)
        if not before.rights:
            yield {"what": "no_right"}
    if ruling.kind in ("timer_started", "timeout", "forfeit"):
        yield from _timer(moment, settings)
    if _rests_on_sand(moment) and (settings.tolerance.glass_ms or settings.tolerance.timer_ms):
        about_timer = ruling.get("glass") == TIMER or ruling.kind in ("timeout", "forfeit", "violation")
        ms = settings.tolerance.timer_ms if about_timer and ruling.get("code") != "stopped_glass" else None
        yield {"what": "tolerance", "ms": settings.tolerance.glass_ms if ms is None else ms}
    if ruling.get("code") in _ABOUT_CONFIRMING or moment.was_asked:
        yield {"what": "confirm", "ms": CONFIRM_MS}
    if ruling.get("code") == "glass_off_board":
        yield {"what": "off_board", "ms": OFF_BOARD_MS}


def _right(right: Right) -> Wait:
    socket = {} if right.socket is None else {"socket": right.socket}
    bounds = {"from_ms": right.opened_ms, "until_ms": right.closes_ms}
    return {"what": right.kind, "player": right.player, **socket, **bounds}


def _timer(moment: Moment, settings: Settings) -> Iterator[Wait]:
    before, ruling = moment.before, moment.ruling
    if ruling.kind == "timer_started":
        player = ruling.get("player")
        against = opponent("red" if player == "red" else "black")
        sand = before.sand[TIMER].filled(ruling.t_ms)
        until_ms = (sand.stops_at_ms or 0) + settings.tolerance.timer_ms
        yield {"what": "timer", "player": against, "from_ms": ruling.t_ms, "until_ms": until_ms}
    elif before.armed_ms is not None:
        sand = before.sand[TIMER]
        from_ms = before.armed_ms - sand.full_ms[sand.up]
        yield {"what": "timer", "player": before.to_move, "from_ms": from_ms, "until_ms": before.expires_ms}


def _rests_on_sand(moment: Moment) -> bool:
    ruling = moment.ruling
    return (
        ruling.kind in ("glass_stopped", "timeout", "forfeit")
        or ruling.get("code") in ("close_call", "stopped_glass", "timer_running", "watch_glasses")
        or ruling.get("reason") == "tie_break"
    )
