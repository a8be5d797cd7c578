"""How much one client, and all of them together, may ask for."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from tamsk_pi.clock import Clock

ADDRESSES: Final = 1024
"""Addresses remembered at once; the one not seen for longest is forgotten first."""


class Bucket:
    """A token bucket: `burst` at once, and `per_s` a second in the long run."""

    def __init__(self, clock: Clock, *, per_s: float, burst: int) -> None:
        self._clock = clock
        self._per_ms = per_s / 1000
        self._burst = burst
        self._tokens = float(burst)
        self._at_ms = clock.now_ms()

    def take(self) -> bool:
        """Whether one more is allowed now."""
        now_ms = self._clock.now_ms()
        self._tokens = min(self._burst, self._tokens + (now_ms - self._at_ms) * self._per_ms)
        self._at_ms = now_ms
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Buckets:
    """A bucket for each address."""

    def __init__(self, clock: Clock, *, per_s: float, burst: int) -> None:
        self._clock = clock
        self._per_s = per_s
        self._burst = burst
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Whether this address may have one more now."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self._clock, per_s=self._per_s, burst=self._burst)
            if len(self._buckets) > ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return bucket.take()
