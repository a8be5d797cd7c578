"""Each test that takes `kind` runs against the model of the firmware and against the firmware in simavr."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["model", pytest.param("simavr", marks=pytest.mark.firmware)])
def kind(request: pytest.FixtureRequest) -> str:
    """Which bench: `model` or `simavr`."""
    return str(request.param)
