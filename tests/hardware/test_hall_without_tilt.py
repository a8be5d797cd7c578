"""What tilt.md recommends: hall sockets, the timer's ball switch wired, the six others left open."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from tamsk_pi.commands.replay import command


def test_the_field_alone_tells_whether_a_glass_was_turned_and_the_timers_switch_works(tmp_path: Path) -> None:
    lines = [
        {"format": "tamsk-trace", "version": 1, "level": 3, "sockets": "hall", "tilt": True},
        {"t": 1000, "socket": "D1", "field": None},
        {"t": 2000, "socket": "D2", "field": "S"},
        {"t": 4000, "tilt": "N", "up": "b"},
        {"t": 6000, "socket": "G1", "field": None},
        {"t": 7000, "socket": "F1", "field": "S"},
        {"t": 10000, "socket": "A4", "field": None},
        {"t": 11000, "socket": "B4", "field": "N"},
        {"t": 12000, "end": True},
    ]
    trace = tmp_path / "hall.trace.jsonl"
    trace.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    done = CliRunner().invoke(command, ["--json", str(trace)])
    assert done.exit_code == 0
    rulings = [json.loads(line) for line in done.output.splitlines()]
    told = [
        (r["t"], r["ruling"], r.get("glass", r.get("code", r.get("player"))))
        for r in rulings
        if r["ruling"] in ("move", "violation", "timer_started")
    ]
    assert told == [
        (2000, "move", "R2"),
        (4000, "timer_started", "red"),
        (7000, "move", "B3"),
        (11000, "violation", "R1"),
    ]
    assert rulings[-1]["code"] == "not_flipped"
