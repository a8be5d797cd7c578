"""Random traces with everything in them: plausible handlings, rattles, raving edges, words, cut links."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tamsk_pi.referee.words import Word
from tamsk_pi.rules.board import CAPACITY, GLASSES, NEIGHBOURS, START, TIMER
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sensing.settings import Settings, Tolerance
from tamsk_pi.trace import LinkDown, LinkUp, Record
from tests.core.edges_strategy import BUSY_SOCKETS, STEPS_MS

FIELD = {"a": "N", "b": "S"}


class RandomGame:
    """Hands that play, fumble and shake things, on a board whose sensors now and then rave."""

    def __init__(self, seed: int | str) -> None:
        self.rng = rng = random.Random(seed)

        def short() -> int:
            return rng.choice((rng.randint(1_000, 20_000), 180_000))

        self.settings = Settings(
            level=rng.choice((1, 2, 3)),
            rules=rng.choice(("rulebook", "wikipedia", "schmidt1998")),
            rings=rng.choice(("stack", "stack", "holder", "buttons")),
            sockets=rng.choice(("reed", "reed", "hall")),
            tilt=rng.random() < 0.8,
            setup="free" if rng.random() < 0.15 else "corners",
            occupied=(),
            tolerance=rng.choice((Tolerance(), Tolerance(glass_ms=2_000, timer_ms=700))),
            glass_ms={g: {"a": short(), "b": short()} for g in (*GLASSES, TIMER)},
            confirm_missed_turning=rng.random() < 0.2,
        )
        if self.settings.setup == "corners":
            self.settings = Settings(
                **{f: getattr(self.settings, f) for f in ("level", "rules", "rings", "sockets", "tilt", "tolerance")},
                glass_ms=self.settings.glass_ms,
                confirm_missed_turning=self.settings.confirm_missed_turning,
            )
        self.now_ms = 0
        self.raw: dict[tuple[str, str], EdgeValue] = {("tilt", g): "a" for g in (*GLASSES, TIMER)}
        self.stands = dict(START) if self.settings.setup == "corners" else {}
        for glass, socket in self.stands.items():
            self.raw["socket", socket] = self._closed(glass)

    def _closed(self, glass: str) -> EdgeValue:
        return FIELD[str(self.raw["tilt", glass])] if self.settings.sockets == "hall" else True

    def _edge(self, kind: str, name: str, value: EdgeValue, after_ms: int | None = None) -> Iterator[Edge]:
        self.now_ms += self.rng.choice(STEPS_MS[:13]) if after_ms is None else after_ms
        for _ in range(self.rng.choice((0, 0, 0, 1, 2)) if kind == "socket" else 0):
            yield Edge(self.now_ms, kind, name, value)  # type: ignore[arg-type]
            self.now_ms += self.rng.randint(1, 8)
            yield Edge(self.now_ms, kind, name, self.raw.get((kind, name), self._nothing(kind)))  # type: ignore[arg-type]
            self.now_ms += self.rng.randint(1, 8)
        self.raw[kind, name] = value
        yield Edge(self.now_ms, kind, name, value)  # type: ignore[arg-type]

    def _nothing(self, kind: str) -> EdgeValue:
        if kind == "socket":
            return None if self.settings.sockets == "hall" else False
        return 0 if kind == "ring" else False

    def _turn(self, glass: str) -> Iterator[Edge]:
        up = "b" if self.raw["tilt", glass] == "a" else "a"
        for _ in range(self.rng.choice((0, 0, 2, 6, 12))):
            yield from self._edge(
                "tilt", glass, "b" if self.raw["tilt", glass] == "a" else "a", self.rng.randint(5, 140)
            )
        yield from self._edge("tilt", glass, up, self.rng.randint(10, 300))

    def _carry(self) -> Iterator[Edge]:
        rng = self.rng
        glass = rng.choice(GLASSES)
        home = self.stands.get(glass)
        near = NEIGHBOURS[home] if home else BUSY_SOCKETS
        to = rng.choice([s for s in near if s not in self.stands.values()] or [home or "D4"])
        if rng.random() < 0.1:
            to = rng.choice([s for s in (*BUSY_SOCKETS, home or "D4") if s not in self.stands.values() or s == home])
        if home:
            yield from self._edge("socket", home, self._nothing("socket"))
        if rng.random() < 0.85:
            yield from self._turn(glass)
        if rng.random() < 0.2 and self.settings.rings == "stack":
            yield from self._ring(to)
        if rng.random() < 0.2:
            rest = rng.choice([s for s in NEIGHBOURS[to] if s not in self.stands.values()] or [to])
            yield from self._edge("socket", rest, self._closed(glass), rng.randint(50, 400))
            yield from self._edge("socket", rest, self._nothing("socket"), rng.randint(20, 320))
        yield from self._edge("socket", to, self._closed(glass), rng.randint(100, 700))
        self.stands[glass] = to

    def _ring(self, socket: str) -> Iterator[Edge]:
        count = int(self.raw.get(("ring", socket), 0) or 0)
        count = max(0, min(CAPACITY[socket], count + self.rng.choice((1, 1, 1, -1))))
        yield from self._edge("ring", socket, count)

    def _holder(self) -> Iterator[Edge]:
        side = self.rng.choice(("red", "black"))
        left = int(self.raw.get(("holder", side), 32) or 0)
        yield from self._edge("holder", side, max(0, min(32, left + self.rng.choice((-1, -1, -1, 1, 1, -7)))))

    def _press(self) -> Iterator[Edge]:
        who = self.rng.choice(("red", "black", "red", "black", "arbiter"))
        yield from self._edge("button", who, True)
        yield from self._edge("button", who, False, self.rng.choice((40, 100, 500, 900)))

    def _rattle(self) -> Iterator[Edge]:
        kind, name, values = self.rng.choice(
            (
                ("tilt", self.rng.choice((*GLASSES, TIMER)), ("a", "b")),
                ("ring", self.rng.choice(BUSY_SOCKETS), (0, 1)),
                ("holder", "red", (32, 31)),
                ("button", "black", (True, False)),
                ("socket", self.rng.choice(BUSY_SOCKETS), (self._nothing("socket"), self._closed("R1"))),
            )
        )
        gap_ms = self.rng.choice((5, 19, 25, 60, 119, 121, 140, 149, 150, 151, 160))
        for nth in range(self.rng.choice((4, 20, 60))):
            yield from self._edge(kind, name, values[nth % 2], gap_ms)

    def _rave(self) -> Iterator[Edge]:
        socket = self.rng.choice(BUSY_SOCKETS)
        value: EdgeValue = self.rng.random() < 0.5
        if self.settings.sockets == "hall":
            value = self.rng.choice(("N", "S", None))
        yield from self._edge("socket", socket, value)

    def _cut(self) -> Iterator[Record]:
        if self.rng.random() < 0.5:
            yield Word(self.now_ms, "pause")
            for _ in range(self.rng.randint(0, 2)):
                yield from self._carry()
            self.now_ms += self.rng.choice(STEPS_MS)
            yield Word(self.now_ms, "resume")
            return
        yield LinkDown(self.now_ms)
        self.now_ms += self.rng.choice(STEPS_MS)
        closed = tuple(sorted(s for (k, s), v in self.raw.items() if k == "socket" and v not in (None, False)))
        up = {g: str(self.raw["tilt", g]) for g in (*GLASSES, TIMER)} if self.rng.random() < 0.7 else {}
        yield LinkUp(self.now_ms, closed, up)

    def records(self, acts: int = 40) -> Iterator[Record]:
        """The trace's records, in order of time."""
        for _ in range(acts):
            act = self.rng.choices(
                (
                    self._carry,
                    self._press,
                    self._rattle,
                    self._rave,
                    self._cut,
                    self._turn_any,
                    self._rings,
                    self._word,
                ),
                (12, 2, 1, 1, 1, 2, 8, 1),
            )[0]
            yield from act()
            self.now_ms += self.rng.choice(STEPS_MS)

    def _turn_any(self) -> Iterator[Edge]:
        yield from self._turn(self.rng.choice((TIMER, TIMER, TIMER, *GLASSES)))

    def _rings(self) -> Iterator[Edge]:
        socket = self.rng.choice([*self.stands.values()] or ["D4"])
        return self._holder() if self.settings.rings == "holder" else self._ring(socket)

    def _word(self) -> Iterator[Record]:
        yield Word(self.now_ms, self.rng.choice(("annul", "recheck", "accept")))
