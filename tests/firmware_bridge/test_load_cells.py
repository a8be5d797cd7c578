"""Ring holders on load cells: the firmware and its model count rings alike."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from firmware_bridge.events import CommandEnded
from firmware_bridge.inputs import HOLDER_UNKNOWN, Build
from firmware_bridge.load_cell import RAW_MAX, RAW_MIN, rings
from firmware_bridge.protocol import READ_LOAD_CELLS, Config, Holder, SelfTest, Type, parse_load_cells
from tests.firmware_bridge.rig import Bench, Rig, make_bench

CELLS = {"red": Holder(-5_000, 2_000), "black": Holder(100_000, -1_500)}
WEIGHED_MS = 250
"""A reading has come, and has been told."""


@pytest.fixture
def bench(kind: str) -> Bench:
    return make_bench(kind, Build("reed", "holder"))


@pytest.fixture
def rig(bench: Bench) -> Iterator[Rig]:
    with Rig(bench, Config(red=CELLS["red"], black=CELLS["black"])) as rig:
        rig.start()
        yield rig


def counts(rig: Rig) -> tuple[object, object]:
    return rig.values["holder", "red"], rig.values["holder", "black"]


def test_load_cells_count_rings_either_way_up(bench: Bench, rig: Rig) -> None:
    bench.set_load("red", -5_000 + 32 * 2_000)
    bench.set_load("black", 100_000 - 9 * 1_500)
    rig.run(WEIGHED_MS)
    assert counts(rig) == (32, 9)
    bench.set_load("red", -5_000 + 31 * 2_000 + 150)
    bench.set_load("black", 100_000 + 2_000)
    rig.run(WEIGHED_MS)
    assert counts(rig) == (31, 0)


def test_a_ring_taken_is_one_edge(bench: Bench, rig: Rig) -> None:
    bench.set_load("red", -5_000 + 32 * 2_000)
    rig.run(WEIGHED_MS)
    rig.changes.clear()
    taken_us = rig.now_us + 20_000
    bench.set_load("red", -5_000 + 31 * 2_000, taken_us)
    rig.run(500)
    [change] = rig.changes
    assert (change.name, change.value) == (("holder", "red"), 31)
    assert taken_us <= change.t_us <= taken_us + 110_000


def test_every_reading_counts_as_in_the_table_of_the_model(bench: Bench, rig: Rig) -> None:
    dice = random.Random(8)
    told = {"red": HOLDER_UNKNOWN, "black": HOLDER_UNKNOWN}
    for n in range(150):
        for player, cell in CELLS.items():
            near = cell.zero + round((n % 36 - 1 + dice.uniform(-0.7, 0.7)) * cell.ring)
            reading = near if n % 25 else dice.choice((RAW_MIN, RAW_MAX))
            bench.set_load(player, reading)
            told[player] = rings(reading, cell, told[player])
        rig.run(WEIGHED_MS)
        assert counts(rig) == (told["red"], told["black"])


def test_a_reading_between_two_counts_does_not_flicker(bench: Bench, rig: Rig) -> None:
    seen = []
    for weight in (10.0, 10.55, 10.45, 10.55, 10.65, 10.45, 10.35):
        bench.set_load("red", round(-5_000 + weight * 2_000))
        rig.run(WEIGHED_MS)
        seen.append(rig.values["holder", "red"])
    assert seen == [10, 10, 10, 10, 11, 11, 10]


def test_raw_readings_can_be_asked_for(bench: Bench, rig: Rig) -> None:
    bench.set_load("red", -123_456)
    bench.set_load("black", 102_000)
    rig.run(WEIGHED_MS)
    assert read(rig) == (-123_456, 102_000)
    bench.set_load("black", None)
    rig.run(1_500)
    assert read(rig) == (-123_456, None)


def read(rig: Rig) -> tuple[int | None, int | None]:
    rig.host.command(Type.READ, bytes((READ_LOAD_CELLS,)))
    rig.run(100)
    return parse_load_cells(rig.of(CommandEnded)[-1].done.data)


def test_a_silent_load_cell_is_no_number(bench: Bench, rig: Rig) -> None:
    bench.set_load("red", 0)
    rig.run(300)
    assert isinstance(rig.values["holder", "red"], int)
    bench.set_load("red", None)
    rig.run(1500)
    assert counts(rig) == (None, None)
    rig.host.command(Type.SELF_TEST)
    rig.run(100)
    assert SelfTest.parse(rig.of(CommandEnded)[-1].done.data).silent_holders == ("red", "black")


def test_a_cell_that_is_not_calibrated_is_no_number(kind: str) -> None:
    with Rig(make_bench(kind, Build("reed", "holder")), Config(red=CELLS["red"])) as rig:
        rig.start()
        rig.bench.set_load("red", -5_000)
        rig.bench.set_load("black", -5_000)
        rig.run(WEIGHED_MS)
        assert counts(rig) == (0, None)
