"""The raw inputs of the board, for whoever solders: what each tells now, the last edges, and whether it is heard."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_pi.clock import Clock
from tamsk_pi.devices.base import Device, Post
from tamsk_pi.sensing.edges import Edge, EdgeValue

LAST_EDGES: Final = 60


class SensorLog:
    """Keeps what the board tells, on its way to the game: nothing settled, nothing judged. Safe from any thread."""

    def __init__(self, device: Device, clock: Clock) -> None:
        self._device: Final = device
        self._clock: Final = clock
        self._lock: Final = Lock()
        self._values: dict[tuple[str, str], EdgeValue] = {}
        self._changed_ms: dict[tuple[str, str], int] = {}
        self._flips: dict[tuple[str, str], int] = {}
        self._edges: deque[Edge] = deque(maxlen=LAST_EDGES)

    def passing(self, post: Post) -> Post:
        """What takes edges, keeps them, and posts them on."""

        def keep_and_post(edges: Sequence[Edge]) -> None:
            with self._lock:
                for edge in edges:
                    key = (edge.kind, edge.name)
                    self._values[key] = edge.value
                    self._changed_ms[key] = edge.t_ms
                    self._flips[key] = self._flips.get(key, 0) + 1
                    self._edges.append(edge)
            post(edges)

        return keep_and_post

    def look(self) -> None:
        """Look at the whole board anew; in the thread that owns it."""
        values = dict(self._device.inputs())
        with self._lock:
            self._values.update(values)

    def picture(self) -> dict[str, Any]:
        """All inputs and the last edges, the newest first, as JSON; times are ms ago."""
        now_ms, heard_ms = self._clock.now_ms(), self._device.alive_at_ms()
        with self._lock:
            inputs = [
                {
                    "kind": kind,
                    "name": name,
                    "value": value,
                    "ago_ms": _ago(now_ms, self._changed_ms.get((kind, name))),
                    "edges": self._flips.get((kind, name), 0),
                }
                for (kind, name), value in sorted(self._values.items())
            ]
            edges = [
                {"ago_ms": _ago(now_ms, e.t_ms), "kind": e.kind, "name": e.name, "value": e.value}
                for e in reversed(self._edges)
            ]
            return {"heard_ago_ms": _ago(now_ms, heard_ms), "inputs": inputs, "edges": edges}


def _ago(now_ms: int, t_ms: int | None) -> int | None:
    return None if t_ms is None else max(0, now_ms - t_ms)


def sensor_routes(log: SensorLog, page: Path, may_read: Callable[[Request], bool]) -> list[BaseRoute]:
    """`/sensors`, the page, and `/sensors/now`, what it shows."""

    def shown(_: Request) -> Response:
        return FileResponse(page)

    def now(request: Request) -> Response:
        if not may_read(request):
            return PlainTextResponse("type the code shown on the box first\n", 403)
        return JSONResponse(log.picture(), headers={"cache-control": "no-store"})

    return [Route("/sensors", shown, methods=["GET"]), Route("/sensors/now", now, methods=["GET"])]
