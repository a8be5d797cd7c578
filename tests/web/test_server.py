"""The page served over a real port."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, TextMessage
from wsproto.events import Request as Handshake

from tamsk_pi.clock import MonotonicClock
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.server import PageServer, ServerError, live_server
from tests.web.scripted import ScriptedGame, plain_words


def server_on(game: ScriptedGame, host: str, port: int) -> PageServer:
    return live_server(game, plain_words, WebSettings(host=host, port=port), Pairing(MonotonicClock()))


@pytest.fixture
def server(game: ScriptedGame) -> Iterator[PageServer]:
    page = server_on(game, "127.0.0.1", 0)
    page.open()
    yield page
    page.close()


def test_the_page_can_be_asked_for_as_soon_as_open_returns(server: PageServer) -> None:
    with urlopen(server.url) as answer:
        assert answer.status == 200
        assert b"<title>TAMSK board</title>" in answer.read()
        assert answer.headers["server"] is None


def test_a_post_is_refused(server: PageServer) -> None:
    with pytest.raises(HTTPError) as refused:
        urlopen(Request(server.url, data=b"x" * 100_000, method="POST"))
    assert refused.value.code == 405
    refused.value.close()


def test_a_port_that_is_taken_is_told_in_one_line(game: ScriptedGame, server: PageServer) -> None:
    port = int(server.url.rstrip("/").rsplit(":", 1)[1])
    second = server_on(game, "127.0.0.1", port)
    with pytest.raises(ServerError, match=rf"127\.0\.0\.1:{port}.*choose one with --port") as error:
        second.open()
    assert "\n" not in str(error.value)


def test_an_address_that_is_not_this_machine_is_told_in_one_line(game: ScriptedGame) -> None:
    with pytest.raises(ServerError, match=r"cannot serve the page on 203\.0\.113\.7"):
        server_on(game, "203.0.113.7", 0).open()


@pytest.mark.timeout(300)
def test_a_message_beyond_the_limit_ends_the_connection_before_it_is_whole(server: PageServer) -> None:
    """Whatever the installed server does with it: 150 MB must not be gathered for nobody."""
    host, port = server.url.removeprefix("http://").rstrip("/").rsplit(":", 1)
    talk = WSConnection(ConnectionType.CLIENT)
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        origin = [(b"origin", server.url.rstrip("/").encode())]
        connection.sendall(talk.send(Handshake(host=f"{host}:{port}", target="/live", extra_headers=origin)))
        while not any(isinstance(event, AcceptConnection) for event in talk.events()):
            talk.receive_data(connection.recv(65536))
        sent = 0
        code = None
        with suppress(ConnectionError):
            while code is None and sent < 150_000_000:
                connection.sendall(talk.send(TextMessage(data="x" * 1000, message_finished=False)))
                sent += 1000
                connection.setblocking(False)
                with suppress(BlockingIOError):
                    talk.receive_data(connection.recv(65536) or None)
                connection.settimeout(60)
                code = next((event.code for event in talk.events() if isinstance(event, CloseConnection)), None)
    assert code in (1009, None)
    assert sent < 20_000_000


def test_closing_twice_is_closing_once(game: ScriptedGame) -> None:
    page = server_on(game, "127.0.0.1", 0)
    page.open()
    port = int(page.url.rstrip("/").rsplit(":", 1)[1])
    page.close()
    page.close()
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", port))
