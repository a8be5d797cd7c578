"""The program as it is here on an emulated Raspberry Pi 3 B: Debian's arm64 kernel, the real pinctrl-bcm2835 and
spi-bcm2835. One boot is asked everything; each test looks at one answer."""

from __future__ import annotations

import pytest

from tests.pi.pi_machine import PiReport

pytestmark = [pytest.mark.kernel, pytest.mark.timeout(3600)]


@pytest.mark.parametrize("name", ["pi_info", "lines", "spi"])
def test_the_real_drivers_answer_the_service_s_user(report: PiReport, name: str) -> None:
    assert report.statuses.get(name) == 0, report.console


def test_doctor_finds_no_stop_as_the_service_s_user(report: PiReport) -> None:
    assert report.statuses.get("doctor") == 0, report.console
    said = report.said_about("doctor")
    assert "Raspberry Pi 3 Model B" in said, said
