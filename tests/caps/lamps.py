"""One game at two boards at once, one with wired tilts and one with caps, and how their lamps compare."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import attrs

from firmware_bridge.inputs import TRAVELLING
from tamsk_pi.devices.base import LampFrame, Post, Tone
from tamsk_pi.devices.caps import HOLD_MS, Held, LateEdges
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.runner.desk import Desk, NoKeeper
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.trace import TraceReader

CASES: Final = Path(__file__).resolve().parents[1] / "cases"
STEP_MS: Final = 10


class Board:
    """A device that tells edges at the times they arrive; `late` (ms) by how much, 0 for a wired one."""

    def __init__(self, edges: Sequence[Edge], late: Callable[[Edge], int], settings: Settings, *, caps: bool) -> None:
        self._coming = sorted(((edge.t_ms + late(edge), n, edge) for n, edge in enumerate(edges)), reverse=True)
        self._late = LateEdges(HOLD_MS if caps else 0)
        self._caps = caps
        self._now_ms = 0
        self.posted: list[Edge] = []
        self._inputs: dict[tuple[str, str], EdgeValue] = {("socket", s): True for s in settings.occupied}
        self._inputs |= {("tilt", glass): up for glass, up in settings.up.items()}

    def run_to(self, now_ms: int) -> None:
        self._now_ms = now_ms
        while self._coming and self._coming[-1][0] <= now_ms:
            self._late.push([self._coming.pop()[2]])

    def take(self) -> list[Edge]:
        """What has been posted since it was last asked for."""
        taken, self.posted[:] = list(self.posted), []
        return taken

    def held(self) -> Held | None:
        return self._late.held(self._now_ms) if self._caps else None

    def release(self) -> Sequence[Edge]:
        return self._late.release(self._now_ms) if self._caps else ()

    def alive_at_ms(self) -> int:
        return self._late.ask(self._now_ms + (0 if self._caps else 1), self.posted.extend)

    def open(self) -> None: ...

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]:
        return self._inputs

    def start(self, post: Post) -> None: ...

    def show(self, frame: LampFrame) -> None: ...

    def sound(self, tones: Sequence[Tone]) -> None: ...

    def close(self) -> None: ...


class Box:
    """A desk and its lamps at a board."""

    def __init__(self, settings: Settings, board: Board, *, looks_ahead: bool = True) -> None:
        self.board = board
        self.desk = Desk(Session(settings), board, NoKeeper(), 0)
        self.desk.rulings += self.desk.session.advance(0)
        self._conductor = Conductor("play")
        self._told = 0
        self._looks_ahead = looks_ahead
        self.picture: Snapshot = self.desk.snapshot()
        self.certain: Snapshot = self.picture

    def round(self, now_ms: int) -> LampFrame:
        """One round of the loop, at the game's time; the lamps after it."""
        self.board.run_to(now_ms)
        for _ in range(2):
            self.desk.take_edges(self.board.take())
            self.desk.go_round(now_ms)
        self._conductor.tell(self.desk.rulings[self._told :])
        self._told = len(self.desk.rulings)
        self.certain = self.picture = self.desk.picture(now_ms)
        self._conductor.look(self.certain)
        ahead = self.desk.picture_ahead(self.certain) if self._looks_ahead else None
        if ahead is not None:
            self.picture = ahead
            self._conductor.look_ahead(ahead)
        return self._conductor.frame(now_ms, ready=True)


def essence(picture: Snapshot) -> object:
    """What lamps show of a picture that does not change by itself: no blinking, no time."""
    hands = [(glass.name, glass.in_hand, glass.socket) for glass in picture.glasses.values()]
    rights = [(right.kind, right.player, right.socket) for right in picture.rights]
    wrong = [(violation.code, violation.glass, violation.socket) for violation in picture.violations]
    return picture.phase, picture.to_move, hands, rights, wrong, dict(picture.targets), dict(picture.rings)


@attrs.frozen
class Compared:
    """What came of a game at both. Times in ms; a lag: by how much later a change of what lamps show of it came."""

    wired: list[Ruling]
    told: list[Ruling]
    lags: list[int]
    apart_ms: int
    """For so long in all the lamps differed."""
    accused_early: int
    """Rounds in which a picture named a violation, or an end, that was not certain."""
    twins: int

    def share(self, percent: int) -> int:
        """The lag that so many percent of the changes do not exceed."""
        return sorted(self.lags)[(len(self.lags) - 1) * percent // 100]


def read(name: str) -> tuple[Settings, list[Edge]]:
    """A given case's settings and edges."""
    with (CASES / f"{name}.trace.jsonl").open("rb") as stream:
        reader = TraceReader(stream)
        return reader.settings, [record for record in reader if isinstance(record, Edge)]


def lateness(seed: int, most_ms: int = 190) -> Callable[[Edge], int]:
    """By how much a cap tells late: as measured with two of five transmissions lost, 120 ms as a rule."""
    noise = random.Random(seed)

    def late(edge: Edge) -> int:
        return noise.randint(100, most_ms) if edge.kind == "tilt" and edge.name in TRAVELLING else 0

    return late


def compare(
    name: str, late: Callable[[Edge], int], *, looks_ahead: bool = True, until_ms: int | None = None
) -> Compared:
    """Play a case, or its beginning, at both boards."""
    settings, edges = read(name)
    edges = [edge for edge in edges if until_ms is None or edge.t_ms <= until_ms]
    wired = Box(settings, Board(edges, lambda edge: 0, settings, caps=False))
    capped = Box(settings, Board(edges, late, settings, caps=True), looks_ahead=looks_ahead)
    lags: list[int] = []
    apart_ms = accused = 0
    shown: object = None
    changed_ms: int | None = None
    for now_ms in range(0, edges[-1].t_ms + 2_000, STEP_MS):
        apart_ms += STEP_MS if wired.round(now_ms) != capped.round(now_ms) else 0
        wanted = essence(wired.picture)
        if wanted != shown:
            shown, changed_ms = wanted, now_ms if changed_ms is None else changed_ms
        if changed_ms is not None and essence(capped.picture) == wanted:
            lags.append(now_ms - changed_ms)
            changed_ms = None
        picture, certain = capped.picture, capped.certain
        accused += picture.violations != certain.violations or picture.result != certain.result
    return Compared(wired.desk.rulings, capped.desk.rulings, lags, apart_ms, accused, capped.desk.ahead.twins_made)
