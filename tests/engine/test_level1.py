"""The search at level 1 against the slow way, against the rules, and against itself."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from tamsk_pi.engine.masks import BOARD, PLACE_OF, REACH, SOCKET_AT, expand, places
from tamsk_pi.engine.regions import Walk
from tamsk_pi.engine.situation import Situation
from tamsk_pi.engine.think import Limits, NothingToDecide, best_thought, score_moves, score_of, think
from tamsk_pi.engine.tree import room_of
from tamsk_pi.rules.board import NEIGHBOURS, SOCKETS, opponent
from tamsk_pi.rules.notation import Move
from tamsk_pi.rules.position import Position
from tests.engine.slow import late_position, longest_walk, outcome

LATE = [(seed, position) for seed in range(400) if (position := late_position(seed, 8)) is not None]


def test_masks_are_the_board() -> None:
    assert BOARD.bit_count() == 37
    for socket, place in PLACE_OF.items():
        assert {SOCKET_AT[p] for p in places(REACH[place])} == set(NEIGHBOURS[socket])
        assert expand(1 << place) == REACH[place] | 1 << place


def test_there_are_late_positions_enough() -> None:
    assert len(LATE) >= 40


@pytest.mark.parametrize(("seed", "position"), LATE[:40], ids=[f"seed {seed}" for seed, _ in LATE[:40]])
def test_a_proven_end_is_the_end(seed: int, position: Position) -> None:
    thought = best_thought(Situation(position=position), Limits(nodes=20_000))
    if thought.proven:
        assert (1 if thought.wins else -1 if thought.loses else 0) == outcome(position)


def test_most_ends_are_proven() -> None:
    proven = [best_thought(Situation(position=p), Limits(nodes=20_000)).proven for _, p in LATE[:40]]
    assert sum(proven) >= 30


@pytest.mark.parametrize(("seed", "position"), LATE[:25], ids=[f"seed {seed}" for seed, _ in LATE[:25]])
def test_the_bounds_of_a_walk_hold(seed: int, position: Position) -> None:
    side = position.to_move
    glasses = tuple(PLACE_OF[s] for g, s in position.glasses.items() if g[0] == side[0].upper())
    taken = sum(1 << PLACE_OF[s] for s in position.glasses.values())
    # The other side's glasses never move here: what they stand in is theirs.
    room = room_of(position.rings)
    others = sum(1 << PLACE_OF[s] for g, s in position.glasses.items() if g[0] == opponent(side)[0].upper())
    r1, r2, r3, r4 = (mask & ~others for mask in room)
    least, most = Walk(100_000).bounds(glasses, r1, r2, r3, r4, taken, keeps=False)
    true = min(longest_walk(position, side), position.rings_left[side])
    assert least == most
    assert min(least, position.rings_left[side]) == true


@pytest.mark.parametrize("strength", range(1, 8))
def test_every_turn_is_legal_to_the_end(strength: int) -> None:
    position, rng = Position.start(), random.Random(strength)
    for _ in range(120):
        side = position.to_move
        if not all(position.rings_left.values()):
            break
        if not position.moves(side):
            if not position.moves(opponent(side)):
                break
            position = position.passed()
            continue
        turn = best_thought(
            Situation(position=position), Limits(nodes=150), strength=strength, seed=rng.randrange(99)
        ).turn  # fmt: skip
        move = turn.action
        assert isinstance(move, Move)
        assert (move.origin, move.to) in position.moves(side)
        if move.ring == "none":
            glass = next(g for g, s in position.glasses.items() if s == move.origin)
            position = Position({**position.glasses, glass: move.to}, position.rings, opponent(side),
                                position.rings_left)  # fmt: skip
            continue
        then = position.after(move.origin, move.to)
        assert (move.ring == "filled") == then.is_full(move.to)
        position = then
    else:
        pytest.fail("the game does not end")


def test_the_same_input_gives_the_same_output_in_every_process() -> None:
    script = (
        "from tamsk_pi.engine.think import *;from tamsk_pi.engine.situation import *;"
        "from tamsk_pi.rules.position import Position;"
        "print([list(think(Situation(position=Position.start(),level=n),Limits(nodes=3000))) for n in (1,2,3)])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in (1, 2)
    }
    assert len(told) == 1


def test_thoughts_deepen_and_keep_to_their_nodes() -> None:
    thoughts = list(think(Situation(position=Position.start()), Limits(nodes=5_000)))
    depths = [thought.depth for thought in thoughts]
    assert depths == sorted(depths)
    assert depths[-1] >= 4
    assert thoughts[-1].nodes <= 5_001
    assert all(thought.line[0].startswith(f"{thought.turn.action.origin}-") for thought in thoughts)  # type: ignore[union-attr]


def test_free_placement_begins_anywhere() -> None:
    turn = best_thought(Situation(position=Position.start("free")), Limits(nodes=2_000)).turn
    assert isinstance(turn.action, Move)
    assert turn.action.origin is None
    assert turn.action.to in SOCKETS


def test_a_claim_is_made_where_it_pays() -> None:
    position = Position.start().after("D1", "D2")
    kept = Position(
        position.glasses, {}, "black", {"red": 32, "black": 32}
    )  # fmt: skip
    thought = best_thought(Situation(position=kept, claim="D2"), Limits(nodes=4_000))
    assert thought.turn.claim == "D2"


def test_the_last_ring_wins_at_once() -> None:
    position = next(p for _, p in LATE)
    # All rings of the side to move but one are gone; the other side takes what is over.
    side, other = position.to_move, opponent(position.to_move)
    over = position.rings_left[side] - 1 + position.rings_left[other]
    left = {side: 1, other: over}
    thought = best_thought(
        Situation(position=Position(position.glasses, position.rings, side, left)), Limits(nodes=500)
    )
    assert thought.wins
    assert thought.proven


def test_nothing_to_decide_is_said() -> None:
    stuck = Position(
        {"R1": "A4", "R2": "D1", "R3": "G4", "B1": "A1", "B2": "D7", "B3": "G1"},
        {s: 1 for r in ("A4", "D1", "G4") for s in NEIGHBOURS[r] if s in ("A3", "C1", "E1", "B5", "F5", "G3")}
        | {"B4": 2, "D2": 2, "F4": 2},
        "red",
        {"red": 26, "black": 26},
    )
    assert not stuck.moves("red")
    with pytest.raises(NothingToDecide, match="red cannot move"):
        best_thought(Situation(position=stuck))


@pytest.mark.parametrize("strength", [0, 11])
def test_a_strength_that_does_not_exist_is_refused(strength: int) -> None:
    with pytest.raises(ValueError, match="1 to 10"):
        think(Situation(position=Position.start()), strength=strength)


def test_the_scores_of_moves_are_those_of_the_search() -> None:
    situation = Situation(position=Position.start())
    scores = score_moves(situation, 3)
    assert len(scores) == 9
    assert max(scores.values()) == best_thought(situation, Limits(nodes=100_000, depth=3)).score
    assert score_of(situation, "A4", "B4", 3) == scores["A4-B4"]
    assert score_of(situation, "A4", "C4", 3) is None
