"""The pairing code, the tokens of those who have typed it, and what is done about whoever guesses it."""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final

import attrs

from tamsk_pi.clock import Clock
from tamsk_pi.web.limits import ADDRESSES, Buckets

CODE_DIGITS: Final = 6
TRIES_PER_S: Final = 0.1
TRIES_AT_ONCE: Final = 5
WRONG_AT_MOST: Final = 10
"""So many wrong codes from one address bar it, and make the code anew."""
BARRED_MS: Final = 15 * 60_000
TOKENS: Final = 64
"""Pairings remembered at once; the one used longest ago is forgotten first."""
TOKEN_LASTS_MS: Final = 12 * 3_600_000
"""A pairing that was not used for so long has ended."""


@attrs.frozen
class Guessing:
    """Somebody guesses the pairing code."""

    address: str
    wrong: int
    """Wrong codes from there so far."""
    code: str
    """The code that is right from now on."""


@attrs.define
class _Wrong:
    count: int
    last_ms: int


class Pairing:
    """The code shown on the box, and the tokens of those who have typed it. May be used from any thread.

    Guessing is slowed for each address by itself, so that nobody is locked out by another: five tries at once, then
    one in ten seconds. After `WRONG_AT_MOST` wrong ones an address is barred for a quarter of an hour, and the code is
    drawn anew, so that what was tried is of no use to whoever comes from elsewhere: of a million codes ten were tried.

    `code` may be set; otherwise it is drawn at the start. `told` is called, in the thread of the page, whenever an
    address was barred, with the new code, so that the box can say so.
    """

    def __init__(
        self, clock: Clock, code: str | None = None, *, told: Callable[[Guessing], None] = lambda guessing: None
    ) -> None:
        self.code = code if code is not None else _drawn()
        self.told = told
        self.guessing: Guessing | None = None
        """The last of it, until the code is made anew by `revoke`."""
        self._clock: Final = clock
        self._tries: Final = Buckets(clock, per_s=TRIES_PER_S, burst=TRIES_AT_ONCE)
        self._wrong: Final[OrderedDict[str, _Wrong]] = OrderedDict()
        self._tokens: Final[OrderedDict[str, int]] = OrderedDict()
        """Each with when it was used last (ms), the one used longest ago first."""
        self._lock: Final = Lock()

    def pair(self, code: str, address: str = "") -> tuple[str | None, str]:
        """A token for the right code, else None and one line that says why not."""
        with self._lock:
            token, reason, guessing = self._pair(code, address)
        if guessing is not None:
            self.told(guessing)
        return token, reason

    def _pair(self, code: str, address: str) -> tuple[str | None, str, Guessing | None]:
        now_ms = self._clock.now_ms()
        wrong = self._wrong.get(address)
        if wrong is not None and now_ms - wrong.last_ms >= BARRED_MS:
            del self._wrong[address]
            wrong = None
        if wrong is not None and wrong.count >= WRONG_AT_MOST:
            return None, "too many wrong codes from here; wait a quarter of an hour", None
        if not self._tries.take(address):
            return None, "too many tries; wait ten seconds", None
        if not _same(code, self.code):
            return None, "that is not the code shown on the box", self._note_wrong(address, now_ms)
        self._wrong.pop(address, None)
        token = secrets.token_urlsafe(24)
        self._tokens[token] = now_ms
        while len(self._tokens) > TOKENS:
            self._tokens.popitem(last=False)
        return token, "", None

    def _note_wrong(self, address: str, now_ms: int) -> Guessing | None:
        wrong = self._wrong.setdefault(address, _Wrong(0, now_ms))
        wrong.count += 1
        wrong.last_ms = now_ms
        self._wrong.move_to_end(address)
        while len(self._wrong) > ADDRESSES:
            self._wrong.popitem(last=False)
        if wrong.count < WRONG_AT_MOST:
            return None
        self.code = _drawn()
        self.guessing = Guessing(address, wrong.count, self.code)
        return self.guessing

    def knows(self, token: str) -> bool:
        """Whether a token was given out by this run and has not ended; this use of it lets it last anew."""
        if not token:
            return False
        now_ms = self._clock.now_ms()
        with self._lock:
            while self._tokens and now_ms - next(iter(self._tokens.values())) > TOKEN_LASTS_MS:
                self._tokens.popitem(last=False)
            known = [one for one in self._tokens if _same(token, one)]
            for one in known:
                self._tokens[one] = now_ms
                self._tokens.move_to_end(one)
        return bool(known)

    def revoke(self) -> None:
        """End every pairing, and draw the code anew: for the next evening, or when it became known to whom it should
        not."""
        with self._lock:
            self._tokens.clear()
            self.code = _drawn()
            self.guessing = None


def _drawn() -> str:
    return "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
