"""Speaking to the websocket as a page does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from starlette.testclient import TestClient, WebSocketTestSession

MOST = 500
"""Messages looked through for the one that is waited for; beyond it, it will not come."""


class Page:
    """One open websocket."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self.session = session
        self._id = 0

    def say(self, message: object) -> None:
        self.session.send_json(message)

    def wait_for(self, kind: str, **values: object) -> dict[str, Any]:
        """The next message of a type that has these values."""
        for _ in range(MOST):
            message: dict[str, Any] = self.session.receive_json()
            if message["type"] == kind and all(message.get(key) == value for key, value in values.items()):
                return message
        raise AssertionError(f"no {kind} with {values} among {MOST} messages")

    def ask(self, kind: Literal["act", "arbitrate"], action: dict[str, object]) -> dict[str, Any]:
        """The answer to an action."""
        self._id += 1
        self.say({"type": kind, "id": self._id, "action": action})
        return self.wait_for("answer", id=self._id)

    def act(self, do: str, **values: object) -> dict[str, Any]:
        return self.ask("act", {"do": do, **values})


@contextmanager
def opened(client: TestClient, **headers: str) -> Iterator[Page]:
    """A page that has opened its websocket the way a browser does."""
    host = client.base_url.netloc.decode()
    with client.websocket_connect("/live", headers={"host": host, "origin": f"http://{host}", **headers}) as session:
        yield Page(session)
