"""Tools that a laptop may lack: such a test skips with what is missing, and fails where CI must have it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardware.tools import boards, products
from hardware.tools.circuit import Circuit
from hardware.tools.measures import Measures, load_measures
from hardware.tools.products import Family


def need(family: Family) -> None:
    """Skip, or fail in CI, where the tools of a family of products are not installed."""
    if missing := products.lacking(family):
        if os.environ.get("CI"):
            pytest.fail(f"CI must have {missing}")
        pytest.skip(f"needs {missing}")


@pytest.fixture(scope="session")
def measures() -> Measures:
    return load_measures()


@pytest.fixture(scope="session")
def circuits() -> dict[str, Circuit]:
    return boards.every_circuit()


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hardware")
