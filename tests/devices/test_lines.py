"""Both ways of reading a row give the same, whatever is closed."""

from __future__ import annotations

import time

import pytest
from gpiozero import DigitalInputDevice, DigitalOutputDevice
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_pi.config.profile import CROSSINGS, load_profile
from tamsk_pi.devices.gpio.lines import GroupLines, PinLines, wait_us
from tests.devices.fake_lgpio import FakeLgpio, LgpioError
from tests.devices.switchboard import Switchboard

PROFILE = load_profile("matrix")
ROWS = list(PROFILE.matrix.rows.values())
COLUMNS = list(PROFILE.matrix.columns.values())


def expected(closed: set[str]) -> list[int]:
    return [sum(1 << bit for bit, column in enumerate("ABCDEFG") if f"{column}{row}" in closed) for row in range(1, 9)]


def read(lines: PinLines | GroupLines) -> list[int]:
    rows = [lines.read_row(index) for index in range(8)]
    lines.rest()
    return rows


@settings(max_examples=30, deadline=None)
@given(closed=st.sets(st.sampled_from(CROSSINGS)))
def test_pin_by_pin(closed: set[str]) -> None:
    switches = Switchboard(PROFILE)
    rows = [DigitalOutputDevice(line, active_high=False, pin_factory=switches.factory) for line in ROWS]
    columns = [DigitalInputDevice(line, pull_up=True, pin_factory=switches.factory) for line in COLUMNS]
    switches.close(*closed)
    assert read(PinLines([r.pin for r in rows], [c.pin for c in columns], 0)) == expected(closed)


@settings(max_examples=30, deadline=None)
@given(closed=st.sets(st.sampled_from(CROSSINGS)))
def test_in_groups(closed: set[str]) -> None:
    lgpio = FakeLgpio([*ROWS, *COLUMNS])
    lgpio.closed = {(PROFILE.matrix.rows[c[1]], PROFILE.matrix.columns[c[0]]) for c in closed}
    assert read(GroupLines(lgpio, 0, ROWS, COLUMNS, 0)) == expected(closed)


def test_groups_take_two_calls_a_row_and_one_to_rest() -> None:
    lgpio = FakeLgpio([*ROWS, *COLUMNS])
    lines = GroupLines(lgpio, 0, ROWS, COLUMNS, 0)
    assert lgpio.levels == dict.fromkeys(ROWS, 1)
    read(lines)
    assert lgpio.calls == 17
    assert lgpio.levels == dict.fromkeys(ROWS, 1)


def test_groups_are_given_back() -> None:
    lgpio = FakeLgpio([*ROWS, *COLUMNS])
    lines = GroupLines(lgpio, 0, ROWS, COLUMNS, 0)
    assert set(lgpio.groups) == {ROWS[0], COLUMNS[0]}
    lines.close()
    assert lgpio.groups == {}


def test_a_line_that_another_group_holds_is_an_error() -> None:
    lgpio = FakeLgpio([*ROWS, *COLUMNS])
    lgpio.groups[99] = [COLUMNS[3]]
    with pytest.raises(LgpioError, match="busy"):
        GroupLines(lgpio, 0, ROWS, COLUMNS, 0)


def test_the_wires_are_given_their_time() -> None:
    wait = wait_us(200)
    begun_ns = time.perf_counter_ns()
    wait()
    assert time.perf_counter_ns() - begun_ns >= 200_000
