"""The caps' receiver on the Pi's own bus, and a board with it: a chip in memory, no thread but the receiver's own."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterator, Sequence

import attrs
import pytest

from firmware_bridge.caps import LINK_US
from firmware_bridge.inputs import TRAVELLING
from tamsk_pi.clock import VirtualClock
from tamsk_pi.devices.base import DeviceError, LampFrame, Post, Tone
from tamsk_pi.devices.cap_board import CapBoard
from tamsk_pi.devices.gpio.cap_radio import ADDRESS, Bus, CapReceiver, Line, NrfReceiver
from tamsk_pi.sensing.edges import Edge, EdgeValue
from tests.caps.chip import LISTENING, RX_ADDR_P0, Chip

WAIT_S = 20.0
NOW_MS = 1_000_000


def packet(**fields: int) -> bytes:
    """A cap's packet; what is not named is usual."""
    usual = {"version": 1, "boot": 1, "id": 7, "seq": 0, "ends": 1, "age": 0xFFFF, "age_2": 0xFFFF, "flags": 0,
             "cell": 150, "tries": 0, "lost": 0}  # fmt: skip
    return struct.pack("<BBHBBHHBBBB", *(usual | fields).values())


def test_the_chip_is_set_up_for_six_addresses() -> None:
    chip = Chip()
    receiver = NrfReceiver(chip.transfer)
    assert not receiver.is_listening()
    receiver.listen()
    assert receiver.is_listening()
    addresses = [chip.registers[RX_ADDR_P0 + pipe] for pipe in range(6)]
    assert addresses[:2] == [tuple(ADDRESS), (ADDRESS[0] + 1, *ADDRESS[1:])]
    assert addresses[2:] == [(ADDRESS[0] + n,) for n in (2, 3, 4, 5)]
    assert chip.registers[0x01] == chip.registers[0x02] == (0x3F,), "it answers on all of them"


def test_everything_that_waits_is_taken_in_order() -> None:
    chip = Chip()
    receiver = NrfReceiver(chip.transfer)
    receiver.listen()
    for n in range(4):
        chip.hear(n, packet(seq=n), 100 + n)
    assert chip.refused == 1
    assert list(receiver.take()) == [(n, packet(seq=n)) for n in range(3)]
    assert list(receiver.take()) == []


def test_a_chip_that_is_not_there_is_one_line() -> None:
    chip = Chip(present=False)
    receiver = CapReceiver("/dev/spidev0.1", 3, open_bus=lambda device: chip, open_line=lambda line: chip)
    with pytest.raises(DeviceError, match=r"^caps: no nRF24L01\+ answers on /dev/spidev0\.1"):
        receiver.open(lambda glass, told: None, lambda: None)
    assert chip.closed


@attrs.define
class Still:
    """A board of which nothing moves but what it is told to."""

    clock: VirtualClock
    post: Post | None = None
    closed: int = 0

    def open(self) -> None: ...

    def inputs(self) -> dict[tuple[str, str], EdgeValue]:
        tilts: dict[tuple[str, str], EdgeValue] = {("tilt", glass): "a" for glass in (*TRAVELLING, "N")}
        return tilts | {("socket", "D1"): False}

    def start(self, post: Post) -> None:
        self.post = post

    def show(self, frame: LampFrame) -> None: ...

    def sound(self, tones: Sequence[Tone]) -> None: ...

    def alive_at_ms(self) -> int:
        return self.clock.now_ms()

    def close(self) -> None:
        self.closed += 1


@attrs.define
class Table:
    """A board with a receiver, in virtual time."""

    clock: VirtualClock = attrs.Factory(lambda: VirtualClock(NOW_MS))
    chip: Chip = attrs.Factory(Chip)
    posted: list[Edge] = attrs.Factory(list)
    still: Still = attrs.field(init=False)
    receiver: CapReceiver = attrs.field(init=False)
    board: CapBoard = attrs.field(init=False)
    gate: threading.Condition = attrs.Factory(threading.Condition)
    looks: int = 0

    def __attrs_post_init__(self) -> None:
        self.still = Still(self.clock)
        self.receiver = CapReceiver(
            "bus", 3, open_bus=lambda device: self.chip, open_line=lambda line: self, now_us=self.now_us
        )
        self.board = CapBoard(self.still, self.receiver, clock=self.clock, caps_s=0.0)

    def now_us(self) -> int:
        return self.clock.now_ms() * 1000

    def wait(self, longest_s: float) -> int | None:
        """The line: each wait is told of, so that a test can wait for the thread to have come round."""
        called_us = self.chip.wait(longest_s)
        with self.gate:
            self.looks += 1
            self.gate.notify_all()
            if called_us is None:
                self.gate.wait(0.01)
        return called_us

    def close(self) -> None: ...

    def come_round(self) -> None:
        """Until the thread has been through everything twice."""
        with self.gate:
            seen = self.looks
            assert self.gate.wait_for(lambda: self.looks >= seen + 3, WAIT_S)

    def hear(self, glass: str, **fields: int) -> None:
        self.chip.hear(TRAVELLING.index(glass), packet(**fields), self.now_us())
        self.come_round()

    def go_on(self, ms: int) -> None:
        self.clock.go_to(self.clock.now_ms() + ms)
        self.come_round()
        self.board.alive_at_ms()
        self.board.alive_at_ms()


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    table.board.open()
    for glass in TRAVELLING:
        table.hear(glass)
    table.go_on(1_100)
    table.board.inputs()
    table.board.start(table.posted.extend)
    yield table
    table.board.close()


def test_a_turning_comes_with_its_own_time_among_the_sockets(table: Table) -> None:
    assert table.still.post is not None
    t_ms = table.clock.now_ms()
    table.still.post([Edge(t_ms, "socket", "D1", True)])
    table.go_on(120)
    # 100 ms ago, by the packet; the bus and the air are taken off as well.
    table.hear("R1", seq=1, ends=1 << 2 | 2, age=400 - LINK_US // 250)
    table.go_on(500)
    assert [(edge.kind, edge.name, edge.value) for edge in table.posted] == [
        ("socket", "D1", True), ("tilt", "R1", "b"),
    ]  # fmt: skip
    assert table.posted[1].t_ms - t_ms == pytest.approx(20, abs=1)
    assert table.board.inputs()["tilt", "R1"] == "b"


def test_wires_of_glasses_that_have_caps_are_not_listened_to(table: Table) -> None:
    assert table.still.post is not None
    table.still.post([Edge(table.clock.now_ms(), "tilt", "R1", "b"), Edge(table.clock.now_ms(), "tilt", "N", "b")])
    table.go_on(500)
    assert [edge.name for edge in table.posted] == ["N"]


def test_a_cap_that_falls_silent_and_comes_back(table: Table) -> None:
    for _ in range(30):
        for glass in TRAVELLING[1:]:
            table.hear(glass)
        table.go_on(1_000)
    assert [(edge.kind, edge.name, edge.value) for edge in table.posted] == [("cap", "R1", False)]
    table.hear("R1", seq=1, ends=1 << 2 | 2)
    table.go_on(1_000)
    assert table.posted[1:] == [Edge(table.posted[-1].t_ms, "cap", "R1", "b")]


def test_a_chip_that_lost_its_supply_is_set_up_anew(table: Table) -> None:
    table.chip.lose_supply()
    table.go_on(1_100)
    assert table.receiver.restarts == 1
    assert table.chip.registers[0] == (LISTENING,)
    table.hear("R1", seq=1, ends=1 << 2 | 2, age=100)
    table.go_on(500)
    assert [edge.name for edge in table.posted] == ["R1"]


def test_both_are_closed(table: Table) -> None:
    table.board.close()
    assert (table.still.closed, table.chip.closed) == (1, True)


@pytest.mark.parametrize(("opened", "name"), [(lambda: Bus("/dev/none"), "spidev"), (lambda: Line(3), "gpiod")])
def test_a_library_that_is_missing_is_one_line(
    monkeypatch: pytest.MonkeyPatch, opened: Callable[[], object], name: str
) -> None:
    monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(DeviceError, match=rf"^caps: .*{name}.*; install it with pip: tamsk-pi\[pi\]"):
        opened()
