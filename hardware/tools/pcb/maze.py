"""A router for two-layer boards: tracks on a grid on which KiCad's rules hold by construction.

Each net is searched for by the shortest way (A*) over both layers. A way may run over another net's at a price; that
net is then taken up and searched for anew, and the place where they met grows dearer each time, until nobody meets.
Nothing here depends on the order of sets or on time: the same board gives the same tracks.

Lengths in millimetres; y grows downwards, as in KiCad. Only the standard library is used: KiCad's own Python runs it.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections import defaultdict, deque
from dataclasses import dataclass, field

STEP = 0.3175
"""An eighth of 2.54: eight steps from pin to pin, so that two tracks fit between two pins of a plug or a chip."""

TRACK, CLEARANCE, VIA, VIA_DRILL = 0.25, 0.2, 0.6, 0.3
SPARE = 0.07
"""Added to the clearance: a slanting track passes a round pad nearer than the grid's points do."""

TO_EDGE, HOLE_TO_HOLE = 0.56, 0.28
VIA_PRICE, AGAINST_GRAIN, MEETING = 9.0, 1.25, 12.0
GROWING = 2.0
ROUNDS = 4000


@dataclass(frozen=True)
class Pad:
    """A pad or hole: centre, size, whether round, its net (0: none), its hole's diameter, and a key for its pin."""

    x: float
    y: float
    wide: float
    high: float
    round: bool
    net: int
    drill: float
    key: str
    layer: int | None = None
    """The one layer that a pad without a hole is on; None: both."""

    def distance(self, x: float, y: float) -> float:
        """From a point to the pad's edge; below 0 inside."""
        dx, dy = abs(x - self.x), abs(y - self.y)
        if self.round:
            return math.hypot(dx, dy) - self.wide / 2
        dx, dy = dx - self.wide / 2, dy - self.high / 2
        return math.hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0)


@dataclass(frozen=True)
class Track:
    net: int
    layer: int
    start: tuple[float, float]
    end: tuple[float, float]


@dataclass(frozen=True)
class Via:
    net: int
    at: tuple[float, float]


class NoWayError(Exception):
    """A net finds no way at all, or too many rounds brought no end; the text names it."""


@dataclass
class _Ways:
    """The ways of one net: runs of nodes, each node being layer x size + place."""

    runs: list[list[int]] = field(default_factory=list)


class Router:
    """Routes the nets of one board. `origin` is a point that lies on the grid, such as a pin of the largest plug."""

    def __init__(
        self,
        left: float,
        top: float,
        right: float,
        bottom: float,
        pads: list[Pad],
        origin: tuple[float, float],
        *,
        is_round: bool = False,
        bare: tuple[tuple[float, float, float, float], ...] = (),
        step: float = STEP,
        track: float = TRACK,
    ) -> None:
        """`is_round`: the box holds a round board. `bare`: boxes (left, top, right, bottom) that stay without copper.

        `step`: of the grid; `track`: how wide tracks are. Boards of parts that are soldered flat need both finer.
        """
        self._step = step
        self.track = track
        self._round = is_round
        self._bare = bare
        self._x0 = left + (origin[0] - left) % self._step
        self._y0 = top + (origin[1] - top) % self._step
        self._w = int((right - self._x0) / self._step) + 1
        self._h = int((bottom - self._y0) / self._step) + 1
        self._size = self._w * self._h
        self._box = (left, top, right, bottom)
        self._track_owner: list[int | None] = [None] * (2 * self._size)
        self._via_owner: list[int | None] = [None] * self._size
        self._inside: dict[tuple[int, str], list[int]] = defaultdict(list)
        self._border()
        for pad in pads:
            self._place(pad)
        gap = CLEARANCE + SPARE
        self._near_track = self._disc(self.track + gap)
        self._near_mixed = self._disc((self.track + VIA) / 2 + gap)
        self._near_via = self._disc(max(VIA + gap, VIA_DRILL + HOLE_TO_HOLE))
        self._track_claims: dict[int, dict[int, int]] = {}
        self._via_claims: dict[int, dict[int, int]] = {}
        self._past: dict[int, float] = defaultdict(float)
        self._routed: dict[int, _Ways] = {}

    def route(self) -> tuple[list[Track], list[Via]]:
        """Route every net; `NoWayError` where it cannot be done."""
        groups: dict[int, list[list[int]]] = defaultdict(list)
        for (net, _), nodes in sorted(self._inside.items()):
            groups[net].append(nodes)
        wanted = {net: found for net, found in groups.items() if len(found) > 1}
        queue = deque(sorted(wanted, key=lambda net: (self._span(wanted[net]), net)))
        rounds = 0
        while queue:
            rounds += 1
            if rounds > ROUNDS:
                raise NoWayError(f"{len(queue)} nets still meet others after {ROUNDS} rounds")
            net = queue.popleft()
            ways = self._reach(net, wanted[net])
            for other in self._met(net, ways):
                self._claim(other, self._routed.pop(other), -1)
                queue.append(other)
            self._routed[net] = ways
            self._claim(net, ways, 1)
        return self._drawn()

    def _point(self, place: int) -> tuple[float, float]:
        return self._x0 + place % self._w * self._step, self._y0 + place // self._w * self._step

    def _border(self) -> None:
        left, top, right, bottom = self._box
        for place in range(self._size):
            x, y = self._point(place)
            rim = min(x - left, y - top, right - x, bottom - y)
            if self._round:
                rim = (right - left) / 2 - math.hypot(x - (left + right) / 2, y - (top + bottom) / 2)
            for x1, y1, x2, y2 in self._bare:
                rim = min(rim, max(x1 - x, x - x2, y1 - y, y - y2))
            if rim < TO_EDGE + self.track / 2:
                self._track_owner[place] = self._track_owner[self._size + place] = -1
            if rim < TO_EDGE + VIA / 2:
                self._via_owner[place] = -1

    def _place(self, pad: Pad) -> None:
        plain_hole = pad.net == 0 and pad.drill >= max(pad.wide, pad.high) - 0.01
        gap = 0.28 if plain_hole else CLEARANCE + SPARE
        owner = pad.net or -1
        reach = max(pad.wide, pad.high) / 2 + gap + VIA
        first_i, last_i = self._between(pad.x - reach, pad.x + reach, self._x0, self._w)
        first_j, last_j = self._between(pad.y - reach, pad.y + reach, self._y0, self._h)
        for j in range(first_j, last_j):
            for i in range(first_i, last_i):
                place = j * self._w + i
                x, y = self._point(place)
                far = pad.distance(x, y)
                layers = (0, 1) if pad.layer is None else (pad.layer,)
                if far < gap + self.track / 2:
                    for layer in layers:
                        self._own(self._track_owner, layer * self._size + place, owner)
                if far < gap + VIA / 2:
                    self._own(self._via_owner, place, owner)
                if pad.drill and math.hypot(x - pad.x, y - pad.y) < (pad.drill + VIA_DRILL) / 2 + HOLE_TO_HOLE:
                    self._via_owner[place] = -1
                if pad.layer is not None and far < gap + VIA / 2:
                    # No via in or at a pad that is soldered flat: it would draw the solder in.
                    self._via_owner[place] = -1
                if pad.net and far < -0.2:
                    nodes = [layer * self._size + place for layer in layers]
                    if free := [node for node in nodes if self._track_owner[node] == pad.net]:
                        self._inside[pad.net, pad.key] += free

    def _between(self, low: float, high: float, zero: float, count: int) -> tuple[int, int]:
        return max(0, math.ceil((low - zero) / self._step)), min(count, math.floor((high - zero) / self._step) + 1)

    @staticmethod
    def _own(owners: list[int | None], place: int, owner: int) -> None:
        owners[place] = owner if owners[place] in (None, owner) else -1

    def _disc(self, radius: float) -> list[tuple[int, int]]:
        n = int(radius / self._step) + 1
        near = [(dx, dy) for dy in range(-n, n + 1) for dx in range(-n, n + 1)]
        return [(dx, dy) for dx, dy in near if math.hypot(dx, dy) * self._step < radius - 1e-6]

    def _around(self, place: int, disc: list[tuple[int, int]]) -> list[int]:
        i, j = place % self._w, place // self._w
        w, h = self._w, self._h
        return [(j + dy) * w + i + dx for dx, dy in disc if 0 <= i + dx < w and 0 <= j + dy < h]

    def _span(self, groups: list[list[int]]) -> int:
        places = [node % self._size for group in groups for node in group]
        across = [place % self._w for place in places]
        along = [place // self._w for place in places]
        return max(across) - min(across) + max(along) - min(along)

    def _claim(self, net: int, ways: _Ways, amount: int) -> None:
        size = self._size
        for is_via, node in self._spots(ways):
            layer, place = divmod(node, size)
            if is_via:
                for near in self._around(place, self._near_mixed):
                    self._count(self._track_claims, near, net, amount)
                    self._count(self._track_claims, size + near, net, amount)
                for near in self._around(place, self._near_via):
                    self._count(self._via_claims, near, net, amount)
            else:
                for near in self._around(place, self._near_track):
                    self._count(self._track_claims, layer * size + near, net, amount)
                for near in self._around(place, self._near_mixed):
                    self._count(self._via_claims, near, net, amount)

    @staticmethod
    def _count(claims: dict[int, dict[int, int]], node: int, net: int, amount: int) -> None:
        at = claims.setdefault(node, {})
        left = at.get(net, 0) + amount
        if left:
            at[net] = left
        else:
            del at[net]
            if not at:
                del claims[node]

    def _spots(self, ways: _Ways) -> list[tuple[bool, int]]:
        """Every node that a way takes: (True, place) for a via, (False, node) for a piece of track."""
        spots = []
        for run in ways.runs:
            for first, second in itertools.pairwise(run):
                if first // self._size != second // self._size:
                    spots.append((True, first % self._size))
                else:
                    spots += [(False, first), (False, second)]
        return spots

    def _met(self, net: int, ways: _Ways) -> list[int]:
        met: set[int] = set()
        for is_via, node in self._spots(ways):
            claims = self._via_claims if is_via else self._track_claims
            others = [other for other in claims.get(node, ()) if other != net]
            if others:
                self._past[node if not is_via else -node - 1] += GROWING
                met.update(others)
        return sorted(met)

    def _reach(self, net: int, groups: list[list[int]]) -> _Ways:
        ordered = sorted(groups)
        tree = set(ordered[0])
        left = ordered[1:]
        ways = _Ways()
        while left:
            owner = {node: n for n, group in enumerate(left) for node in group}
            run = self._search(net, sorted(tree), owner)
            ways.runs.append(run)
            tree.update(run)
            tree.update(left[owner[run[0]]])
            del left[owner[run[0]]]
        return ways

    def _search(self, net: int, sources: list[int], targets: dict[int, int]) -> list[int]:
        """The cheapest way from any source to any target, as nodes from the target back."""
        size, w, h = self._size, self._w, self._h
        owners, vias = self._track_owner, self._via_owner
        claims, via_claims, past = self._track_claims, self._via_claims, self._past
        xs = [node % size % w for node in targets]
        ys = [node % size // w for node in targets]
        x1, x2, y1, y2 = min(xs), max(xs), min(ys), max(ys)

        def ahead(place: int) -> float:
            i, j = place % w, place // w
            a, b = max(x1 - i, 0, i - x2), max(y1 - j, 0, j - y2)
            return max(a, b) + 0.414 * min(a, b)

        best = dict.fromkeys(sources, 0.0)
        back: dict[int, int] = {}
        heap = [(ahead(node % size), node) for node in sources]
        heapq.heapify(heap)
        done: set[int] = set()
        while heap:
            _, node = heapq.heappop(heap)
            if node in done:
                continue
            done.add(node)
            if node in targets:
                run = [node]
                while run[-1] in back:
                    run.append(back[run[-1]])
                return run
            layer, place = divmod(node, size)
            i, j = place % w, place // w
            here = best[node]
            base = layer * size
            for dx, dy, length in _STEPS[layer]:
                if not (0 <= i + dx < w and 0 <= j + dy < h):
                    continue
                to = place + dy * w + dx
                owner = owners[base + to]
                if owner is not None and owner != net:
                    continue
                target = base + to
                if target in done:
                    continue
                cost = here + length
                at = claims.get(target)
                if at:
                    cost += (MEETING + past.get(target, 0.0)) * (len(at) - (net in at))
                if cost < best.get(target, math.inf):
                    best[target], back[target] = cost, node
                    heapq.heappush(heap, (cost + ahead(to), target))
            if vias[place] in (None, net):
                target = (1 - layer) * size + place
                if target not in done and owners[place] in (None, net) and owners[size + place] in (None, net):
                    cost = here + VIA_PRICE
                    at = via_claims.get(place)
                    if at:
                        cost += (MEETING + past.get(-place - 1, 0.0)) * (len(at) - (net in at))
                    if cost < best.get(target, math.inf):
                        best[target], back[target] = cost, node
                        heapq.heappush(heap, (cost + ahead(place), target))
        raise NoWayError(f"net {net} finds no way")

    def _drawn(self) -> tuple[list[Track], list[Via]]:
        tracks: list[Track] = []
        vias: list[Via] = []
        seen: set[tuple[int, int]] = set()
        for net in sorted(self._routed):
            for run in self._routed[net].runs:
                start = run[0]
                for n, (first, second) in enumerate(itertools.pairwise(run)):
                    if first // self._size != second // self._size:
                        if (net, first % self._size) not in seen:
                            seen.add((net, first % self._size))
                            vias.append(Via(net, self._point(first % self._size)))
                        start = second
                    elif n == len(run) - 2 or run[n + 2] - second != second - first:
                        layer = first // self._size
                        tracks.append(
                            Track(net, layer, self._point(start % self._size), self._point(second % self._size))
                        )
                        start = second
        return tracks, vias


_STEPS = [
    [
        (dx, dy, math.hypot(dx, dy) * (AGAINST_GRAIN if (dy if layer == 0 else dx) else 1.0))
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if dx or dy
    ]
    for layer in (0, 1)
]
"""Steps to the eight neighbours and their price: the upper layer prefers to run across, the lower one along."""
