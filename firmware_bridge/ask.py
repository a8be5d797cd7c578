"""Asking a board who it is, once."""

from __future__ import annotations

import queue
import time
from typing import Final

from firmware_bridge.events import Greeted, Refused
from firmware_bridge.line import BAUD
from firmware_bridge.link import BridgeLink, LinkEvent, Looking
from firmware_bridge.protocol import Hello

ANSWER_S: Final = 20.0
"""A search that has asked every port in vain ends sooner, by itself."""


class NoAnswer(Exception):
    """There is no board, or it cannot be understood; the text is one line."""


def ask(port: str = "auto", baud: int = BAUD, within_s: float = ANSWER_S) -> Hello:
    """What the board at this port says of itself. `NoAnswer` when there is none. A Mega is reset by it."""
    events: queue.SimpleQueue[LinkEvent] = queue.SimpleQueue()
    link = BridgeLink(events.put, port=port, baud=baud)
    link.start()
    try:
        by_s = time.monotonic() + within_s
        while (left_s := by_s - time.monotonic()) > 0:
            try:
                event = events.get(timeout=left_s)
            except queue.Empty:
                break
            match event:
                case Greeted(hello):
                    return hello
                case Refused(reason) | Looking(reason):
                    raise NoAnswer(reason)
    finally:
        link.close()
    raise NoAnswer(f"no answer within {within_s:.0f} s")
