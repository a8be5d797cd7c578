"""The bench itself: a slice ends where it is told to, and a byte is sent when it is written."""

from __future__ import annotations

import subprocess

import pytest

from firmware_bridge.build import build_firmware, build_harness
from firmware_bridge.inputs import Build
from firmware_bridge.simavr.air import Air
from tests.caps.world import STEP_US, World
from tests.firmware_bridge.rig import make_bench

pytestmark = [pytest.mark.firmware, pytest.mark.timeout(1_800)]


def test_no_slice_runs_over_its_end() -> None:
    """A SLEEP that is the last instruction of a slice would sleep on, to the part's own next event."""
    build = Build(rings="stack")
    make_bench("simavr", build)
    ends = range(1, 60_000)
    harness, firmware = build_harness(build), build_firmware(build).elf
    orders = "".join(f"RUN {t_us}\n" for t_us in ends)
    done = subprocess.run([harness, firmware], input=orders, capture_output=True, text=True, check=True)
    ran = [int(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("RAN ")]
    assert ran == list(ends)


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
