"""`tamsk-pi off`: every output off, whatever becomes of the others."""

from __future__ import annotations

import attrs
import pytest
from click.testing import CliRunner

from tamsk_pi.cli import main
from tamsk_pi.config.profile import BoardProfile, load_profile
from tamsk_pi.devices.gpio.outputs import switch_off
from tests.devices.switchboard import FakeMax7219, Switchboard


@pytest.fixture
def profile() -> BoardProfile:
    return load_profile("matrix")


def outputs_of(profile: BoardProfile) -> list[int]:
    assert profile.buzzer is not None
    return [*attrs.asdict(profile.lamps).values(), profile.buzzer.line]


def left_on(profile: BoardProfile) -> tuple[Switchboard, list[int]]:
    """Pins as a killed program left them: every lamp lit, a row driven."""
    switches = Switchboard(attrs.evolve(profile, socket_lamps=None))
    lines = outputs_of(profile)
    for line in lines:
        pin = switches.factory.pin(line)
        pin.function = "output"
        pin.state = True
    row = switches.rows["4"]
    row.function = "output"
    row.state = False
    return switches, lines


def test_lamps_buzzer_and_rows(profile: BoardProfile) -> None:
    switches, lines = left_on(profile)
    switched: list[int] = []
    for line in lines:
        pin = switches.factory.pin(line)
        pin._change_state = lambda value, line=line: switched.append(line) if not value else None
    assert switch_off(attrs.evolve(profile, socket_lamps=None), switches.factory) == []
    assert set(switched) == set(lines)
    assert {switches.factory.pin(line).function for line in lines} == {"input"}
    assert switches.rows["4"].function == "input"


def test_a_line_that_cannot_be_had_keeps_no_other_on(profile: BoardProfile) -> None:
    switches, lines = left_on(profile)
    switches.factory.reserve_pins(switches.blocker, profile.lamps.alarm)
    (problem,) = switch_off(attrs.evolve(profile, socket_lamps=None), switches.factory)
    assert problem.startswith(f"GPIO{profile.lamps.alarm} (lamps.alarm): ")
    assert {switches.factory.pin(line).function for line in lines if line != profile.lamps.alarm} == {"input"}


def test_socket_lamps(profile: BoardProfile) -> None:
    lamps = profile.socket_lamps
    assert lamps is not None
    switches = Switchboard(profile)
    chip = FakeMax7219(switches.factory, lamps.clock, lamps.data, lamps.select)
    chip.registers |= {1: 0x7F, 12: 1}
    assert switch_off(profile, switches.factory) == []
    assert chip.lit() == set()
    assert chip.registers[12] == 0  # shut down


def test_the_command_on_mock_pins() -> None:
    told = CliRunner().invoke(main, ["off", "--set", "gpio.pin_factory=mock"])
    assert (told.exit_code, told.output) == (0, "")


def test_errors_are_one_line() -> None:
    told = CliRunner().invoke(main, ["off", "--board", "nosuch"])
    assert told.exit_code == 2
    assert told.output.startswith("tamsk-pi: ")
    assert len(told.output.splitlines()) == 1
