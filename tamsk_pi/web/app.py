"""The web application: the page, its files, its websocket, and games played again.

No route changes anything on GET. The only bodies that are taken are a trace to be played again, of which nothing is
kept, and the name of a kept game that is to be deleted.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
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
from tamsk_pi.web.links import link_routes
from tamsk_pi.web.live import Lounge
from tamsk_pi.web.replays import replay_routes
from tamsk_pi.web.reports import NoReport, Reports
from tamsk_pi.web.sensors import SensorLog, sensor_routes
from tamsk_pi.web.shelf import shelf_routes
from tamsk_pi.web.source import GameSource
from tamsk_pi.web.state import Words

STATIC: Final = Path(__file__).parent / "static"
RULES_PAGE: Final = STATIC / "rules.html"
LIVE_PAGE: Final = STATIC / "index.html"
REPLAY_PAGE: Final = STATIC / "replay.html"
SENSOR_PAGE: Final = STATIC / "sensors.html"
POSTS: Final = frozenset({"/film", "/games/delete"})


def build_app(
    source: GameSource,
    words: Words,
    settings: WebSettings | None = None,
    *,
    games: Games | None = None,
    pairing: Pairing | None = None,
    clock: Clock | None = None,
    reports: Reports | None = None,
    sensors: SensorLog | None = None,
    links: Callable[[], Sequence[str]] = tuple,
) -> Starlette:
    """The application for one source; `words` puts a ruling into one line of text, in a language.

    The source is started when the application starts, and shown until it stops. `games`: those that can be played
    again; `reports` make a finished game's. `sensors`: the raw inputs that may be looked at; `links`: the addresses at
    which other devices find the page.
    """
    settings = settings or WebSettings()
    clock = clock or MonotonicClock()
    pairing = pairing or Pairing(clock)
    reports = reports or Reports()
    hub = Hub(words, mode=source.mode, helps=source.mode != "referee")
    replays, senses = games is not None, sensors is not None
    lounge = Lounge(source, hub, settings, pairing, clock, replays=replays, sensors=senses, links=links)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        source.start(hub)
        hub.open()
        yield
        hub.close()

    def may_act(request: Request) -> bool:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        return not settings.needs_pairing or is_local(request.scope) or pairing.knows(token)

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

    async def rules(_: Request) -> FileResponse:
        return FileResponse(RULES_PAGE)

    routes: list[BaseRoute] = [
        Route("/report", report, methods=["GET"]),
        Route("/rules", rules, methods=["GET"]),
        WebSocketRoute("/live", lounge.serve),
        *link_routes(links, pairing, paired_by_code=settings.needs_pairing),
    ]
    if sensors is not None:
        routes += sensor_routes(sensors, SENSOR_PAGE, may_read)
    if games is not None:

        def is_going_on(name: str) -> bool:
            return name != "" and hub.newest is not None and hub.newest.kept == name

        routes += replay_routes(games, REPLAY_PAGE, may_read, may_act)
        routes += shelf_routes(games, may_read, may_act, is_going_on)
    return _app(LIVE_PAGE, routes, settings, clock, lifespan)


def build_replay_app(games: Games, settings: WebSettings) -> Starlette:
    """The application that only plays games again; it is for this machine alone, so nobody need be paired."""
    routes = replay_routes(games, REPLAY_PAGE, lambda _: True, lambda _: True)
    routes += shelf_routes(games, lambda _: True, None, lambda _: False)
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
        middleware=[Middleware(Guard, settings=settings, clock=clock, posts=POSTS)],
        lifespan=lifespan,
    )
