"""Measures the strengths against each other and against the simple players.

`python -m tests.strength.ladder --level 1 --games 200 --seed 11`; `--pairs 2:1,10:greedy` plays only those.
Every pair is a line of JSON: who, how many games, what came of them, and what the referee found wrong (nothing).
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Final

from tamsk_pi.engine.strength import BEST, STRENGTHS
from tamsk_pi.engine_match.figures import Score, elo_text
from tamsk_pi.engine_match.players import EngineHere, Greedy, Plain
from tamsk_pi.engine_match.refereed import Contestant
from tests.strength.games import Make, play_pairs

AIM: Final = (0.60, 0.80)
"""Each strength is to make so much of the points against the one below."""


def maker(name: str) -> Make:
    """What makes a player: a strength, `greedy` or `plain`."""

    def make(seed: int) -> Contestant:
        if name == "greedy":
            return Greedy(seed=seed)
        return Plain(seed=seed) if name == "plain" else EngineHere(int(name), seed=seed)

    return make


def all_pairs() -> list[str]:
    """Each strength against the one below, and the best against the simple players."""
    return [f"{upper}:{upper - 1}" for upper in sorted(STRENGTHS)[1:]] + [f"{BEST}:greedy", f"{BEST}:plain"]


def measured(pair: str, level: int, games: int, seed: int) -> dict[str, object]:
    """One pair's figures."""
    one, two = pair.split(":")
    tally = play_pairs(maker(one), maker(two), level=level, pairs=games // 2, seed=seed)
    score = Score(tally.won, tally.lost, tally.drawn)
    return {
        "level": level, "first": one, "second": two, "seed": seed, "games": tally.games, "won": tally.won,
        "lost": tally.lost, "drawn": tally.drawn, "share": round(score.share, 4),
        "share_error": round(score.share_error, 4), "elo": elo_text(score), "violations": tally.violations,
        "forfeits": tally.forfeits, "faults": tally.faults,
    }  # fmt: skip


def main() -> None:
    """Play, and print a line for each pair."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", type=int, choices=(1, 2, 3), default=1)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--pairs", default=",".join(all_pairs()))
    options = parser.parse_args()
    for pair in options.pairs.split(","):
        sys.stdout.write(json.dumps(measured(pair, options.level, options.games, options.seed)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
