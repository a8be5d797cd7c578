"""Readings of hall fields and ring ladders, on the firmware in simavr alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_bridge.events import CommandEnded
from firmware_bridge.inputs import SOCKETS, Build
from firmware_bridge.protocol import Config, SelfTest, Type
from firmware_bridge.simavr.bench import SimavrBench
from tests.firmware_bridge.rig import Rig, make_bench

pytestmark = pytest.mark.firmware

MV_A_STEP = 5000 / 256


def rig_of(build: Build, config: Config | None = None) -> tuple[Rig, SimavrBench]:
    bench = make_bench("simavr", build)
    assert isinstance(bench, SimavrBench)
    return Rig(bench, config), bench


@pytest.fixture
def hall() -> Iterator[tuple[Rig, SimavrBench]]:
    rig, bench = rig_of(Build("hall", "buttons"), Config(hall_zero=130, hall_on=40, hall_off=25))
    with rig:
        rig.start()
        yield rig, bench


@pytest.mark.parametrize("socket", ["A1", "C6", "D1", "D7", "E6", "F1", "G4"])
def test_a_field_appears_and_vanishes_at_its_own_thresholds(hall: tuple[Rig, SimavrBench], socket: str) -> None:
    rig, bench = hall
    name = ("socket", socket)
    for sign, field in ((1, "N"), (-1, "S")):
        seen = []
        for distance in (0, 38, 42, 27, 42, 27, 23, 38, 42, 0):
            bench.set_millivolts(name, round((130 + sign * distance + 0.5) * MV_A_STEP))
            rig.run(10)
            seen.append(rig.values[name])
        assert seen == [None, None, field, field, field, field, None, None, field, None]
    assert {change.name for change in rig.changes} == {name}


def test_a_glass_turned_in_its_socket_goes_from_pole_to_pole_at_once(hall: tuple[Rig, SimavrBench]) -> None:
    rig, _ = hall
    for value in ("N", "S", "N", None):
        rig.bench.set(("socket", "D4"), value)
        rig.run(10)
    assert [change.value for change in rig.changes] == ["N", "S", "N", None]


def test_every_hall_sensor_is_read_each_millisecond(hall: tuple[Rig, SimavrBench]) -> None:
    rig, _ = hall
    at_us = rig.now_us + 20_000
    for n, socket in enumerate(SOCKETS):
        rig.bench.set(("socket", socket), "N" if n % 2 else "S", at_us)
    rig.run(200)
    assert len(rig.changes) == len(SOCKETS)
    assert all(at_us - 500 <= change.t_us <= at_us + 2_500 for change in rig.changes)
    assert rig.host.counters is None or rig.host.counters.late_scans == 0


def test_rounds_keep_up_even_with_both_kinds_fitted() -> None:
    rig, _ = rig_of(Build("hall", "stack"))
    with rig:
        rig.start()
        rig.run(1500)
        before = rig.host.counters
        rig.run(2000)
        assert before is not None
        assert rig.host.counters is not None
        assert rig.host.counters.late_scans == before.late_scans


def test_a_cut_sensor_is_named_by_the_self_test(hall: tuple[Rig, SimavrBench]) -> None:
    rig, bench = hall
    bench.set_millivolts(("socket", "E2"), 0)
    rig.run(20)
    rig.host.command(Type.SELF_TEST)
    rig.run(100)
    assert SelfTest.parse(rig.of(CommandEnded)[-1].done.data).odd_socket == "E2"


def test_readings_can_be_asked_for(hall: tuple[Rig, SimavrBench]) -> None:
    rig, bench = hall
    bench.set_millivolts(("socket", "B2"), 1250)
    rig.run(20)
    rig.host.command(Type.READ, b"\x00")
    rig.run(100)
    readings = rig.of(CommandEnded)[-1].done.data
    assert len(readings) == len(SOCKETS)
    assert readings[SOCKETS.index("B2")] == pytest.approx(64, abs=1)
    assert readings[SOCKETS.index("B3")] == pytest.approx(128, abs=1)


def test_a_ladder_counts_rings_and_does_not_flicker_on_a_border() -> None:
    rig, bench = rig_of(Build("reed", "stack"))
    with rig:
        rig.start()
        name = ("ring", "D4")
        seen = []
        for reading in (255, 128, 85, 64, 51, 60, 55, 59, 64, 128, 108, 104, 101, 108, 112, 255):
            bench.set_millivolts(name, min(5000, round((reading + 0.5) * MV_A_STEP)))
            rig.run(10)
            seen.append(rig.values[name])
        assert seen == [0, 1, 2, 3, 4, 4, 4, 4, 3, 1, 1, 1, 2, 2, 1, 0]
