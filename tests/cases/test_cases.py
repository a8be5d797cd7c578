"""Every case: the rulings that a trace must give, made from the rules alone."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tamsk_pi.commands.replay import rulings_of
from tamsk_pi.trace import TraceReader

HERE = Path(__file__).parent
TRACES = sorted(HERE.glob("*.trace.jsonl"))
SLACK_MS = 2
"""Whether a fraction of a ms is rounded here or there is nobody's mistake."""


def difference(want: Mapping[str, Any], got: Sequence[Mapping[str, Any]]) -> str | None:
    """The first ruling of the kinds a case looks at that is missing, different or too many; None where all agree."""
    looked_at = [ruling for ruling in got if ruling["ruling"] in want["kinds"]]
    for number, wanted in enumerate(want["rulings"]):
        if number >= len(looked_at):
            return f"ruling {number} is missing: {wanted}"
        given = looked_at[number]
        near = abs(given["t"] - wanted["t"]) <= SLACK_MS
        if not near or any(given.get(key, "<none>") != value for key, value in wanted.items() if key != "t"):
            return f"ruling {number}: want {wanted}, got {given}"
    if len(looked_at) > len(want["rulings"]):
        return f"one too many: {looked_at[len(want['rulings'])]}"
    return None


def replayed(trace: bytes) -> list[dict[str, Any]]:
    return [json.loads(ruling.json_line()) for ruling in rulings_of(TraceReader(io.BytesIO(trace)))]


def wanted_of(trace: Path) -> dict[str, Any]:
    wanted: dict[str, Any] = json.loads(
        trace.with_name(trace.name.replace(".trace.jsonl", ".rulings.json")).read_text()
    )
    return wanted


def test_every_trace_has_its_rulings_and_no_rulings_are_without_a_trace() -> None:
    names = {path.name.removesuffix(".trace.jsonl") for path in TRACES}
    assert len(names) > 30
    assert names == {path.name.removesuffix(".rulings.json") for path in HERE.glob("*.rulings.json")}


@pytest.mark.parametrize("trace", TRACES, ids=lambda path: path.name.removesuffix(".trace.jsonl"))
def test_the_referee_gives_the_rulings_of_the_case(trace: Path) -> None:
    assert difference(wanted_of(trace), replayed(trace.read_bytes())) is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda rulings: rulings[1:], "ruling 0"),
        (lambda rulings: rulings[:-1], "is missing"),
        (lambda rulings: [*rulings, rulings[-1]], "one too many"),
        (lambda rulings: [{**rulings[0], "t": rulings[0]["t"] + SLACK_MS + 1}, *rulings[1:]], "ruling 0"),
        (lambda rulings: [{**rulings[0], "player": "nobody"}, *rulings[1:]], "ruling 0"),
    ],
)
def test_the_comparison_finds_what_differs(change: Any, told: str) -> None:
    """A comparison that cannot fail would hold nothing."""
    trace = HERE / "two-quick-moves.trace.jsonl"
    wanted = wanted_of(trace)
    got = [ruling for ruling in replayed(trace.read_bytes()) if ruling["ruling"] in wanted["kinds"]]
    assert difference(wanted, got) is None
    found = difference(wanted, change(got))
    assert found is not None
    assert told in found
