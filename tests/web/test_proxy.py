"""The page behind nginx: with the configuration that the docs give, and with what nginx makes of a shorter one."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from wsproto import ConnectionType, WSConnection
from wsproto.events import Event, RejectConnection, Request, TextMessage

from tamsk_pi.clock import MonotonicClock
from tamsk_pi.web.access import Pairing, WebSettings
from tamsk_pi.web.server import PageServer, live_server
from tests.programs import Program
from tests.tiers import lacking
from tests.web.scripted import ScriptedGame, plain_words

DOCS = Path(__file__).parents[2] / "docs" / "proxies.md"
NAME = "tamsk.example"
PATIENCE_S = 60.0
SBIN = "/usr/sbin:/usr/local/sbin:/usr/bin"


@pytest.fixture
def page(game: ScriptedGame) -> Iterator[PageServer]:
    settings = WebSettings(port=0, host_names=(NAME,))
    server = live_server(game, plain_words, settings, Pairing(MonotonicClock(), code="246810"))
    server.open()
    yield server
    server.close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `fullchain.pem` and `privkey.pem`, for the name of the docs."""
    if shutil.which("openssl") is None or shutil.which("nginx", path=SBIN) is None:
        lacking("needs nginx and openssl: apt-get install nginx-light openssl")
    folder = tmp_path_factory.mktemp("certificate")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    command += ["-addext", f"subjectAltName=DNS:{NAME}", "-out", "fullchain.pem", "-keyout", "privkey.pem"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


def docs_configuration() -> str:
    found = re.search(r"```nginx\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@contextmanager
def proxied(page: PageServer, site: str, certificate: Path, folder: Path) -> Iterator[int]:
    """nginx with this site before the page; the port on which it listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for old, new in {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "http://127.0.0.1:8037": page.url.rstrip("/"),
        f"/etc/letsencrypt/live/{NAME}": str(certificate),
    }.items():
        assert old in site
        site = site.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    whole = f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
    (folder / "nginx.conf").write_text(f"{whole}http {{\naccess_log off;\n{paths}{site}}}\n", encoding="utf-8")
    nginx = shutil.which("nginx", path=SBIN)
    assert nginx is not None
    command = [nginx, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]
    with Program(command) as process:
        try:
            end_s = time.monotonic() + PATIENCE_S
            while True:
                assert process.poll() is None, (folder / "error.log").read_text()
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S).close()
                    break
                except ConnectionRefusedError:
                    assert time.monotonic() < end_s
                    time.sleep(0.05)
            yield port
        finally:
            process.terminate()


@contextmanager
def connected(port: int, certificate: Path) -> Iterator[ssl.SSLSocket]:
    """A browser's connection to the page's name, which checks the certificate."""
    trusting = ssl.create_default_context(cafile=str(certificate / "fullchain.pem"))
    with (
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as plain,
        trusting.wrap_socket(plain, server_hostname=NAME) as connection,
    ):
        yield connection


def get(port: int, certificate: Path, host: str) -> tuple[int, bytes]:
    """Ask for the page; status and body."""
    with connected(port, certificate) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), body


def first_words(port: int, certificate: Path, host: str, origin: str) -> str | int:
    """What is said on the websocket until the page knows what it may, or the status with which it was refused."""
    talk = WSConnection(ConnectionType.CLIENT)
    text = ""
    with connected(port, certificate) as connection:
        connection.sendall(talk.send(Request(host=host, target="/live", extra_headers=[(b"origin", origin.encode())])))
        while '"arbiter":' not in text:
            data = connection.recv(65536)
            assert data, "the websocket ended"
            talk.receive_data(data)
            events: list[Event] = list(talk.events())
            for event in events:
                if isinstance(event, RejectConnection):
                    return event.status_code
                if isinstance(event, TextMessage):
                    text += event.data
    return text


SHORTER: dict[str, Callable[[str], str]] = {
    "as in the docs": lambda site: site,
    "nginx's own Host": lambda site: site.replace("proxy_set_header Host $http_host;\n", ""),
    "the port stripped": lambda site: site.replace("Host $http_host", "Host $host"),
}


@pytest.mark.parametrize("shortened", SHORTER)
def test_the_page_and_its_websocket_come_through_nginx(
    shortened: str, page: PageServer, certificate: Path, tmp_path: Path
) -> None:
    site = SHORTER[shortened](docs_configuration())
    assert (site == docs_configuration()) == (shortened == "as in the docs")
    with proxied(page, site, certificate, tmp_path) as port:
        host = f"{NAME}:{port}"
        status, body = get(port, certificate, host)
        assert status == 200
        assert b"<title>TAMSK board</title>" in body
        text = first_words(port, certificate, host, f"https://{host}")
        assert isinstance(text, str)
        assert '"paired":false' in text
        assert '"code":null' in text
        assert "246810" not in text
        assert first_words(port, certificate, host, "https://evil.example") == 403


def test_a_name_that_is_not_lent_is_refused_through_nginx_as_well(
    page: PageServer, certificate: Path, tmp_path: Path
) -> None:
    with proxied(page, docs_configuration(), certificate, tmp_path) as port:
        assert get(port, certificate, "evil.example")[0] == 421
        assert first_words(port, certificate, "evil.example", "https://evil.example") == 403
