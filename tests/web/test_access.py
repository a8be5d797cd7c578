"""Host names, origins, addresses, and the rates."""

from __future__ import annotations

import pytest
from starlette.datastructures import Headers

from tamsk_pi.clock import VirtualClock
from tamsk_pi.web.access import HostNames, WebSettings, address_of, is_local, is_loopback, same_origin
from tamsk_pi.web.limits import ADDRESSES, Bucket, Buckets


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "localhost", "::1", "[::1]", "LOCALHOST"])
def test_loopback(host: str) -> None:
    assert is_loopback(host)
    assert not WebSettings(host=host).needs_pairing


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.7", "::", "board.local", "", "127.0.0.1.example.org"])
def test_not_loopback(host: str) -> None:
    assert not is_loopback(host)
    assert WebSettings(host=host).needs_pairing


@pytest.mark.parametrize("name", ["127.0.0.1:8037", "localhost:8037", "localhost", "[::1]:8037", "LocalHost."])
def test_loopback_answers_to_its_own_names(name: str) -> None:
    assert HostNames(WebSettings()).allow(name)


@pytest.mark.parametrize(
    "name", ["", "example.org", "192.168.1.7:8037", "localhost:99999", "localhost.example.org", "[::1"]
)
def test_loopback_does_not_answer_to_a_name_that_a_stranger_can_point_here(name: str) -> None:
    assert not HostNames(WebSettings()).allow(name)


def test_beyond_loopback_addresses_and_known_names_are_answered() -> None:
    names = HostNames(WebSettings(host="0.0.0.0", host_names=("tamsk.club",)))
    assert names.allow("192.168.1.7:8037")
    assert names.allow("[fe80::1]:8037")
    assert names.allow("tamsk.club:8037")
    assert not names.allow("rebound.example.org:8037")


@pytest.mark.parametrize(
    ("origin", "host", "same"),
    [
        ("http://127.0.0.1:8037", "127.0.0.1:8037", True),
        ("https://board.local", "board.local", True),
        ("http://127.0.0.1:9999", "127.0.0.1:8037", False),
        ("http://example.org", "127.0.0.1:8037", False),
        ("null", "127.0.0.1:8037", False),
        ("file://127.0.0.1:8037", "127.0.0.1:8037", False),
        ("http://[", "127.0.0.1:8037", False),
        ("", "127.0.0.1:8037", False),
    ],
)
def test_origin(origin: str, host: str, same: bool) -> None:
    assert same_origin(Headers({"origin": origin, "host": host})) is same


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        ("https://tamsk.club", "127.0.0.1:8037", True),  # nginx by default
        ("https://tamsk.club:8443", "tamsk.club", True),  # a port that was stripped
        ("http://other.club:8443", "other.club", True),
        ("https://other.club", "other.club:9", False),  # lent with another port
        ("https://evil.example", "127.0.0.1:8037", False),
        ("https://tamsk.club.evil.example", "tamsk.club", False),
        ("file://tamsk.club", "127.0.0.1:8037", False),
        ("null", "127.0.0.1:8037", False),
        ("http://[", "127.0.0.1:8037", False),
        ("http://tamsk.club:99999", "127.0.0.1:8037", False),
    ],
)
def test_a_name_that_was_lent_is_a_good_origin(origin: str, host: str, allowed: bool) -> None:
    names = HostNames(WebSettings(host_names=("tamsk.club", "other.club:8443")))
    assert names.allow_origin(Headers({"origin": origin, "host": host})) is allowed
    assert not HostNames(WebSettings()).allow_origin(Headers({"origin": origin, "host": host}))


def test_a_page_with_a_lent_name_must_be_paired_and_answers_to_no_address() -> None:
    settings = WebSettings(host_names=("tamsk.club", "other.club:8443"))
    assert settings.needs_pairing
    names = HostNames(settings)
    assert [names.allow(name) for name in ("tamsk.club", "other.club:1", "127.0.0.1:8037")] == [True] * 3
    assert not names.allow("192.168.1.7:8037")


def test_without_an_origin_nothing_is_the_same() -> None:
    assert not same_origin(Headers({"host": "127.0.0.1:8037"}))


def test_behind_a_proxy_nobody_is_local() -> None:
    scope = {"type": "websocket", "client": ("127.0.0.1", 1), "headers": []}
    assert is_local(scope)
    assert not is_local({**scope, "headers": [(b"x-forwarded-for", b"10.0.0.9")]})
    assert not is_local({**scope, "headers": [(b"x-real-ip", b"10.0.0.9")]})
    lent = ("tamsk.club:8443",)
    assert not is_local({**scope, "headers": [(b"host", b"127.0.0.1:8037"), (b"origin", b"https://tamsk.club")]}, lent)
    assert not is_local({**scope, "headers": [(b"host", b"tamsk.club")]}, lent)
    assert is_local({**scope, "headers": [(b"host", b"box.local:8037"), (b"origin", b"http://box.local:8037")]}, lent)
    assert not is_local({**scope, "client": ("192.168.1.9", 1)})
    assert not is_local({**scope, "client": None})


@pytest.mark.parametrize(
    ("client", "forwarded", "address"),
    [
        ("192.168.1.9", "", "192.168.1.9"),
        ("192.168.1.9", "10.0.0.1", "192.168.1.9"),  # no proxy of ours: whoever says so may lie
        ("127.0.0.1", "10.0.0.1, 192.168.1.66", "192.168.1.66"),
        ("127.0.0.1", "nonsense", "127.0.0.1"),
        ("::1", "fe80::7", "fe80::7"),
    ],
)
def test_a_client_is_counted_by_the_address_that_was_really_seen(client: str, forwarded: str, address: str) -> None:
    headers = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    assert address_of({"type": "http", "client": (client, 1), "headers": headers}) == address


def test_a_bucket_lets_a_burst_through_and_then_its_rate() -> None:
    clock = VirtualClock()
    bucket = Bucket(clock, per_s=2, burst=3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock.go_to(500)
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.go_to(60_000)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_addresses_have_a_bucket_each_and_are_forgotten_in_time() -> None:
    buckets = Buckets(VirtualClock(), per_s=1, burst=1)
    assert buckets.take("a")
    assert not buckets.take("a")
    assert all(buckets.take(str(number)) for number in range(ADDRESSES))
    assert buckets.take("a")
