"""The matrix driver against a real kernel's GPIO character device: the checks in `guest/`, run in a QEMU guest."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.kernel.guest_machine import PI_4, PI_5, GuestReport, PiModel, boot
from tests.kernel.kernel_build import Kernel, KernelBuildError, cache_folder, make_kernel
from tests.tiers import lacking

pytestmark = [pytest.mark.kernel, pytest.mark.timeout(400)]

RUN = Path(__file__).with_name("guest") / "run.sh"
MODELS = (PI_4, PI_5)
RUNS = ("CHECKS:lgpio", "CHECKS:rpigpio")


@pytest.fixture(scope="session")
def kernel() -> Kernel:
    if not all(importlib.util.find_spec(name) for name in ("lgpio", "RPi")):
        lacking("needs lgpio and rpi-lgpio beside pytest: pip install lgpio rpi-lgpio")
    try:
        return make_kernel(cache_folder())
    except KernelBuildError as error:
        lacking(str(error))


@pytest.fixture(scope="session")
def reports(kernel: Kernel) -> Mapping[PiModel, GuestReport]:
    """What the guests said. They are emulated at the same time: each keeps one core busy."""
    with ThreadPoolExecutor(len(MODELS)) as pool:
        return dict(zip(MODELS, pool.map(lambda model: boot(kernel, model, RUN, RUNS), MODELS), strict=True))


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_the_driver_passes_its_checks_in_the_guest(
    reports: Mapping[PiModel, GuestReport], model: PiModel, run: str
) -> None:
    report = reports[model]
    assert report.statuses.get(run) == 0, report.console
