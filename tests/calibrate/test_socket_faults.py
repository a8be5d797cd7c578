"""The sockets of a virtual board are calibrated by hands that follow: every kind of fault is found, and named."""

from __future__ import annotations

import pytest

from tamsk_pi.calibrate.sockets import Result, is_clean
from tamsk_pi.rules.board import SOCKETS
from tamsk_pi.signals.frames import LampFrame
from tamsk_pi.sim.faults import FaceDown
from tests.calibrate.bench import bridge_board, found, matrix_board


def test_a_board_that_is_right_has_no_findings_and_every_socket_was_lit_and_tried_both_ways_up() -> None:
    board = matrix_board()
    calibration = board.sockets()
    assert board.ended == "done"
    assert found(calibration).findings == ()
    assert list(calibration.results) == list(SOCKETS)
    assert all(is_clean(name, result) for name, result in calibration.results.items())
    assert {frozenset({socket}) for socket in SOCKETS} <= board.lit
    assert board.codes.count("turn_over") == len(SOCKETS)


@pytest.mark.parametrize(
    ("faults", "code", "weight", "names"),
    [
        (["stuck-open@socket:D4"], "dead", "stops", ("D4",)),
        (["stuck-closed@socket:D4"], "stuck_closed", "stops", ("D4",)),
        (["strong-magnet@D4+D5"], "crosstalk", "stops", ("D4", "D5")),
        (["strong-magnet@D4+A1"], "joined", "stops", ("D4", "A1")),
        (["weak@socket:D4"], "weak", "note", ("D4",)),
        (["noisy@socket:D4"], "noisy", "stops", ("D4",)),
        (["exchanged@D4+F2"], "sockets_exchanged", "stops", ("D4", "F2")),
        (["columns@B+F"], "columns_exchanged", "stops", ("B", "F")),
        (["rows@2+3"], "rows_exchanged", "stops", ("2", "3")),
        ([f"stuck-open@socket:A{row}" for row in "1234"], "dead_column", "stops", ("A1", "A2", "A3", "A4")),
        (
            [f"stuck-open@socket:{socket}" for socket in ("C6", "D6", "E6")],
            "dead_row",
            "stops",
            ("C6", "D6", "E6"),
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_a_fault_is_found_and_nothing_else(faults: list[str], code: str, weight: str, names: tuple[str, ...]) -> None:
    (one,) = found(matrix_board(*faults).sockets()).findings
    assert (one.code, one.weight, one.names) == (code, weight, names)


def test_columns_of_different_heights_are_told_apart_from_dead_sockets() -> None:
    """With A and D exchanged, D5 to D7 answer at crossings where no socket is: they are explained, not dead."""
    report = found(matrix_board("columns@A+D").sockets())
    assert [finding.code for finding in report.findings] == ["columns_exchanged"]
    assert report.lines.columns == {"A": "D", "D": "A"}


def test_several_faults_at_once_are_each_found() -> None:
    report = found(matrix_board("rows@3+4", "columns@B+C", "exchanged@G1+G2", "stuck-open@socket:A1").sockets())
    assert {(finding.code, finding.names) for finding in report.findings} == {
        ("rows_exchanged", ("3", "4")),
        ("columns_exchanged", ("B", "C")),
        ("sockets_exchanged", ("G1", "G2")),
        ("dead", ("A1",)),
    }
    assert report.lines.rows == {"3": "4", "4": "3"}


def test_on_the_starter_kit_a_row_exchanged_is_no_pair_of_dead_sockets() -> None:
    report = found(matrix_board("rows@4+5", board="starter").sockets())
    assert [(finding.code, finding.names) for finding in report.findings] == [("rows_exchanged", ("4", "5"))]


@pytest.mark.parametrize(
    ("faults", "code", "weight", "names"),
    [
        ([], "", "", ()),
        (["face-down@D4"], "reversed", "stops", ("D4",)),
        (["one-pole@D4"], "one_way_up", "stops", ("D4",)),
        (["exchanged@D4+F2"], "sockets_exchanged", "stops", ("D4", "F2")),
    ],
    ids=["right", "face down", "one pole", "exchanged"],
)
def test_a_hall_board_through_its_firmware(faults: list[str], code: str, weight: str, names: tuple[str, ...]) -> None:
    board = bridge_board(*faults)
    calibration = board.sockets()
    board.rig.close()
    assert calibration.sensor == "hall"
    told = [(finding.code, finding.weight, finding.names) for finding in found(calibration, "mux").findings]
    assert told == ([(code, weight, names)] if code else [])


def test_magnets_the_other_way_round_are_not_37_sensors() -> None:
    board = bridge_board()
    board.rig.board.switch_on(FaceDown())
    calibration = board.sockets()
    board.rig.close()
    (one,) = found(calibration, "mux").findings
    assert (one.code, one.weight, len(one.names)) == ("reversed_everywhere", "note", len(SOCKETS))


def test_on_a_reed_bridge_the_pins_to_exchange_are_told() -> None:
    board = bridge_board("exchanged@D4+F2", sockets="reed", tilt=True)
    calibration = board.sockets()
    board.rig.close()
    report = found(calibration, "pins")
    assert [finding.code for finding in report.findings] == ["pins_exchanged"]
    assert report.findings[0].blanks["lines"] == ("socket.D4", "socket.F2")
    assert dict(report.pins) == {"D4": "F2", "F2": "D4"}


def test_what_was_found_before_is_not_asked_for_again() -> None:
    """Broken off after some sockets and taken up again: no socket twice, the same findings as in one go."""
    board = matrix_board("stuck-open@socket:B2", "weak@socket:G4")
    kept: dict[str, Result] = {}
    first = board.sockets(stopped=lambda: len(kept) >= 20, keep=lambda socket, result: kept.update({socket: result}))
    assert board.ended == "broken off"
    assert list(kept) == list(SOCKETS[: len(kept)])
    assert not first.is_done
    board = matrix_board("stuck-open@socket:B2", "weak@socket:G4")
    second = board.sockets(results=kept)
    assert board.ended == "done"
    asked = [one.blanks["socket"] for one in board.said if one.code == "place"]
    assert list(dict.fromkeys(asked)) == list(SOCKETS[20:])
    assert [finding.code for finding in found(second).findings] == ["dead", "weak"]


def test_however_it_ends_the_lamps_are_dark(monkeypatch: pytest.MonkeyPatch) -> None:
    board = matrix_board()
    shown: list[LampFrame] = []
    monkeypatch.setattr(board.rig, "show", shown.append)
    board.sockets(stopped=lambda: len(shown) > 3)
    assert board.ended == "broken off"
    assert shown[-2].red_sockets | shown[-2].green_sockets
    assert not (shown[-1].red_sockets | shown[-1].green_sockets | {n for n, lit in shown[-1].panel.items() if lit})


def test_a_board_that_falls_silent_ends_it() -> None:
    board = matrix_board()
    looks = iter(range(10_000))

    def stopped() -> bool:
        board.rig.scan_is_stopped = next(looks) > 50
        return False

    board.sockets(stopped=stopped)
    assert board.ended == "board silent"
