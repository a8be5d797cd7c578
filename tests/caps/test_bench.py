"""The bench itself: a slice ends where it is told to, and a byte is sent when it is written."""

from __future__ import annotations

import pytest

from firmware_bridge.inputs import Build
from firmware_bridge.simavr.air import Air
from firmware_bridge.simavr.bench import SimavrBench
from tests.caps.world import STEP_US, World
from tests.firmware_bridge.rig import make_bench

pytestmark = [pytest.mark.firmware, pytest.mark.timeout(1_800)]


def test_no_slice_runs_over_its_end() -> None:
    """A SLEEP that is the last instruction of a slice would sleep on, to the next tick."""
    bench = make_bench("simavr", Build())
    assert isinstance(bench, SimavrBench)
    over = []
    with bench:
        bench.run_to(620_001)
        for t_us in range(620_004, 640_000, 3):
            bench.run_to(t_us)
            over.append(bench.now_us - t_us)
    assert max(over) == 0


def test_the_lamp_planes_show_what_they_should_while_the_radio_is_read() -> None:
    """They share the bus: a byte that is read and not written would shift their words."""
    red, green = frozenset({"A1", "D4", "G4"}), frozenset({"B2", "D4"})
    with World(Air(loss=0.3, echo=0.3, seed=8)) as world:
        world.begin()
        for n in range(40):
            world.turn("R1" if n % 2 else "B2", world.now_us + 20_000)
            world.host.lamps({}, red if n % 2 else frozenset(), frozenset() if n % 2 else green)
            world.run_to(world.now_us + 250_000, STEP_US)
            assert world.board.outputs.red == (set(red) if n % 2 else set())
            assert world.board.outputs.green == (set() if n % 2 else set(green))
        assert len(world.board.packets) > 80
