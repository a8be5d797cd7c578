"""The matrix board on mock pins, in virtual time."""

from __future__ import annotations

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tamsk_pi.clock import VirtualClock
from tamsk_pi.config.profile import CROSSINGS, BoardProfile
from tamsk_pi.devices.base import Device, DeviceError
from tamsk_pi.devices.gpio.board import MatrixBoard
from tamsk_pi.devices.gpio.holders import code_of
from tamsk_pi.rules.board import GLASSES, SOCKETS, START, TIMER
from tamsk_pi.sensing.edges import BUTTONS, Edge, EdgeValue
from tests.devices.switchboard import Switchboard


def set_holder(switches: Switchboard, profile: BoardProfile, side: str, count: int) -> None:
    assert profile.matrix.holders is not None
    for bit, crossing in enumerate(getattr(profile.matrix.holders, side)):
        switches.set(crossing, bool(code_of(count) >> bit & 1))


def test_it_is_a_device(board: MatrixBoard) -> None:
    device: Device = board
    assert device.alive_at_ms() == 0


def test_the_start_position_is_state_and_no_edge(board: MatrixBoard, switches: Switchboard) -> None:
    switches.close(*START.values())
    posted: list[Edge] = []
    board.open()
    state = board.inputs()
    assert {name for (kind, name), value in state.items() if kind == "socket" and value} == set(START.values())
    board.start(posted.extend)
    assert board.scan_once(1004) == []
    assert posted == []


def test_contacts_closed_before_start_are_no_edges_even_if_nobody_asked(
    board: MatrixBoard, switches: Switchboard
) -> None:
    switches.close("D4", "A8")
    posted: list[Edge] = []
    board.open()
    board.start(posted.extend)
    board.scan_once(1004)
    assert posted == []


def test_a_change_between_inputs_and_start_is_an_edge(board: MatrixBoard, switches: Switchboard) -> None:
    posted: list[Edge] = []
    board.open()
    board.inputs()
    switches.close("D4")
    board.start(posted.extend)
    board.scan_once(1004)
    assert posted == [Edge(1004, "socket", "D4", True)]


def test_inputs_are_all_there(board: MatrixBoard, switches: Switchboard, profile: BoardProfile) -> None:
    set_holder(switches, profile, "red", 32)
    set_holder(switches, profile, "black", 32)
    board.open()
    expected: dict[tuple[str, str], EdgeValue] = {("socket", socket): False for socket in SOCKETS}
    expected |= {("tilt", glass): "a" for glass in (*GLASSES, TIMER)}
    expected |= {("button", name): False for name in BUTTONS}
    expected |= {("holder", side): 32 for side in ("red", "black")}
    assert board.inputs() == expected


@pytest.mark.parametrize("socket", SOCKETS)
def test_every_socket_closes_and_opens(board: MatrixBoard, switches: Switchboard, socket: str) -> None:
    board.open()
    board.inputs()
    switches.close(socket)
    assert board.scan_once(2000) == [Edge(2000, "socket", socket, True)]
    assert board.scan_once(2004) == []
    switches.open(socket)
    assert board.scan_once(2008) == [Edge(2008, "socket", socket, False)]


def test_tilt_switches_and_buttons(board: MatrixBoard, switches: Switchboard, profile: BoardProfile) -> None:
    board.open()
    board.inputs()
    now_ms = 2000
    for glass, crossing in profile.matrix.tilt.items():
        switches.close(crossing)
        assert board.scan_once(now_ms) == [Edge(now_ms, "tilt", glass, "b")]
        switches.open(crossing)
        assert board.scan_once(now_ms) == [Edge(now_ms, "tilt", glass, "a")]
    for button in BUTTONS:
        crossing = getattr(profile.matrix.buttons, button)
        switches.close(crossing)
        assert board.scan_once(now_ms) == [Edge(now_ms, "button", button, True)]
        switches.open(crossing)
        assert board.scan_once(now_ms) == [Edge(now_ms, "button", button, False)]


def test_ball_switches_that_close_on_the_other_end(profile: BoardProfile, switches: Switchboard) -> None:
    other = attrs.evolve(profile, matrix=attrs.evolve(profile.matrix, tilt_closed="a"))
    switches.close("A8")
    board = MatrixBoard(other, pin_factory=switches.factory, scan_thread=False, row_settle_us=0)
    board.open()
    assert board.inputs()["tilt", "R1"] == "a"
    assert board.inputs()["tilt", "R2"] == "b"
    board.close()


def test_bounce_is_passed_on_edge_by_edge(board: MatrixBoard, switches: Switchboard) -> None:
    board.open()
    board.inputs()
    seen: list[Edge] = []
    for now_ms, closed in enumerate([True, False, True, False, True], start=2000):
        switches.set("D4", closed)
        seen += board.scan_once(now_ms)
    assert [(edge.t_ms, edge.value) for edge in seen] == [
        (2000, True),
        (2001, False),
        (2002, True),
        (2003, False),
        (2004, True),
    ]


def test_holders_count_down_and_up(board: MatrixBoard, switches: Switchboard, profile: BoardProfile) -> None:
    for side in ("red", "black"):
        set_holder(switches, profile, side, 32)
    board.open()
    board.inputs()
    for count in (*range(31, -1, -1), *range(1, 33)):
        set_holder(switches, profile, "black", count)
        assert board.scan_once(3000) == [Edge(3000, "holder", "black", count)]


def test_a_holder_that_is_not_plugged_in_has_no_state_until_it_is(
    board: MatrixBoard, switches: Switchboard, profile: BoardProfile
) -> None:
    set_holder(switches, profile, "red", 32)
    board.open()
    assert ("holder", "black") not in board.inputs()
    set_holder(switches, profile, "black", 32)
    assert board.scan_once(3000) == [Edge(3000, "holder", "black", 32)]
    for crossing in ("A7", "B7", "F7", "G7"):
        switches.open(crossing)
    assert board.scan_once(3004) == []


def test_a_game_taken_up_again_starts_from_the_counts_it_had(profile: BoardProfile, switches: Switchboard) -> None:
    set_holder(switches, profile, "red", 11)
    set_holder(switches, profile, "black", 20)
    board = MatrixBoard(
        profile,
        pin_factory=switches.factory,
        scan_thread=False,
        row_settle_us=0,
        holder_counts={"red": 12, "black": 20},
    )
    board.open()
    assert board.inputs()["holder", "red"] == 11
    assert board.inputs()["holder", "black"] == 20
    board.close()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(data=st.data())
def test_edges_lead_from_one_state_to_the_next(data: st.DataObject, profile: BoardProfile, clock: VirtualClock) -> None:
    """Whatever closes and opens, the state told at first and the edges since make up the state that is read."""
    switches = Switchboard(profile)
    board = MatrixBoard(profile, pin_factory=switches.factory, clock=clock, scan_thread=False, row_settle_us=0)
    assert profile.matrix.holders is not None
    contacts = [c for c in CROSSINGS if c not in (*profile.matrix.holders.red, *profile.matrix.holders.black)]
    switches.close(*data.draw(st.sets(st.sampled_from(contacts))))
    board.open()
    state = dict(board.inputs())
    for now_ms in range(5):
        for crossing in data.draw(st.sets(st.sampled_from(contacts), max_size=10)):
            switches.set(crossing, crossing not in switches.closed)
        for edge in board.scan_once(now_ms):
            assert state[edge.kind, edge.name] != edge.value
            state[edge.kind, edge.name] = edge.value
        assert state == board.inputs()
    board.close()


def test_a_crossing_that_carries_nothing_is_not_heard(board: MatrixBoard, switches: Switchboard) -> None:
    board.open()
    board.inputs()
    switches.close("E7")
    assert board.scan_once(2000) == []


def test_rows_rest_high_between_scans_and_lines_are_given_back(
    board: MatrixBoard, switches: Switchboard, profile: BoardProfile
) -> None:
    board.open()
    board.scan_once(2000)
    assert all(pin.function == "output" and pin.state for pin in switches.rows.values())
    assert all(pin.when_changed is None and pin.bounce is None for pin in switches.columns.values())
    board.close()
    board.close()
    assert all(pin.function == "input" for pin in switches.rows.values())
    again = MatrixBoard(profile, pin_factory=switches.factory, scan_thread=False, row_settle_us=0)
    again.open()
    again.close()


def test_scans_are_told_by_alive(board: MatrixBoard, clock: VirtualClock) -> None:
    board.open()
    board.inputs()
    assert board.alive_at_ms() == clock.now_ms()
    board.scan_once(1250)
    assert board.alive_at_ms() == 1250
    assert board.scans == 1


def test_a_board_that_is_not_open_says_so(board: MatrixBoard) -> None:
    with pytest.raises(DeviceError, match="not open"):
        board.inputs()
    with pytest.raises(DeviceError, match="not open"):
        board.scan_once(0)


def test_a_board_posts_to_one_place(board: MatrixBoard) -> None:
    board.open()
    board.start(lambda edges: None)
    with pytest.raises(DeviceError, match="already"):
        board.start(lambda edges: None)


def test_a_line_that_is_taken_is_named(profile: BoardProfile, switches: Switchboard) -> None:
    first = MatrixBoard(profile, pin_factory=switches.factory, scan_thread=False)
    second = MatrixBoard(profile, pin_factory=switches.factory, scan_thread=False)
    first.open()
    with pytest.raises(DeviceError, match=r"GPIO12, lamps\.turn_red: .* already in use"):
        second.open()
    second.close()
    first.close()
    second.open()
    second.close()


def test_a_board_that_failed_half_way_gives_everything_back(profile: BoardProfile, switches: Switchboard) -> None:
    switches.factory.reserve_pins(switches.blocker, profile.matrix.columns["G"])
    board = MatrixBoard(profile, pin_factory=switches.factory, scan_thread=False)
    with pytest.raises(DeviceError, match=r"GPIO24, matrix\.columns\.G"):
        board.open()
    switches.factory.release_all(switches.blocker)
    board.open()
    assert len(board.inputs()) == 47
    board.close()


def test_part_of_a_board(profile: BoardProfile, switches: Switchboard) -> None:
    """Seven sockets around the centre, three rows and three columns and what the buttons need."""
    matrix = attrs.evolve(
        profile.matrix,
        sockets=("C3", "C4", "D3", "D4", "D5", "E3", "E4"),
        rows={row: profile.matrix.rows[row] for row in "3457"},
        columns={column: profile.matrix.columns[column] for column in "CDE"},
        buttons=attrs.evolve(profile.matrix.buttons, red="C5", black="E5", arbiter="C7"),
        tilt={},
        holders=None,
    )
    board = MatrixBoard(
        attrs.evolve(profile, matrix=matrix), pin_factory=switches.factory, scan_thread=False, row_settle_us=0
    )
    board.open()
    assert len(board.inputs()) == 10
    switches.close("D5", "E5")
    assert board.scan_once(5) == [Edge(5, "socket", "D5", True), Edge(5, "button", "black", True)]
    board.close()
