"""The engine: nodes a second, time to depth 8 at the start, moves at 100 ms, and what a board feels of it.

Beside it, where python-chess is installed, the same search written on that library's board in chess.
"""

from __future__ import annotations

import importlib
import resource
import statistics
import time
from collections.abc import Iterator
from typing import Any, Final

from tamsk_pi.app.simulator import table_for
from tamsk_pi.clock import MonotonicClock
from tamsk_pi.config.profile import load_profile
from tamsk_pi.engine.situation import Situation
from tamsk_pi.engine.think import Limits, best_thought, think
from tamsk_pi.opponent.mind import ProcessMind
from tamsk_pi.opponent.seat import Choice
from tamsk_pi.rules.position import Position
from tamsk_pi.runner.desk import NoKeeper
from tamsk_pi.runner.loop import Loop, View
from tamsk_pi.runner.opponents import OpponentAtBoard
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.sim.rig import SimulatedBoard, Table

NODES: Final = 150_000
CHANGES: Final = 40
DEPTH: Final = 8
_INFINITE: Final = 1 << 20


def run() -> Iterator[tuple[str, str]]:
    """Every figure."""
    start = Situation(position=Position.start())
    for level in (1, 2):
        began_s = time.process_time()
        thought = best_thought(Situation(position=Position.start(), level=level), Limits(nodes=NODES))
        took_s = time.process_time() - began_s
        yield (f"engine: level {level}, nodes/s", f"{thought.nodes / took_s:,.0f} ({thought.nodes} nodes)")
    began_s = time.process_time()
    thought = best_thought(start, Limits(nodes=1 << 40, depth=DEPTH))
    yield (f"engine: level 1, s to depth {DEPTH} at the start", f"{time.process_time() - began_s:.2f}")
    until_s = time.monotonic() + 0.1
    *_, last = think(start, Limits(nodes=1 << 40), stop=lambda: time.monotonic() >= until_s)
    yield ("engine: level 1, at 100 ms", f"depth {last.depth}, {last.line[0]}, {last.nodes} nodes")
    yield (
        "engine: most memory of this process, MB",
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}",
    )
    yield from beside_chess()
    for seated in (False, True):
        name = "with an opponent that thinks" if seated else "without one"
        yield (f"engine: settled change to lamps, ms, {name}", lamps(seated=seated))


def beside_chess() -> Iterator[tuple[str, str]]:
    """The plain part of the search (alpha-beta, a table, mobility at the leaves) on python-chess's board."""
    try:
        chess: Any = importlib.import_module("chess")
    except ImportError:
        yield ("engine: nodes/s of such a search in chess", "skipped: pip install chess")
        return
    counted = 0
    table: dict[object, tuple[int, int]] = {}

    def search(board: Any, depth: int, alpha: int, beta: int) -> int:
        nonlocal counted
        counted += 1
        if depth == 0:
            mine: int = board.legal_moves.count()
            board.push(chess.Move.null())
            theirs: int = board.legal_moves.count()
            board.pop()
            return mine - theirs
        key = (board._transposition_key(), depth)
        if key in table and table[key][0] >= beta:
            return table[key][0]
        best = -_INFINITE
        for move in list(board.legal_moves):
            board.push(move)
            best = max(best, -search(board, depth - 1, -beta, -alpha))
            board.pop()
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        table[key] = (best, depth)
        return best

    began_s = time.process_time()
    search(chess.Board(), 4, -_INFINITE, _INFINITE)
    yield ("engine: nodes/s of such a search in chess", f"{counted / (time.process_time() - began_s):,.0f}")


class _Lamps:
    """Notes when the green lamps change."""

    def __init__(self) -> None:
        self.changed_s = 0.0
        self._green: frozenset[str] = frozenset()

    def show(self, view: View) -> None:
        if view.lamps.green_sockets != self._green:
            self._green = view.lamps.green_sockets
            self.changed_s = time.perf_counter()

    def sound(self, tones: object) -> None:
        """Nothing is heard."""


def lamps(*, seated: bool) -> str:
    """From the round in which a lift settles to the lamps of where the glass may go, on this machine's clock."""
    clock, watch, settings = MonotonicClock(), _Lamps(), Settings(level=1)
    rig = SimulatedBoard(load_profile("matrix"), clock, 1, table_for(settings, Table()))
    mind = ProcessMind(10)
    opponent = OpponentAtBoard(Choice("black", 10), make_mind=lambda strength: mind) if seated else None
    loop = Loop(rig, clock, lambda of: Conductor("play"), open_keeper=lambda of: NoKeeper(), watchers=[watch], pump=rig,
                opponent=opponent)  # fmt: skip
    rig.open()
    rig.start(loop.post)
    loop.begin(settings)
    took_ms = []
    if seated:
        # It thinks all the while about black's side of things.
        mind.turn(Situation(position=Position.start()), "bench", clock.now_ms(), 600_000)
    try:
        for _ in range(CHANGES):
            for act in (rig.hands.lift, rig.hands.put_back):
                gesture = act("red", "R1", clock.now_ms())
                settles_s = time.perf_counter() + (gesture.ends_ms + 120 - clock.now_ms()) / 1000
                watch.changed_s = 0.0
                while not watch.changed_s and time.perf_counter() < settles_s + 2:
                    wake_ms = loop.go_round()
                    time.sleep(max(0.0, min(0.005, (wake_ms - clock.now_ms()) / 1000)))
                if watch.changed_s:
                    took_ms.append(max(0.0, (watch.changed_s - settles_s) * 1000))
    finally:
        loop.close()
        rig.close()
        mind.close()
    if len(took_ms) < 2:
        return "not measured: the lamps did not change"
    p99 = statistics.quantiles(took_ms, n=100, method="inclusive")[98]
    return f"p50 {statistics.median(took_ms):.1f}, p99 {p99:.1f} ({len(took_ms)} changes)"
