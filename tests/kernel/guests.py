"""The guests that the tests look at: for each model one with the driver's checks, and one with the service."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Final

import attrs

from tests.kernel.guest_machine import PI_4, PI_5, GuestReport, PiModel, boot, boot_systemd
from tests.kernel.kernel_build import Kernel
from tests.kernel.service_image import make_image

RUN: Final = Path(__file__).with_name("guest") / "run.sh"
RUNS: Final = {PI_4: ("ALL:lgpio", "DRIVER:rpigpio"), PI_5: ("DRIVER:lgpio", "ALL:rpigpio")}
"""What is run on each model. rpi-lgpio takes RPi.GPIO's place on a Pi 5, so it is there that all of it is checked."""


@attrs.frozen
class Guests:
    """What they will have said; `service` fails with `ImageError` where there is nothing to boot."""

    checks: Mapping[PiModel, Future[GuestReport]]
    service: Future[GuestReport]


def begin(pool: Executor, kernel: Kernel, folder: Path) -> Guests:
    """Boot them all. `folder` is an empty one, for the service's image."""
    checks = {model: pool.submit(boot, kernel, model, RUN, runs) for model, runs in RUNS.items()}
    return Guests(checks, pool.submit(_boot_service, kernel, folder))


def _boot_service(kernel: Kernel, folder: Path) -> GuestReport:
    make_image(folder)
    return boot_systemd(kernel, PI_4, folder, "box-test.service")
