"""The arbiter's page: all boards of an event in one stream, words to boards, and what is printed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

import anyio
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

import tamsk_pi.web
from tamsk_pi.clock import Clock
from tamsk_pi.club.beside import read_word
from tamsk_pi.club.topics import Place, whole
from tamsk_pi.hub.alarms import mark_seen
from tamsk_pi.hub.arbiters import ArbiterError, Arbiters
from tamsk_pi.hub.boards import BoardPicture, by_need
from tamsk_pi.hub.database import first_line
from tamsk_pi.hub.event.book import Book, EventError, event_names
from tamsk_pi.hub.event.printing import STYLE, pairings_page, standings_page
from tamsk_pi.hub.event.rounds import round_of
from tamsk_pi.hub.intake import whole_trace
from tamsk_pi.hub.live_pages import LivePages
from tamsk_pi.hub.mini import mini_of
from tamsk_pi.hub.screen import screen_texts
from tamsk_pi.hub.service import Hub
from tamsk_pi.hub.tables import GAMES
from tamsk_pi.signals.language import LANGUAGES, Language
from tamsk_pi.signals.remarks import remark
from tamsk_pi.web.access import WebSettings, is_local
from tamsk_pi.web.guard import CONTENT_SECURITY_POLICY, Guard
from tamsk_pi.web.languages import OWN_NAMES, language_for
from tamsk_pi.web.messages import MessageError, MessageReader
from tamsk_pi.web.server import ServerError

STATIC: Final = Path(__file__).parent / "static"
BOARD_STATIC: Final = Path(tamsk_pi.web.__file__).parent / "static"
SHARED: Final = ("geometry.js", "text.js", "icon.svg")
"""What the page of one board has and this page uses too."""
PACE_S: Final = 0.05
"""Changes of one moment go out together."""
BEAT_S: Final = 2.0
BODY_BYTES: Final = 4_096
ANSWER_S: Final = 15.0


class Refused(Exception):
    """The text is one line for whoever asked."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status: Final = status


class _Feed:
    """What has changed, for everybody who watches. The hub's thread tells, the event loop reads."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed: dict[str, dict[int, int]] = {}
        self._version = 0
        self._wake = asyncio.Event()
        hub.listen(self._tell)

    def open(self) -> None:
        self._loop = asyncio.get_running_loop()

    def _tell(self, place: Place, _: BoardPicture) -> None:
        self._version += 1
        self._changed.setdefault(place.event, {})[place.board] = self._version
        loop = self._loop
        if loop is not None:
            try:
                loop.call_soon_threadsafe(self._wake_all)
            except RuntimeError:
                # The page has been closed.
                self._loop = None

    def _wake_all(self) -> None:
        self._wake.set()
        self._wake = asyncio.Event()

    async def messages(self, event: str, first: Mapping[str, Any]) -> AsyncIterator[str]:
        """Every board at once, then whatever changes; an empty message from time to time, so that silence is seen."""
        seen, message = -1, dict(first)
        while True:
            wake = self._wake
            newest = self._version
            changed = [board for board, at in list(self._changed.get(event, {}).items()) if at > seen]
            pictures = self._hub.pictures(event)
            told = pictures if seen < 0 else [p for p in pictures if p.place.board in changed]
            now_ms = self._hub.mono_ms()
            message |= {"boards": [mini_of(picture, now_ms) for picture in told], "problem": self._hub.problem}
            if told:
                message["order"] = [picture.place.board for picture in by_need(pictures)]
            yield json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n"
            seen, message = newest, {}
            with anyio.move_on_after(BEAT_S):
                await wake.wait()
                await anyio.sleep(PACE_S)


class _Pages:
    def __init__(self, hub: Hub, arbiters: Arbiters, live: LivePages, settings: WebSettings) -> None:
        self._hub = hub
        self._arbiters = arbiters
        self._live = live
        self._settings = settings
        self._reader = MessageReader()
        self.feed_of = _Feed(hub)

    def _who(self, request: Request) -> str | None:
        return self._arbiters.who(request.headers.get("authorization", "").removeprefix("Bearer "))

    def _may_read(self, request: Request, who: str | None) -> bool:
        return not self._settings.needs_pairing or who is not None or is_local(request.scope)

    async def feed(self, request: Request) -> Response:
        who = await run_in_threadpool(self._who, request)
        if not self._may_read(request, who):
            raise Refused("the boards are shown to paired arbiters only", 403)
        book = await run_in_threadpool(self._book, request.query_params.get("event", ""))
        first = {"title": book.info.title or book.info.name, "arbiter": who}
        return StreamingResponse(self.feed_of.messages(book.info.name, first), media_type="application/x-ndjson")

    def _book(self, name: str) -> Book:
        try:
            return Book(self._hub.engine, name)
        except EventError as error:
            raise Refused(str(error), 404) from None

    async def pair(self, request: Request) -> Response:
        body = await _body(request)
        try:
            token = await run_in_threadpool(self._arbiters.pair, _text(body, "name"), _text(body, "code"))
        except ArbiterError as error:
            raise Refused(str(error), 403) from None
        return PlainTextResponse(token)

    async def _arbiter(self, request: Request) -> tuple[str, Mapping[str, Any], Place]:
        who = await run_in_threadpool(self._who, request)
        if who is None:
            raise Refused("only an arbiter who is paired may say that", 403)
        body = await _body(request)
        board = body.get("board")
        if type(board) is not int:
            raise Refused("board must be a number", 400)
        return who, body, Place(_text(body, "event"), board)

    async def word(self, request: Request) -> Response:
        who, body, place = await self._arbiter(request)
        said = {key: value for key, value in body.items() if key not in ("event", "board", "language", "by")}
        try:
            action = read_word(self._reader, {**said, "by": who})
        except MessageError as error:
            raise Refused(str(error), 400) from None
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[str | None] = loop.create_future()

        def settle(reason: str | None) -> None:
            if not answered.done():
                answered.set_result(reason)

        def answer(reason: str | None) -> None:
            loop.call_soon_threadsafe(settle, reason)

        self._hub.say(place, who, action.verb, action.details, answer)
        try:
            with anyio.fail_after(ANSWER_S):
                reason = await answered
        except TimeoutError:
            reason = "the board did not answer"
        if reason is not None:
            raise Refused(reason, 409)
        return PlainTextResponse("ok\n")

    async def seen(self, request: Request) -> Response:
        who, body, place = await self._arbiter(request)
        alarm = body.get("alarm")
        book = await run_in_threadpool(self._book, place.event)

        def mark() -> bool:
            with self._hub.engine.begin() as connection:
                return mark_seen(connection, book.info.id, place.board, alarm if type(alarm) is int else 0, who)

        if not await run_in_threadpool(mark):
            raise Refused("there is no such alarm", 404)
        self._hub.look_again()
        return PlainTextResponse("ok\n")

    async def result(self, request: Request) -> Response:
        who, body, place = await self._arbiter(request)
        book = await run_in_threadpool(self._book, place.event)
        number, result = body.get("round"), body.get("result")
        if type(number) is not int or not (result is None or isinstance(result, str)):
            raise Refused("round must be a number, and result one of the results or null", 400)
        try:
            await run_in_threadpool(book.set_result, number, place.board, result, who)
        except EventError as error:
            raise Refused(str(error), 409) from None
        return PlainTextResponse("ok\n")

    async def round(self, request: Request) -> Response:
        """The newest round, or the one asked for: who plays where, what came of it, and what may be said of it."""
        who = await run_in_threadpool(self._who, request)
        if not self._may_read(request, who):
            raise Refused("the boards are shown to paired arbiters only", 403)
        book = await run_in_threadpool(self._book, request.path_params["event"])
        asked = whole(request.query_params.get("round", ""))
        return JSONResponse(await run_in_threadpool(round_of, book, asked), headers={"cache-control": "no-store"})

    async def next_round(self, request: Request) -> Response:
        """Pair the next round."""
        who = await run_in_threadpool(self._who, request)
        if who is None:
            raise Refused("only an arbiter who is paired may say that", 403)
        book = await run_in_threadpool(self._book, _text(await _body(request), "event"))
        try:
            await run_in_threadpool(book.pair)
        except EventError as error:
            raise Refused(str(error), 409) from None
        return PlainTextResponse("ok\n")

    async def board(self, request: Request) -> Response:
        """To the page of one board."""
        who = await run_in_threadpool(self._who, request)
        number = whole(request.path_params["board"])
        if not self._may_read(request, who):
            raise Refused("the boards are shown to paired arbiters only", 403)
        try:
            port = await run_in_threadpool(self._live.port_of, Place(request.path_params["event"], number or 0))
        except LookupError:
            raise Refused("the board has no game yet", 404) from None
        except ServerError as error:
            raise Refused(str(error), 503) from None
        host = request.url.hostname or "127.0.0.1"
        return RedirectResponse(f"http://{f'[{host}]' if ':' in host else host}:{port}/", 303)

    async def printed(self, request: Request) -> Response:
        book = await run_in_threadpool(self._book, request.path_params["event"])
        language = _language(request)
        what = request.path_params["what"]
        if what == "standings":
            page = await run_in_threadpool(standings_page, book, language)
        elif what == "pairings":
            number = whole(request.query_params.get("round", ""))
            page = await run_in_threadpool(pairings_page, book, language, number)
        else:
            raise Refused("there is nothing of that name to print", 404)
        return HTMLResponse(page, headers={"content-security-policy": _print_policy()})

    async def trace(self, request: Request) -> Response:
        number = whole(request.path_params["game"])

        def read() -> tuple[str, bytes] | None:
            with self._hub.engine.connect() as connection:
                name = connection.execute(select(GAMES.c.name).where(GAMES.c.id == (number or 0))).scalar()
                return None if name is None else (name, whole_trace(connection, number or 0))

        if not self._may_read(request, await run_in_threadpool(self._who, request)):
            raise Refused("the boards are shown to paired arbiters only", 403)
        found = await run_in_threadpool(read)
        if found is None:
            raise Refused("no such game is kept", 404)
        headers = {"content-disposition": f'attachment; filename="{found[0]}.trace.jsonl"'}
        return Response(found[1], media_type="application/jsonl", headers=headers)

    async def first(self, request: Request) -> Response:
        names = await run_in_threadpool(event_names, self._hub.engine)
        if not names:
            raise Refused("there is no event yet: tamsk-pi hub event new", 404)
        return RedirectResponse(f"/event/{names[0]}", 303)


def build_hub_app(hub: Hub, arbiters: Arbiters, settings: WebSettings, clock: Clock) -> Starlette:
    """The application; it listens to the hub from now on."""
    live = LivePages(hub, settings.host, clock)
    hub.listen(live.show)
    pages = _Pages(hub, arbiters, live, settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        pages.feed_of.open()
        yield
        await run_in_threadpool(live.close)

    async def page(_: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    async def texts(request: Request) -> Response:
        asked = request.path_params["language"]
        if asked not in ("auto", *LANGUAGES):
            raise Refused("there are no texts in this language", 404)
        language = language_for(asked, request.headers, settings.language)
        return Response(texts_as_json(language), media_type="application/json", headers={"vary": "accept-language"})

    def shared(name: str) -> Callable[[Request], Any]:
        async def file(_: Request) -> Response:
            return FileResponse(BOARD_STATIC / name)

        return file

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, Refused)
        return PlainTextResponse(f"{remark(str(error), _language(request))}\n", error.status)

    async def no_database(request: Request, error: Exception) -> Response:
        return PlainTextResponse(f"the database: {first_line(error)}\n", 503)

    posts = {
        "/pair": pages.pair,
        "/word": pages.word,
        "/seen": pages.seen,
        "/result": pages.result,
        "/next-round": pages.next_round,
    }
    return Starlette(
        routes=[
            Route("/", pages.first, methods=["GET"]),
            Route("/event/{event}", page, methods=["GET"]),
            Route("/texts/{language}", texts, methods=["GET"]),
            Route("/feed", pages.feed, methods=["GET"]),
            Route("/board/{event}/{board}", pages.board, methods=["GET"]),
            Route("/round/{event}", pages.round, methods=["GET"]),
            Route("/print/{event}/{what}", pages.printed, methods=["GET"]),
            Route("/games/{game}/trace", pages.trace, methods=["GET"]),
            *(Route(path, does, methods=["POST"]) for path, does in posts.items()),
            *(Route(f"/static/{name}", shared(name), methods=["GET"]) for name in SHARED),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, settings=settings, clock=clock, posts=frozenset(posts))],
        exception_handlers={Refused: refused, SQLAlchemyError: no_database},
        lifespan=lifespan,
    )


@cache
def texts_as_json(language: Language) -> bytes:
    """All texts of the hub's pages in one language, with the languages that one may choose from."""
    told = {"language": language, "languages": OWN_NAMES, "texts": screen_texts(language)}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


@cache
def _print_policy() -> str:
    import base64
    import hashlib

    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return CONTENT_SECURITY_POLICY.replace("style-src 'self'", f"style-src 'sha256-{digest}'")


def _language(request: Request) -> Language:
    return language_for(request.query_params.get("language", ""), request.headers, "en")


async def _body(request: Request) -> Mapping[str, Any]:
    raw = bytearray()
    async for part in request.stream():
        raw += part
        if len(raw) > BODY_BYTES:
            raise Refused(f"a message has at most {BODY_BYTES} bytes", 413)
    try:
        body = json.loads(bytes(raw))
    except (ValueError, RecursionError):
        raise Refused("a message is one JSON object", 400) from None
    if not isinstance(body, dict):
        raise Refused("a message is one JSON object", 400)
    return body


def _text(body: Mapping[str, Any], key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str):
        raise Refused(f"{key} must be a text", 400)
    return value
