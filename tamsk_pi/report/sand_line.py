"""The line that a glass's sand draws over a game, from the model's states as they are seen one after the other."""

from __future__ import annotations

from tamsk_pi.report.facts import SandPoint
from tamsk_pi.rules.sand import Sand

_ROUNDING_MS = 2
"""By how much whole milliseconds may make a turning's time miss the sand it left."""


def turned_at_ms(old: Sand, new: Sand) -> int | None:
    """When a glass was turned over, told by its sand before and after; None where no turning leads there.

    Above lay `stops - t` of a full `full`; the turning at t left the rest of it: one equation for t.
    """
    if old.up == new.up or new.stops_at_ms is None:
        return None
    old_full, new_full = old.full_ms[old.up], new.full_ms[new.up]
    candidates = [new.stops_at_ms - new_full]
    if old.stops_at_ms is not None:
        ratio = new_full / old_full
        candidates.append(round((new.stops_at_ms - new_full + ratio * old.stops_at_ms) / (1 + ratio)))
    for t_ms in candidates:
        after = old.turned(t_ms).stops_at_ms
        if t_ms >= 0 and after is not None and abs(after - new.stops_at_ms) <= _ROUNDING_MS:
            return t_ms
    return None


class SandLine:
    """Follows one glass. `look` at it whenever something may have changed; times do not go back."""

    def __init__(self, sand: Sand, t_ms: int) -> None:
        self._sand = sand
        self._points = [SandPoint(t_ms, sand.left_ms(t_ms))]

    def look(self, sand: Sand, now_ms: int) -> None:
        """This is its sand now."""
        old = self._sand
        if sand == old:
            return
        if sand.stops_at_ms is None and old.stops_at_ms is not None and old.stops_at_ms <= now_ms:
            self._run_to(max(old.stops_at_ms, self._points[-1].t_ms))
        else:
            told_ms, last_ms = turned_at_ms(old, sand), self._points[-1].t_ms
            t_ms = told_ms if told_ms is not None and last_ms <= told_ms <= now_ms else now_ms
            self._run_to(t_ms)
            self._add(t_ms, sand.left_ms(t_ms))
        self._sand = sand

    def points(self, end_ms: int) -> tuple[SandPoint, ...]:
        """The corners of the line up to the end."""
        self._run_to(max(end_ms, self._points[-1].t_ms))
        return tuple(self._points)

    def _run_to(self, t_ms: int) -> None:
        stop_ms = self._sand.stops_at_ms
        if stop_ms is not None and self._points[-1].t_ms < stop_ms < t_ms:
            self._add(stop_ms, 0)
        self._add(t_ms, self._sand.left_ms(t_ms))

    def _add(self, t_ms: int, left_ms: int) -> None:
        if self._points[-1] != (point := SandPoint(t_ms, left_ms)):
            self._points.append(point)
