"""What systemd is told, over a real datagram socket in a folder of the test's own."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tamsk_pi.clock import VirtualClock
from tamsk_pi.service import Notifier


class Systemd:
    """The other end of the notify socket."""

    def __init__(self, address: str | bytes) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.setblocking(False)

    def heard(self) -> list[str]:
        """Every datagram since the last call."""
        texts = []
        while True:
            try:
                texts.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return texts


@pytest.fixture
def address(tmp_path: Path) -> str:
    return str(tmp_path / "notify")


@pytest.fixture
def systemd(address: str) -> Iterator[Systemd]:
    systemd = Systemd(address)
    yield systemd
    systemd.socket.close()


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(5000)


def notifier(address: str, clock: VirtualClock, **more: str) -> Notifier:
    return Notifier.from_environment({"NOTIFY_SOCKET": address} | more, clock)


def test_readiness_comes_with_its_status(systemd: Systemd, address: str, clock: VirtualClock) -> None:
    notifier(address, clock).ready("watching a game")
    assert systemd.heard() == ["READY=1\nSTATUS=watching a game"]


def test_signs_of_life_come_four_times_an_interval(systemd: Systemd, address: str, clock: VirtualClock) -> None:
    life = notifier(address, clock, WATCHDOG_USEC="10000000")
    times = []
    for t_ms in range(5000, 25_001, 100):
        clock.go_to(t_ms)
        life.alive()
        times += [t_ms] * len(systemd.heard())
    assert times == list(range(5000, 25_001, 2500))


def test_nothing_goes_out_while_the_loop_stands_still(systemd: Systemd, address: str, clock: VirtualClock) -> None:
    life = notifier(address, clock, WATCHDOG_USEC="10000000")
    life.alive()
    assert systemd.heard() == ["WATCHDOG=1"]
    clock.go_to(100_000)
    life.status("something else")
    life.ready()
    assert "WATCHDOG=1" not in systemd.heard()


def test_looking_for_a_board_is_a_sign_of_life_too(systemd: Systemd, address: str, clock: VirtualClock) -> None:
    life = notifier(address, clock, WATCHDOG_USEC="10000000")
    life.looking("looking for the board")
    clock.go_to(9000)
    life.looking("looking for the board")
    assert systemd.heard() == ["STATUS=looking for the board", "WATCHDOG=1", "WATCHDOG=1"]


@pytest.mark.parametrize("more", [{}, {"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": str(os.getpid() + 1)}])
def test_without_a_watchdog_of_its_own_none_is_fed(
    systemd: Systemd, address: str, clock: VirtualClock, more: dict[str, str]
) -> None:
    notifier(address, clock, **more).alive()
    assert systemd.heard() == []


def test_a_status_is_one_line_and_told_once(systemd: Systemd, address: str, clock: VirtualClock) -> None:
    life = notifier(address, clock)
    life.status("two\nlines")
    life.status("two\nlines")
    life.stopping()
    assert systemd.heard()[0] == "STATUS=two lines"


def test_the_end_is_told(systemd: Systemd, address: str, clock: VirtualClock) -> None:
    notifier(address, clock).stopping()
    assert systemd.heard() == ["STOPPING=1"]


def test_an_abstract_socket_is_reached(clock: VirtualClock) -> None:
    name = f"tamsk-pi-test-{os.getpid()}"
    systemd = Systemd(b"\0" + name.encode())
    try:
        notifier(f"@{name}", clock).ready()
        assert systemd.heard() == ["READY=1"]
    finally:
        systemd.socket.close()


def test_outside_systemd_nothing_happens(clock: VirtualClock) -> None:
    life = Notifier.from_environment({}, clock)
    life.ready("x")
    life.alive()
    life.stopping()


def test_a_dead_systemd_does_not_end_the_game(
    address: str, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    systemd = Systemd(address)
    life = notifier(address, clock, WATCHDOG_USEC="1000000")
    systemd.socket.close()
    with caplog.at_level(logging.WARNING):
        for t_ms in (6000, 7000, 8000):
            clock.go_to(t_ms)
            life.alive()
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "systemd could not be told WATCHDOG=1"
    ]
