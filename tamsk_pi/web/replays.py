"""Games that are played again: their list, their traces, and the films made of them.

`GET` reads; the one `POST` brings a trace that was dropped on the page and takes its film away again: nothing is kept
of it. Films are made in a process of their own, one at a time, so that no live game waits for them.
"""

from __future__ import annotations

import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Final

import anyio
import anyio.to_thread
import attrs
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_pi.signals.remarks import remark
from tamsk_pi.web.games import MAX_TRACE_BYTES, Games, NoSuchGame
from tamsk_pi.web.languages import language_for

FILM_TIMEOUT_S: Final = 40.0
UPLOAD_TIMEOUT_S: Final = 30.0
WAITING: Final = 8
"""So many may wait for their films; who comes after is told to come again."""
FILMS_KEPT: Final = 8

May = Callable[[Request], bool]


class FilmRefused(Exception):
    """There is no film; `status` is that of the answer, the text one line."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status: Final = status


class FilmMaker:
    """Makes films, one at a time, and keeps the last ones of kept games."""

    def __init__(self) -> None:
        self._one_at_a_time: anyio.Lock | None = None
        self._waiting = 0
        self._kept: OrderedDict[tuple[str, int, int], bytes] = OrderedDict()

    async def of_file(self, path: Path) -> bytes:
        """The film of a kept game, which may still be going on."""
        try:
            found = await run_in_threadpool(path.stat)
            key = (str(path), found.st_mtime_ns, found.st_size)
            if key not in self._kept:
                trace = await run_in_threadpool(_read, path)
                self._kept[key] = await self.of_trace(trace)
        except OSError:
            raise FilmRefused("no such game is kept", 404) from None
        self._kept.move_to_end(key)
        while len(self._kept) > FILMS_KEPT:
            self._kept.popitem(last=False)
        return self._kept[key]

    async def of_trace(self, trace: bytes, *options: str) -> bytes:
        """The film of a trace. `FilmRefused` where it is none, or where too many wait already."""
        if self._waiting >= WAITING:
            raise FilmRefused("another trace is being judged; try again in a moment", 503)
        # Made only now, in the loop in which it is used.
        self._one_at_a_time = self._one_at_a_time or anyio.Lock()
        self._waiting += 1
        try:
            async with self._one_at_a_time:
                return await anyio.to_thread.run_sync(_make, trace, options)
        finally:
            self._waiting -= 1


def _read(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(MAX_TRACE_BYTES)


def _make(trace: bytes, options: tuple[str, ...]) -> bytes:
    command = [sys.executable, "-m", "tamsk_pi.web.film_worker", *options]
    try:
        done = subprocess.run(command, input=trace, capture_output=True, timeout=FILM_TIMEOUT_S, check=False)
    except subprocess.TimeoutExpired:
        raise FilmRefused("judging it took too long", 422) from None
    if done.returncode:
        # Status 2 tells what is wrong with the trace; anything else is the process's limits, or worse.
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise FilmRefused(said[-1] if done.returncode == 2 and said else "judging it took too long", 422)
    return done.stdout


def replay_routes(games: Games, page: Path, may_read: May, may_bring: May) -> list[BaseRoute]:
    """The routes of the replay page. `may_read`, `may_bring`: whether whoever asks may see games, or bring a trace."""
    maker = FilmMaker()

    async def replay(_: Request) -> Response:
        return FileResponse(page)

    def listed(request: Request) -> Response:
        if not may_read(request):
            return _refusal(request, "type the code shown on the box first", 403)
        return JSONResponse({"alone": games.alone, "games": [attrs.asdict(game) for game in games.listed()]})

    def trace(request: Request) -> Response:
        if not may_read(request):
            return _refusal(request, "type the code shown on the box first", 403)
        try:
            path = games.path(request.path_params["name"])
        except NoSuchGame:
            return _refusal(request, "no such game is kept", 404)
        return FileResponse(path, media_type="application/jsonl", filename=path.name)

    async def film(request: Request) -> Response:
        if not may_read(request):
            return _refusal(request, "type the code shown on the box first", 403)
        try:
            path = await run_in_threadpool(games.path, request.path_params["name"])
            return _film(await maker.of_file(path))
        except NoSuchGame:
            return _refusal(request, "no such game is kept", 404)
        except FilmRefused as error:
            return _refusal(request, str(error), error.status)

    async def bring(request: Request) -> Response:
        if not may_bring(request):
            return _refusal(request, "type the code shown on the box first", 403)
        try:
            with anyio.fail_after(UPLOAD_TIMEOUT_S):
                brought = await _body(request)
            return _film(await maker.of_trace(brought))
        except FilmRefused as error:
            return _refusal(request, str(error), error.status)
        except TimeoutError:
            return _refusal(request, "judging it took too long", 408)
        except ClientDisconnect:
            return _refusal(request, "judging it took too long", 400)

    routes: list[BaseRoute] = [
        Route("/replay", replay, methods=["GET"]),
        Route("/games", listed, methods=["GET"]),
        Route("/games/{name}/trace", trace, methods=["GET"]),
        Route("/games/{name}/film", film, methods=["GET"]),
    ]
    return routes if games.alone else [*routes, Route("/film", bring, methods=["POST"])]


def _film(film: bytes) -> Response:
    return Response(film, media_type="application/json", headers={"content-encoding": "gzip"})


def _refusal(request: Request, text: str, status: int) -> Response:
    language = language_for(request.query_params.get("language", ""), request.headers, "en")
    return PlainTextResponse(f"{remark(text, language)}\n", status)


async def _body(request: Request) -> bytes:
    too_large = FilmRefused(f"a trace may have {MAX_TRACE_BYTES} bytes here", 413)
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > MAX_TRACE_BYTES:
        raise too_large
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_TRACE_BYTES:
            raise too_large
    return bytes(body)
