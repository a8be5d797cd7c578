"""The whole program in a process of its own, and a browser in front of it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.end_to_end.program import Program
from tests.web.browser import Table, chromium

Start = Callable[..., Program]
Open = Callable[..., Table]


@pytest.fixture
def traces(tmp_path: Path) -> Path:
    """Where the simulators of a test keep their games."""
    return tmp_path / "traces"


@pytest.fixture
def start(traces: Path) -> Iterator[Start]:
    """Start `tamsk-pi simulate` with a page and no browser of its own; ended at the end of the test."""
    programs: list[Program] = []

    def begin(*options: str, port: int = 0) -> Program:
        program = Program("simulate", "--no-browser", "--port", str(port), "--out", str(traces), *options)
        programs.append(program)
        return program

    yield begin
    for program in programs:
        program.end(signal.SIGTERM)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def sit_down(browser: Browser) -> Iterator[Open]:
    """Open a page, with the options of a Playwright context; in the end, nothing must have been complained of."""
    tables: list[Table] = []

    def open_page(url: str, ready: str = Table.READY, **options: Any) -> Table:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **options})
        table = Table(context.new_page(), url, ready)
        tables.append(table)
        return table

    yield open_page
    for table in tables:
        table.page.context.close()
    assert [error for table in tables for error in table.errors] == []
