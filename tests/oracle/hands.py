"""Hands that lift, turn, carry and set down, and drop the ring of a move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tamsk_pi.witness.geometry import GLASSES, NEIGHBOURS, SOCKETS, owner
from tamsk_pi.witness.state import Glass
from tests.oracle.table import Table


@dataclass(frozen=True)
class Temper:
    """How the hands play. Probabilities, but for the pace (a factor on all pauses)."""

    name: str
    clumsy: float
    ties: float
    timer: float
    rings: float
    waits: float
    untidy: float
    pace: float


TEMPERS = (
    Temper("tidy", clumsy=0.02, ties=0.05, timer=0.25, rings=0.9, waits=0.05, untidy=0.6, pace=1.0),
    Temper("clumsy", clumsy=0.35, ties=0.1, timer=0.2, rings=0.75, waits=0.1, untidy=1.0, pace=1.0),
    Temper("dropper", clumsy=0.15, ties=0.15, timer=0.2, rings=0.5, waits=0.05, untidy=0.5, pace=0.6),
    Temper("brinkman", clumsy=0.1, ties=0.5, timer=0.5, rings=0.8, waits=0.15, untidy=0.3, pace=1.0),
    Temper("blitz", clumsy=0.03, ties=0.05, timer=0.1, rings=0.97, waits=0.01, untidy=0.5, pace=0.25),
    Temper("muddle", clumsy=0.45, ties=0.15, timer=0.3, rings=0.6, waits=0.1, untidy=1.0, pace=0.5),
)
MIN_TILT_SPACING_MS = 640
"""Rattling lasts up to 480 ms and settles in 150: changes closer together would be one."""


class Hands:
    """What hands can do on a table."""

    def __init__(self, table: Table, temper: Temper, rng: Random) -> None:
        self.table, self.temper, self.rng = table, temper, rng
        self.game = table.game
        self.level = table.settings.level

    # -- chance ------------------------------------------------------------------------------------------------------

    def _chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def _pause(self, low: int, high: int) -> int:
        return max(1, int(self.rng.randint(low, high) * self.temper.pace))

    # -- what may be moved

    def _proper_turns(self) -> int:
        return 1 if self.level >= 2 and not self._chance(0.02) else self.rng.choice((0, 0, 1, 2))

    def _legal_moves(self, side: str) -> list[tuple[str, str]]:
        found = []
        vacant = self.table.vacant()
        for name in GLASSES:
            glass = self.game.glasses[name]
            if owner(name) != side or self.table.busy_until[name] > self.table.now:
                continue
            at = self.table.at[name]
            if glass.unplaced:
                found += [(name, socket) for socket in vacant if self.game.would_be_legal(name, socket)]
            elif at is not None and (not glass.moved or not glass.sand.empty or self.level == 1):
                targets = [socket for socket in NEIGHBOURS[at] if socket in vacant and not self.game.is_full(socket)]
                found += [(name, socket) for socket in targets if not self._asks_for_another(glass)]
        return found

    def _asks_for_another(self, glass: Glass) -> bool:
        mates = [mate for mate in self.game.glasses.values() if mate.owner == glass.owner]
        return self.level >= 2 and glass.moved and any(not mate.moved for mate in mates)

    def _go_on_after(self, place_at: int) -> None:
        if self._chance(0.12):
            # Somebody begins before this is done.
            self.table.advance(max(self.table.now, place_at - self._pause(1, 900)))
        else:
            self.table.advance(place_at + self._pause(150, 2_500))

    # -- handling a glass --------------------------------------------------------------------------------------------

    def _handle(
        self,
        glass: str,
        socket: str,
        turns: int,
        start: int | None = None,
        place_at: int | None = None,
        then: Callable[[int, str], None] | None = None,
    ) -> int:
        """Lift, turn, carry and set down; the time of the placing."""
        table, rng = self.table, self.rng
        start = table.now + self._pause(50, 900) if start is None else start
        slow = self._chance(0.1)
        length = rng.randint(1_500, 6_000) if slow else rng.randint(200, 1_800)
        place_at = start + length if place_at is None else max(place_at, start + 1)
        tilts = self._tilt_times(glass, start, place_at, turns)
        table.lift(start, glass)
        for t in tilts:
            table.tilt(t, glass)
        table.place(place_at, glass, socket, then or self._after_placing)
        table.busy_until[glass] = max([place_at, *tilts]) + self._least_standing() + rng.choice((0, 0, 200, 600))
        if self._chance(0.06 + 0.2 * self.temper.clumsy):
            self._ring_before_its_glass(glass, socket, start, place_at)
        if place_at - start > 700 and self._chance(0.05 + 0.2 * self.temper.clumsy):
            self._rest_on_the_way(glass, socket, start, place_at)
        if place_at - start > 400 and self._chance(0.3 * self.temper.untidy):
            on_the_way = rng.choice(SOCKETS)
            if on_the_way != socket:
                longest = table.settings.settle_ms["socket"] - 10
                table.plan(start + 150, 6, lambda t: table.pass_over(t, on_the_way, rng.randint(15, longest)))
        if self._chance(0.03 * self.temper.untidy):
            # A strong magnet closes a second socket too, and lets it go.
            beside, offset = rng.choice(NEIGHBOURS[socket]), rng.randint(-100, 100)
            duration = rng.choice((200, 700, 3_000))
            table.plan(place_at + offset, 6, lambda t: table.pass_over(t, beside, duration))
        return place_at

    def _ring_before_its_glass(self, glass: str, socket: str, start: int, place_at: int) -> None:
        """The ring is laid, taken in hand or pressed for before the glass comes down."""
        early = self.rng.choice((1, 200, 400, self._near(1_000), self.rng.randint(1, 1_100)))
        t = max(start + 1, place_at - early) if self._chance(0.8) else start - self.rng.randint(1, 300)
        self.table.ring_early(max(t, self.table.now), place_at, socket, owner(glass))

    def _rest_on_the_way(self, glass: str, socket: str, start: int, place_at: int) -> None:
        """A moment on a neighbour, or on a socket that is full."""
        settings = self.table.settings
        full = [one for one in SOCKETS if self.game.is_full(one)]
        near = NEIGHBOURS[self.table.at[glass] or socket]
        where = self.rng.choice(full) if full and self._chance(0.3) else self.rng.choice([*near, *NEIGHBOURS[socket]])
        longest = min(settings.release_ms + 1, place_at - start - 350)
        duration = self.rng.choice((self._near(settings.settle_ms["socket"]), 200, 250))
        if self._chance(0.1):
            duration = self._near(settings.release_ms)
        if where == socket or not 0 < duration <= longest:
            return
        t = start + self.rng.randint(150, max(150, place_at - start - duration - 150))
        if duration < settings.release_ms or not self.game.is_full(where):
            self.table.plan(t, 6, lambda at: self.table.pass_over(at, where, duration))

    def _tilt_times(self, glass: str, start: int, place_at: int, turns: int) -> list[int]:
        grace, rng = self.table.settings.flip_grace_ms, self.rng
        low, high = start + 1, place_at
        times: list[int] = []
        for _ in range(turns):
            kind = rng.random()
            if kind < 0.08 and not times:
                t = start - rng.choice((0, 1, grace - 1, grace, grace + 1, rng.randint(0, grace)))
                t = max(t, self.table.now, self.table.busy_until[glass])
            elif kind < 0.2:
                t = place_at + rng.choice((0, 1, grace - 1, grace, grace + 1, rng.randint(0, grace)))
            else:
                t = rng.randint(min(low, high), high)
            if times and t < times[-1] + MIN_TILT_SPACING_MS:
                t = times[-1] + MIN_TILT_SPACING_MS
            # In a tube no glass can be turned; where the field tells which end is up, no sensor can be late to tell it.
            times.append(min(t, place_at) if self.table.settings.hall else t)
        return times

    def _after_placing(self, t: int, socket: str) -> None:
        """Drop the ring of a move, if that was one; sometimes by nearly the end of its window, or not at all."""
        rights = [right for right in self.game.move_rights if right.opened_ms == t and right.socket == socket]
        glass = next(name for name, at in self.table.at.items() if at == socket)
        if self.level == 3 and self._chance(0.04) and self.table.busy_until["N"] <= t:
            # Meant for the move that was just completed, or not.
            turned = t + self.rng.choice((self._near(self.table.settings.release_ms), 100, 250, 500))
            self.table.tilt(turned, "N")
            self.table.busy_until["N"] = turned + MIN_TILT_SPACING_MS
        if rights and self._chance(0.06):
            self._straighten(t, glass, socket)
        if (t, socket) in self.table.came_early:
            self.table.tell_early_ring(t, socket)
            return
        if not rights or not self._chance(self.temper.rings):
            return
        window, side = self.table.settings.ring_window_ms, rights[0].side
        delay = self._pause(100, 2_400)
        if self._chance(0.1 + self.temper.ties / 2):
            delay = self.rng.choice((0, 1, window - 1, window, window + 1, window + 500))
        self._drop(t + delay, socket, side)

    def _straighten(self, t: int, glass: str, socket: str) -> None:
        """The glass just moved is lifted once more and set down straight."""
        start = t + self.rng.randint(self._least_standing(), 2_900)
        self.table.lift(start, glass)
        self.table.place(start + self.rng.randint(150, 700), glass, socket)
        self.table.busy_until[glass] = max(self.table.busy_until[glass], start + 1_000)

    def _drop(self, t: int, socket: str, side: str) -> None:
        if self.table.settings.rings == "buttons":
            self.table.press(t, side, self.rng.choice((60, 200, 500)))
        else:
            self.table.ring_on(t, socket, side)

    def _any_handling(self, glass: str) -> None:
        if self.table.is_free(glass):
            self._go_on_after(self._handle(glass, self.rng.choice(self._targets()), self.rng.randint(0, 2)))

    def _least_standing(self) -> int:
        """How long a glass must stand to be seen standing, whatever its contact's bouncing."""
        return self.table.settings.settle_ms["socket"] + 75

    def _targets(self) -> list[str]:
        """Vacant sockets, seldom a full one: that would end the game."""
        vacant = self.table.vacant()
        return (
            vacant if self._chance(0.03) else [socket for socket in vacant if not self.game.is_full(socket)] or vacant
        )

    def _near(self, window_ms: int) -> int:
        """At the very edge of a window, or a millisecond beside it."""
        return window_ms + self.rng.choice((-1, 0, 0, 1))
