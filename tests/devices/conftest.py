from __future__ import annotations

from collections.abc import Iterator

import attrs
import pytest

from tamsk_pi.clock import VirtualClock
from tamsk_pi.config.profile import BoardProfile, load_profile
from tamsk_pi.devices.gpio.board import MatrixBoard
from tests.devices.switchboard import Switchboard


@pytest.fixture(scope="session")
def full_profile() -> BoardProfile:
    return load_profile("matrix")


@pytest.fixture
def profile(full_profile: BoardProfile) -> BoardProfile:
    """The matrix board without socket lamps, whose chip `test_socket_lamps` brings along."""
    return attrs.evolve(full_profile, socket_lamps=None)


@pytest.fixture
def switches(profile: BoardProfile) -> Switchboard:
    return Switchboard(profile)


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(1000)


@pytest.fixture
def board(profile: BoardProfile, switches: Switchboard, clock: VirtualClock) -> Iterator[MatrixBoard]:
    """A board in virtual time: tests call `scan_once`."""
    board = MatrixBoard(profile, pin_factory=switches.factory, clock=clock, scan_thread=False, row_settle_us=0)
    yield board
    board.close()
