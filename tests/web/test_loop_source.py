"""The page's source over the real loop and referee, in virtual time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs
import pytest

from tamsk_pi.clock import VirtualClock
from tamsk_pi.devices.base import LampFrame, Post, Tone
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import GLASSES, SOCKETS, START, TIMER
from tamsk_pi.runner.loop import Loop
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.web.actions import ArbiterAction
from tamsk_pi.web.hub import Hub
from tamsk_pi.web.loop_source import LoopSource
from tamsk_pi.web.source import BoardView, GamePicture
from tests.web.scripted import ScriptedGame, plain_words

START_MS = 5_000


class StillBoard:
    """A board on which nothing moves but what a test posts; always heard unless `deaf`."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self.deaf_since_ms: int | None = None

    def open(self) -> None: ...

    def inputs(self) -> Mapping[tuple[str, str], EdgeValue]:
        closed: dict[tuple[str, str], EdgeValue] = {("socket", s): s in START.values() for s in SOCKETS}
        return closed | {("tilt", glass): "a" for glass in (*GLASSES, TIMER)}

    def start(self, post: Post) -> None: ...

    def show(self, frame: LampFrame) -> None: ...

    def sound(self, tones: Sequence[Tone]) -> None: ...

    def alive_at_ms(self) -> int:
        return self._clock.now_ms() if self.deaf_since_ms is None else self.deaf_since_ms

    def close(self) -> None: ...


class DarkConductor:
    """Lights what `ready` says, and sounds once at the first violation."""

    def __init__(self) -> None:
        self._due: list[Tone] = []

    def tell(self, rulings: Sequence[Ruling]) -> None:
        self._due += [Tone(440, 100) for ruling in rulings if ruling.kind == "violation"]

    def look(self, snapshot: Snapshot) -> None: ...

    def look_ahead(self, snapshot: Snapshot) -> None: ...

    def frame(self, now_ms: int, *, ready: bool) -> LampFrame:
        return LampFrame({"ready": ready})

    def tones(self, now_ms: int) -> Sequence[Tone]:
        due, self._due = self._due, []
        return due

    def next_change_ms(self) -> int | None:
        return None


@attrs.define
class Seen:
    pictures: list[GamePicture] = attrs.field(factory=list)
    tones: list[Tone] = attrs.field(factory=list)

    def show(self, picture: GamePicture) -> None:
        self.pictures.append(picture)

    def sound(self, tones: Sequence[Tone]) -> None:
        self.tones += tones

    def said(self) -> list[str]:
        return [ruling.kind for ruling in self.pictures[-1].rulings]


class Room:
    """Loop, board, source and who looks on, in virtual time."""

    def __init__(self, board: BoardView | None = None) -> None:
        self.clock = VirtualClock(START_MS)
        self.device = StillBoard(self.clock)
        self.view = board
        self.source = LoopSource("simulator", self.clock, board=None if board is None else self._look)
        self.loop = Loop(self.device, self.clock, lambda settings: DarkConductor(), watchers=[self.source])
        self.source.attach(self.loop)
        self.loop.begin(Settings(level=2))
        self.loop.go_round()
        self.seen = Seen()
        self.source.start(self.seen)

    def _look(self) -> BoardView:
        assert self.view is not None
        return self.view

    def go_to(self, t_ms: int) -> None:
        self.clock.go_to(START_MS + t_ms)
        self.loop.go_round()

    def move(self, at_ms: int, start: str, end: str, glass: str, up: str | None) -> None:
        edges = [Edge(START_MS + at_ms, "socket", start, False)]
        if up:
            edges.append(Edge(START_MS + at_ms + 300, "tilt", glass, up))
        edges.append(Edge(START_MS + at_ms + 700, "socket", end, True))
        self.clock.go_to(START_MS + at_ms + 700)
        self.loop.post(edges)
        self.go_to(at_ms + 1500)


def test_a_move_of_the_real_referee_is_shown() -> None:
    room = Room()
    assert room.seen.said() == ["ready", "started"]
    room.move(1000, "D1", "D2", "R2", "b")
    picture = room.seen.pictures[-1]
    assert room.seen.said()[-1] == "move"
    assert (picture.snapshot.to_move, picture.snapshot.glasses["R2"].socket) == ("black", "D2")
    assert picture.lamps.panel == {"ready": True}
    assert picture.problem is None
    assert room.source.now_ms() == 2500


def test_a_violation_sounds_and_the_arbiter_annuls_it() -> None:
    room = Room()
    room.move(1000, "D1", "D2", "R2", None)
    assert room.seen.pictures[-1].snapshot.violations[0].code == "not_flipped"
    assert room.seen.tones == [Tone(440, 100)]
    answers: list[str | None] = []
    assert room.source.arbiter is not None
    room.source.arbiter.do(ArbiterAction("annul"), answers.append)
    room.go_to(4000)
    room.go_to(4100)
    assert answers == [None]
    assert room.seen.pictures[-1].snapshot.violations == ()


def test_the_arbiter_ends_the_game() -> None:
    room = Room()
    assert room.source.arbiter is not None
    room.source.arbiter.do(ArbiterAction("end", {"winner": "black"}), lambda reason: None)
    room.go_to(1000)
    room.go_to(1100)
    snapshot = room.seen.pictures[-1].snapshot
    assert (snapshot.phase, snapshot.winner, snapshot.result) == ("over", "black", "arbiter")


def test_a_board_that_is_not_heard_is_told() -> None:
    room = Room()
    room.device.deaf_since_ms = START_MS
    room.go_to(2000)
    assert room.seen.pictures[-1].problem == "the board is not heard"
    assert room.seen.pictures[-1].lamps.panel == {"ready": False}


def test_a_loop_that_stands_still_is_not_alive() -> None:
    room = Room()
    assert room.source.alive()
    room.clock.go_to(START_MS + 1001)
    assert not room.source.alive()
    room.loop.go_round()
    assert room.source.alive()


def test_a_new_game_is_a_new_picture() -> None:
    room = Room()
    room.move(1000, "D1", "D2", "R2", "b")
    room.loop.begin(Settings(level=3, rings="holder"))
    room.loop.go_round()
    picture = room.seen.pictures[-1]
    assert (picture.game, picture.ring_mode, picture.snapshot.level) == (2, "holder", 3)
    assert room.source.now_ms() == 0


def test_a_virtual_board_is_looked_at_again_without_a_ruling() -> None:
    view = ScriptedGame(VirtualClock()).picture().board
    assert view is not None
    room = Room(view)
    shown = len(room.seen.pictures)
    room.source.look_again()
    assert len(room.seen.pictures) == shown
    room.view = attrs.evolve(view, rings={"D4": ("red",)})
    room.source.look_again()
    assert len(room.seen.pictures) == shown + 1
    assert room.seen.pictures[-1].board == room.view


def test_it_cannot_be_shown_before_its_first_round() -> None:
    source = LoopSource("play", VirtualClock())
    with pytest.raises(RuntimeError, match="gone round once"):
        source.start(Hub(plain_words, mode="play", helps=True))
