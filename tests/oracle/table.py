"""A table to play on: hands' acts become edges that bounce and rattle, and are told to a game as they happen.

The game here only lets the players see what they do; what must be ruled is always read from the finished trace.
"""

from __future__ import annotations

import heapq
from bisect import insort
from collections.abc import Callable
from random import Random
from typing import Any

from tamsk_pi.witness.acts import Act
from tamsk_pi.witness.game import Game
from tamsk_pi.witness.geometry import CAPACITY, CORNERS, GLASSES, SIDES, SOCKETS
from tamsk_pi.witness.settings import Settings
from tamsk_pi.witness.suppose import Supposed
from tamsk_pi.witness.which_glass import choose_glass
from tests.oracle.trouble import Trouble

FIELD_OF_END = {"a": "N", "b": "S"}


class Table(Trouble):
    """The glasses and rings as they really lie, the clock, and the edges so far."""

    def __init__(self, settings: Settings, rng: Random, untidy: float) -> None:
        self.settings, self.rng, self.untidy = settings, rng, untidy
        self.game = Game(settings, supposed=Supposed(foresees=False))
        self.now = 0
        self.at: dict[str, str | None] = dict.fromkeys(GLASSES) if settings.free else dict(CORNERS)
        self.up = dict(settings.up)
        self.rings = dict.fromkeys(SOCKETS, 0)
        self.holders = dict.fromkeys(SIDES, 32)
        self.edges: list[dict[str, Any]] = []
        self.acts: list[Act] = []
        self.busy_until: dict[str, int] = dict.fromkeys((*GLASSES, "N"), 0)
        self.hand: list[str] = []
        self.tilted: set[str] = set()
        self.instead: dict[str, str] = {}
        self.obliging = rng.random() < 0.9
        self.pressed_until = dict.fromkeys(SIDES, 0)
        self.came_early: dict[tuple[int, str], str] = {}
        """Rings that came before their glass, by that glass's placing: whose."""
        self.is_sly = False
        """The sensors told of things that no hand did."""
        self.is_lost = False
        """What was done while nobody watched is more than one move: what is ruled after it nobody can say."""
        self._queue: list[tuple[int, int, int, Callable[[int], None]]] = []
        self._queued = 0

    # -- time --------------------------------------------------------------------------------------------------------

    def advance(self, until: int) -> None:
        """Let everything that was planned up to `until` happen."""
        while self._queue and self._queue[0][0] <= until:
            t, _, _, act = heapq.heappop(self._queue)
            self.now = t
            act(t)
        self.now = max(self.now, until)
        self.game.run_before(self.now)

    def drain(self) -> None:
        """Let everything that was planned happen."""
        while self._queue:
            self.advance(self._queue[0][0])

    def plan(self, t: int, order: int, act: Callable[[int], None]) -> None:
        """Plan an act; `order` as in sensing.md for acts at one instant."""
        self._queued += 1
        heapq.heappush(self._queue, (max(t, self.now), order, self._queued, act))

    # -- looking -----------------------------------------------------------------------------------------------------

    def is_free(self, glass: str) -> bool:
        """Standing, and nothing planned with it."""
        return self.busy_until[glass] <= self.now and self.at[glass] is not None

    def vacant(self) -> list[str]:
        """Sockets no glass stands in."""
        taken = set(self.at.values())
        return [socket for socket in SOCKETS if socket not in taken]

    # -- acts --------------------------------------------------------------------------------------------------------

    def lift(self, t: int, glass: str) -> None:
        """Plan to lift a glass."""
        self.plan(t, 1, lambda at: self._lift(at, glass))

    def place(self, t: int, glass: str, socket: str, then: Callable[[int, str], None] | None = None) -> None:
        """Plan to set a glass down; if the socket is taken by then, in another."""
        self.plan(t, 2, lambda at: self._place(at, glass, socket, then))

    def tilt(self, t: int, glass: str) -> None:
        """Plan a change of a glass's tilt sensor."""
        if glass != "N":
            insort(self.game.tilts[glass], max(t, self.now))
        self.plan(t, 0, lambda at: self._tilt(at, glass))

    def ring_on(self, t: int, socket: str, side: str) -> None:
        """Plan to drop a ring from a side's holder."""
        self.plan(t, 3, lambda at: self._ring(at, socket, side, 1))

    def ring_off(self, t: int, socket: str, side: str) -> None:
        """Plan to take a ring back to a side's holder."""
        self.plan(t, 3, lambda at: self._ring(at, socket, side, -1))

    def press(self, t: int, side: str, duration: int) -> None:
        """Plan to press a button for a while."""
        t = max(t, self.pressed_until[side])
        self.pressed_until[side] = t + duration + 100
        self.plan(t, 5, lambda at: self._press(at, side, duration))

    def ring_early(self, t: int, place_at: int, socket: str, side: str) -> None:
        """Plan to lay a ring, to take it in hand or to press for it before its glass comes to `socket`."""
        mode = self.settings.rings
        if mode == "holder":
            self.ring_on(t, socket, side)
        elif mode == "buttons":
            self.press(t, side, self.rng.choice((60, 300, 790)))
        else:
            self.plan(t, 3, lambda at: self._lay_untold(at, socket, side, place_at))

    def _lay_untold(self, t: int, socket: str, side: str, place_at: int) -> None:
        if self._ring_edges(t, socket, side, 1):
            self.came_early[place_at, socket] = side
            self.acts.append(Act(t, "ring_on", (socket,)))

    def tell_early_ring(self, t: int, socket: str) -> None:
        """The glass has come for which a ring lies there."""
        del self.came_early[t, socket]
        self.game.ring_on(t, socket)

    def _lift(self, t: int, glass: str) -> None:
        socket = self.at[glass]
        if socket is None:
            return
        self.at[glass] = None
        self.hand.append(glass)
        self.tilted.discard(glass)
        self._socket_edges(t, socket, None)
        self.tell(Act(t, "lift", (glass,)))

    def _place(self, t: int, glass: str, socket: str, then: Callable[[int, str], None] | None) -> None:
        glass = self.instead.pop(glass, glass)
        if self.at[glass] is not None:
            return
        if self.obliging:
            glass = self._as_it_will_be_seen(glass, socket)
        if socket in self.at.values():
            socket = self.rng.choice(self.vacant())
        self.at[glass] = socket
        if glass in self.hand:
            self.hand.remove(glass)
        self._socket_edges(t, socket, self.up[glass])
        field = (self.up[glass],) if self.settings.hall else ()
        self.tell(Act(t, "place", (glass, socket, *field)))
        if then is not None:
            then(t, socket)

    def _as_it_will_be_seen(self, glass: str, socket: str) -> str:
        """With several in hand the board takes one of them: set that one down, and the meant one in its stead.

        Otherwise the board and the hands soon disagree about every glass, and a game is no longer a game.
        """
        taken = glass
        if len(self.hand) > 1:
            taken = choose_glass(self.game, self.hand, self.tilted, socket, self.now)[0]
        if taken != glass:
            self.instead[taken] = glass
        return taken

    def _tilt(self, t: int, glass: str) -> None:
        old = self.up[glass]
        self.up[glass] = "b" if old == "a" else "a"
        if glass in self.hand:
            self.tilted.add(glass)
        if self.settings.tilt or glass == "N":
            self._bounce(t, {"tilt": glass}, "up", self.up[glass], old, longest=60, at_most=4)
            self.tell(Act(t, "turn_timer") if glass == "N" else Act(t, "tilt", (glass,)))

    def _ring(self, t: int, socket: str, side: str, change: int) -> None:
        if self._ring_edges(t, socket, side, change):
            if self.settings.rings == "stack":
                self.tell(Act(t, "ring_on" if change > 0 else "ring_off", (socket,)))
            elif self.settings.rings == "holder":
                self.tell(Act(t, "holder_taken" if change > 0 else "holder_returned", (side,)))

    def _ring_edges(self, t: int, socket: str, side: str, change: int) -> bool:
        if not 0 <= self.rings[socket] + change <= CAPACITY[socket] or not 0 <= self.holders[side] - change <= 32:
            return False
        count = self.rings[socket] = self.rings[socket] + change
        left = self.holders[side] = self.holders[side] - change
        if self.settings.rings == "stack":
            self._bounce(t, {"ring": socket}, "count", count, count - change, longest=40, at_most=2)
        elif self.settings.rings == "holder":
            self._bounce(t, {"holder": side}, "count", left, left + change, longest=40, at_most=2)
        return True

    def _press(self, t: int, side: str, duration: int) -> None:
        self._bounce(t, {"button": side}, "down", True, False, longest=8, at_most=2)
        self._bounce(t + duration, {"button": side}, "down", False, True, longest=8, at_most=2)
        if duration >= 3000:
            self.plan(t + 3000, 5, lambda at: self.tell(Act(at, "resign", (side,))))
        else:
            self.tell(Act(t, "press", (side, duration >= 800)))

    def tell(self, act: Act) -> None:
        """Let the game see an act."""
        self.acts.append(act)
        if self.game.is_blind and act.kind != "see_again":
            self.is_lost = True
            return
        getattr(self.game, act.kind)(act.t, *act.args)

    # -- edges -------------------------------------------------------------------------------------------------------

    def _socket_edges(self, t: int, socket: str, up: str | None) -> None:
        new = self._socket_value(up)
        away = self._socket_value(None)
        old = self._socket_value(self.rng.choice("ab")) if up is None else away
        if up is None and self.settings.hall:
            old = next((edge["field"] for edge in reversed(self.edges) if edge.get("socket") == socket), None)
        key = "field" if self.settings.hall else "closed"
        self._bounce(t, {"socket": socket}, key, new, old, longest=12, at_most=3)
        if up is not None and self.rng.random() < 0.1 * self.untidy:
            # It hovers: a first touch just before, let go again.
            let_go = t - self.settings.gap_ms["socket"] - self.rng.randint(0, 40)
            touch = let_go - self.rng.randint(10, 70)
            self.edges += [{"t": touch, "socket": socket, key: new}, {"t": let_go, "socket": socket, key: away}]

    def _socket_value(self, up: str | None) -> Any:
        if self.settings.hall:
            return None if up is None else FIELD_OF_END[up]
        return up is not None

    def _bounce(self, t: int, name: dict[str, str], key: str, new: Any, old: Any, longest: int, at_most: int) -> None:
        self.edges.append({"t": t, **name, key: new})
        if self.rng.random() < 0.5 * self.untidy:
            for _ in range(self.rng.randint(1, at_most)):
                back = t + self.rng.randint(1, longest)
                t = back + self.rng.randint(1, longest)
                self.edges += [{"t": back, **name, key: old}, {"t": t, **name, key: new}]

    def make_noise(self, t: int, socket: str, edges: int) -> None:
        """A contact chatters, more often than forty times a second; it may end the other way round."""
        key = "field" if self.settings.hall else "closed"
        stands = next((name for name, at in self.at.items() if at == socket), None)
        self.is_sly = True
        here, other = self._socket_value(self.up[stands] if stands else None), self._socket_value(None)
        if other == here:
            other = self._socket_value("a")
        for index in range(edges + edges % 2 if stands else edges):
            self.edges.append({"t": t + 20 * index, "socket": socket, key: (other, here)[index % 2]})

    def is_quiet(self) -> bool:
        """All glasses stand, nothing is to be mended, nothing is planned."""
        game = self.game
        standing = all(self.at.values()) and all(until <= self.now for until in self.busy_until.values())
        return standing and not self._queue and not any(glass.violation for glass in game.glasses.values())

    def is_quiet_but_for_plans(self) -> bool:
        """All glasses stand, and nothing is to be mended."""
        wrong = any(glass.violation for glass in self.game.glasses.values())
        return all(self.at.values()) and all(until <= self.now for until in self.busy_until.values()) and not wrong

    def pass_over(self, t: int, socket: str, duration: int) -> None:
        """A magnet carried over an empty socket closes it for a moment, too short to settle."""
        if socket in self.at.values():
            return
        self.is_sly |= duration >= self.settings.settle_ms["socket"]
        key = "field" if self.settings.hall else "closed"
        value = self._socket_value(self.rng.choice("ab"))
        self.edges += [
            {"t": t, "socket": socket, key: value},
            {"t": t + duration, "socket": socket, key: self._socket_value(None)},
        ]

    def flicker(self, t: int, socket: str, duration: int) -> None:
        """A standing glass's contact opens for a moment, too short to settle."""
        if socket not in self.at.values():
            return
        self.is_sly |= duration >= self.settings.settle_ms["socket"]
        key = "field" if self.settings.hall else "closed"
        glass = next(name for name, at in self.at.items() if at == socket)
        self.edges += [
            {"t": t, "socket": socket, key: self._socket_value(None)},
            {"t": t + duration, "socket": socket, key: self._socket_value(self.up[glass])},
        ]

    def lines(self) -> list[dict[str, Any]]:
        """The edges in order, without those that tell nothing new."""
        last: dict[tuple[str, str], Any] = {}
        kept = []
        dark = False
        for edge in sorted(self.edges, key=lambda one: int(one["t"])):
            if "arbiter" in edge:
                kept.append(edge)
                continue
            if "link" in edge:
                kept.append(edge)
                dark = edge["link"] == "down"
                if not dark:
                    last.update(self.told_by_snapshot(edge))
                continue
            if dark:
                continue
            kind = next(kind for kind in ("socket", "tilt", "ring", "holder", "button") if kind in edge)
            value = next(edge[key] for key in ("closed", "field", "up", "count", "down") if key in edge)
            before = last.get((kind, edge[kind]), self._initial(kind, edge[kind]))
            if edge["t"] >= 0 and value != before:
                kept.append(edge)
                last[kind, edge[kind]] = value
        return kept

    def _initial(self, kind: str, name: str) -> Any:
        if kind == "tilt":
            return self.settings.up[name]
        if kind == "ring":
            return 0
        if kind == "holder":
            return 32
        if kind == "button":
            return False
        stands = None if self.settings.free else next((glass for glass, at in CORNERS.items() if at == name), None)
        return self._socket_value(self.settings.up[stands] if stands else None)
