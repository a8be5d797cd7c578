from __future__ import annotations

import os
from collections.abc import Iterator

import attrs
import pytest

from tamsk_pi.config.profile import BoardProfile, load_profile
from tamsk_pi.devices.gpio.board import MatrixBoard
from tests.kernel.guest.simulated_header import Wires, wired


@pytest.fixture(scope="session")
def pin_factory() -> str:
    """The pin factory that this run of the guest is about."""
    return os.environ["PIN_FACTORY"]


@pytest.fixture(scope="session")
def profile() -> BoardProfile:
    """The matrix board; gpio-sim has lines and no SPI, so without its socket lamps."""
    return attrs.evolve(load_profile("matrix"), socket_lamps=None)


@pytest.fixture
def wires(profile: BoardProfile) -> Iterator[Wires]:
    with wired(profile.matrix) as wires:
        yield wires


@pytest.fixture
def board(profile: BoardProfile, pin_factory: str, wires: Wires) -> Iterator[MatrixBoard]:
    """The board, open and wired, in virtual time: checks call `scan_once`."""
    board = MatrixBoard(profile, pin_factory=pin_factory, scan_thread=False, row_settle_us=0)
    board.open()
    yield board
    board.close()
