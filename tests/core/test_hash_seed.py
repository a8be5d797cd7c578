"""Neither rulings nor the random games they are held against depend on the order in which Python keeps its sets."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MEMORY = re.compile(r'"memory_kb": {[^}]*}')
"""What the soak tells of the machine."""

GENERATE = (
    "import json, sys; from tests.oracle.compare import replay; from tests.oracle.generate import make\n"
    "for number in range(40):\n"
    "    lines = make(2, number).lines\n"
    "    print(json.dumps(lines)); print(json.dumps(replay(lines)))"
)


def told(hash_seed: int, *command: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "LANGUAGE": "en"}
    done = subprocess.run(
        [sys.executable, *command], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize(
    "command",
    [
        ("-c", GENERATE),
        (
            "-m",
            "tamsk_pi",
            "replay",
            "--json",
            *map(str, sorted((ROOT / "tests" / "cases").glob("game-*.trace.jsonl"))),
        ),
        ("-m", "tamsk_pi", "soak", "--games", "6", "--json"),
    ],
    ids=["random games and their rulings", "replay", "soak"],
)
def test_the_same_comes_of_it(command: tuple[str, ...]) -> None:
    first, second = (MEMORY.sub("", told(seed, *command)) for seed in (1, 2))
    assert first == second != ""
