from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.kernel.guests import Guests, begin
from tests.kernel.kernel_build import Kernel, KernelBuildError, cache_folder, make_kernel
from tests.tiers import lacking

# What is in there runs inside the guest, which names its files; here even its fixtures could not be imported.
collect_ignore = ["guest"]


@pytest.fixture(scope="session")
def kernel() -> Kernel:
    """The guests' kernel; without it the tests are skipped, or fail where nothing may be."""
    if not all(importlib.util.find_spec(name) for name in ("lgpio", "RPi")):
        lacking("needs lgpio and rpi-lgpio beside pytest: make kernel-tools")
    try:
        return make_kernel(cache_folder())
    except KernelBuildError as error:
        lacking(str(error))


@pytest.fixture(scope="session")
def guests(kernel: Kernel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guests]:
    """Every guest, emulated at the same time: each keeps one core busy, and mostly waits for its own clock."""
    with ThreadPoolExecutor() as pool:
        yield begin(pool, kernel, tmp_path_factory.mktemp("image"))
