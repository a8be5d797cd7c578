"""Who may look and who may act: host names and origins. The pairing code is in `pairing`."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

import attrs
from starlette.datastructures import Headers
from starlette.types import Scope

from tamsk_pi.signals.language import Language
from tamsk_pi.web.pairing import TOKENS, Pairing

__all__ = [
    "TOKENS",
    "HostNames",
    "Pairing",
    "WebSettings",
    "address_of",
    "is_local",
    "is_loopback",
    "same_origin",
]


PROXIES_HEADERS: Final = frozenset(
    {"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"}
)
"""No browser sends any of these."""


@attrs.frozen
class WebSettings:
    """Where the page is served and to whom.

    On loopback nobody need be paired. On any other address, and where a proxy lends the page a name, the code is needed
    for everything that changes state, and for looking too unless `open_reading`. `host_names`: further names by which
    the page is reached, each with or without a port.
    `language`: what is spoken to a page whose browser asks for none of ours.
    """

    host: str = "127.0.0.1"
    port: int = 8037
    open_reading: bool = True
    host_names: tuple[str, ...] = ()
    language: Language = "en"

    @property
    def needs_pairing(self) -> bool:
        return self.is_beyond_loopback or bool(self.host_names)

    @property
    def is_beyond_loopback(self) -> bool:
        return not is_loopback(self.host)


def is_loopback(host: str) -> bool:
    """Whether a host name or address is of this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def address_of(scope: Scope) -> str:
    """Where a client sits, for counting what it asks for. Never for deciding what it may: a header can be forged.

    Behind a proxy on this machine it is the last address that the proxy tells of, the one that it saw itself.
    """
    client = scope.get("client")
    address = client[0] if client is not None else ""
    told = Headers(scope=scope).get("x-forwarded-for", "").rpartition(",")[2].strip()
    if told and is_loopback(address):
        try:
            return str(ipaddress.ip_address(told))
        except ValueError:
            return address
    return address


def is_local(scope: Scope, host_names: Iterable[str] = ()) -> bool:
    """Whether a client sits at this machine itself, and not behind a proxy on it.

    A proxy gives itself away by a header of its own, or by one of `host_names`, which were lent to the page.
    """
    headers = Headers(scope=scope)
    client = scope.get("client")
    if client is None or not is_loopback(client[0]) or PROXIES_HEADERS & set(headers.keys()):
        return False
    called = {_host_of(f"//{headers.get('host', '')}"), _host_of(headers.get("origin", ""))}
    return not called & {name.partition(":")[0] for name in host_names}


class HostNames:
    """The names by which the page may be called.

    A stranger's page can let its own name point at this machine (DNS rebinding) and would then be of the same
    origin; so a name must be known, while an address, which nobody can point elsewhere, need not be.
    """

    def __init__(self, settings: WebSettings) -> None:
        self._lent = frozenset(name.lower() for name in settings.host_names)
        names = {"localhost", *(name.partition(":")[0] for name in self._lent)}
        self._any_address = settings.is_beyond_loopback
        if settings.is_beyond_loopback:
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

    def allow_origin(self, headers: Headers) -> bool:
        """Whether a websocket was opened, or something brought, by a page that came from here.

        Browsers always send an origin with these, so one that is missing is refused like a strange one. Where a proxy
        stands before this server the page's origin has the proxy's name and scheme, while `Host` has what the proxy
        makes of it: nginx by default the address that it passes on to. So origins of the names lent to this page are
        good whatever `Host` says; one that was lent with a port, with that port only.
        """
        if same_origin(headers):
            return True
        try:
            origin = urlsplit(headers.get("origin", ""))
        except ValueError:
            return False
        name = _host_of(headers.get("origin", ""))
        return origin.scheme in ("http", "https") and bool({name, origin.netloc.lower()} & self._lent)


def _host_of(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  an impossible port is told here, by ValueError
        return parts.hostname
    except ValueError:
        return None


def same_origin(headers: Headers) -> bool:
    """Whether a websocket was opened by a page from this very server."""
    origin, host = headers.get("origin"), headers.get("host")
    if not origin or not host:
        return False
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()
