"""The second referee agrees with every case: without that nothing could be held against it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tamsk_pi.witness.trace_reader import rulings_of
from tests.oracle.comparing import first_difference, read_lines

CASES = Path(__file__).parent.parent / "cases"
NAMES = sorted(path.name.removesuffix(".trace.jsonl") for path in CASES.glob("*.trace.jsonl"))


def test_there_are_cases() -> None:
    assert len(NAMES) >= 50


@pytest.mark.parametrize("name", NAMES)
def test_the_oracle_agrees(name: str) -> None:
    wanted = json.loads((CASES / f"{name}.rulings.json").read_text(encoding="utf-8"))
    got = rulings_of(read_lines(CASES / f"{name}.trace.jsonl"))
    assert first_difference(wanted["rulings"], got, wanted["kinds"]) is None
