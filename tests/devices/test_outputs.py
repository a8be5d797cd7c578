"""Lamps, tones and socket lamps on mock pins."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tamsk_pi.config.profile import BoardProfile, BuzzerProfile
from tamsk_pi.devices.base import LampFrame, Tone
from tamsk_pi.devices.gpio.board import LAMPS, MatrixBoard
from tamsk_pi.devices.gpio.buzzer import Buzzer
from tamsk_pi.devices.gpio.mock import QuietMockFactory
from tamsk_pi.rules.board import SOCKETS
from tests.devices.switchboard import FakeMax7219, Switchboard

LINE = 18
DARK = LampFrame(dict.fromkeys(LAMPS, False))


@pytest.fixture
def factory() -> QuietMockFactory:
    return QuietMockFactory()


@pytest.fixture
def buzzer(factory: QuietMockFactory) -> Iterator[Buzzer]:
    buzzer = Buzzer(BuzzerProfile(line=LINE, lowest_hz=220, highest_hz=3520, longest_ms=1000), factory)
    yield buzzer
    buzzer.close()


def heard(buzzer: Buzzer, factory: QuietMockFactory, times_ms: range) -> list[int]:
    """The pitch on the line, in Hz, at each of these times; 0 for silence."""
    pitches = []
    for now_ms in times_ms:
        buzzer.tick(now_ms)
        pin = factory.pin(LINE)
        assert pin.state == (0.5 if pin.frequency else 0)
        assert buzzer.pitch_hz == round(pin.frequency or 0)
        pitches.append(round(pin.frequency or 0))
    return pitches


def test_tones_follow_one_another_and_end_by_themselves(buzzer: Buzzer, factory: QuietMockFactory) -> None:
    buzzer.sound([Tone(440, 20), Tone(0, 10), Tone(880, 20)])
    assert heard(buzzer, factory, range(100, 170, 10)) == [440, 440, 0, 880, 880, 0, 0]


def test_nothing_sounds_longer_than_allowed(buzzer: Buzzer, factory: QuietMockFactory) -> None:
    buzzer.sound([Tone(440, 900), Tone(880, 10_000), Tone(440, 10_000)])
    assert heard(buzzer, factory, range(0, 1200, 100)) == [440] * 9 + [880] + [0, 0]


def test_new_tones_take_the_place_of_old_ones_and_none_is_silence(buzzer: Buzzer, factory: QuietMockFactory) -> None:
    buzzer.sound([Tone(440, 500)])
    assert heard(buzzer, factory, range(0, 20, 10)) == [440, 440]
    buzzer.sound([Tone(660, 20)])
    assert heard(buzzer, factory, range(20, 50, 10)) == [660, 660, 0]
    buzzer.sound([Tone(440, 500)])
    buzzer.tick(50)
    buzzer.sound([])
    assert heard(buzzer, factory, range(51, 53)) == [0, 0]


def test_a_pitch_out_of_reach_is_brought_within_it(buzzer: Buzzer, factory: QuietMockFactory) -> None:
    buzzer.sound([Tone(50, 10), Tone(9000, 10)])
    assert heard(buzzer, factory, range(0, 20, 10)) == [220, 3520]


def test_a_late_tick_ends_what_is_over(buzzer: Buzzer, factory: QuietMockFactory) -> None:
    buzzer.sound([Tone(440, 20), Tone(880, 20)])
    buzzer.tick(0)
    assert heard(buzzer, factory, range(5000, 5001)) == [0]


def test_a_tone_of_no_length_is_not_heard(buzzer: Buzzer, factory: QuietMockFactory) -> None:
    buzzer.sound([Tone(440, 0), Tone(880, -5)])
    assert heard(buzzer, factory, range(2)) == [0, 0]


@pytest.mark.parametrize("lit", LAMPS)
def test_each_lamp_is_lit_alone(board: MatrixBoard, switches: Switchboard, profile: BoardProfile, lit: str) -> None:
    board.open()
    board.show(LampFrame({lit: True}))
    pins = {name: switches.factory.pin(getattr(profile.lamps, name)) for name in LAMPS}
    assert {name for name, pin in pins.items() if pin.state} == {lit}
    board.show(DARK)
    assert not any(pin.state for pin in pins.values())


def test_a_lamp_the_board_lacks_is_ignored(board: MatrixBoard) -> None:
    board.open()
    board.show(LampFrame({"moon": True}, red_sockets=frozenset({"D4"})))


def test_closing_puts_everything_out(board: MatrixBoard, switches: Switchboard, profile: BoardProfile) -> None:
    board.open()
    board.show(LampFrame(dict.fromkeys(LAMPS, True)))
    board.sound([Tone(440, 3000)])
    board.scan_once(2000)
    assert switches.factory.pin(LINE).frequency == pytest.approx(440)
    board.close()
    assert switches.factory.pin(LINE).frequency is None
    assert not any(switches.factory.pin(getattr(profile.lamps, name)).state for name in LAMPS)


def test_a_board_that_is_closed_takes_lamps_and_tones_and_does_nothing(board: MatrixBoard) -> None:
    board.show(DARK)
    board.sound([Tone(440, 100)])
    board.open()
    board.close()
    board.show(LampFrame({"ready": True}))
    board.sound([Tone(440, 100)])


def test_the_scan_moves_the_tones_on(board: MatrixBoard, switches: Switchboard) -> None:
    board.open()
    board.sound([Tone(440, 8)])
    pitches = []
    for now_ms in range(2000, 2016, 4):
        board.scan_once(now_ms)
        pitches.append(round(switches.factory.pin(LINE).frequency or 0))
    assert pitches == [440, 440, 0, 0]


@pytest.fixture
def lit_board(full_profile: BoardProfile) -> Iterator[tuple[MatrixBoard, FakeMax7219]]:
    switches = Switchboard(full_profile)
    lamps = full_profile.socket_lamps
    assert lamps is not None
    chip = FakeMax7219(switches.factory, lamps.clock, lamps.data, lamps.select)
    board = MatrixBoard(full_profile, pin_factory=switches.factory, scan_thread=False, row_settle_us=0)
    board.open()
    yield board, chip
    board.close()
    chip.close()


def test_socket_lamps_show_the_union_of_both_planes(lit_board: tuple[MatrixBoard, FakeMax7219]) -> None:
    board, chip = lit_board
    assert chip.lit() == set()
    board.show(LampFrame({}, red_sockets=frozenset({"A1", "D7"}), green_sockets=frozenset({"G4", "A1"})))
    assert chip.lit() == {"A1", "D7", "G4"}


def test_every_socket_has_its_lamp(lit_board: tuple[MatrixBoard, FakeMax7219]) -> None:
    board, chip = lit_board
    for socket in SOCKETS:
        board.show(LampFrame({}, green_sockets=frozenset({socket})))
        assert chip.lit() == {socket}


def test_the_chip_is_set_up_and_shut_down(lit_board: tuple[MatrixBoard, FakeMax7219]) -> None:
    board, chip = lit_board
    assert {register: chip.registers[register] for register in (0x09, 0x0A, 0x0B, 0x0C, 0x0F)} == {
        0x09: 0,
        0x0A: 4,
        0x0B: 6,
        0x0C: 1,
        0x0F: 0,
    }
    board.show(LampFrame({}, red_sockets=frozenset({"D4"})))
    board.close()
    assert chip.registers[0x0C] == 0
    assert chip.lit() == set()


@pytest.mark.parametrize("register", [*range(1, 8), 0x09, 0x0A, 0x0B, 0x0C, 0x0F])
@pytest.mark.parametrize("value", [0x00, 0x01, 0xFF])
def test_a_chip_that_a_glitch_has_changed_comes_back_by_itself(
    register: int, value: int, lit_board: tuple[MatrixBoard, FakeMax7219]
) -> None:
    """Shutdown, test mode, decoding, a digit: whatever a spike wrote is written over within a fifth of a second."""
    board, chip = lit_board
    board.show(LampFrame({}, red_sockets=frozenset({"D4", "A1"})))
    for now_ms in range(1000, 1040, 4):
        board.scan_once(now_ms)
    before = dict(chip.registers)
    chip.registers[register] = value
    for now_ms in range(1040, 1260, 4):
        board.scan_once(now_ms)
    assert chip.registers == before
    assert chip.lit() == {"D4", "A1"}


def test_refreshing_costs_one_word_in_sixteen_ms(lit_board: tuple[MatrixBoard, FakeMax7219]) -> None:
    board, chip = lit_board
    board.scan_once(1000)
    words = chip.words
    for now_ms in range(1004, 2004, 4):
        board.scan_once(now_ms)
    assert chip.words - words == 1000 // 16


def test_a_frame_that_changes_nothing_writes_nothing(lit_board: tuple[MatrixBoard, FakeMax7219]) -> None:
    board, chip = lit_board
    frame = LampFrame({}, red_sockets=frozenset({"D4"}))
    board.show(frame)
    words = chip.words
    board.show(frame)
    assert chip.words == words
