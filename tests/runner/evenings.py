"""A live board's run driven in virtual time: hands at a virtual board, the real loop, journal and words around it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import attrs
import pytest

from tamsk_pi.app.live import Run, run
from tamsk_pi.app.simulator import table_for
from tamsk_pi.clock import VirtualClock
from tamsk_pi.commands.virtual_board import rig_maker
from tamsk_pi.devices.base import LampFrame
from tamsk_pi.referee.snapshot import Snapshot
from tamsk_pi.rules.board import GLASSES, PLAYERS, START, TIMER, Player
from tamsk_pi.runner.loop import Loop
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.sim.hands import PressLength
from tamsk_pi.sim.players import Table as Players
from tamsk_pi.sim.rig import Rig, Table

LIMIT_MS = 900_000
"""Nothing that is waited for takes longer, on the board's clock."""

SHORT_SAND = {glass: {"a": 25_000, "b": 25_000} for glass in GLASSES} | {TIMER: {"a": 4_000, "b": 4_000}}
"""Games of a minute or two."""


def settings(**more: Any) -> Settings:
    return Settings(**{"level": 1, "glass_ms": SHORT_SAND, **more})


class Evening:
    """The virtual board on the table, whatever program runs; and, in `run`, the program at it."""

    def __init__(self, folder: Path, first: Settings, seed: int = 1, *, is_empty: bool = False) -> None:
        self.folder = folder
        self.first = first
        self.clock = VirtualClock(1_000)
        table = table_for(first, Table())
        self.rig: Rig = rig_maker("matrix", diodes=True, say=pytest.fail)(
            self.clock, seed, attrs.evolve(table, standing={}) if is_empty else table
        )
        self.seed = seed
        self.said: list[str] = []
        self.frames: list[tuple[int, LampFrame]] = []
        self.loop: Loop
        shown = self.rig.show

        def show(frame: LampFrame) -> None:
            self.frames.append((self.clock.now_ms(), frame))
            del self.frames[:-200]
            shown(frame)

        self.rig.show = show  # type: ignore[method-assign]

    def run(self, mode: Literal["play", "referee"], script: Callable[[], None], **more: Any) -> None:
        """Run `play` or `referee` while `script` goes on."""

        def drive(loop: Loop) -> None:
            self.loop = loop
            script()

        given: dict[str, Any] = {"wait": False, "cut_off": "ask", "web": None, **more}
        what = Run(mode=mode, settings=self.first, folder=self.folder, clock=self.clock, drive=drive, **given)
        run(what, self.rig, self.said.append)

    # -- time

    @property
    def now_ms(self) -> int:
        return self.clock.now_ms()

    @property
    def picture(self) -> Snapshot:
        return self.loop.evening.picture(self.now_ms)

    def step(self) -> None:
        """To the next moment at which something happens."""
        self.rig.run_to(self.now_ms)
        wake_ms = self.loop.go_round()
        due = [t for t in (wake_ms, self.rig.next_ms()) if t is not None]
        self.clock.go_to(max(min(due), self.now_ms + 1))

    def go(self, ms: int) -> None:
        until_ms = self.now_ms + ms
        while self.now_ms < until_ms:
            self.step()

    def until(self, happened: Callable[[], bool]) -> None:
        limit_ms = self.now_ms + LIMIT_MS
        while not happened():
            assert self.now_ms < limit_ms, f"{self.picture.phase}: {self.picture.setup_problems}"
            self.step()

    # -- what hands do

    def play(self, until: Callable[[], bool], clumsy: float = 0.0) -> None:
        """Let two players play on until something has happened."""
        players = Players(self.rig.hands, f"{self.seed}/{self.loop.evening.games}", clumsy=clumsy)
        told = 0
        limit_ms = self.now_ms + LIMIT_MS
        while not until():
            assert self.now_ms < limit_ms, self.picture.phase
            self.rig.run_to(self.now_ms)
            wake_ms = self.loop.go_round()
            rulings = self.loop.desk.rulings
            if len(rulings) != told:
                told = len(rulings)
                players.hear(self.now_ms)
            players.act(self.loop.desk.snapshot, self.now_ms)
            due = [t for t in (wake_ms, players.next_ms(), self.rig.next_ms()) if t is not None]
            self.clock.go_to(max(min(due), self.now_ms + 1))

    def moves(self) -> int:
        return sum(ruling.kind == "move" for ruling in self.loop.desk.rulings)

    def play_moves(self, count: int) -> None:
        before = self.moves()
        self.play(lambda: self.moves() >= before + count)
        self.go(4_000)

    def is_over(self) -> bool:
        return any(r.kind == "game_over" for r in self.loop.desk.rulings)

    def resign(self, side: str) -> None:
        self.press(side, "held")
        self.until(self.is_over)

    def press(self, button: str, length: PressLength = "short", for_ms: int = 1_500) -> None:
        hand: Player = "black" if button == "black" else "red"
        self.rig.hands.press(hand, button, self.now_ms, length)
        self.go({"short": for_ms, "long": 4_000, "held": 6_000}[length])

    def press_both(self) -> None:
        for side in PLAYERS:
            self.rig.hands.hold_down(side, side, self.now_ms)
        self.go(300)
        for side in PLAYERS:
            self.rig.hands.let_go(side, side, self.now_ms)
        self.go(300)

    def clear(self) -> None:
        """Everything off the board, rings back to their holders."""
        self.rig.hands.sweep("red", self.now_ms, rings=True)
        self.go(15_000)

    def put(self, *glasses: str) -> None:
        """Set glasses into their corners, in this order."""
        for glass in glasses:
            self.rig.hands.move("red", glass, START[glass], self.now_ms, turned=False)
            self.go(2_500)

    def wait_for_game(self, number: int) -> None:
        self.until(lambda: self.loop.evening.games == number and not self.loop.evening.is_between)

    # -- what was left

    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*.trace.jsonl"))
