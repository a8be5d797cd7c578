"""The web application: the page, its files, and its websocket. No route changes anything on GET; none takes a body."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from tamsk_pi.clock import Clock, MonotonicClock
from tamsk_pi.report.write import content_security_policy
from tamsk_pi.signals.language import chosen_language
from tamsk_pi.web.access import Pairing, WebSettings, is_local
from tamsk_pi.web.guard import Guard
from tamsk_pi.web.hub import Hub
from tamsk_pi.web.live import Lounge
from tamsk_pi.web.reports import NoReport, Reports
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
    reports: Reports | None = None,
) -> Starlette:
    """The application for one source; `words` puts a ruling into one line of text, `reports` make a finished game's.

    The source is started when the application starts, and shown until it stops.
    """
    settings = settings or WebSettings()
    clock = clock or MonotonicClock()
    pairing = pairing or Pairing(clock)
    reports = reports or Reports()
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

    def report(request: Request) -> Response:
        if settings.needs_pairing and not settings.open_reading and not is_local(request.scope):
            return PlainTextResponse("the game is shown to paired pages only; its report is on the box itself\n", 403)
        try:
            language = chosen_language(request.query_params.get("language", "en"), {})
            text = reports.html(lambda: hub.newest, language)
        except (NoReport, ValueError) as error:
            return PlainTextResponse(f"{error}\n", 404)
        return HTMLResponse(text, headers={"content-security-policy": content_security_policy()})

    return Starlette(
        routes=[
            Route("/", page, methods=["GET"]),
            Route("/report", report, methods=["GET"]),
            WebSocketRoute("/live", lounge.serve),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, settings=settings, clock=clock)],
        lifespan=lifespan,
    )
