"""The web application: the page, its files, and its websocket. No route changes anything on GET; none takes a body."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from tamsk_pi.clock import Clock, MonotonicClock
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.guard import Guard
from tamsk_pi.web.hub import Hub
from tamsk_pi.web.languages import serve_texts
from tamsk_pi.web.live import Lounge
from tamsk_pi.web.source import GameSource
from tamsk_pi.web.state import Words

STATIC: Final = Path(__file__).parent / "static"


def build_app(
    source: GameSource,
    words: Words,
    settings: WebSettings | None = None,
    *,
    pairing: Pairing | None = None,
    clock: Clock | None = None,
) -> Starlette:
    """The application for one source; `words` puts a ruling into one line of text, in a language.

    The source is started when the application starts, and shown until it stops.
    """
    settings = settings or WebSettings()
    clock = clock or MonotonicClock()
    pairing = pairing or Pairing(clock)
    hub = Hub(words, mode=source.mode, helps=source.mode != "referee")
    lounge = Lounge(source, hub, settings, pairing, clock)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        source.start(hub)
        hub.open()
        yield
        hub.close()

    async def page(_: Request) -> FileResponse:
        return FileResponse(STATIC / "index.html")

    async def texts(request: Request) -> Response:
        return serve_texts(request, settings.language)

    return Starlette(
        routes=[
            Route("/", page, methods=["GET"]),
            Route("/texts/{language}", texts, methods=["GET"]),
            WebSocketRoute("/live", lounge.serve),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, settings=settings, clock=clock)],
        lifespan=lifespan,
    )
