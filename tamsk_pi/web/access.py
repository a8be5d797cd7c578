"""Who may look and who may act: host names, origins, and the pairing code."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from collections import deque
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

import attrs
from starlette.datastructures import Headers
from starlette.types import Scope

from tamsk_pi.clock import Clock
from tamsk_pi.signals.language import Language
from tamsk_pi.web.limits import Bucket

CODE_DIGITS: Final = 6
TRIES_PER_S: Final = 0.1
TRIES_AT_ONCE: Final = 5
TOKENS: Final = 64
"""Pairings remembered at once; the oldest is forgotten first."""


@attrs.frozen
class WebSettings:
    """Where the page is served and to whom.

    On loopback nobody need be paired. On any other address the code is needed for everything that changes state,
    and for looking too unless `open_reading`. `host_names`: further names by which the page may be reached.
    `language`: what is spoken to a page whose browser asks for none of ours.
    """

    host: str = "127.0.0.1"
    port: int = 8037
    open_reading: bool = True
    host_names: tuple[str, ...] = ()
    language: Language = "en"

    @property
    def needs_pairing(self) -> bool:
        return not is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether a host name or address is of this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_local(scope: Scope) -> bool:
    """Whether a client sits at this machine itself, and not behind a proxy on it."""
    headers = Headers(scope=scope)
    client = scope.get("client")
    return client is not None and is_loopback(client[0]) and not {"forwarded", "x-forwarded-for"} & set(headers.keys())


class HostNames:
    """The names by which the page may be called.

    A stranger's page can let its own name point at this machine (DNS rebinding) and would then be of the same
    origin; so a name must be known, while an address, which nobody can point elsewhere, need not be.
    """

    def __init__(self, settings: WebSettings) -> None:
        names = {"localhost", *settings.host_names}
        self._any_address = settings.needs_pairing
        if settings.needs_pairing:
            own = socket.gethostname()
            names |= {settings.host, own, f"{own.split('.')[0]}.local"}
        self._names = {name.lower().rstrip(".") for name in names}

    def allow(self, host_header: str) -> bool:
        """Whether a `Host` header names this page."""
        name = _host_of(f"//{host_header}")
        if name is None:
            return False
        name = name.rstrip(".")
        if name in self._names or is_loopback(name):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return self._any_address


def _host_of(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  an impossible port is told here, by ValueError
        return parts.hostname
    except ValueError:
        return None


def same_origin(headers: Headers) -> bool:
    """Whether a websocket was opened by a page from this very server.

    Browsers always send an origin with a websocket, so one that is missing is refused like a strange one.
    """
    origin, host = headers.get("origin"), headers.get("host")
    if not origin or not host:
        return False
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


class Pairing:
    """The code shown on the box, and the tokens of those who have typed it.

    Guessing is slowed for everybody together: five tries at once, then one in ten seconds, so that a code of six
    digits holds for weeks. `code` may be set (a display shows it elsewhere); otherwise it is drawn at the start.
    """

    def __init__(self, clock: Clock, code: str | None = None) -> None:
        self.code = code if code is not None else "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))
        self._tries = Bucket(clock, per_s=TRIES_PER_S, burst=TRIES_AT_ONCE)
        self._tokens: deque[str] = deque(maxlen=TOKENS)

    def pair(self, code: str) -> tuple[str | None, str]:
        """A token for the right code, else None and one line that says why not."""
        if not self._tries.take():
            return None, "too many tries; wait ten seconds"
        if not _same(code, self.code):
            return None, "that is not the code shown on the box"
        token = secrets.token_urlsafe(24)
        self._tokens.append(token)
        return token, ""

    def knows(self, token: str) -> bool:
        """Whether a token was given out by this run."""
        return bool(token) and any_same(token, self._tokens)


def any_same(token: str, known: Iterable[str]) -> bool:
    """Compare with all of them, in constant time each."""
    return max([_same(token, one) for one in known], default=False)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
