"""The web application: the page, its files, its websocket, and games played again.

No route changes anything on GET; the only body that is taken is a trace to be played again, of which nothing is kept.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Lifespan

from tamsk_pi.clock import Clock, MonotonicClock
from tamsk_pi.report.write import content_security_policy
from tamsk_pi.signals.language import chosen_language
from tamsk_pi.web.access import Pairing, WebSettings, is_local
from tamsk_pi.web.games import Games
from tamsk_pi.web.guard import Guard
from tamsk_pi.web.hub import Hub
from tamsk_pi.web.languages import serve_texts
from tamsk_pi.web.live import Lounge
from tamsk_pi.web.replays import replay_routes
from tamsk_pi.web.reports import NoReport, Reports
from tamsk_pi.web.source import GameSource
from tamsk_pi.web.state import Words

STATIC: Final = Path(__file__).parent / "static"
LIVE_PAGE: Final = STATIC / "index.html"
REPLAY_PAGE: Final = STATIC / "replay.html"


def build_app(
    source: GameSource,
    words: Words,
    settings: WebSettings | None = None,
    *,
    games: Games | None = None,
    pairing: Pairing | None = None,
    clock: Clock | None = None,
    reports: Reports | None = None,
) -> Starlette:
    """The application for one source; `words` puts a ruling into one line of text, in a language.

    The source is started when the application starts, and shown until it stops. `games`: those that can be played
    again; `reports` make a finished game's.
    """
    settings = settings or WebSettings()
    clock = clock or MonotonicClock()
    pairing = pairing or Pairing(clock)
    reports = reports or Reports()
    hub = Hub(words, mode=source.mode, helps=source.mode != "referee")
    lounge = Lounge(source, hub, settings, pairing, clock, replays=games is not None)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        source.start(hub)
        hub.open()
        yield
        hub.close()

    def may_act(request: Request) -> bool:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        return not settings.needs_pairing or is_local(request.scope, settings.host_names) or pairing.knows(token)

    def may_read(request: Request) -> bool:
        return settings.open_reading or may_act(request)

    def report(request: Request) -> Response:
        if not may_read(request):
            return PlainTextResponse("the game is shown to paired pages only; its report is on the box itself\n", 403)
        try:
            language = chosen_language(request.query_params.get("language", "en"), {})
            text = reports.html(lambda: hub.newest, language)
        except (NoReport, ValueError) as error:
            return PlainTextResponse(f"{error}\n", 404)
        return HTMLResponse(text, headers={"content-security-policy": content_security_policy()})

    routes: list[BaseRoute] = [
        Route("/report", report, methods=["GET"]),
        WebSocketRoute("/live", lounge.serve),
    ]
    if games is not None:
        routes += replay_routes(games, REPLAY_PAGE, may_read, may_act)
    return _app(LIVE_PAGE, routes, settings, clock, lifespan)


def build_replay_app(games: Games, settings: WebSettings) -> Starlette:
    """The application that only plays games again; it is for this machine alone, so nobody need be paired."""
    routes = replay_routes(games, REPLAY_PAGE, lambda _: True, lambda _: True)
    return _app(REPLAY_PAGE, routes, settings, MonotonicClock(), None)


def _app(
    first_page: Path,
    routes: Sequence[BaseRoute],
    settings: WebSettings,
    clock: Clock,
    lifespan: Lifespan[Starlette] | None,
) -> Starlette:
    async def page(_: Request) -> FileResponse:
        return FileResponse(first_page)

    async def texts(request: Request) -> Response:
        return serve_texts(request, settings.language)

    return Starlette(
        routes=[
            Route("/", page, methods=["GET"]),
            Route("/texts/{language}", texts, methods=["GET"]),
            *routes,
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, settings=settings, clock=clock, posts=frozenset({"/film"}))],
        lifespan=lifespan,
    )
