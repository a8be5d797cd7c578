"""What an edge waits for: its scan, its own way over the line, and a frame that is on the line already. Simulated time,
so nothing here depends on how busy the computer is."""

from __future__ import annotations

import itertools

import pytest

from firmware_bridge.protocol import Type
from tests.firmware_bridge.latency import (
    BAUDS,
    BUILD,
    SCAN_US,
    SWITCHES,
    Listener,
    all_at_once,
    limit_us,
    percentile,
    single_edges,
    started,
    value_of,
    wire_us,
)
from tests.firmware_bridge.rig import make_bench

SINGLE = 400
BURSTS = 40
SECOND_US = 1_000_000
SLACK_US = 300
"""For the processor's own work, and the pauses between bytes."""


@pytest.mark.parametrize("baud", BAUDS)
def test_a_single_edge_is_told_within_the_aim(kind: str, baud: int) -> None:
    with started(make_bench(kind, BUILD, baud=baud)) as rig:
        rig.start()
        took = list(single_edges(rig, baud, SINGLE))
        listener = Listener(rig, baud)
        listener.listen()
    limit = limit_us(max(one.wire_us for one in took))
    assert percentile([one.us for one in took], 99) <= limit
    longest_other = max(wire_us(frame, baud) for _, frame in listener.frames if frame.type == Type.HEARTBEAT)
    assert max(one.us for one in took) <= limit + longest_other


@pytest.mark.parametrize("baud", BAUDS)
def test_44_inputs_at_once_are_told_within_the_aim(kind: str, baud: int) -> None:
    with started(make_bench(kind, BUILD, baud=baud)) as rig:
        rig.start()
        took = list(all_at_once(rig, baud, BURSTS))
    assert all(one.us <= limit_us(one.wire_us) for one in took), max(one.us - limit_us(one.wire_us) for one in took)


def test_an_edge_never_waits_for_a_scan_and_a_heartbeat(kind: str) -> None:
    """One that is read as the heartbeat falls due goes before it; one that came just after waits for it, not longer."""
    baud = 115_200
    with started(make_bench(kind, BUILD)) as rig:
        rig.start()
        listener = Listener(rig, baud)
        rig.run(1_500)
        listener.listen()
        beat_us, beat = next((t_us, frame) for t_us, frame in listener.frames if frame.type == Type.HEARTBEAT)
        due_us = round(beat_us - wire_us(beat, baud))
        waited = 0
        for n, before_us in enumerate(range(-2_000, 2_000, 100)):
            at_us = due_us + (n + 1) * SECOND_US - before_us
            rig.bench.set(("socket", "D1"), n % 2 == 0, at_us)
            rig.run_to(at_us + SECOND_US // 2)
            [told] = listener.listen()
            behind_a_beat_us = wire_us(beat, baud) + told.wire_us + SLACK_US
            assert told.t_us - at_us <= max(limit_us(told.wire_us), behind_a_beat_us)
            waited += told.t_us - at_us > limit_us(told.wire_us)
    assert waited, "no edge met a heartbeat"


def test_heartbeats_come_while_edges_never_end(kind: str) -> None:
    with started(make_bench(kind, BUILD)) as rig:
        rig.start()
        listener = Listener(rig, 115_200)
        began_us = rig.now_us
        for n in range(5_000):
            name = SWITCHES[n % len(SWITCHES)]
            at_us = began_us + SCAN_US * (n + 5) + 300
            rig.bench.set(name, value_of(name, n // len(SWITCHES) % 2 == 0), at_us)
        rig.run(5_000)
        told = listener.listen()
        beats = [t_us for t_us, frame in listener.frames if frame.type == Type.HEARTBEAT]
    assert len(told) > 4_900
    assert len(beats) >= 4
    assert all(900_000 < later - sooner < 1_200_000 for sooner, later in itertools.pairwise(beats))
