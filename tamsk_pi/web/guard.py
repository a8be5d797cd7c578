"""Stands before every request: methods, host names, origins, rates, and the headers of every answer."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tamsk_pi.clock import Clock
from tamsk_pi.web.access import HostNames, WebSettings, address_of
from tamsk_pi.web.limits import Buckets

REQUESTS_PER_S: Final = 50
REQUESTS_AT_ONCE: Final = 200
"""A page is some twenty files; many viewers may sit behind one address."""
POST_COSTS: Final = 20

CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS: Final = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-cache",
}


class Guard:
    """ASGI middleware. What passes it is a GET or HEAD, or comes from this server's own page: its websocket, or a POST
    to one of the paths `posts`, each of which costs as much as `POST_COSTS` others.
    """

    def __init__(self, app: ASGIApp, *, settings: WebSettings, clock: Clock, posts: frozenset[str]) -> None:
        self._app = app
        self._posts = posts
        self._names = HostNames(settings)
        self._rates = Buckets(clock, per_s=REQUESTS_PER_S, burst=REQUESTS_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    # A page with styles of its own, a report, names them by their hashes.
                    headers.setdefault(name, value)
            await send(message)

        refusal = None
        posts = scope["method"] == "POST" and scope["path"] in self._posts
        if scope["method"] not in ("GET", "HEAD") and not posts:
            refusal = PlainTextResponse("only GET and HEAD\n", 405, {"allow": "GET, HEAD"})
        elif not self._names.allow(Headers(scope=scope).get("host", "")):
            refusal = PlainTextResponse("the page is not known by this host name\n", 421)
        elif posts and not self._names.allow_origin(Headers(scope=scope)):
            refusal = PlainTextResponse("only for pages of this server\n", 403)
        elif not all(self._rates.take(address_of(scope)) for _ in range(POST_COSTS if posts else 1)):
            refusal = PlainTextResponse("too many requests\n", 429, {"retry-after": "5"})
        await (refusal or self._app)(scope, receive, send_with_headers)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        allowed = (
            self._names.allow(headers.get("host", ""))
            and self._names.allow_origin(headers)
            and self._rates.take(address_of(scope))
        )
        if allowed:
            await self._app(scope, receive, send)
        else:
            # Closed before it was accepted: the server answers 403 and no websocket comes to be.
            await send({"type": "websocket.close", "code": 1008})
