"""The shelf of kept games: how each ended, and the way to throw one away.

`GET /games/results` tells what is known of how the games went, and works out some more of it for the next time that it
is asked, in a process of its own. `POST /games/delete` takes the name of a game that is to be deleted for good.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import anyio
import anyio.to_thread
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_pi.signals.remarks import remark
from tamsk_pi.web.games import Games, NoSuchGame
from tamsk_pi.web.languages import language_for

AT_ONCE: Final = 24
"""So many games are judged for one question."""
WORKER_TIMEOUT_S: Final = 40.0
NAME_BYTES: Final = 400
STILL_KEPT: Final = "this game is going on; it can be deleted when it is over and another has begun"

May = Callable[[Request], bool]
Summary = dict[str, Any]


class Summaries:
    """How kept games went, by name, as far as it is known. A game whose file has changed is judged anew."""

    def __init__(self, games: Games) -> None:
        self._games: Final = games
        self._known: dict[str, tuple[tuple[int, int], Summary]] = {}
        self._one_at_a_time: anyio.Lock | None = None

    async def told(self) -> tuple[dict[str, Summary], bool]:
        """What is known, and whether there is more to be known."""
        # Made only now, in the loop in which it is used.
        self._one_at_a_time = self._one_at_a_time or anyio.Lock()
        async with self._one_at_a_time:
            return await anyio.to_thread.run_sync(self._work)

    def _work(self) -> tuple[dict[str, Summary], bool]:
        marks = {one.name: (one.bytes, one.changed_s) for one in self._games.listed()}
        self._known = {name: known for name, known in self._known.items() if marks.get(name) == known[0]}
        unknown = [name for name in marks if name not in self._known]
        some = unknown[:AT_ONCE]
        told = dict(zip(some, judged([self._games.path(name) for name in some]), strict=False)) if some else {}
        for name, summary in told.items():
            self._known[name] = (marks[name], summary)
        # Where nothing more could be told, asking again at once would not help.
        return {name: summary for name, (_, summary) in self._known.items()}, bool(told) and len(unknown) > len(told)


def judged(paths: Sequence[Path]) -> list[Summary]:
    """The summaries of some traces, in order, by a process of its own; fewer where it was ended before its time."""
    command = [sys.executable, "-m", "tamsk_pi.web.summary_worker"]
    # As installed the program lies in a folder that only its launcher knows.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONSAFEPATH": "1"}
    asked = "".join(f"{path}\n" for path in paths).encode()
    try:
        done = subprocess.run(
            command, input=asked, capture_output=True, timeout=WORKER_TIMEOUT_S, check=False, env=environment
        )
        said = done.stdout
    except subprocess.TimeoutExpired as late:
        said = late.stdout or b""
    except OSError:
        # No process can be had now: then nothing is told of these games until it is asked again.
        return []
    return [json.loads(line) for line in said.split(b"\n")[:-1]]


def shelf_routes(
    games: Games, may_read: May, may_delete: May | None, is_going_on: Callable[[str], bool]
) -> list[BaseRoute]:
    """The routes. `may_delete`: None where nothing may be deleted. `is_going_on`: whether a game is being kept now."""
    summaries = Summaries(games)

    async def results(request: Request) -> Response:
        if not may_read(request):
            return _refusal(request, "type the code shown on the box first", 403)
        found, more = await summaries.told()
        return JSONResponse({"results": found, "more": more, "deletes": may_delete is not None and not games.alone})

    async def delete(request: Request) -> Response:
        if may_delete is None or not may_delete(request):
            return _refusal(request, "type the code shown on the box first", 403)
        name = await _name(request)
        if is_going_on(name):
            return _refusal(
                request, "this game is going on; it can be deleted when it is over and another has begun", 409
            )
        try:
            await run_in_threadpool(games.delete, name)
        except NoSuchGame:
            return _refusal(request, "no such game is kept", 404)
        except OSError as error:
            return _refusal(request, f"the game cannot be deleted: {error.strerror or error}", 500)
        return Response(status_code=204)

    return [
        Route("/games/results", results, methods=["GET"]),
        Route("/games/delete", delete, methods=["POST"]),
    ]


async def _name(request: Request) -> str:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > NAME_BYTES:
            return ""
    return bytes(body).decode(errors="replace")


def _refusal(request: Request, text: str, status: int) -> Response:
    language = language_for(request.query_params.get("language", ""), request.headers, "en")
    return PlainTextResponse(f"{remark(text, language)}\n", status)
