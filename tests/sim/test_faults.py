"""Sensors that fail to order: what each fault makes of the edges, and that it ends when it is switched off."""

from collections import Counter

import pytest

from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sim.acts import Lift, Seat, Turn
from tamsk_pi.sim.board import VirtualBoard
from tamsk_pi.sim.faults import (
    Bouncy,
    Exchanged,
    FaceDown,
    MissedTurning,
    Noisy,
    OnePole,
    StrongMagnet,
    Stuck,
    Weak,
    fault_from_text,
)
from tamsk_pi.sim.hands import Hands
from tamsk_pi.sim.link import Link
from tamsk_pi.sim.recorder import trace_header
from tamsk_pi.sim.sensors import QUIET
from tamsk_pi.sim.truth import Fitted
from tamsk_pi.trace import LinkDown
from tamsk_pi.trace_header import read_header


def quiet_board() -> VirtualBoard:
    return VirtualBoard(11, habits=QUIET)


def test_a_stuck_socket_says_one_thing_whatever_stands_there() -> None:
    board = quiet_board()
    stuck = Stuck(("socket", "D1"), True)
    board.switch_on(stuck)
    board.plan([(100, Lift("R2", "red")), (400, Seat("R2", "D2"))])
    assert board.run_to(1_000) == [Edge(400, "socket", "D2", True)]
    board.switch_off(stuck)
    assert board.run_to(1_100) == [Edge(1_000, "socket", "D1", False)]


def test_a_socket_that_gets_stuck_open_opens_at_once() -> None:
    board = quiet_board()
    board.run_to(50)
    board.switch_on(Stuck(("socket", "A1"), False))
    assert board.run_to(60) == [Edge(50, "socket", "A1", False)]
    assert board.expected(("socket", "A1")) is False


def test_a_weak_contact_flickers_under_its_settle_time_only_while_it_is_closed() -> None:
    board = quiet_board()
    for socket in ("A1", "A2"):
        board.switch_on(Weak(("socket", socket), per_minute=120, longest_ms=80))
    edges = board.run_to(60_000)
    assert {edge.name for edge in edges} == {"A1"}
    opened = [edge.t_ms for edge in edges if not edge.value]
    closed = [edge.t_ms for edge in edges if edge.value]
    assert 60 < len(opened) < 180
    assert all(0 < back_ms - gone_ms <= 80 for gone_ms, back_ms in zip(opened, closed, strict=False))
    board.switch_off(Weak(("socket", "A1"), per_minute=120, longest_ms=80))
    board.run_to(60_200)
    assert board.run_to(120_000) == []
    assert board.inputs["socket", "A1"] is True


def test_a_noisy_input_makes_more_edges_a_second_than_any_hand() -> None:
    board = quiet_board()
    noisy = Noisy(("tilt", "B2"), per_second=80)
    board.switch_on(noisy)
    seconds = Counter(edge.t_ms // 1_000 for edge in board.run_to(10_000))
    assert min(seconds[second] for second in range(10)) > 40
    board.switch_off(noisy)
    board.run_to(10_100)
    assert board.run_to(20_000) == []
    assert board.inputs["tilt", "B2"] == "a"


def test_bounce_to_order() -> None:
    board = quiet_board()
    board.switch_on(Bouncy(("socket", "D2"), pairs=7, step_ms=3))
    board.plan([(100, Lift("R2", "red")), (400, Seat("R2", "D2"))])
    edges = [edge for edge in board.run_to(1_000) if edge.name == "D2"]
    assert len(edges) == 15
    assert edges[0].t_ms == 400
    assert edges[-1].t_ms <= 400 + 14 * 3
    assert edges[-1].value is True


def test_a_missed_turning_shows_nothing_then_and_nothing_at_the_next() -> None:
    board = quiet_board()
    board.switch_on(MissedTurning("R2"))
    board.plan([(100, Lift("R2", "red")), (200, Turn("R2"))])
    assert board.run_to(1_000) == [Edge(100, "socket", "D1", False)]
    assert board.truth.glasses["R2"].up == "b"
    assert MissedTurning("R2") in board.faults
    board.plan([(1_100, Turn("R2")), (1_900, Turn("R2"))])
    assert board.run_to(3_000) == [Edge(1_900, "tilt", "R2", "b")]
    assert not board.faults


def test_a_ball_that_hangs_may_roll_over_by_itself() -> None:
    board = quiet_board()
    board.switch_on(MissedTurning("N", frees_after_ms=2_000))
    Hands(board, 1).turn_timer("red", 0)
    edges = board.run_to(10_000)
    assert [edge[1:] for edge in edges] == [("tilt", "N", "b")]
    turned_ms = next(t_ms for t_ms, act in board.take_done() if isinstance(act, Turn))
    assert edges[0].t_ms == turned_ms + 2_000


def test_a_ball_that_hangs_is_freed_when_the_fault_is_switched_off() -> None:
    board = quiet_board()
    fault = MissedTurning("R2", frees_after_ms=5_000)
    board.switch_on(fault)
    board.plan([(100, Lift("R2", "red")), (200, Turn("R2"))])
    board.run_to(1_000)
    board.switch_off(fault)
    assert board.run_to(20_000) == [Edge(1_000, "tilt", "R2", "b")]


def test_a_strong_magnet_closes_a_neighbour_too() -> None:
    board = quiet_board()
    board.switch_on(StrongMagnet("D2", "D3"))
    board.plan([(100, Lift("R2", "red")), (400, Seat("R2", "D2")), (900, Lift("R2", "red"))])
    assert {(edge.t_ms, edge.name, edge.value) for edge in board.run_to(1_000)} == {
        (100, "D1", False),
        (400, "D2", True),
        (400, "D3", True),
        (900, "D2", False),
        (900, "D3", False),
    }


def test_a_fault_is_on_once_and_names_an_input_the_board_has() -> None:
    board = VirtualBoard(1, fitted=Fitted(rings="buttons"))
    board.switch_on(Weak(("socket", "A1")))
    with pytest.raises(ValueError, match="is on already"):
        board.switch_on(Weak(("socket", "A1")))
    with pytest.raises(ValueError, match="has no ring D4"):
        board.switch_on(Noisy(("ring", "D4")))
    with pytest.raises(ValueError, match="is not on"):
        board.switch_off(Weak(("socket", "A2")))


def test_nothing_gets_through_a_cut_link_and_its_end_tells_what_is_so() -> None:
    board, link = quiet_board(), Link()
    board.plan([(100, Lift("R2", "red")), (200, Turn("R2")), (400, Seat("R2", "D2"))])
    told = link.pass_on(board.run_to(150))
    down = link.cut(board.now_ms)
    assert down == LinkDown(150)
    told += link.pass_on(board.run_to(1_000))
    assert told == [Edge(100, "socket", "D1", False)]
    back = link.mend(board)
    assert back.t_ms == 1_000
    assert back.occupied is not None
    assert "D2" in back.occupied
    assert "D1" not in back.occupied
    assert back.up["R2"] == "b"
    with pytest.raises(ValueError, match="the link is whole"):
        link.mend(board)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("stuck-closed@socket:D4", Stuck(("socket", "D4"), True)),
        ("stuck-open@button:red", Stuck(("button", "red"), False)),
        ("weak@socket:A1", Weak(("socket", "A1"))),
        ("noisy@tilt:N", Noisy(("tilt", "N"))),
        ("bouncy@ring:G4", Bouncy(("ring", "G4"))),
        ("missed-turning@tilt:B3", MissedTurning("B3")),
        ("strong-magnet@D2+D3", StrongMagnet("D2", "D3")),
    ],
)
def test_faults_have_names(text: str, fault: object) -> None:
    assert fault_from_text(text) == fault


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("broken@socket:D4", "unknown fault 'broken'; there are stuck-closed"),
        ("weak@socket:H1", "no socket is called 'H1'"),
        ("weak@lamp:A1", "'lamp:A1' names no input"),
        ("stuck-open@tilt:R1", "has no contact to be stuck"),
        ("missed-turning@socket:A1", "only a tilt switch"),
        ("strong-magnet@D2", "not two sockets"),
    ],
)
def test_a_fault_that_is_none_is_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        fault_from_text(text)


def test_a_trace_says_what_the_board_is() -> None:
    board = VirtualBoard(1, fitted=Fitted(sockets="hall", tilt=False, rings="holder"))
    header = trace_header(board, level=3, rules="schmidt1998")
    assert header["occupied"] == ["A1", "A4", "D1", "D7", "G1", "G4"]
    assert (header["sockets"], header["tilt"], header["rings"]) == ("hall", False, "holder")
    settings = read_header(header)
    assert (settings.level, settings.rules, settings.tilt) == (3, "schmidt1998", False)


def test_a_trace_of_an_empty_board_says_so() -> None:
    header = trace_header(VirtualBoard(1, standing={}), level=2, setup="free", tolerance_ms=500)
    assert read_header(header).occupied == ()


def test_exchanged_sockets_speak_for_each_other_until_it_is_mended() -> None:
    board = quiet_board()
    exchanged = Exchanged("D1", "D2")
    board.switch_on(exchanged)
    assert board.run_to(10) == [Edge(0, "socket", "D1", False), Edge(0, "socket", "D2", True)]
    board.plan([(100, Lift("R2", "red")), (400, Turn("R2")), (800, Seat("R2", "D2"))])
    assert [edge for edge in board.run_to(1_000) if edge.kind == "socket"] == [
        Edge(100, "socket", "D2", False),
        Edge(800, "socket", "D1", True),
    ]
    board.switch_off(exchanged)
    assert board.run_to(1_100) == [Edge(1_000, "socket", "D1", False), Edge(1_000, "socket", "D2", True)]


def test_a_sensor_face_down_and_one_of_one_pole() -> None:
    board = VirtualBoard(11, habits=QUIET, fitted=Fitted(sockets="hall"))
    board.switch_on(FaceDown("D1"))
    board.switch_on(OnePole("D7", "S"))
    assert board.run_to(10) == [Edge(0, "socket", "D1", "S"), Edge(0, "socket", "D7", None)]
    board.switch_on(FaceDown())
    board.run_to(20)
    assert board.inputs["socket", "A1"] == "S"
    assert board.inputs["socket", "D7"] == "S"  # its one pole is what it sees now


def test_a_wandering_glass_takes_another_time_each_time_it_is_turned() -> None:
    board = quiet_board()
    board.wander("R2", 10_000)
    sand = board.truth.glasses["R2"].sand
    lasted = []
    for _ in range(6):
        t_ms = board.now_ms + 1_000_000
        board.plan([(t_ms, Lift("R2", "red")), (t_ms + 10, Turn("R2")), (t_ms + 20, Seat("R2", "D1"))])
        board.run_to(t_ms + 30)
        assert sand.stops_at_ms is not None
        lasted.append(sand.stops_at_ms - t_ms - 10)
    assert len(set(lasted)) == 6
    assert all(abs(ms - 180_000) <= 10_000 for ms in lasted)


def test_the_faults_of_wires_and_poles_have_their_texts() -> None:
    assert fault_from_text("exchanged@D4+D5") == Exchanged("D4", "D5")
    assert fault_from_text("face-down@D4") == FaceDown("D4")
    assert fault_from_text("one-pole@D4") == OnePole("D4")
    for text in ("exchanged@D4", "face-down@Z9", "one-pole@"):
        with pytest.raises(ValueError, match="socket"):
            fault_from_text(text)
