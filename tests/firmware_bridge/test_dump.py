"""The last frames before a fault: where they go, how many are kept, and what a full disk does."""

from __future__ import annotations

import queue
import time
from pathlib import Path

import pytest

from firmware_bridge.dump import APART_S, KEPT, FrameDump
from firmware_bridge.events import Lost, Snapshot
from firmware_bridge.inputs import Build
from firmware_bridge.link import BridgeLink, LinkEvent
from firmware_bridge.model_bench import ModelBench

WAIT_S = 20.0


class Clock:
    """A wall's and a monotonic time that go on as they are told."""

    def __init__(self) -> None:
        self.now_s = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now_s


def test_a_fault_is_a_file_with_its_reason_first(tmp_path: Path) -> None:
    clock = Clock()
    dump = FrameDump(tmp_path / "faults", clock, clock)
    path = dump("the cable is gone", ["1.0 < #1 HELLO", "1.1 > #2 ASK"])
    assert path is not None
    assert path.parent == tmp_path / "faults"
    assert path.read_text(encoding="utf-8") == "the cable is gone\n\n1.0 < #1 HELLO\n1.1 > #2 ASK\n"


def test_a_fault_that_repeats_is_written_once_in_ten_seconds_and_the_oldest_go(tmp_path: Path) -> None:
    clock = Clock()
    dump = FrameDump(tmp_path, clock, clock)
    first = dump("0", [])
    assert first is not None
    clock.now_s += APART_S - 0.5
    assert dump("again", []) is None
    paths = []
    for n in range(KEPT):
        clock.now_s += APART_S
        paths.append(dump(str(n), []))
    assert sorted(tmp_path.iterdir()) == sorted(path for path in paths if path is not None)
    assert len(paths) == KEPT
    assert not first.exists()


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    assert FrameDump(tmp_path / "file" / "faults")("lost", ["x"]) is None
    assert "cannot be written" in caplog.text


def test_a_cable_that_is_pulled_leaves_the_last_frames_in_words(tmp_path: Path) -> None:
    events: queue.SimpleQueue[LinkEvent] = queue.SimpleQueue()
    bench = ModelBench(Build(), speed=1.0)
    with bench:
        link = BridgeLink(events.put, port=str(bench.port), dump=FrameDump(tmp_path))
        link.start()
        await_one(events, Snapshot)
    lost = await_one(events, Lost)
    link.close()
    assert isinstance(lost, Lost)
    [path] = tmp_path.iterdir()
    reason, _, *frames = path.read_text(encoding="utf-8").splitlines()
    assert reason == lost.reason
    assert any(" < #" in line and "HELLO Hello(" in line for line in frames)
    assert any(" > #" in line and "CONFIG Config(" in line for line in frames)


def await_one(events: queue.SimpleQueue[LinkEvent], kind: type[LinkEvent]) -> LinkEvent:
    by_s = time.monotonic() + WAIT_S
    while True:
        event = events.get(timeout=max(0.0, by_s - time.monotonic()))
        if isinstance(event, kind):
            return event
