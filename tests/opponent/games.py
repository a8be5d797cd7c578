"""Whole games of the opponent's hands on the virtual board against a player that errs, in virtual time.

`python -m tests.opponent.games --games 10000 --seed 3` plays many and prints what was found wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Final

import attrs

from tamsk_pi.opponent.mind import DirectMind
from tamsk_pi.opponent.player import SeatedPlayer
from tamsk_pi.opponent.seat import Seat
from tamsk_pi.rules.board import PLAYERS, Player, opponent, owner_of
from tamsk_pi.sim.match import Match
from tamsk_pi.sim.players import AutoPlayer

STRENGTHS: Final = (3, 6, 7)
CLUMSY: Final = (0.0, 0.15)
SAVED_BY_MS: Final = 5_000
"""A glass of its own that could be moved for so long in its own turn, and stopped then, was let stop."""


@attrs.frozen
class Found:
    """What the opponent did in one game."""

    violations: tuple[dict[str, object], ...]
    """Rulings against the opponent's own side."""
    forfeits: int
    """Its turns that were lost to the timer."""
    lost_glasses: int
    over: bool
    won: bool
    turns: int


def play(seed: int, level: int, side: Player, strength: int, clumsy: float, nodes: int | None = 60) -> Found:
    """One game."""
    match = Match(seed, level=level)
    settings = match.session.settings
    seat = Seat(side, strength, DirectMind(strength, nodes=nodes, seed=seed), settings.glass_ms)
    seated = SeatedPlayer(seat, match.hands, seed)
    other = AutoPlayer(opponent(side), match.hands, seed, clumsy=clumsy)
    match.table.players = tuple(seated if p == side else other for p in PLAYERS)
    match.play()
    violations = tuple(r.as_json() for r in match.rulings if r.kind == "violation" and r.get("player") == side)
    done = [r for r in match.rulings if r.kind == "game_over"]
    return Found(
        violations,
        sum(r.kind == "forfeit" and r.get("player") == side for r in match.rulings),
        sum(r.kind == "glass_stopped" and owner_of(str(r.get("glass"))) == side for r in match.rulings),
        bool(done),
        bool(done) and done[-1].get("winner") == side,
        sum(r.kind == "move" and r.get("player") == side for r in match.rulings),
    )


def main() -> None:
    """Play many games, and print a line for each in which something was wrong, then the sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    total = {"games": 0, "turns": 0, "won": 0, "violations": 0, "forfeits": 0, "unfinished": 0, "stopped": 0}
    for number in range(options.games):
        seed = options.seed * 1_000_000 + number
        level, side = number % 3 + 1, PLAYERS[number // 3 % 2]
        strength, clumsy = STRENGTHS[number // 6 % 3], CLUMSY[number // 18 % 2]
        found = play(seed, level, side, strength, clumsy)
        total["games"] += 1
        total["turns"] += found.turns
        total["won"] += found.won
        total["violations"] += len(found.violations)
        total["forfeits"] += found.forfeits
        total["unfinished"] += not found.over
        total["stopped"] += found.lost_glasses
        if found.violations or found.forfeits or not found.over:
            told = {"seed": seed, "level": level, "side": side, "strength": strength, "clumsy": clumsy}
            sys.stdout.write(json.dumps({**told, **attrs.asdict(found)}) + "\n")
            sys.stdout.flush()
    sys.stdout.write(json.dumps(total) + "\n")


if __name__ == "__main__":
    main()
