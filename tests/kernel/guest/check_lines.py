"""Rows driven, columns read, lamps lit and the buzzer heard, as the kernel has them."""

from __future__ import annotations

import queue
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest

from tamsk_pi.config.profile import CROSSINGS, BoardProfile
from tamsk_pi.devices.base import DeviceError, LampFrame, Tone
from tamsk_pi.devices.gpio.board import LAMPS, MatrixBoard
from tamsk_pi.devices.gpio.chips import header_chip
from tamsk_pi.rules.board import SOCKETS
from tamsk_pi.sensing.edges import Edge
from tests.kernel.guest.simulated_header import Line, Wires


def lines_of(profile: BoardProfile) -> dict[str, Line]:
    return {lamp: Line(getattr(profile.lamps, lamp)) for lamp in LAMPS}


def comes_to(line: Line, level: bool) -> bool:
    """Wait for a level, ten seconds at most."""
    end_s = time.monotonic() + 10
    while line.is_high() != level:
        if time.monotonic() > end_s:
            return False
    return True


def test_the_header_is_the_simulated_chip() -> None:
    assert header_chip() == 0


def test_each_row_is_driven_alone_and_none_at_rest(board: MatrixBoard, wires: Wires) -> None:
    wires.driven.clear()
    board.scan_once(1)
    assert wires.driven == {frozenset(), *(frozenset(row) for row in "12345678")}
    assert all(line.is_high() for line in wires.rows.values())


def test_the_columns_are_pulled_up(board: MatrixBoard, wires: Wires) -> None:
    assert board.inputs()
    assert all(line.is_pulled_up() and line.is_high() for line in wires.columns.values())


def test_every_crossing_is_read_where_it_is(board: MatrixBoard, wires: Wires) -> None:
    before = dict(board.inputs())
    seen: dict[str, tuple[str, str]] = {}
    for t_ms, crossing in enumerate(CROSSINGS):
        wires.set(crossing, True)
        for edge in board.scan_once(t_ms):
            assert edge.t_ms == t_ms
            if edge.kind != "holder":
                seen[crossing] = (edge.kind, edge.name)
        wires.set(crossing, False)
        board.scan_once(t_ms)
    assert {crossing: name for crossing, (kind, name) in seen.items() if kind == "socket"} == {s: s for s in SOCKETS}
    assert {key for key in seen.values() if key[0] != "socket"} == {
        key for key in before if key[0] in ("tilt", "button")
    }


def test_contacts_that_share_rows_and_columns_show_no_fourth(board: MatrixBoard, wires: Wires) -> None:
    board.inputs()
    for crossing in ("B2", "B4", "D2"):
        wires.set(crossing, True)
    edges = board.scan_once(5)
    assert sorted(edge.name for edge in edges) == ["B2", "B4", "D2"]


def test_lamps_light_and_go_out(board: MatrixBoard, profile: BoardProfile) -> None:
    lines = lines_of(profile)
    for lamp in LAMPS:
        board.show(LampFrame({lamp: True}))
        assert {name for name, line in lines.items() if line.is_high()} == {lamp}
    board.show(LampFrame({}))
    assert not any(line.is_high() for line in lines.values())


def test_the_buzzer_swings_while_its_tone_lasts(board: MatrixBoard, profile: BoardProfile) -> None:
    assert profile.buzzer is not None
    line = Line(profile.buzzer.line)
    board.sound([Tone(440, 100)])
    board.scan_once(0)
    for _ in range(3):
        for level in (True, False):
            assert comes_to(line, level)
    board.scan_once(100)
    assert comes_to(line, False)
    assert not any(line.is_high() for _ in range(500))


def test_closing_puts_everything_out(board: MatrixBoard, profile: BoardProfile) -> None:
    lines = lines_of(profile)
    board.show(LampFrame(dict.fromkeys(LAMPS, True)))
    assert all(line.is_high() for line in lines.values())
    board.close()
    assert not any(line.is_high() for line in lines.values())


def test_a_closed_board_opens_again(board: MatrixBoard, wires: Wires) -> None:
    board.close()
    board.open()
    wires.set("D4", True)
    assert board.inputs()["socket", "D4"] is True


def test_a_line_held_by_another_program_is_named_with_its_owner(
    profile: BoardProfile, pin_factory: str, wires: Wires
) -> None:
    script = (
        "import lgpio, sys; chip = lgpio.gpiochip_open(0); lgpio.gpio_claim_output(chip, 20, 0); "
        "print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        board = MatrixBoard(profile, pin_factory=pin_factory, scan_thread=False)
        with pytest.raises(DeviceError, match=r"GPIO20, lamps\.alarm: .*busy.*"):
            board.open()
    board.open()
    board.close()


def test_the_scan_thread_posts_an_edge_once(profile: BoardProfile, pin_factory: str, wires: Wires) -> None:
    posted: queue.Queue[Sequence[Edge]] = queue.Queue()
    board = MatrixBoard(profile, pin_factory=pin_factory)
    board.open()
    try:
        assert board.inputs()["socket", "E5"] is False
        board.start(posted.put)
        wires.set("E5", True)
        (edge,) = posted.get(timeout=20)
        assert (edge.kind, edge.name, edge.value) == ("socket", "E5", True)
        wires.set("E5", False)
        (edge,) = posted.get(timeout=20)
        assert (edge.name, edge.value) == ("E5", False)
    finally:
        board.close()
    assert board.failure is None
    assert posted.empty()
