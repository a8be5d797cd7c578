"""The matrix as a circuit, and as gpiozero sees it."""

from collections.abc import Iterator

import pytest
from gpiozero import DigitalInputDevice, DigitalOutputDevice
from hypothesis import given
from hypothesis import strategies as st

from tamsk_pi.rules.board import GLASSES, SOCKETS, TIMER
from tamsk_pi.sim.board import VirtualBoard
from tamsk_pi.sim.hands import Hands
from tamsk_pi.sim.matrix import Crossing, SwitchMatrix
from tamsk_pi.sim.truth import Fitted
from tamsk_pi.sim.wiring import Crossings, MatrixWiring, WiredFactory

ROWS = {1: 4, 2: 25, 3: 7, 4: 5, 5: 6, 6: 13, 7: 19, 8: 26}
COLUMNS = {"A": 14, "B": 15, "C": 17, "D": 27, "E": 22, "F": 23, "G": 24}
CROSSINGS = [Crossing(column, row) for row in ROWS for column in COLUMNS]


def bits(count: int) -> tuple[bool, ...]:
    return tuple(bool(count >> bit & 1) for bit in range(4))


CONTACTS = Crossings(
    tilt={glass: Crossing(column, 8) for glass, column in zip((*GLASSES, TIMER), COLUMNS, strict=True)},
    buttons={"red": Crossing("A", 5), "black": Crossing("G", 5), "arbiter": Crossing("C", 7)},
    holders={
        "red": tuple(Crossing.named(name) for name in ("A6", "B6", "F6", "G6")),
        "black": tuple(Crossing.named(name) for name in ("A7", "B7", "F7", "G7")),
    },
    tilt_closed="b",
    holder_code=bits,
)


class Scanner:
    """Reads a wired matrix as a driver does: one row driven at a time, low being closed."""

    def __init__(self, wiring: MatrixWiring) -> None:
        self.factory = WiredFactory(wiring)
        self.rows = {
            row: DigitalOutputDevice(line, active_high=False, initial_value=False, pin_factory=self.factory)
            for row, line in ROWS.items()
        }
        self.columns = {
            column: DigitalInputDevice(line, pull_up=True, pin_factory=self.factory) for column, line in COLUMNS.items()
        }

    def closed(self) -> set[Crossing]:
        found = set()
        for row, device in self.rows.items():
            device.on()
            found |= {Crossing(column, row) for column, pin in self.columns.items() if pin.value}
            device.off()
        return found

    def close(self) -> None:
        for device in (*self.rows.values(), *self.columns.values()):
            device.close()
        self.factory.reset()


@pytest.fixture
def with_diodes() -> Iterator[tuple[MatrixWiring, Scanner]]:
    wiring = MatrixWiring(ROWS, COLUMNS)
    scanner = Scanner(wiring)
    yield wiring, scanner
    scanner.close()


@pytest.fixture
def without_diodes() -> Iterator[tuple[MatrixWiring, Scanner]]:
    wiring = MatrixWiring(ROWS, COLUMNS, diodes=False)
    scanner = Scanner(wiring)
    yield wiring, scanner
    scanner.close()


THREE_CORNERS = {Crossing("B", 2): True, Crossing("B", 5): True, Crossing("E", 2): True}
FOURTH_CORNER = Crossing("E", 5)


def test_three_corners_with_diodes_are_three(with_diodes: tuple[MatrixWiring, Scanner]) -> None:
    wiring, scanner = with_diodes
    wiring.set_switches(THREE_CORNERS)
    assert scanner.closed() == set(THREE_CORNERS)


def test_three_corners_without_diodes_make_a_phantom_fourth(without_diodes: tuple[MatrixWiring, Scanner]) -> None:
    wiring, scanner = without_diodes
    wiring.set_switches(THREE_CORNERS)
    assert scanner.closed() == {*THREE_CORNERS, FOURTH_CORNER}
    wiring.set_switches({Crossing("B", 2): False})
    assert scanner.closed() == {Crossing("B", 5), Crossing("E", 2)}


def test_two_switches_are_read_right_even_without_diodes(without_diodes: tuple[MatrixWiring, Scanner]) -> None:
    wiring, scanner = without_diodes
    wiring.set_switches({Crossing("A", 1): True, Crossing("G", 8): True})
    assert scanner.closed() == {Crossing("A", 1), Crossing("G", 8)}


@given(st.sets(st.sampled_from(CROSSINGS)), st.sampled_from(sorted(ROWS)))
def test_diodes_let_a_row_pull_down_its_own_columns_only(closed: set[Crossing], row: int) -> None:
    matrix = SwitchMatrix(ROWS, COLUMNS)
    for crossing in closed:
        matrix.set_switch(crossing, True)
    matrix.drive(row, True)
    assert matrix.low_columns() == {crossing.column for crossing in closed if crossing.row == row}


@given(st.sets(st.sampled_from(CROSSINGS), max_size=12), st.sampled_from(sorted(ROWS)))
def test_without_diodes_a_row_pulls_down_whatever_hangs_together(closed: set[Crossing], row: int) -> None:
    matrix = SwitchMatrix(ROWS, COLUMNS, diodes=False)
    for crossing in closed:
        matrix.set_switch(crossing, True)
    matrix.drive(row, True)
    # The same by merging nets of wires, one switch at a time.
    nets: list[set[object]] = [{wire} for wire in (*ROWS, *COLUMNS)]
    for crossing in closed:
        ends = [net for net in nets if crossing.row in net or crossing.column in net]
        nets = [net for net in nets if net not in ends] + [set().union(*ends)]
    net = next(net for net in nets if row in net)
    assert matrix.low_columns() == net & set(COLUMNS)


def test_a_column_follows_a_switch_while_its_row_is_driven(with_diodes: tuple[MatrixWiring, Scanner]) -> None:
    wiring, scanner = with_diodes
    told: list[str] = []
    scanner.columns["D"].when_activated = lambda: told.append("low")
    scanner.columns["D"].when_deactivated = lambda: told.append("high")
    scanner.rows[4].on()
    wiring.set_switches({Crossing("D", 4): True})
    assert scanner.columns["D"].value == 1
    wiring.set_switches({Crossing("D", 4): False})
    assert scanner.columns["D"].value == 0
    assert told == ["low", "high"]


def test_a_switch_closed_before_the_pins_exist_is_read(with_diodes: tuple[MatrixWiring, Scanner]) -> None:
    wiring = MatrixWiring(ROWS, COLUMNS)
    wiring.set_switches({Crossing("C", 3): True})
    scanner = Scanner(wiring)
    assert scanner.closed() == {Crossing("C", 3)}
    scanner.close()


def test_a_released_row_pulls_nothing_down(with_diodes: tuple[MatrixWiring, Scanner]) -> None:
    wiring, scanner = with_diodes
    wiring.set_switches({Crossing("C", 3): True})
    scanner.rows[3].on()
    assert scanner.columns["C"].value == 1
    scanner.rows[3].close()
    assert scanner.columns["C"].value == 0


def test_wired_pins_do_not_hoard_their_past(with_diodes: tuple[MatrixWiring, Scanner]) -> None:
    wiring, scanner = with_diodes
    wiring.set_switches(dict.fromkeys(CROSSINGS, True))
    for _ in range(50):
        scanner.closed()
    assert max(len(pin.states) for pin in scanner.factory.pins.values()) == 1


def test_a_crossing_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="no crossing H1"):
        MatrixWiring(ROWS, COLUMNS).set_switches({Crossing("H", 1): True})
    with pytest.raises(ValueError, match="names no crossing"):
        Crossing.named("8A")


def test_a_whole_board_is_read_through_the_matrix(with_diodes: tuple[MatrixWiring, Scanner]) -> None:
    wiring, scanner = with_diodes
    board = VirtualBoard(3, fitted=Fitted(rings="holder"))
    hands = Hands(board, 3)
    wiring.set_switches(CONTACTS.of_inputs(board.inputs))
    hands.move("red", "R2", "D2", 0, turned=True)
    hands.drop_ring("red", "D2", 1_000)
    hands.press("black", "black", 0, "held")
    for edge in board.run_to(3_000):
        wiring.set_switches(CONTACTS.of_edge(edge))
    standing = {Crossing.named(socket) for socket in SOCKETS if board.truth.glass_in(socket)}
    assert Crossing.named("D2") in standing
    thirty_one = {Crossing.named(name) for name in ("A6", "B6", "F6", "G6")}
    assert scanner.closed() == standing | {Crossing("B", 8), Crossing("G", 5)} | thirty_one
