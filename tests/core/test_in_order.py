"""Rulings come in the order of their times, always, and nothing that is wrong is told twice for one instant.

`TAMSK_RANDOM_GAMES=2000` plays so many; `TAMSK_RANDOM_SEED` names where the seeds begin.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from itertools import pairwise

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.session import Session
from tests.core.random_games import RandomGame

GAMES = int(os.environ.get("TAMSK_RANDOM_GAMES", "150"))
SEED = os.environ.get("TAMSK_RANDOM_SEED", "1")


def play(seed: str, *, advances: bool) -> list[Ruling]:
    """Play a random game, with or without the time advancing at random in between."""
    game, rng = RandomGame(seed), random.Random(f"{seed} advances")
    session = Session(game.settings)
    said: list[Ruling] = []
    for record in game.records():
        while advances and session.now_ms < record.t_ms and rng.random() < 0.6:
            said += session.advance(rng.randint(session.now_ms, record.t_ms))
        said += session.take(record)
    said += session.finish(session.now_ms + 40_000)
    return said


def test_rulings_come_in_the_order_of_their_times_however_time_advances() -> None:
    kinds: Counter[str] = Counter()
    for number in range(GAMES):
        seed = f"{SEED}/{number}"
        said = play(seed, advances=True)
        times = [r.t_ms for r in said]
        assert times == sorted(times), f"{seed}: {[(a, b) for a, b in pairwise(said) if a.t_ms > b.t_ms]}"
        twice = Counter(r.json_line() for r in said if r.kind in ("violation", "fault", "fault_cleared", "notice"))
        assert not [line for line, times_told in twice.items() if times_told > 1], seed
        assert said == play(seed, advances=False), seed
        kinds.update(r.kind for r in said)
    assert kinds["move"] > GAMES, kinds
    assert kinds["ring"] > GAMES // 3
    assert kinds["fault_cleared"] > GAMES // 10


def test_a_fault_of_one_input_is_told_once_until_it_has_been_cleared() -> None:
    for number in range(GAMES):
        seed = f"{SEED}/{number}"
        open_faults: set[tuple[object, ...]] = set()
        for ruling in play(seed, advances=False):
            key = tuple(str(ruling.get(k)) for k in ("code", "kind", "input", "socket", "sockets"))
            if ruling.kind == "fault" and ruling.get("code") not in ("tilt_without_lift", "ambiguous_placing"):
                assert key not in open_faults, f"{seed}: {ruling}"
                open_faults.add(key)
            elif ruling.kind == "fault_cleared":
                open_faults.discard(key)
            elif ruling.kind in ("paused", "resumed"):
                # What is found then is taken as it is.
                open_faults = {key for key in open_faults if key[0] != "unexpected_closed"}
