"""What holds for every test: none is judged by how long it took, or by the machine's locale, as machines differ."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("tamsk-pi", deadline=None)
settings.load_profile("tamsk-pi")


@pytest.fixture(scope="session", autouse=True)
def english() -> Iterator[None]:
    """Where a test asks for no language, English is spoken, whatever the locale of the machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANGUAGE", "en")
        yield
