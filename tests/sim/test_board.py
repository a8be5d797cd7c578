"""The physics of the virtual board: what may never be, whatever the hands do."""

import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_pi.rules.board import CAPACITY, GLASSES, NEIGHBOURS, PLAYERS, RINGS_PER_SIDE, SOCKETS, START, TIMER, Player
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sim.acts import Lift, Seat, Turn
from tamsk_pi.sim.board import VirtualBoard
from tamsk_pi.sim.hands import Hands, PressLength
from tamsk_pi.sim.sand import Sand, drawn_glass_ms
from tamsk_pi.sim.sensors import QUIET
from tamsk_pi.sim.truth import Fitted, ImpossibleAct, Truth

FITTED = st.builds(
    Fitted,
    sockets=st.sampled_from(["reed", "hall"]),
    tilt=st.booleans(),
    rings=st.sampled_from(["stack", "holder", "buttons"]),
)


def some_gesture(rng: random.Random, hands: Hands, now_ms: int) -> None:
    """Anything a hand might try; what is impossible is refused."""
    hand = rng.choice(PLAYERS)
    glass, socket = rng.choice((*GLASSES, TIMER)), rng.choice(SOCKETS)
    tries: list[Callable[[], object]] = [
        lambda: hands.lift(hand, glass, now_ms),
        lambda: hands.turn_over(hand, glass, now_ms),
        lambda: hands.place(hand, glass, socket, now_ms),
        lambda: hands.put_back(hand, glass, now_ms),
        lambda: hands.lay_aside(hand, glass, now_ms),
        lambda: hands.move(hand, glass, socket, now_ms, turned=rng.random() < 0.8),
        lambda: hands.drop_between(hand, glass, (socket, rng.choice(NEIGHBOURS[socket])), now_ms),
        lambda: hands.nudge(hand, glass, socket, now_ms),
        lambda: hands.turn_timer(hand, now_ms),
        lambda: hands.drop_ring(hand, socket, now_ms, in_hand=rng.random() < 0.3),
        lambda: hands.take_ring_off(hand, socket, now_ms, keep=rng.random() < 0.3),
        lambda: hands.press(hand, rng.choice(("red", "black", "arbiter")), now_ms, rng.choice(("short", "long"))),
        lambda: hands.sweep(hand, now_ms, rings=rng.random() < 0.5) if rng.random() < 0.1 else None,
        lambda: hands.set_up(hand, now_ms) if rng.random() < 0.2 else None,
    ]
    with suppress(ImpossibleAct):
        rng.choice(tries)()


def assert_possible(truth: Truth, now_ms: int) -> None:
    standing = [glass.socket for glass in truth.glasses.values() if glass.socket is not None]
    assert len(standing) == len(set(standing)), "two glasses in one socket"
    for glass in truth.glasses.values():
        places = [glass.socket, glass.straddles, glass.hand]
        assert sum(place is not None for place in places) <= 1, "a glass in two places"
        assert 0 <= glass.sand.left_ms(now_ms) <= glass.sand.full_ms[glass.up]
    assert truth.glasses[TIMER].socket is None
    assert all(truth.rings_of(player) == RINGS_PER_SIDE for player in PLAYERS)
    assert all(count >= 0 for count in truth.holders.values())
    assert all(len(stack) <= CAPACITY[socket] for socket, stack in truth.stacks.items())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), FITTED)
def test_whatever_the_hands_do_the_board_stays_possible_and_the_contacts_true(seed: int, fitted: Fitted) -> None:
    rng = random.Random(seed)
    board = VirtualBoard(seed, fitted=fitted, glass_ms=drawn_glass_ms(rng))
    hands = Hands(board, seed)
    told = dict(board.inputs)
    now_ms = last_ms = 0
    for _ in range(60):
        some_gesture(rng, hands, now_ms)
        now_ms += rng.choice((0, 7, 150, 900, 5_000, 60_000))
        for edge in board.run_to(now_ms):
            assert last_ms <= edge.t_ms <= now_ms
            assert told[edge.kind, edge.name] != edge.value, "an edge without a change"
            last_ms = edge.t_ms
            told[edge.kind, edge.name] = edge.value
        assert told == board.inputs
        assert_possible(board.truth, now_ms)
    now_ms = max(now_ms, *(hands.free_at_ms(hand) for hand in PLAYERS)) + 2_000
    board.run_to(now_ms)
    assert board.planned() == []
    assert set(board.inputs) == set(fitted.inputs())
    for which, value in board.inputs.items():
        assert value == board.truth.contact(*which, fitted.sockets), which


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_the_same_seed_gives_the_same_edges_however_time_is_cut(seed: int, cut: int) -> None:
    def edges_of(times: list[int]) -> list[Edge]:
        rng = random.Random(seed)
        board = VirtualBoard(seed)
        hands = Hands(board, seed)
        edges: list[Edge] = []
        for round_ms in range(0, 20_000, 1_000):
            for t_ms in sorted(t_ms for t_ms in times if round_ms - 1_000 < t_ms < round_ms):
                edges += board.run_to(t_ms)
            edges += board.run_to(round_ms)
            some_gesture(rng, hands, round_ms)
        return edges + board.run_to(60_000)

    whole = edges_of([])
    assert edges_of([random.Random(cut + at).randrange(20_000) for at in range(40)]) == whole
    assert whole


@given(st.integers(1, 400_000), st.integers(1, 400_000), st.lists(st.tuples(st.integers(0, 500_000), st.booleans())))
def test_sand_is_neither_made_nor_lost(a_ms: int, b_ms: int, steps: list[tuple[int, bool]]) -> None:
    sand = Sand({"a": a_ms, "b": b_ms})
    now_ms, upper = 0, 0.0
    for wait_ms, turns in steps:
        now_ms += wait_ms
        upper = max(0.0, upper - wait_ms / sand.full_ms[sand.up])
        # Rounding to a whole ms at a turning is all that may be between them.
        assert sand.upper(now_ms) == pytest.approx(upper, abs=len(steps) / min(a_ms, b_ms))
        if turns:
            sand.turn_over(now_ms)
            upper = 1 - upper
            assert 0 <= sand.upper(now_ms) <= 1


def test_a_glass_turned_after_ten_seconds_has_ten_seconds_left() -> None:
    sand = Sand({"a": 180_000, "b": 180_000})
    sand.turn_over(0)
    assert sand.left_ms(0) == 180_000
    sand.turn_over(10_000)
    assert sand.stops_at_ms == 20_000


def test_a_glass_whose_ends_differ_keeps_its_parts() -> None:
    sand = Sand({"a": 100_000, "b": 200_000})
    sand.turn_over(0)
    assert (sand.up, sand.stops_at_ms) == ("b", 200_000)
    sand.turn_over(50_000)
    assert (sand.up, sand.left_ms(50_000)) == ("a", 25_000)


def test_a_quiet_move_is_three_edges() -> None:
    board = VirtualBoard(1, habits=QUIET)
    board.plan([(100, Lift("R2", "red")), (200, Turn("R2")), (400, Seat("R2", "D2"))])
    assert board.run_to(1_000) == [
        Edge(100, "socket", "D1", False),
        Edge(200, "tilt", "R2", "b"),
        Edge(400, "socket", "D2", True),
    ]


def test_a_hall_socket_tells_which_end_is_up() -> None:
    board = VirtualBoard(1, fitted=Fitted(sockets="hall", tilt=False), habits=QUIET)
    assert board.inputs["socket", "D1"] == "N"
    board.plan([(100, Lift("R2", "red")), (200, Turn("R2")), (400, Seat("R2", "D2"))])
    assert board.run_to(1_000) == [Edge(100, "socket", "D1", None), Edge(400, "socket", "D2", "S")]


def test_no_second_glass_fits_into_a_socket() -> None:
    board = VirtualBoard(1)
    hands = Hands(board, 1)
    hands.move("red", "R2", "D2", 0, turned=True)
    with pytest.raises(ImpossibleAct, match="D2 is taken"):
        hands.move("black", "B2", "D2", 2_000, turned=True)
    assert board.foreseen().glasses["B2"].socket == "D7", "a gesture that is refused is not begun"


def test_no_ring_beyond_the_capacity() -> None:
    board = VirtualBoard(1)
    hands = Hands(board, 1)
    hands.drop_ring("red", "A1", 0)
    with pytest.raises(ImpossibleAct, match="no further ring fits around A1"):
        hands.drop_ring("black", "A1", 2_000)


def test_a_glass_between_two_tubes_closes_both_until_it_is_nudged() -> None:
    board = VirtualBoard(1, habits=QUIET)
    hands = Hands(board, 1)
    hands.lift("red", "R2", 0)
    hands.drop_between("red", "R2", ("D2", "D3"), 0)
    board.run_to(3_000)
    assert board.inputs["socket", "D2"] is board.inputs["socket", "D3"] is True
    assert board.truth.glass_in("D2") is None
    hands.nudge("red", "R2", "D3", 3_000)
    board.run_to(5_000)
    assert (board.inputs["socket", "D2"], board.inputs["socket", "D3"]) == (False, True)


def test_everything_swept_off_can_be_set_up_again() -> None:
    board = VirtualBoard(5)
    hands = Hands(board, 5)
    hands.move("red", "R2", "D2", 0, turned=True)
    hands.drop_ring("red", "D2", 0)
    hands.lift("black", "B1", 3_000)
    hands.sweep("black", 4_000, rings=True)
    board.run_to(10_000)
    assert all(glass.socket is None for glass in board.truth.glasses.values())
    assert board.truth.holders == {"red": 32, "black": 32}
    last = hands.set_up("red", 10_000)[-1]
    board.run_to(last.ends_ms + 2_000)
    assert {name: board.truth.glasses[name].socket for name in GLASSES} == dict(START)
    assert all(board.inputs["socket", socket] is (socket in START.values()) for socket in SOCKETS)


def test_a_carried_glass_may_close_a_socket_on_its_way_but_never_for_a_settle_time() -> None:
    passed = 0
    for seed in range(40):
        board = VirtualBoard(seed)
        hands = Hands(board, seed)
        gesture = hands.move("red", "R2", "D2", 0, turned=True)
        closed_at: dict[str, int] = {}
        for edge in board.run_to(gesture.ends_ms + 1_000):
            if edge.kind == "socket" and edge.name not in ("D1", "D2"):
                if edge.value:
                    closed_at.setdefault(edge.name, edge.t_ms)
                else:
                    passed += 1
                    assert edge.t_ms - closed_at[edge.name] < 120
        assert set(closed_at) <= set(NEIGHBOURS["D2"])
    assert passed, "in forty moves at least one comes low over a neighbour"


@pytest.mark.parametrize(
    ("length", "least_ms", "most_ms"), [("short", 1, 799), ("long", 800, 2_999), ("held", 3_000, 9_999)]
)
def test_presses_last_as_long_as_their_names_say(length: PressLength, least_ms: int, most_ms: int) -> None:
    for seed in range(20):
        board = VirtualBoard(seed)
        hands = Hands(board, seed)
        hands.press("red", "red", 0, length)
        edges = board.run_to(10_000)
        assert least_ms <= edges[-1].t_ms - edges[0].t_ms <= most_ms
        assert edges[-1].value is False


def test_a_button_on_a_page_is_down_until_it_is_let_go() -> None:
    board = VirtualBoard(1, habits=QUIET)
    hands = Hands(board, 1)
    hands.hold_down("red", "red", 50)
    assert board.run_to(4_000) == [Edge(50, "button", "red", True)]
    with pytest.raises(ImpossibleAct):
        hands.hold_down("red", "red", 4_000)
    hands.let_go("red", "red", 4_000)
    assert board.run_to(4_100) == [Edge(4_000, "button", "red", False)]


def test_time_does_not_go_back() -> None:
    board = VirtualBoard(1)
    board.run_to(100)
    with pytest.raises(ValueError, match="does not go back"):
        board.run_to(99)
    with pytest.raises(ValueError, match="cannot be done at 99 ms"):
        board.plan([(99, Lift("R1", "red"))])


def test_the_record_of_what_was_done_is_handed_out_once() -> None:
    board = VirtualBoard(1)
    player: Player = "red"
    board.plan([(10, Lift("R1", player)), (500, Seat("R1", "A4"))])
    board.run_to(20)
    assert board.take_done() == [(10, Lift("R1", "red"))]
    board.run_to(600)
    assert board.take_done() == [(500, Seat("R1", "A4"))]
    assert board.take_done() == []
