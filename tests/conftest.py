"""What holds for every test: none is judged by how long it took, or by the machine's locale, as machines differ."""

from __future__ import annotations

import faulthandler
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

HARD_LIMIT_S: Final = 900
"""Far beyond the limit of a test's time, which raises where the test is; what takes no notice ends with its worker."""

BEGIN_WITH: Final = (
    "kernel/",
    "pi/",
    "systemd/test_package.py",
    "caps/",
    "club/",
    "web/",
    "end_to_end/",
    "firmware_bridge/",
    "sim/",
    "hardware/",
)
"""What takes longest, so that side by side nothing long begins last."""

settings.register_profile("tamsk-pi", deadline=None)
settings.load_profile("tamsk-pi")


@pytest.fixture(scope="session", autouse=True)
def english() -> Iterator[None]:
    """Where a test asks for no language, English is spoken, whatever the locale of the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANGUAGE", "en")
        yield


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort, keeping files whole and the order in them."""
    here = Path(__file__).parent

    def place(item: pytest.Item) -> int:
        path = item.path.relative_to(here).as_posix() if item.path.is_relative_to(here) else ""
        return next((n for n, beginning in enumerate(BEGIN_WITH) if path.startswith(beginning)), len(BEGIN_WITH))

    items.sort(key=place)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Iterator[None]:
    """Let no test hold up all the others: side by side, a worker that ends is told with its test and replaced."""
    faulthandler.dump_traceback_later(HARD_LIMIT_S, exit=True)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell at the end what was not tested here for want of a tool, and how to get that."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        if isinstance(report.longrepr, tuple):
            reasons[report.longrepr[2].removeprefix("Skipped: ")] += 1
    if reasons:
        terminalreporter.section("not tested here")
        for reason, count in sorted(reasons.items()):
            terminalreporter.write_line(f"{count} test{'' if count == 1 else 's'}: {reason}")
