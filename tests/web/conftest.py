"""A page for tests: served in process for the server's tests, over a real port for the browser's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tamsk_pi.clock import MonotonicClock, VirtualClock
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.app import build_app
from tests.web.scripted import ScriptedGame, plain_words

HOST = "127.0.0.1:8037"


@pytest.fixture
def game() -> Iterator[ScriptedGame]:
    scripted = ScriptedGame(MonotonicClock())
    yield scripted
    scripted.close()


@pytest.fixture
def clock() -> VirtualClock:
    """The clock of the server's rates; it stands still unless a test moves it."""
    return VirtualClock()


@pytest.fixture
def client(game: ScriptedGame, clock: VirtualClock) -> Iterator[TestClient]:
    """A browser at the machine itself, of a server on loopback."""
    app = build_app(game, plain_words, WebSettings(), clock=clock)
    with TestClient(app, base_url=f"http://{HOST}", client=("127.0.0.1", 50000)) as test_client:
        yield test_client


@pytest.fixture
def pairing(clock: VirtualClock) -> Pairing:
    return Pairing(clock, code="246810")
