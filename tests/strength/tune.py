"""Tunes the engine's weights by self-play: `python -m tests.strength.tune --level 1 --rounds 60 --seed 7`.

A random few of the weights are changed; the changed engine plays the unchanged one, each opening with both colours;
what wins clearly is kept. Every round is a line of JSON, from which the result can be had again.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Mapping
from typing import Final

from tamsk_pi.engine.weights import TUNED, Weights
from tamsk_pi.engine_match.players import EngineHere
from tests.strength.games import Tally, play_pairs

NODES: Final = 250
KEEP_FROM: Final = 0.55
"""A change is kept when it makes at least so much of the points."""

ONE_BY_ONE: Final = ("near", "far", "own", "room", "tempo")
OF_SAND: Final = ("lost", "late", "sand")
STUCK, ONE, STEP = "mobility 0", "mobility 1", "mobility step"

Values = Mapping[str, int]


def values_of(weights: Weights) -> dict[str, int]:
    """The weights as the numbers that are tuned: mobility by its first two entries and the steps after them."""
    mobility = weights.mobility
    named = {name: int(getattr(weights, name)) for name in (*ONE_BY_ONE, *OF_SAND)}
    return {STUCK: mobility[0], ONE: mobility[1], STEP: (mobility[6] - mobility[1]) // 5, **named}


def weights_of(values: Values) -> Weights:
    """The other way round; each step of mobility is three quarters of the one before it."""
    step, mobility = float(values[STEP]) * 1.64, [values[STUCK], values[ONE]]
    for _ in range(5):
        mobility.append(round(mobility[-1] + step))
        step *= 0.75
    return Weights(mobility=mobility, **{name: values[name] for name in (*ONE_BY_ONE, *OF_SAND)})


def changed(values: Values, rng: random.Random, names: tuple[str, ...]) -> dict[str, int]:
    """Some of the values up or down by up to two fifths, and at least by 1."""
    found = dict(values)
    for name in rng.sample(names, rng.randint(1, 3)):
        found[name] += round(found[name] * rng.uniform(-0.4, 0.4)) or rng.choice((-1, 1))
    return found


def tune(level: int, rounds: int, pairs: int, seed: int, values: Values) -> Iterator[dict[str, object]]:
    """One line a round: what was tried, how it fared, and what is kept now."""
    rng = random.Random(seed)
    names = (STUCK, ONE, STEP, *ONE_BY_ONE, *(OF_SAND if level > 1 else ()))
    for number in range(rounds):
        tried = changed(values, rng, names)
        tally: Tally = play_pairs(
            lambda s, of=tried: EngineHere(nodes=NODES, weights=weights_of(of), seed=s, name="changed"),  # type: ignore[misc]
            lambda s, of=values: EngineHere(nodes=NODES, weights=weights_of(of), seed=s, name="kept"),  # type: ignore[misc]
            level=level, pairs=pairs, seed=seed * 1_000 + number,
        )  # fmt: skip
        if tally.share >= KEEP_FROM:
            values = tried
        yield {"level": level, "round": number, "seed": seed, "nodes": NODES, "tried": tried, "games": tally.games,
               "share": round(tally.share, 4), "kept": dict(values)}  # fmt: skip


def main() -> None:
    """Tune, and print a line for each round."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", type=int, choices=(1, 2, 3), default=1)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--start", type=json.loads, default=values_of(TUNED), help="what to start from, as JSON")
    options = parser.parse_args()
    for line in tune(options.level, options.rounds, options.pairs, options.seed, options.start):
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
