"""The comparison finds a referee that rules otherwise, and cuts a trace down to what shows it."""

from __future__ import annotations

import os
import random
from typing import Any

from tamsk_pi.witness.trace_reader import rulings_of
from tests.oracle.compare import RefereeFailed, describe, disagreement, shrink
from tests.oracle.generate import Trace, make, traces

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


def _is_no_hands_doing(trace: Trace) -> bool:
    """Edges that were made without hands, of which several sockets close at once for one glass.

    "Nothing is judged until one of them opens": what else opens and closes until then the contract leaves open, and no
    hand does it.
    """
    told = rulings_of(trace.lines) if trace.acts is None else []
    return any(ruling.get("code") == "ambiguous_placing" for ruling in told)


def _disagreements(seed: int, count: int) -> list[str]:
    from tests.oracle.compare import replay

    return [
        describe(trace.name, trace.lines, found)
        for trace in traces(seed, count)
        if (found := disagreement(trace.lines, replay)) and not _is_no_hands_doing(trace)
    ]


def test_the_referee_rules_as_the_second_one_does() -> None:
    assert _disagreements(2, 60) == []


def test_it_does_so_on_traces_that_nobody_has_seen_before() -> None:
    seed = int(os.environ.get(FRESH) or random.SystemRandom().randrange(1_000_000))
    print(f"{FRESH}={seed}")  # noqa: T201
    found = _disagreements(seed, 60)
    assert found == [], f"repeat it with {FRESH}={seed}"
