"""With caps rulings wait for what may still be told late, and lamps do not."""

from __future__ import annotations

import attrs
import pytest

from tamsk_pi.devices.caps import HOLD_MS
from tamsk_pi.sensing.edges import Edge
from tests.caps.lamps import Board, Box, Compared, compare, lateness, read

GAME = "game-level3-rulebook-4"
LONG_MS = 120_000


@pytest.fixture(scope="module")
def played() -> Compared:
    return compare(GAME, lateness(1), until_ms=LONG_MS)


def test_the_rulings_are_those_of_the_wired_board(played: Compared) -> None:
    assert sum(ruling.kind == "move" for ruling in played.wired) > 5
    assert played.told == played.wired


def test_lamps_do_not_feel_the_caps(played: Compared) -> None:
    """All but what accuses: that waits as its ruling does."""
    assert len(played.lags) > 20
    assert played.share(80) == 0
    assert max(played.lags) <= HOLD_MS + 20


def test_without_looking_ahead_they_would() -> None:
    """So that the figures above say something."""
    blind = compare(GAME, lateness(1), looks_ahead=False, until_ms=LONG_MS)
    assert blind.share(10) >= HOLD_MS
    assert blind.twins == 0


def test_a_twin_is_made_for_a_turning_and_not_for_every_round(played: Compared) -> None:
    _, edges = read(GAME)
    turnings = sum(edge.kind == "tilt" and edge.t_ms <= LONG_MS for edge in edges)
    assert 0 < played.twins <= turnings + 5


@pytest.mark.parametrize("seed", range(3))
def test_nobody_is_accused_before_it_is_certain_however_late_a_turning_is_told(seed: int) -> None:
    played = compare(GAME, lateness(seed, HOLD_MS - 20), until_ms=LONG_MS // 4)
    assert played.accused_early == 0
    assert played.told == played.wired


def level2(edges: list[Edge]) -> list[Edge]:
    """A move whose glass is turned over just before it is set down."""
    return [
        Edge(2_000, "socket", "A4", False),
        *edges,
        Edge(3_000, "socket", "B4", True),
    ]


def rounds(box: Box, until_ms: int, from_ms: int = 0) -> dict[int, tuple[str, str | None, int]]:
    """What is shown at each time: phase, side to move, and how many violations."""
    shown: dict[int, tuple[str, str | None, int]] = {}
    for now_ms in range(from_ms, until_ms, 10):
        box.round(now_ms)
        shown[now_ms] = (box.picture.phase, box.picture.to_move, len(box.picture.violations))
    return shown


def test_a_lift_is_shown_when_it_has_settled() -> None:
    settings, _ = read(GAME)
    edges = level2([Edge(2_900, "tilt", "R1", "b")])
    box = Box(settings, Board(edges, lateness(1), settings, caps=True))
    shown = rounds(box, 6_000)
    assert shown[2_110][0] == "to_move"
    assert shown[2_130][0] == "carrying"
    done = min(t_ms for t_ms, (_, to_move, _) in shown.items() if to_move == "black")
    assert 3_300 <= done <= 3_330, "as with wires: once the hand has let go of it"
    assert attrs.evolve(box.picture, now_ms=box.certain.now_ms) == box.certain


def test_a_violation_waits_until_no_turning_can_be_told_any_more() -> None:
    settings, _ = read(GAME)
    box = Box(settings, Board(level2([]), lateness(1), settings, caps=True))
    shown = rounds(box, 6_000)
    told = min(t_ms for t_ms, (_, _, violations) in shown.items() if violations)
    assert 3_500 + HOLD_MS <= told <= 3_700 + HOLD_MS
    assert all(to_move == "red" for _, to_move, _ in shown.values())


def test_a_word_of_the_arbiters_is_seen_at_once() -> None:
    settings, _ = read(GAME)
    box = Box(settings, Board(level2([Edge(2_900, "tilt", "R1", "b")]), lateness(1), settings, caps=True))
    rounds(box, 3_200)
    box.desk.say("turn", {"side": "black"}, 3_200)
    box.desk.say("pause", {}, 3_200)
    shown = rounds(box, 3_600, 3_210)
    assert {phase for phase, _, _ in shown.values()} <= {"paused", "to_move"}
    assert shown[3_590][0] == "paused"


def test_a_board_that_is_not_heard_shows_what_is_certain() -> None:
    settings, _ = read(GAME)
    board = Board(level2([]), lateness(1), settings, caps=True)
    box = Box(settings, board)
    rounds(box, 2_200)
    alive_ms = board.alive_at_ms()
    board.run_to = lambda now_ms: None  # type: ignore[method-assign]
    shown = rounds(box, 4_500, 2_200)
    assert board.alive_at_ms() <= alive_ms + HOLD_MS
    assert shown[4_490][0] == "paused"
    assert box.desk.picture_ahead(box.certain) is None
