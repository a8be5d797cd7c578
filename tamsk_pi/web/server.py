"""Runs the page in a thread of its own, beside the thread that owns the game."""

from __future__ import annotations

import socket
from threading import Event, Thread
from typing import Final

import uvicorn
from starlette.applications import Starlette

from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.app import build_app, build_replay_app
from tamsk_pi.web.games import Games
from tamsk_pi.web.links import EVERYWHERE, in_brackets, links_for
from tamsk_pi.web.messages import MESSAGE_BYTES
from tamsk_pi.web.reports import Reports
from tamsk_pi.web.sensors import SensorLog
from tamsk_pi.web.source import GameSource
from tamsk_pi.web.state import Words

START_TIMEOUT_S: Final = 10.0
HEAD_BYTES: Final = 16_384
CONNECTIONS: Final = 1024


class ServerError(Exception):
    """The page cannot be served; the text is one line for the user, with the remedy."""


class PageServer:
    """Serves the page. `open()` returns when it can be asked for; `close()` may be called twice."""

    def __init__(self, app: Starlette, settings: WebSettings) -> None:
        self._settings = settings
        self._socket: socket.socket | None = None
        self._started = Event()
        self._server = _Server(
            uvicorn.Config(
                app,
                http="h11",
                ws="wsproto",
                loop="asyncio",
                lifespan="on",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                date_header=False,
                ws_max_size=MESSAGE_BYTES,
                ws_per_message_deflate=False,
                ws_ping_interval=20.0,
                ws_ping_timeout=20.0,
                h11_max_incomplete_event_size=HEAD_BYTES,
                limit_concurrency=CONNECTIONS,
                timeout_keep_alive=15,
                timeout_graceful_shutdown=2,
            ),
            self._started,
        )
        self._thread = Thread(target=self._run, name="page", daemon=True)

    @property
    def url(self) -> str:
        """Where the page is; known once it is open."""
        if self._socket is None:
            raise RuntimeError("the page is not open")
        host = self._settings.host
        own = "127.0.0.1" if host in EVERYWHERE else host
        return f"http://{in_brackets(own)}:{self._socket.getsockname()[1]}/"

    def links(self) -> tuple[str, ...]:
        """The addresses at which other devices find the page; none on loopback, or before it has an address."""
        return () if self._socket is None else links_for(self._settings.host, self._socket.getsockname()[1])

    def reserve(self) -> None:
        """Take the address, so that nothing need be begun for a page that cannot be served. `ServerError`: it is taken.

        Whoever asks for the page from now on waits until it is open.
        """
        self._socket = _listen(self._settings.host, self._settings.port)

    def open(self) -> None:
        """Listen and serve. `ServerError` when the address cannot be had or the start fails."""
        if self._socket is None:
            self.reserve()
        self._thread.start()
        if not self._started.wait(START_TIMEOUT_S) or self._server.should_exit:
            self.close()
            raise ServerError(f"the page did not start within {START_TIMEOUT_S:.0f} s; the log tells why")

    def close(self) -> None:
        """Tell the pages and stop."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join()
        if self._socket is not None:
            self._socket.close()

    def _run(self) -> None:
        try:
            self._server.run(sockets=[self._socket] if self._socket else None)
        finally:
            self._started.set()


def live_server(
    source: GameSource,
    words: Words,
    settings: WebSettings,
    pairing: Pairing,
    *,
    games: Games | None = None,
    reports: Reports | None = None,
    sensors: SensorLog | None = None,
) -> PageServer:
    """A server that shows a game, its report at the end, and beside it games to be played again and the raw inputs."""

    def links() -> tuple[str, ...]:
        return server.links()

    app = build_app(
        source, words, settings, games=games, pairing=pairing, reports=reports, sensors=sensors, links=links
    )
    server = PageServer(app, settings)
    return server


def replay_server(games: Games, settings: WebSettings) -> PageServer:
    """A server of games that are played again, without a live one; on loopback, as there is nobody to pair with."""
    if settings.needs_pairing:
        raise ValueError("games alone are served on loopback only")
    return PageServer(build_replay_app(games, settings), settings)


class _Server(uvicorn.Server):
    """Tells when it has started, so that nobody need look again and again."""

    def __init__(self, config: uvicorn.Config, ready: Event) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready.set()


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ServerError(f"cannot serve the page on {host}: {error.strerror or error}") from None
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen()
    except OSError as error:
        listening.close()
        remedy = "another program has that port, choose one with --port" if port else "choose another address"
        raise ServerError(f"cannot serve the page on {host}:{port}: {error.strerror}; {remedy}") from None
    return listening
