"""Whatever the sensors tell, the referee never ends in a state that only a restart clears (failure mode F68).

Random edges, plausible or not, are driven at it for long. Then hands put the board right, doing what the referee says,
and the next legal move must be a move. `TAMSK_RAVINGS=100` tries so many games of each kind of board.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Sequence
from itertools import product

import pytest

from tamsk_pi.rules.board import CAPACITY, GLASSES, PLAYERS, SOCKETS, TIMER
from tamsk_pi.sensing.edges import BUTTONS
from tamsk_pi.sensing.settings import RingMode, Settings, SocketSensor, Tolerance
from tamsk_pi.session import Session
from tests.referee.putting_right import Board, glasses_match

RAVINGS = int(os.environ.get("TAMSK_RAVINGS", "4"))
EDGES = 400

# Around every window the core knows: gaps, settle times, the flip grace, presses, ring windows.
STEPS_MS = (0, 1, 5, 19, 20, 21, 60, 119, 120, 121, 150, 151, 300, 500, 501, 799, 800, 1_500, 3_000, 3_001, 9_000)

SENSORS: tuple[tuple[SocketSensor, bool], ...] = (("reed", True), ("reed", False), ("hall", True), ("hall", False))
RINGS: tuple[RingMode, ...] = ("stack", "holder", "buttons")
KINDS = tuple(product((1, 2, 3), SENSORS, RINGS))


def raving(
    rng: random.Random, level: int, sensors: tuple[SocketSensor, bool], rings: RingMode, buttons: tuple[str, ...]
) -> Board:
    """A game on a board whose sensors rave, these buttons among them."""
    sockets, tilt = sensors
    full_ms = rng.choice((8_000, 60_000, 10**8))
    of = Settings(
        level=level,
        rules=rng.choice(("rulebook", "wikipedia", "schmidt1998")),
        rings=rings,
        sockets=sockets,
        tilt=tilt,
        tolerance=rng.choice((Tolerance(), Tolerance(glass_ms=2_000, timer_ms=700))),
        glass_ms={g: {"a": full_ms, "b": full_ms + 977} for g in (*GLASSES, TIMER)},
        confirm_missed_turning=rng.random() < 0.3,
    )
    board = Board(Session(of))
    busy = rng.choice((SOCKETS, ("A1", "A4", "D1", "D7", "G1", "G4", "D2", "C1", "B1", "D6"), rng.sample(SOCKETS, 6)))
    for _ in range(EDGES):
        rave(rng, board, busy, buttons)
    return board


def rave(rng: random.Random, board: Board, busy: Sequence[str], buttons: Sequence[str]) -> None:
    """One edge of any input, at any time."""
    after_ms = rng.choice(STEPS_MS)
    match rng.choice(("socket", "socket", "socket", "socket", "tilt", "tilt", "ring", "holder", "button")):
        case "socket":
            value = rng.choice(("N", "S", None, None)) if board.hall else rng.random() < 0.5
            board.edge("socket", rng.choice(busy), value, after_ms=after_ms)
        case "tilt":
            board.edge("tilt", rng.choice((*GLASSES, TIMER)), rng.choice("ab"), after_ms=after_ms)
        case "ring":
            socket = rng.choice(busy)
            board.edge("ring", socket, rng.randint(0, CAPACITY[socket]), after_ms=after_ms)
        case "holder":
            board.edge("holder", rng.choice(PLAYERS), rng.randint(28, 32), after_ms=after_ms)
        case _:
            # Held for three seconds, a side's button resigns the game: seldom, or nothing would be left to test.
            if not buttons:
                return
            button = rng.choice(buttons)
            board.edge("button", button, True, after_ms=after_ms)
            length_ms = rng.choice((5, 29, 31, 100, 799, 801, 1_200))
            board.edge("button", button, False, after_ms=3_100 if rng.random() < 0.02 else length_ms)


Kind = tuple[int, tuple[SocketSensor, bool], RingMode]


def go_on_after_raving(kind: Kind, buttons: tuple[str, ...]) -> tuple[Counter[str], int]:
    """The arbiter's words that it took to go on, and in how many games play went on (the others were over)."""
    words: Counter[str] = Counter()
    played = 0
    for seed in range(RAVINGS):
        board = raving(random.Random(f"{seed}/{kind}"), *kind, buttons)
        board.put_right()
        words += board.words
        picture = board.picture
        if picture.phase in ("over", "closing", "tie_break"):
            # Its end by the rules is no dead end; the next game begins with it.
            continue
        assert not picture.violations, f"seed {seed}: {picture.violations}"
        assert not picture.faults, f"seed {seed}: {picture.faults}"
        assert glasses_match(board), f"seed {seed}: {picture.glasses}"
        moved = board.move()
        assert moved is not None, f"seed {seed}: {picture.phase}, but no move is offered"
        told = [r for r in board.rulings if r.kind == "move"][-1:]
        assert [(r.get("glass"), r.get("to")) for r in told] == [moved], f"seed {seed}: {board.rulings[-4:]}"
        played += 1
    return words, played


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_after_any_edges_hands_alone_put_it_right(kind: Kind) -> None:
    """No word is needed."""
    words, played = go_on_after_raving(kind, ())
    assert not words
    assert played


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_after_any_edges_and_presses_play_can_go_on(kind: Kind) -> None:
    """Who paused has to go on, and a game that a button resigned is taken back. What was moved meanwhile may leave a
    glass in hand without a place to return to, which the arbiter accepts where it is set down."""
    words, _ = go_on_after_raving(kind, BUTTONS)
    assert set(words) <= {"resume", "annul", "accept"}, words
