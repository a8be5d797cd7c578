"""The comparison finds a referee that rules otherwise, and cuts a trace down to what shows it."""

from __future__ import annotations

import itertools
import os
import random
import sys
from typing import Any

from tamsk_pi.witness.trace_reader import rulings_of
from tests.oracle.compare import RefereeFailed, describe, disagreement, shrink
from tests.oracle.generate import Trace, make

Lines = list[dict[str, Any]]


def _deaf_to_black(lines: Lines) -> Lines:
    return [ruling for ruling in rulings_of(lines) if ruling.get("player") != "black"]


def _failing(lines: Lines) -> Lines:
    raise RefereeFailed("exit status 2")


def test_the_oracle_agrees_with_itself() -> None:
    assert disagreement(make(1, 0).lines, rulings_of) is None


def test_a_missing_ruling_is_found_and_shown() -> None:
    lines = make(1, 0).lines
    found = disagreement(lines, _deaf_to_black)
    assert found is not None
    assert '"player": "black"' in found.text
    assert "   edge   " in describe("one", lines, found)


def test_a_failing_referee_is_a_disagreement() -> None:
    found = disagreement(make(1, 0).lines, _failing)
    assert found is not None
    assert "exit status 2" in found.text


def test_shrinking_keeps_the_disagreement_and_drops_the_rest() -> None:
    lines = make(1, 0).lines
    short = shrink(lines, _deaf_to_black)
    assert disagreement(short, _deaf_to_black) is not None
    assert len(short) < len(lines) // 4


FRESH = "TAMSK_PI_SEED"
"""Names the seed of the traces that are new at each run, to repeat one."""


def _is_left_open(trace: Trace) -> bool:
    """What the contract does not say: what edges mean that no hand made, and, on a board whose sockets and glasses both
    tell which end is up, when a glass stopped that was turned as the one says and not as the other does."""
    header = trace.lines[0]
    return trace.acts is None or (header.get("sockets") == "hall" and header.get("tilt", True))


def _disagreements(seed: int, count: int) -> list[str]:
    from tests.oracle.compare import replay

    compared, found = 0, []
    for number in itertools.count():
        trace = make(seed, number)
        if _is_left_open(trace):
            continue
        compared += 1
        difference = disagreement(trace.lines, replay)
        if difference:
            found.append(describe(trace.name, trace.lines, difference))
        if compared == count:
            return found
    raise AssertionError


def test_the_referee_rules_as_the_second_one_does() -> None:
    found = _disagreements(2, 60)
    assert not found, "\n".join(found)


def test_it_does_so_on_traces_that_nobody_has_seen_before() -> None:
    seed = int(os.environ.get(FRESH) or random.SystemRandom().randrange(1_000_000))
    sys.stdout.write(f"{FRESH}={seed}\n")
    found = _disagreements(seed, 60)
    assert not found, "\n".join([f"repeat it with {FRESH}={seed}", *found])


def test_a_referee_that_misses_one_kind_of_ruling_is_found_out() -> None:
    """Without this, that most agree would say nothing."""
    found = [number for number in range(20) if disagreement(make(2, number).lines, _deaf_to_black)]
    assert len(found) > 10
