"""The matrix driver against a real kernel's GPIO character device: the checks in `guest/`, run in a QEMU guest."""

from __future__ import annotations

import pytest

from tests.kernel.guest_machine import PiModel
from tests.kernel.guests import RUNS, Guests

pytestmark = [pytest.mark.kernel, pytest.mark.timeout(3600)]


@pytest.mark.parametrize(
    ("model", "run"),
    [pytest.param(model, run, id=f"{model.name}-{run}") for model, runs in RUNS.items() for run in runs],
)
def test_the_driver_passes_its_checks_in_the_guest(guests: Guests, model: PiModel, run: str) -> None:
    report = guests.checks[model].result()
    assert report.statuses.get(run) == 0, report.console
