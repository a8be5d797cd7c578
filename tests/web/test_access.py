"""Host names, origins, the pairing code, and the rates."""

from __future__ import annotations

import pytest
from starlette.datastructures import Headers

from tamsk_pi.clock import VirtualClock
from tamsk_pi.web.access import TOKENS, HostNames, Pairing, WebSettings, is_local, is_loopback, same_origin
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


def test_without_an_origin_nothing_is_the_same() -> None:
    assert not same_origin(Headers({"host": "127.0.0.1:8037"}))


def test_behind_a_proxy_nobody_is_local() -> None:
    scope = {"type": "websocket", "client": ("127.0.0.1", 1), "headers": []}
    assert is_local(scope)
    assert not is_local({**scope, "headers": [(b"x-forwarded-for", b"10.0.0.9")]})
    assert not is_local({**scope, "client": ("192.168.1.9", 1)})
    assert not is_local({**scope, "client": None})


def test_the_code_is_six_digits_and_new_each_time() -> None:
    codes = {Pairing(VirtualClock()).code for _ in range(20)}
    assert len(codes) > 10
    assert all(len(code) == 6 and code.isdecimal() for code in codes)


def test_the_right_code_pairs_and_its_token_is_known() -> None:
    pairing = Pairing(VirtualClock(), code="123456")
    token, _ = pairing.pair("123456")
    assert token is not None
    assert pairing.knows(token)
    assert not pairing.knows("")
    assert not pairing.knows(token + "x")
    assert not Pairing(VirtualClock(), code="123456").knows(token)


def test_guessing_is_slow_for_all_together_and_even_the_right_code_waits() -> None:
    clock = VirtualClock()
    pairing = Pairing(clock, code="123456")
    assert all("not the code" in pairing.pair("000000")[1] for _ in range(5))
    assert pairing.pair("123456") == (None, "too many tries; wait ten seconds")
    clock.go_to(10_000)
    assert pairing.pair("123456")[0] is not None


def test_the_oldest_pairing_is_forgotten_first() -> None:
    clock = VirtualClock()
    pairing = Pairing(clock, code="1")
    tokens: list[str] = []
    for turn in range(TOKENS + 1):
        clock.go_to(turn * 10_000)
        token, _ = pairing.pair("1")
        assert token is not None
        tokens.append(token)
    assert [pairing.knows(token) for token in (tokens[0], tokens[1], tokens[-1])] == [False, True, True]


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
