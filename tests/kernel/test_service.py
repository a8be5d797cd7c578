"""The installed service under a real systemd, with udev and a kernel's GPIO: what `make install` makes, booted."""

from __future__ import annotations

import sys

import pytest

from tests.kernel.guests import Guests
from tests.kernel.service_image import ImageError
from tests.tiers import lacking

pytestmark = [pytest.mark.kernel, pytest.mark.timeout(3600)]


def test_the_service_keeps_what_it_promises(guests: Guests) -> None:
    try:
        report = guests.service.result()
    except ImageError as error:
        lacking(str(error))
    assert report.statuses.get("service") == 0, report.console
    # What was on at a kill, and how long it stayed so: shown by `pytest -rP`.
    sys.stdout.writelines(f"{line}\n" for line in report.console.splitlines() if line.startswith("FIGURE "))
