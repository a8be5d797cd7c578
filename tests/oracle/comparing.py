"""How rulings are held against those a case must give (the cases' README): by kind, in order, times within 2 ms."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

KINDS = (
    "move",
    "ring",
    "violation",
    "resolved",
    "timer_started",
    "timeout",
    "forfeit",
    "pass",
    "skip",
    "glass_stopped",
    "game_over",
)
SLACK_MS = 2


def read_lines(path: Path) -> list[dict[str, Any]]:
    """A trace's lines: its header first."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def first_difference(
    wanted: Sequence[Mapping[str, Any]], got: Sequence[Mapping[str, Any]], kinds: Sequence[str] = KINDS
) -> tuple[int, str] | None:
    """The place of the first wanted ruling that was not given so, and what is different; None where they agree."""
    looked_at = [ruling for ruling in got if ruling["ruling"] in kinds]
    for index, want in enumerate(wanted):
        if index >= len(looked_at):
            return index, f"want {json.dumps(want)}, got nothing"
        if not _agrees(want, looked_at[index]):
            return index, f"want {json.dumps(want)}, got {json.dumps(looked_at[index])}"
    if len(looked_at) > len(wanted):
        return len(wanted), f"want nothing, got {json.dumps(looked_at[len(wanted)])}"
    return None


def _agrees(want: Mapping[str, Any], got: Mapping[str, Any]) -> bool:
    near = abs(got["t"] - want["t"]) <= SLACK_MS
    return near and all(key in got and got[key] == value for key, value in want.items() if key != "t")
