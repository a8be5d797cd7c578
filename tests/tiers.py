"""Test tiers that need a tool: without it they are skipped with the reason, and fail where nothing may be skipped."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def lacking(reason: str) -> NoReturn:
    """Something a tier needs is not there: fail where `CI` is set, else skip."""
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
