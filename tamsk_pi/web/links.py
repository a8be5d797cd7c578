"""The way for other devices to the page: its addresses, and links to a seat with the pairing code, as QR codes too."""

from __future__ import annotations

import io
import socket
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlencode

import segno
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_pi.web.access import Pairing, is_local, is_loopback

EVERYWHERE: Final = ("0.0.0.0", "::", "")
"""Hosts that stand for every address of this machine."""
SEATS: Final = ("red", "black", "none")

_ELSEWHERE: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses of nobody (RFC 5737, RFC 3849). Nothing is sent there: it is only asked which way it would go."""


def own_address() -> str | None:
    """The address by which this machine is known in its network; None where it is in none."""
    for family, nobody in _ELSEWHERE.items():
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as asked:
                asked.connect((nobody, 9))
                address = str(asked.getsockname()[0])
        except OSError:
            continue
        if not is_loopback(address):
            return address
    return None


def in_brackets(host: str) -> str:
    """A host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


def links_for(host: str, port: int) -> tuple[str, ...]:
    """The addresses at which other devices find a page that is served on `host`; none on loopback."""
    if is_loopback(host):
        return ()
    name = own_address() if host in EVERYWHERE else host
    return () if name is None else (f"http://{in_brackets(name)}:{port}/",)


def seat_link(link: str, seat: str, code: str) -> str:
    """A link that gives whoever opens it a seat; `code` is empty where nobody need be paired."""
    return f"{link}#{urlencode({'seat': seat, **({'code': code} if code else {})})}"


def qr_svg(text: str) -> bytes:
    """A text as a QR code: SVG with its quiet zone."""
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", scale=4, border=4, light="#fff", dark="#000")
    return out.getvalue()


def qr_lines(text: str) -> str:
    """A text as a QR code for a terminal."""
    out = io.StringIO()
    segno.make(text, error="m", micro=False).terminal(out, compact=True)
    return out.getvalue()


def link_routes(links: Callable[[], Sequence[str]], pairing: Pairing, *, paired_by_code: bool) -> list[BaseRoute]:
    """`/qr.svg?seat=black`: the link to a seat as a QR code, for pages at this machine alone: it bears the code."""

    def qr(request: Request) -> Response:
        found = links()
        seat = request.query_params.get("seat", "")
        if not found or seat not in SEATS or not is_local(request.scope):
            return PlainTextResponse("there is no such link\n", 404)
        link = seat_link(found[0], seat, pairing.code if paired_by_code else "")
        return Response(qr_svg(link), media_type="image/svg+xml", headers={"cache-control": "no-store"})

    return [Route("/qr.svg", qr, methods=["GET"])]
