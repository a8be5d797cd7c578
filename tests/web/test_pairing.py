"""The pairing code, its tokens, and whoever guesses it."""

from __future__ import annotations

from tamsk_pi.clock import VirtualClock
from tamsk_pi.web.pairing import BARRED_MS, TOKEN_LASTS_MS, TOKENS, WRONG_AT_MOST, Guessing, Pairing


def guess(pairing: Pairing, clock: VirtualClock, address: str, count: int) -> list[str]:
    """Wrong codes, as fast as they are taken; why each was refused."""
    reasons = []
    for _ in range(count):
        clock.go_to(clock.now_ms() + 10_000)
        wrong = "000000" if pairing.code != "000000" else "111111"
        token, reason = pairing.pair(wrong, address)
        assert token is None
        reasons.append(reason)
    return reasons


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


def test_guessing_is_slow_and_even_the_right_code_waits() -> None:
    clock = VirtualClock()
    pairing = Pairing(clock, code="123456")
    assert all("not the code" in pairing.pair("000000")[1] for _ in range(5))
    assert pairing.pair("123456") == (None, "too many tries; wait ten seconds")
    clock.go_to(10_000)
    assert pairing.pair("123456")[0] is not None


def test_a_guesser_locks_nobody_else_out() -> None:
    clock = VirtualClock()
    pairing = Pairing(clock, code="123456")
    for _ in range(100):
        pairing.pair("000000", "192.168.1.66")
    assert pairing.pair("123456", "192.168.1.7")[0] is not None


def test_a_guesser_is_cut_off_the_code_is_made_anew_and_it_is_told() -> None:
    clock = VirtualClock()
    told: list[Guessing] = []
    pairing = Pairing(clock, code="123456", told=told.append)
    reasons = guess(pairing, clock, "192.168.1.66", WRONG_AT_MOST + 3)
    assert reasons[WRONG_AT_MOST:] == ["too many wrong codes from here; wait a quarter of an hour"] * 3
    assert told == [Guessing("192.168.1.66", WRONG_AT_MOST, pairing.code)]
    assert pairing.guessing == told[0]
    assert pairing.pair(pairing.code, "192.168.1.66")[0] is None
    assert pairing.pair("123456", "192.168.1.7")[0] is None or pairing.code == "123456"
    assert pairing.pair(pairing.code, "192.168.1.7")[0] is not None
    clock.go_to(clock.now_ms() + BARRED_MS)
    assert pairing.pair(pairing.code, "192.168.1.66")[0] is not None


def test_who_mistypes_now_and_then_is_no_guesser() -> None:
    clock = VirtualClock()
    pairing = Pairing(clock, code="123456")
    for _ in range(5):
        guess(pairing, clock, "192.168.1.7", WRONG_AT_MOST - 1)
        clock.go_to(clock.now_ms() + 10_000)
        assert pairing.pair("123456", "192.168.1.7")[0] is not None
    assert pairing.guessing is None


def test_the_pairing_used_longest_ago_is_forgotten_first() -> None:
    clock = VirtualClock()
    pairing = Pairing(clock, code="1")
    tokens: list[str] = []
    for turn in range(TOKENS + 1):
        clock.go_to(turn * 10_000)
        token, _ = pairing.pair("1")
        assert token is not None
        tokens.append(token)
        assert pairing.knows(tokens[0])
    assert [pairing.knows(token) for token in (tokens[0], tokens[1], tokens[-1])] == [True, False, True]


def test_a_pairing_that_is_not_used_ends() -> None:
    clock = VirtualClock()
    pairing = Pairing(clock, code="123456")
    used, unused = pairing.pair("123456")[0], pairing.pair("123456")[0]
    assert used is not None
    assert unused is not None
    clock.go_to(TOKEN_LASTS_MS)
    assert pairing.knows(used)
    clock.go_to(TOKEN_LASTS_MS + 1)
    assert not pairing.knows(unused)
    clock.go_to(2 * TOKEN_LASTS_MS)
    assert pairing.knows(used)


def test_revoking_ends_every_pairing_and_changes_the_code() -> None:
    pairing = Pairing(VirtualClock(), code="123456x")
    token = pairing.pair("123456x")[0]
    assert token is not None
    pairing.revoke()
    assert not pairing.knows(token)
    assert pairing.code != "123456x"
    assert pairing.pair(pairing.code)[0] is not None
