"""Many games, one after the other or in several processes, with what memory they took."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import attrs

from tamsk_pi.soak.game import SoakGame
from tamsk_pi.soak.plan import Order, plan_game
from tamsk_pi.soak.tally import Tally

WARM_UP_GAMES: Final = 30
"""A process has its full size after so many games: what it needs once is loaded and its pools are filled."""

GROWTH_KB: Final = 16_384
"""Memory that grows by more than this after the warm-up is not flat."""

_STATM: Final = Path("/proc/self/statm")


@attrs.frozen
class Played:
    """What came of one game, in which process, and how large that was then."""

    number: int
    tally: Tally
    process: int
    rss_kb: int
    trace: str
    """The game's trace, if it went wrong; else empty."""


@attrs.define
class Memory:
    """The size of the largest process, in KiB: at the start, after the warm-up, and at the end; 0 where untold."""

    start_kb: int = 0
    warm_kb: int = 0
    end_kb: int = 0
    _games: dict[int, int] = attrs.field(factory=dict)
    _warm: dict[int, int] = attrs.field(factory=dict)
    _now: dict[int, int] = attrs.field(factory=dict)

    def note(self, played: Played) -> None:
        """Take the size of a process after one of its games."""
        process, rss_kb = played.process, played.rss_kb
        number = self._games[process] = self._games.get(process, 0) + 1
        self.start_kb = self.start_kb or rss_kb
        self._now[process] = rss_kb
        if number <= WARM_UP_GAMES:
            self._warm[process] = rss_kb
        self.warm_kb, self.end_kb = max(self._warm.values()), max(self._now.values())

    @property
    def growth_kb(self) -> int:
        """How much the process that grew most has grown since its warm-up."""
        return max((rss_kb - self._warm[process] for process, rss_kb in self._now.items()), default=0)

    @property
    def is_flat(self) -> bool:
        return self.growth_kb <= GROWTH_KB


def play_one(order: Order, number: int) -> Played:
    """Play one game of an order."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="tamsk-soak-") as folder:
        game = SoakGame(plan_game(order, number), tally, Path(folder))
        game.play()
    trace = "" if tally.is_clean else game.trace()
    del game
    # The players' plans refer to each other; what is left of a game is to be seen as growth only where it stays.
    gc.collect()
    return Played(number, tally, os.getpid(), _rss_kb(), trace)


def play_all(order: Order, numbers: Iterable[int], jobs: int) -> Iterator[Played]:
    """Play games; with several `jobs`, in as many processes, in the order in which they are asked for."""
    if jobs == 1:
        yield from (play_one(order, number) for number in numbers)
        return
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_leave_stopping_to_the_parent)
    try:
        yield from pool.map(play_one, *zip(*((order, number) for number in numbers), strict=True))
    finally:
        # Only what is being played is played to its end.
        pool.shutdown(cancel_futures=True)


def _leave_stopping_to_the_parent() -> None:
    # Ctrl-C reaches every process of a terminal; one that died of it would take the whole pool with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class SoakStopped(Exception):
    """Somebody stopped it (Ctrl-C, SIGTERM): what was done until then."""

    def __init__(self, tally: Tally, memory: Memory) -> None:
        super().__init__(f"stopped after {tally.games} games")
        self.tally, self.memory = tally, memory


def soak(order: Order, numbers: Iterable[int], jobs: int, tell: Callable[[Played], None]) -> tuple[Tally, Memory]:
    """Play games and add them up; `tell` is called after each.

    `SoakStopped`, with the games that were played to their end, on a `KeyboardInterrupt`.
    """
    tally, memory = Tally(), Memory()
    try:
        for played in play_all(order, numbers, jobs):
            tally += played.tally
            memory.note(played)
            tell(played)
    except KeyboardInterrupt:
        raise SoakStopped(tally, memory) from None
    return tally, memory


def _rss_kb() -> int:
    """This process's resident memory; 0 where the system does not tell."""
    try:
        pages = int(_STATM.read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024
