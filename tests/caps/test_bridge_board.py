"""The bridge as a device, with caps: the model of the firmware behind it, in simulated time."""

from __future__ import annotations

import attrs
import pytest

from firmware_bridge.bench import FirmwareBench
from firmware_bridge.build import missing_for_simavr
from firmware_bridge.inputs import TRAVELLING, Build
from firmware_bridge.model_bench import ModelBench
from firmware_bridge.simavr.air import Air
from firmware_bridge.simavr.bench import SimavrBench
from tamsk_pi.devices.base import DeviceError
from tamsk_pi.devices.bridge import BridgeBoard
from tamsk_pi.devices.caps import HOLD_MS
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sim.bridge import BenchLink
from tests.tiers import lacking

CAPS = Build(tilts="caps")
HEARD_US = 14_000_000


@attrs.define
class Box:
    """A bridge board on a stepped bench. `edges`: what it posted."""

    bench: FirmwareBench
    edges: list[Edge] = attrs.Factory(list)
    now_ms: int = 0
    alive: list[int] = attrs.Factory(list)
    link: BenchLink = attrs.field(init=False)
    board: BridgeBoard = attrs.field(init=False)

    def open(self, expected: Build = CAPS) -> None:
        def make_link(on_event: object) -> BenchLink:
            self.link = BenchLink(self.bench, on_event)  # type: ignore[arg-type]
            return self.link

        self.board = BridgeBoard(make_link=make_link, caps_s=0.0, expected=expected)
        self.bench.__enter__()
        self.board.open()
        self.link.run_to(HEARD_US)
        self.now_ms = HEARD_US // 1000
        self.board.inputs()
        self.board.start(self.edges.extend)

    def bench_us(self, t_ms: int) -> int:
        """A time of the host's on the bench's clock."""
        return t_ms * 1000 - self.link.shift_us

    def run(self, ms: int, step_ms: int = 10) -> None:
        end_ms = self.now_ms + ms
        while self.now_ms < end_ms:
            self.now_ms += step_ms
            self.link.run_to(self.now_ms * 1000)
            before = len(self.edges)
            alive_ms = self.board.alive_at_ms()
            self.alive.append(alive_ms)
            assert all(edge.t_ms >= self.alive[-2] for edge in self.edges[before:]) or len(self.alive) < 2


@pytest.fixture(params=["model", pytest.param("simavr", marks=pytest.mark.firmware)])
def box(request: pytest.FixtureRequest) -> Box:
    if request.param == "simavr":
        missing = missing_for_simavr()
        if missing:
            lacking(missing)
        return Box(SimavrBench(CAPS, air=Air(loss=0.4, seed=2)))
    return Box(ModelBench(CAPS))


def test_a_turning_is_posted_in_its_place_among_the_sockets(box: Box) -> None:
    box.open()
    try:
        t_ms = box.now_ms + 100
        box.bench.set(("socket", "D1"), True, box.bench_us(t_ms))
        box.bench.set(("tilt", "R1"), "b", box.bench_us(t_ms + 20))
        box.bench.set(("socket", "D1"), False, box.bench_us(t_ms + 60))
        box.run(1_000)
        told = [(edge.kind, edge.name, edge.value) for edge in box.edges]
        assert told == [("socket", "D1", True), ("tilt", "R1", "b"), ("socket", "D1", False)]
        assert [edge.t_ms - t_ms for edge in box.edges] == pytest.approx([0, 20, 60], abs=3)
        assert box.board.inputs()["tilt", "R1"] == "b"
        assert box.board.caps()["R1"].late == 0
    finally:
        box.board.close()
        box.bench.__exit__(None, None, None)


def test_how_far_it_has_been_read_lags_and_never_goes_back(box: Box) -> None:
    box.open()
    try:
        box.run(2_000)
        assert box.alive == sorted(box.alive)
        assert box.now_ms - box.alive[-1] == pytest.approx(HOLD_MS + 70, abs=80)
    finally:
        box.board.close()
        box.bench.__exit__(None, None, None)


def test_a_cap_whose_cell_is_taken_out_is_told_and_taken_over_when_it_is_back(box: Box) -> None:
    box.open()
    try:
        box.bench.set_cell("R2", None)
        box.run(40_000, 50)
        assert [(edge.kind, edge.name, edge.value) for edge in box.edges] == [("cap", "R2", False)]
        assert not box.board.caps()["R2"].heard
        box.bench.set(("tilt", "R2"), "b")
        box.bench.set_cell("R2", 2_300)
        box.run(12_000, 50)
        back = box.edges[1:]
        assert {(edge.kind, edge.name) for edge in back} == {("cap", "R2")}
        assert back[-1].value == "b"
        assert box.board.inputs()["tilt", "R2"] == "b"
        assert all(state.heard for state in box.board.caps().values())
    finally:
        box.board.close()
        box.bench.__exit__(None, None, None)


def test_a_receiver_that_starts_anew_turns_nothing(box: Box) -> None:
    box.open()
    try:
        box.bench.set(("tilt", "B1"), "b")
        box.run(1_000)
        box.edges.clear()
        box.bench.reset()
        box.run(16_000, 50)
        assert [edge for edge in box.edges if edge.kind == "tilt"] == []
        assert box.board.inputs()["tilt", "B1"] == "b"
        assert all(state.heard for state in box.board.caps().values())
    finally:
        box.board.close()
        box.bench.__exit__(None, None, None)


@pytest.mark.parametrize(
    ("fitted", "wanted", "text"),
    [
        (
            Build(),
            CAPS,
            r"the bridge's firmware 1\.1\.0 is built without a receiver for caps \(tamsk-pi firmware flash",
        ),
        (CAPS, Build(), r"the bridge's firmware 1\.1\.0 hears caps, the game wants wired tilts"),
    ],
)
def test_another_build_is_named(fitted: Build, wanted: Build, text: str) -> None:
    box = Box(ModelBench(fitted))
    with pytest.raises(DeviceError, match=text):
        box.open(wanted)
    box.bench.__exit__(None, None, None)


def test_every_glass_that_travels_has_a_cap() -> None:
    box = Box(ModelBench(CAPS))
    box.open()
    assert list(box.board.caps()) == list(TRAVELLING)
    box.board.close()
    box.bench.__exit__(None, None, None)
