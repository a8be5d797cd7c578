"""Six caps, their receiver and the air between them in one deterministic process, 600 simulated seconds each.

The caps and the Mega run the firmware that real ones would; radios and air are models
(`firmware_bridge/simavr/ether.c`).
"""

from __future__ import annotations

import pytest

from firmware_bridge.inputs import TRAVELLING
from firmware_bridge.simavr.air import Air
from tests.caps.world import SECONDS, STEP_US, World, outcome, run

pytestmark = [pytest.mark.firmware, pytest.mark.timeout(3_600)]

UNHEARD_MS = 25_000


@pytest.mark.parametrize("loss", [0.0, 0.2, 0.4, 0.6, 0.8])
def test_every_turning_is_told_once_with_its_time(loss: float) -> None:
    found, aired, ran = run(Air(loss=loss, echo=0.1))
    assert found.turnings > 350
    assert found.knocks > 50
    assert (found.untold, found.twice, found.false, found.untimed) == (0, 0, 0, 0), found.line()
    assert found.worst_ms < 5
    assert found.beyond_2_ms <= 2, "before a clock's rate was learnt"
    if loss <= 0.4:
        assert found.latest_ms < 300, "what the merge holds edges for"
    assert (aired.lost > 0) == (loss > 0)
    assert all(one.deep > 50 for one in ran), "they sleep"
    assert all(one.awake_ms < SECONDS * 1000 * 0.05 for one in ran)


def test_clocks_that_are_ten_percent_off_are_learnt() -> None:
    found, _, ran = run(Air(loss=0.2, clock_off=0.1, seed=4))
    assert max(abs(one.clock_off_ppm) for one in ran) > 50_000
    assert (found.untold, found.twice, found.false, found.untimed) == (0, 0, 0, 0), found.line()
    assert found.worst_ms < 2


def test_turnings_at_the_same_moment_collide_and_are_told() -> None:
    with World(Air()) as world:
        world.begin()
        for n in range(SECONDS // 3):
            for glass in TRAVELLING:
                world.turn(glass, world.now_us + 1_000_000 + 3_000_000 * n)
        world.run_to(world.now_us + SECONDS * 1_000_000, STEP_US)
        aired, _ = world.board.aired()
    found = outcome(world.truth, world.heard)
    assert found.turnings == SECONDS // 3 * 6
    assert aired.collided > 100
    assert (found.untold, found.twice, found.false, found.untimed) == (0, 0, 0, 0), found.line()
    assert found.latest_ms < 300


def test_a_stranger_on_the_channel_delays_and_loses_nothing() -> None:
    found, aired, _ = run(Air(jam=0.5, seed=6))
    assert aired.jammed > 10_000
    assert aired.collided > 100
    assert (found.untold, found.twice, found.false, found.untimed) == (0, 0, 0, 0), found.line()
    assert found.worst_ms < 5


def test_a_dying_cell_is_told_before_it_is_silent_and_the_others_go_on() -> None:
    with World(Air(loss=0.2)) as world:
        world.begin()
        world.board.set_cell("R2", 2_300, world.now_us + 60_000_000)
        world.play(120, seed=1)
        assert world.health()["R2"].low
        assert world.health()["R2"].cell_mv == pytest.approx(2_300, abs=20)
        assert not world.health()["R1"].low
        before = len(world.truth)
        world.board.set_cell("R2", None, world.now_us)
        world.play(SECONDS - 120, seed=2, glasses=[glass for glass in TRAVELLING if glass != "R2"])
        health = world.health()
    assert health["R2"].heard_ago_ms is not None
    assert health["R2"].heard_ago_ms > 400_000
    assert all((cap.heard_ago_ms or 0) < UNHEARD_MS for glass, cap in health.items() if glass != "R2")
    found = outcome(world.truth, world.heard)
    assert len(world.truth) > before > 0
    assert (found.untold, found.twice, found.false, found.untimed) == (0, 0, 0, 0), found.line()


def test_a_cap_that_restarts_tells_its_state_and_no_turning() -> None:
    with World(Air(loss=0.2)) as world:
        world.begin()
        for n in range(SECONDS // 60):
            # Out, turned over in the dark, and in again.
            out_us = world.now_us + 5_000_000
            world.board.set_cell("B1", None, out_us)
            world.board.set_ends(3, "b" if n % 2 == 0 else "a", out_us + 1_000_000)
            world.board.set_cell("B1", 3_000, out_us + 2_000_000)
            world.play(60, seed=n, glasses=[glass for glass in TRAVELLING if glass != "B1"])
        boots = world.health()["B1"].boot
    of_b1 = [one for one in world.heard if one.glass == "B1"]
    assert boots >= SECONDS // 60
    assert [one.up for one in of_b1] == ["b" if n % 2 == 0 else "a" for n in range(SECONDS // 60)]
    assert not any(one.timed for one in of_b1)
    found = outcome(world.truth, [one for one in world.heard if one.glass != "B1"])
    assert (found.untold, found.twice, found.false, found.untimed) == (0, 0, 0, 0), found.line()


def test_two_caps_on_one_address_are_named() -> None:
    with World(Air(glasses=(*TRAVELLING, "R3"))) as world:
        world.begin()
        world.play(SECONDS, seed=5)
        assert {glass for glass, cap in world.health().items() if cap.twins} == {"R3"}
    others = [one for one in world.truth if one.glass != "R3"]
    found = outcome(others, [one for one in world.heard if one.glass != "R3"])
    assert (found.untold, found.twice, found.false, found.untimed) == (0, 0, 0, 0), found.line()


def test_the_same_seed_gives_the_same_bytes() -> None:
    told = []
    for _ in range(2):
        with World(Air(loss=0.4, echo=0.1, seed=9)) as world:
            world.begin()
            world.play(60, seed=9)
            told.append([(sent.t_us, sent.data) for sent in world.sent])
    assert told[0] == told[1]
