"""The virtual board on the bridge's firmware: the same hands, the same rulings as through the matrix."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_bridge.bench import BenchError, FirmwareBench, Sent
from firmware_bridge.build import missing_for_simavr
from firmware_bridge.inputs import Build
from firmware_bridge.model_bench import ModelBench
from firmware_bridge.simavr.bench import SimavrBench
from tamsk_pi.app.simulator import table_for
from tamsk_pi.cli import main
from tamsk_pi.clock import VirtualClock
from tamsk_pi.config.profile import load_profile
from tamsk_pi.devices.base import DeviceError, LampFrame
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.rules.board import START
from tamsk_pi.runner.loop import Loop
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.sim.acts import TimedAct
from tamsk_pi.sim.board import VirtualBoard
from tamsk_pi.sim.bridge import SimulatedBridge
from tamsk_pi.sim.match import Match
from tamsk_pi.sim.rig import Rig, SimulatedBoard, Table
from tamsk_pi.sim.sand import drawn_glass_ms
from tamsk_pi.sim.truth import Fitted
from tests.programs import Program
from tests.tiers import lacking

BEGIN_MS = 5_000
APART_MS = 2
"""The firmware scans every millisecond, and clocks are compared to better than one."""

MakeBench = Callable[[Build], FirmwareBench]


@pytest.fixture(params=["model", pytest.param("simavr", marks=pytest.mark.firmware)])
def make_bench(request: pytest.FixtureRequest) -> MakeBench:
    if request.param == "model":
        return ModelBench
    missing = missing_for_simavr()
    if missing:
        lacking(missing)
    return SimavrBench


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(BEGIN_MS)


@pytest.fixture
def rig(make_bench: MakeBench, clock: VirtualClock) -> Iterator[SimulatedBridge]:
    rig = SimulatedBridge(make_bench, clock, 1, Table(fitted=Fitted(rings="buttons")))
    rig.open()
    yield rig
    rig.close()


def go_on(rig: SimulatedBridge, clock: VirtualClock, ms: int) -> None:
    until_ms = clock.now_ms() + ms
    while clock.now_ms() < until_ms:
        next_ms = rig.next_ms()
        assert next_ms is not None
        clock.go_to(min(until_ms, max(next_ms, clock.now_ms() + 1)))
        rig.run_to(clock.now_ms())


def judged(rig: Rig, clock: VirtualClock, settings: Settings, acts: list[TimedAct], begin_ms: int) -> list[Ruling]:
    """The rulings on a game whose acts are known beforehand."""
    loop = Loop(rig, clock, lambda of: Conductor("play"), pump=rig)
    rig.open()
    try:
        rig.start(loop.post)
        loop.begin(settings)
        rig.board.plan((begin_ms + t_ms, act) for t_ms, act in acts)
        end_ms = begin_ms + acts[-1][0] + 5_000
        while clock.now_ms() < end_ms:
            wake_ms = loop.go_round()
            next_ms = rig.next_ms()
            clock.go_to(max(min(wake_ms, end_ms if next_ms is None else next_ms), clock.now_ms() + 1))
        loop.close()
        return loop.desk.rulings
    finally:
        rig.close()


def judged_straight(settings: Settings, table: Table, seed: int, acts: list[TimedAct]) -> list[Ruling]:
    """The rulings on the very edges of the same contacts, with nothing in between."""
    board = VirtualBoard(
        f"{seed}/1", fitted=table.fitted, glass_ms=table.glass_ms, standing=table.standing, now_ms=BEGIN_MS
    )
    board.plan((BEGIN_MS + t_ms, act) for t_ms, act in acts)
    end_ms = BEGIN_MS + acts[-1][0] + 5_000
    session = Session(settings)
    rulings = list(session.advance(0))
    rulings += session.feed_all([edge._replace(t_ms=edge.t_ms - BEGIN_MS) for edge in board.run_to(end_ms)])
    return [*rulings, *session.advance(end_ms - BEGIN_MS)]


def without_times(rulings: list[Ruling]) -> list[tuple[str, Mapping[str, object]]]:
    return [(ruling.kind, {k: v for k, v in ruling.details.items() if not k.endswith("_ms")}) for ruling in rulings]


@pytest.mark.parametrize("seed", [3, 8])
def test_a_whole_game_at_level_3_brings_the_rulings_of_the_matrix(make_bench: MakeBench, seed: int) -> None:
    fitted = Fitted(rings="buttons")
    match = Match(seed, level=3, clumsy=0.15, fitted=fitted, glass_ms=drawn_glass_ms(random.Random(seed)))
    match.play()
    assert match.is_over
    settings = match.session.settings
    told = {}
    for kind in ("matrix", "bridge"):
        clock = VirtualClock(BEGIN_MS)
        table = table_for(settings, Table())
        rig: Rig = (
            SimulatedBoard(load_profile("matrix"), clock, seed, table)
            if kind == "matrix"
            else SimulatedBridge(make_bench, clock, seed, table)
        )
        told[kind] = judged(rig, clock, settings, match.acts, BEGIN_MS)
    assert {"move", "ring", "violation", "timer_started", "game_over"} <= {ruling.kind for ruling in told["matrix"]}
    assert without_times(told["bridge"]) == without_times(told["matrix"])
    straight = judged_straight(settings, table_for(settings, Table()), seed, match.acts)
    assert without_times(told["bridge"])[: len(straight)] == without_times(straight)
    apart = [abs(a.t_ms - b.t_ms) for a, b in zip(told["bridge"], straight, strict=False)]
    assert max(apart) <= APART_MS


def test_the_table_is_state_and_a_lifted_glass_an_edge(rig: SimulatedBridge, clock: VirtualClock) -> None:
    posted: list[Edge] = []
    inputs = rig.inputs()
    assert {name for (kind, name), value in inputs.items() if kind == "socket" and value} == set(START.values())
    rig.start(posted.extend)
    go_on(rig, clock, 500)
    assert posted == []
    rig.hands.lift("red", "R1", clock.now_ms())
    go_on(rig, clock, 3_000)
    opened = [edge for edge in posted if (edge.kind, edge.name) == ("socket", START["R1"])]
    assert opened[0].value is False
    assert opened[-1].value is False
    assert BEGIN_MS + 500 <= opened[0].t_ms <= clock.now_ms()
    assert 0 <= clock.now_ms() - rig.alive_at_ms() <= 200


def test_a_new_table_is_state_too(rig: SimulatedBridge, clock: VirtualClock) -> None:
    posted: list[Edge] = []
    rig.start(posted.extend)
    go_on(rig, clock, 200)
    rig.lay_out(Table(standing={"R1": "D4"}))
    assert {name for (kind, name), value in rig.inputs().items() if kind == "socket" and value} == {"D4"}
    go_on(rig, clock, 500)
    assert posted == []
    assert clock.now_ms() - rig.alive_at_ms() <= 200


@pytest.mark.parametrize("order", ["link_is_cut", "scan_is_stopped"])
def test_a_pulled_cable_is_silence_and_its_return_tells_what_changed(
    rig: SimulatedBridge, clock: VirtualClock, order: str
) -> None:
    posted: list[Edge] = []
    rig.start(posted.extend)
    go_on(rig, clock, 300)
    setattr(rig, order, True)
    cut_ms = clock.now_ms()
    rig.hands.lift("red", "R1", cut_ms)
    go_on(rig, clock, 4_000)
    assert posted == []
    assert rig.alive_at_ms() <= cut_ms
    setattr(rig, order, False)
    go_on(rig, clock, 2_000)
    assert ("socket", START["R1"], False) in [edge[1:] for edge in posted]
    assert clock.now_ms() - rig.alive_at_ms() <= 200


def test_lamps_reach_the_bench_and_go_out_at_the_end(make_bench: MakeBench, clock: VirtualClock) -> None:
    benches: list[FirmwareBench] = []

    def kept(build: Build) -> FirmwareBench:
        benches.append(make_bench(build))
        return benches[-1]

    rig = SimulatedBridge(kept, clock, 1, Table())
    rig.open()
    rig.show(LampFrame(panel={"ready": True}, red_sockets=frozenset({"D4"}), green_sockets=frozenset()))
    go_on(rig, clock, 100)
    outputs = benches[0].outputs
    assert outputs.lit() == {"ready"}
    assert outputs.red == {"D4"}
    rig.close()
    rig.close()
    assert outputs.lit() == set()
    assert outputs.red == set()


def test_a_bench_that_dies_is_told_in_one_line(clock: VirtualClock) -> None:
    class Dying(ModelBench):
        def run_to(self, t_us: int) -> list[Sent]:
            raise BenchError("the bench ended with status 1: no reason given")

    rig = SimulatedBridge(Dying, clock, 1, Table())
    with pytest.raises(DeviceError, match=r"^the simulated bridge: the bench ended with status 1"):
        rig.open()


def test_simulate_plays_on_a_model_where_simavr_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.build.missing_for_simavr", lambda: "simavr is not installed")
    done = CliRunner().invoke(
        main,
        ["simulate", "--board", "bridge", "--auto", "--level", "1", "--speed", "100000", "--seed", "2",
         "--rings", "holder", "--out", str(tmp_path)],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "tamsk-pi: simavr is not installed: a model of the firmware runs in its place.\n" in done.output
    assert "wins" in done.output


@pytest.mark.firmware
def test_ctrl_c_ends_the_program_and_not_the_board_under_it(tmp_path: Path) -> None:
    missing = missing_for_simavr()
    if missing:
        lacking(missing)
    command = [sys.executable, "-m", "tamsk_pi", "simulate", "--board", "bridge", "--port", "0", "--no-browser"]
    with Program(
        [*command, "--out", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline().startswith("The board is at http://127.0.0.1:")
        os.killpg(program.pid, signal.SIGINT)  # as a terminal does: to everything in the foreground
        _, errors = program.communicate(timeout=30)
    assert (program.returncode, errors) == (0, "")
