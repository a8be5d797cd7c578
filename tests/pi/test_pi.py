"""The program as it is here on an emulated Raspberry Pi 3 B: Debian's arm64 kernel, the real pinctrl-bcm2835 and
spi-bcm2835. One boot is asked everything, and each test looks at one answer; a second one follows a power cut."""

from __future__ import annotations

import pytest

from tests.pi.pi_machine import PiReport

pytestmark = [pytest.mark.pi, pytest.mark.timeout(3600)]


@pytest.mark.parametrize("name", ["pi_info", "lines", "spi"])
def test_the_real_drivers_answer_the_service_s_user(report: PiReport, name: str) -> None:
    assert report.statuses.get(name) == 0, report.console


def test_doctor_finds_no_stop_as_the_service_s_user(report: PiReport) -> None:
    assert report.statuses.get("doctor") == 0, report.console
    assert "Raspberry Pi 3 Model B" in report.said_about("doctor"), report.console


@pytest.mark.parametrize("name", ["set_up", "move", "ring", "violation", "kill", "off", "goes_on"])
def test_a_game_on_wires_is_refereed_killed_and_goes_on(report: PiReport, name: str) -> None:
    assert report.statuses.get(name) == 0, report.console


def test_a_game_whose_power_was_cut_is_offered(after_the_cut: PiReport) -> None:
    assert after_the_cut.statuses.get("offered") == 0, after_the_cut.console
