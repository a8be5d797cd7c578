"""The page stays small: a phone beside the board loads it over whatever network there is, and a Pi serves it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamsk_pi.web.app import LIVE_PAGE, REPLAY_PAGE, SENSOR_PAGE
from tests.web.measure import loaded, weigh

LARGEST_BYTES = {LIVE_PAGE: 175_000, REPLAY_PAGE: 145_000, SENSOR_PAGE: 60_000}
LARGEST_FILE_LINES = 450


@pytest.mark.parametrize("page", LARGEST_BYTES, ids=lambda page: page.stem)
def test_a_page_weighs_no_more_than_it_may(page: Path) -> None:
    assert weigh(page) <= LARGEST_BYTES[page]


@pytest.mark.parametrize("page", LARGEST_BYTES, ids=lambda page: page.stem)
def test_its_files_have_one_subject_each(page: Path) -> None:
    long = {path.name for path in loaded(page) if len(path.read_text().splitlines()) > LARGEST_FILE_LINES}
    assert long == set()


@pytest.mark.parametrize("page", LARGEST_BYTES, ids=lambda page: page.stem)
def test_everything_comes_from_this_server(page: Path) -> None:
    for path in loaded(page):
        text = path.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, path.name
        assert "https://" not in text, path.name
