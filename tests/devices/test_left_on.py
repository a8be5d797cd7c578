"""Lamps and buzzer put out in advance, by the note of the service that had them on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tamsk_pi.config.profile import load_profile
from tamsk_pi.devices.gpio.board import MatrixBoard
from tamsk_pi.devices.gpio.left_on import NOTE, put_out, remember, runtime_folder
from tamsk_pi.devices.gpio.mock import QuietMockFactory
from tamsk_pi.devices.gpio.outputs import output_lines
from tests.devices.fake_lgpio import LgpioError


class Header:
    """lgpio on a header of which some lines are held."""

    error = LgpioError

    def __init__(self, held: tuple[int, ...] = ()) -> None:
        self.held = held
        self.low: list[int] = []
        self.free: list[int] = []
        self.opened: list[int] = []

    def gpiochip_open(self, chip: int) -> int:
        self.opened.append(chip)
        return 7

    def gpio_claim_output(self, handle: int, line: int, level: int) -> None:
        if line in self.held:
            raise LgpioError("'GPIO busy'")
        assert (handle, level) == (7, 0)
        self.low.append(line)

    def gpio_free(self, handle: int, line: int) -> None:
        self.free.append(line)

    def gpiochip_close(self, handle: int) -> None:
        self.opened.clear()


def test_the_board_notes_its_lamps_and_buzzer_and_off_drives_them_low(tmp_path: Path) -> None:
    profile = load_profile("matrix")
    board = MatrixBoard(profile, pin_factory=QuietMockFactory(), scan_thread=False, note_in=tmp_path)
    board.open()
    board.close()
    header = Header()
    assert put_out(tmp_path, lambda: 4, header) == output_lines(profile) == header.low == header.free
    assert header.opened == []


def test_a_line_that_is_held_keeps_no_other_one_lit(tmp_path: Path) -> None:
    remember([12, 16, 20], tmp_path)
    assert put_out(tmp_path, lambda: 0, Header(held=(12, 16))) == [20]


@pytest.mark.parametrize("note", [None, "", "[1, ", "{}", '["x"]', "[null]"])
def test_a_note_that_is_none_leaves_it_to_the_usual_way(tmp_path: Path, note: str | None) -> None:
    if note is not None:
        (tmp_path / NOTE).write_text(note)
    assert put_out(tmp_path, lambda: 0, Header()) == []


def test_outside_the_service_there_is_no_note(tmp_path: Path) -> None:
    assert runtime_folder({}) is None
    assert runtime_folder({"RUNTIME_DIRECTORY": "/run/tamsk-pi:/run/other"}) == Path("/run/tamsk-pi")
    remember([1], None)
    assert put_out(None) == []


def test_a_folder_that_takes_no_note_stops_no_game(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    remember([1], tmp_path / "none")
    assert "not noted" in caplog.text


def test_nothing_heavy_is_imported_before(tmp_path: Path) -> None:
    """What knows pins, profiles and settings comes after."""
    script = (
        "import sys, tamsk_pi.commands.off, json; heavy = ('gpiozero', 'cattrs', 'serial', 'tomlkit');"
        "print(json.dumps(sorted(name for name in sys.modules if name.split('.')[0] in heavy)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []
