"""Whole traces played on the bench's contacts and refereed through the firmware: the rulings of the trace itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_bridge.inputs import Build
from firmware_bridge.protocol import Config
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import GLASSES, TIMER
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.session import Session
from tamsk_pi.trace import End, Record, TraceReader
from tests.firmware_bridge.rig import Rig, make_bench

CASES = Path(__file__).resolve().parents[1] / "cases"
GAME = "game-level3-rulebook-4"
SHORT = [
    "bounce-takes-the-first-edge",
    "carried-over-a-neighbour",
    "forgotten-ring-is-claimed",
    "full-socket-loses",
    "not-adjacent-and-mended",
    "opening-asks-for-all-three",
    "put-back-is-nothing",
    "rattling-tilt-outlasts-the-placing",
    "timer-not-begun-rulebook",
    "turned-too-late",
    "two-quick-moves",
]
STEP_US = 50_000
STAMP_MS = 2


def through_the_firmware(rig: Rig, trace: Path) -> tuple[list[Ruling], list[Ruling]]:
    """The rulings on a trace, and those on what the firmware told of it."""
    with trace.open("rb") as stream:
        reader = TraceReader(stream)
        records = list(reader)
    for socket in reader.settings.occupied or ():
        rig.bench.set(("socket", socket), True)
    for glass in (*GLASSES, TIMER):
        rig.bench.set(("tilt", glass), reader.settings.up.get(glass, "a"))
    rig.start()
    rig.run(200)
    rig.changes.clear()
    origin_us = rig.now_us + 1_000_000
    for record in records:
        if isinstance(record, Edge):
            rig.bench.set((record.kind, record.name), record.value, origin_us + record.t_ms * 1000)
    rig.run_to(origin_us + records[-1].t_ms * 1000 + 200_000, STEP_US)
    told: list[Record] = [
        Edge((change.t_us - origin_us) // 1000, change.name[0], change.name[1], change.value)  # type: ignore[arg-type]
        for change in rig.changes
    ]
    end = End(records[-1].t_ms)
    return rulings(reader, records), rulings(reader, [*told, end])


def rulings(reader: TraceReader, records: list[Record]) -> list[Ruling]:
    session = Session(reader.settings)
    said = [ruling for record in records for ruling in session.take(record)]
    if not session.ended:
        said += session.finish(records[-1].t_ms)
    return said


def assert_same(straight: list[Ruling], told: list[Ruling]) -> None:
    assert [(ruling.kind, dict(ruling.details)) for ruling in told] == [
        (ruling.kind, dict(ruling.details)) for ruling in straight
    ]
    assert all(abs(a.t_ms - b.t_ms) <= STAMP_MS for a, b in zip(told, straight, strict=True))


@pytest.mark.parametrize("case", SHORT)
def test_short_cases(kind: str, case: str) -> None:
    with Rig(make_bench(kind, Build("reed", "stack")), Config(edge_limit=255)) as rig:
        straight, told = through_the_firmware(rig, CASES / f"{case}.trace.jsonl")
    assert straight
    assert_same(straight, told)


@pytest.mark.firmware
def test_a_whole_game_at_level_3() -> None:
    with Rig(make_bench("simavr", Build("reed", "stack"))) as rig:
        straight, told = through_the_firmware(rig, CASES / f"{GAME}.trace.jsonl")
        counters = rig.host.counters
    expected = json.loads((CASES / f"{GAME}.rulings.json").read_text(encoding="utf-8"))
    kinds = set(expected["kinds"])
    assert_same(straight, told)
    assert [ruling.kind for ruling in told if ruling.kind in kinds] == [r["ruling"] for r in expected["rulings"]]
    assert told[-1].kind == "game_over" or any(ruling.kind == "game_over" for ruling in told)
    assert counters is not None
    assert (counters.overflows, counters.limited, counters.late_scans) == (0, 0, 0)
