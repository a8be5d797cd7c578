"""`tamsk-pi watch` on the virtual board, with faults to find, and its picture."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main
from tamsk_pi.clock import VirtualClock
from tamsk_pi.commands.watch import Picture, Watch, line_of
from tamsk_pi.config.profile import load_profile
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.signals.language import LANGUAGES, Language, catalogue
from tamsk_pi.sim.faults import Fault, Stuck
from tamsk_pi.sim.rig import SimulatedBoard, Table


class Bench:
    """A virtual board on a bench, watched in virtual time: 10 ms pass with every look."""

    def __init__(self) -> None:
        self.clock = VirtualClock(1000)
        self.rig = SimulatedBoard(load_profile("matrix"), self.clock, 1, Table())
        self.rig.open()
        self.written: list[str] = []

    def watch(self, looks: int, *, live: bool) -> None:
        left = iter(range(looks))

        def stopped() -> bool:
            self.clock.go_to(self.clock.now_ms() + 10)
            return next(left, None) is None

        Watch(
            device=self.rig, clock=self.clock, write=self.written.append, live=live, pump=self.rig, longest_wait_ms=0
        ).run(stopped)

    @property
    def text(self) -> str:
        return "".join(self.written)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_lifting_a_glass_shows_as_it_is_read(bench: Bench) -> None:
    bench.rig.hands.lift("red", "R2", 1500)
    bench.watch(200, live=False)
    lines = [line.split() for line in bench.text.splitlines() if " socket " in line]
    assert {tuple(line[1:3]) for line in lines} == {("socket", "D1")}
    assert lines[-1][3] == "open"
    assert 0.5 <= float(lines[0][0]) < 2.0


def test_the_first_picture_is_the_state_and_not_edges(bench: Bench) -> None:
    bench.watch(1, live=False)
    for socket in ("A1", "A4", "D1", "D7", "G1", "G4"):
        assert f"{socket} ●" in bench.text
    assert bench.text.count("●") == 6
    assert "no edge yet" in bench.text


@pytest.mark.parametrize(
    ("fault", "shown"), [(Stuck(("socket", "C3"), True), "C3 ●"), (Stuck(("socket", "D1"), False), "D1 ·")]
)
def test_a_stuck_contact_is_seen(bench: Bench, fault: Fault, shown: str) -> None:
    bench.rig.board.switch_on(fault)
    bench.watch(60, live=True)
    assert shown in bench.written[-1]


def test_a_board_that_is_not_read_any_more_is_told(bench: Bench) -> None:
    bench.rig.scan_is_stopped = True
    bench.watch(150, live=True)
    assert "THE BOARD IS NOT READ" not in bench.written[0]
    assert "THE BOARD IS NOT READ" in bench.written[-1]


def test_a_list_of_edges_ends_with_a_board_that_is_not_read(bench: Bench) -> None:
    bench.rig.scan_is_stopped = True
    bench.watch(10_000, live=False)
    assert bench.written[-1] == "the board is not read any more\n"


def test_the_hexagon_has_every_socket_once_in_its_place() -> None:
    rows = Picture({}).text(begun_ms=0, heard=True).splitlines()[:13]
    assert rows[0].split() == ["D7", "?"]
    assert rows[3].split()[::2] == ["A4", "C5", "E5", "G4"]
    assert rows[12].split() == ["D1", "?"]
    assert sum(len(row.split()) for row in rows) == 2 * 37


def test_how_often_an_input_has_changed_stands_beside_it() -> None:
    picture = Picture({("socket", "D4"): False, ("holder", "red"): 32})
    for t_ms in range(10, 40, 10):
        picture.take([Edge(t_ms, "socket", "D4", t_ms != 20), Edge(t_ms, "holder", "red", 32 - t_ms // 10)])
    text = picture.text(begun_ms=0, heard=True)
    assert "D4 ● 3" in text
    assert "red 29 3" in text
    assert "0.030  holder red 29" in text


def test_ring_stacks_and_fields_are_shown() -> None:
    text = Picture({("ring", "D4"): 2, ("ring", "D5"): 0, ("socket", "A1"): "N", ("socket", "A2"): None}).text(
        begun_ms=0, heard=True
    )
    assert "rings    D4 2\n" in text
    assert "A1 N" in text
    assert "A2 ·" in text
    assert line_of(Edge(1500, "socket", "A1", None), 1000) == "    0.500  socket A1 no field"


def test_the_picture_speaks_the_language_of_the_settings() -> None:
    say = catalogue("de").gettext
    picture = Picture({("ring", "D4"): 0, ("holder", "red"): 32}, say=say)
    picture.take([Edge(1500, "socket", "A1", True)])
    lines = picture.text(begun_ms=1000, heard=False).splitlines()
    assert [line[:9].strip() for line in lines[14:18]] == ["Neigung", "Taster", "Halter", "Ringe"]
    assert lines[17] == "Ringe    keine"
    assert lines[-2:] == [
        "    0.500  socket A1 geschlossen",
        "DAS BRETT WIRD NICHT GELESEN: Nichts von oben ist zu glauben",
    ]
    assert line_of(Edge(1500, "socket", "A1", None), 1000, catalogue("es").gettext).endswith("socket A1 sin campo")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_names_of_the_rows_leave_the_columns_where_they_are(language: Language) -> None:
    rows = Picture({("holder", "red"): 1}, say=catalogue(language).gettext).text(begun_ms=0, heard=True).splitlines()
    assert [row[8] for row in rows[14:17]] == [" ", " ", " "]
    assert [row[9:].split()[0] for row in rows[14:17]] == ["R1", "red", "red"]


def test_a_board_that_is_not_there_is_one_line() -> None:
    told = CliRunner().invoke(main, ["watch", "--board", "nosuch"])
    assert told.exit_code == 2
    assert len(told.output.splitlines()) == 1
