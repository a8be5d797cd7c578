"""Keeps what strangers cause from filling the log: the same complaint is written once, and then once a minute."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import Final

from tamsk_pi.clock import Clock

AGAIN_AFTER_MS: Final = 60_000
KINDS: Final = 256
"""Complaints remembered at once; the one not heard for longest is forgotten first."""
SERVERS_LOGS: Final = ("uvicorn.error", "asyncio")


class OncePerMinute(logging.Filter):
    """Lets the first of each complaint through, and a minute later the next, which tells how many were left out."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock: Final = clock
        self._seen: OrderedDict[object, tuple[int, int]] = OrderedDict()
        """When each was written last, and how many were left out since."""

    def filter(self, record: logging.LogRecord) -> bool:
        kind = (record.name, record.levelno, record.msg, record.exc_info[0] if record.exc_info else None)
        now_ms = self._clock.now_ms()
        written_ms, left_out = self._seen.get(kind, (None, 0))
        if written_ms is not None and now_ms - written_ms < AGAIN_AFTER_MS:
            self._seen[kind] = (written_ms, left_out + 1)
            return False
        if left_out:
            record.msg = f"{record.msg} ({left_out} more like it were left out)"
        self._seen[kind] = (now_ms, 0)
        self._seen.move_to_end(kind)
        while len(self._seen) > KINDS:
            self._seen.popitem(last=False)
        return True
