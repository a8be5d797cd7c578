"""The bridge as a device: what the contract's tests, which run for every board, do not ask."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from firmware_bridge.events import Change as Told
from firmware_bridge.events import Edges, InputLimited, Lost, Refused, Snapshot
from firmware_bridge.inputs import InputName, Value
from firmware_bridge.link import LinkEvent
from firmware_bridge.protocol import Type
from tamsk_pi.devices.base import DeviceError, LampFrame, Tone
from tamsk_pi.devices.bridge import BridgeBoard
from tamsk_pi.sensing.edges import Edge

STATE: dict[InputName, Value] = {
    ("socket", "D1"): True,
    ("socket", "D2"): False,
    ("tilt", "R1"): "a",
    ("holder", "red"): 32,
    ("holder", "black"): None,
}


class FakeLink:
    """A link that tells what it is told to."""

    def __init__(self, first: LinkEvent | None = None) -> None:
        self._first = first or Snapshot(1_000_000, STATE, healed=False)
        self.tell: Callable[[LinkEvent], None] = lambda event: None
        self.shown: list[tuple[Mapping[str, bool], frozenset[str], frozenset[str]]] = []
        self.played: list[Sequence[tuple[int, int]]] = []
        self.alive: int | None = 1_000_000
        self.closed = 0

    def make(self, on_event: Callable[[LinkEvent], None]) -> FakeLink:
        self.tell = on_event
        return self

    def start(self) -> None:
        threading.Thread(target=self.tell, args=(self._first,)).start()

    def close(self) -> None:
        self.closed += 1

    def lamps(self, panel: Mapping[str, bool], red: frozenset[str], green: frozenset[str]) -> None:
        self.shown.append((panel, red, green))

    def tones(self, tones: Sequence[tuple[int, int]]) -> None:
        self.played.append(tones)

    def command(self, command: Type, body: bytes = b"") -> None:
        raise AssertionError(f"a board without caps is told {command.name}")

    def alive_us(self) -> int | None:
        return self.alive


@pytest.fixture
def link() -> FakeLink:
    return FakeLink()


@pytest.fixture
def posted() -> list[Edge]:
    return []


@pytest.fixture
def board(link: FakeLink, posted: list[Edge]) -> BridgeBoard:
    board = BridgeBoard(make_link=link.make)
    board.open()
    board.inputs()
    board.start(posted.extend)
    return board


def test_a_holder_that_cannot_be_read_is_no_input(board: BridgeBoard, link: FakeLink, posted: list[Edge]) -> None:
    assert ("holder", "black") not in board.inputs()
    assert board.inputs()["holder", "red"] == 32
    link.tell(Edges((Told(2_000_000, ("holder", "red"), None), Told(2_000_500, ("holder", "red"), 31))))
    assert posted == [Edge(2000, "holder", "red", 31)]


def test_after_a_gap_the_differences_are_edges_at_the_snapshot(
    board: BridgeBoard, link: FakeLink, posted: list[Edge]
) -> None:
    link.tell(Lost("the cable or the board is gone"))
    assert board.inputs()["socket", "D1"] is True
    link.tell(Snapshot(5_000_999, STATE | {("socket", "D1"): False, ("tilt", "R1"): "b"}, healed=False))
    assert posted == [Edge(5000, "socket", "D1", False), Edge(5000, "tilt", "R1", "b")]


def test_alive_stands_still_while_the_link_is_lost_and_never_goes_back(board: BridgeBoard, link: FakeLink) -> None:
    assert board.alive_at_ms() == 999
    link.alive = 3_456_789
    assert board.alive_at_ms() == 3455
    link.alive = None
    assert board.alive_at_ms() == 3455
    link.alive = 2_000_000
    assert board.alive_at_ms() == 3455


def test_a_board_that_was_just_met_was_read_at_its_snapshot(link: FakeLink) -> None:
    """Its first sign of life comes a moment later; until then nobody must take it for silent."""
    link.alive = None
    board = BridgeBoard(make_link=link.make)
    assert board.alive_at_ms() == 0
    board.open()
    assert board.alive_at_ms() == 999


def test_a_board_that_comes_back_gets_its_lamps_again(board: BridgeBoard, link: FakeLink) -> None:
    board.show(LampFrame({"ready": True}, frozenset({"D1"})))
    link.shown.clear()
    link.tell(Snapshot(5_000_000, STATE, healed=False))
    assert link.shown == [({"ready": True}, frozenset({"D1"}), frozenset())]


def test_tones_are_cut_to_what_a_frame_holds(board: BridgeBoard, link: FakeLink) -> None:
    board.sound([Tone(440, 100_000)] * 20)
    assert link.played == [[(440, 65_535)] * 16]


def test_an_input_that_is_limited_is_known(board: BridgeBoard, link: FakeLink) -> None:
    link.tell(InputLimited(1, ("socket", "D1"), True))
    assert board.limited == {("socket", "D1")}
    link.tell(InputLimited(1, ("socket", "D1"), False))
    assert board.limited == set()


def test_no_board_is_one_line_with_a_remedy(tmp_path: Path) -> None:
    board = BridgeBoard(str(tmp_path / "none"), open_s=0.3)
    with pytest.raises(DeviceError, match=r"^no bridge board: .*none: there is no such port \(plug it in"):
        board.open()
    with pytest.raises(DeviceError):
        board.open()


def test_another_protocol_is_refused_at_once() -> None:
    link = FakeLink(Refused("the board's firmware 9.8.7 speaks protocol 2"))
    board = BridgeBoard(make_link=link.make)
    with pytest.raises(DeviceError, match="speaks protocol 2"):
        board.open()
    assert link.closed == 1


def test_nothing_is_posted_after_close(board: BridgeBoard, link: FakeLink, posted: list[Edge]) -> None:
    board.close()
    assert link.shown[-1] == ({}, frozenset(), frozenset())
    assert link.played[-1] == []
    link.tell(Edges((Told(2_000_000, ("socket", "D2"), True),)))
    assert posted == []
    assert board.inputs() == {}
