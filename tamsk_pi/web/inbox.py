"""A bounded queue between the page and the thread that owns a game."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import Final, Generic, TypeVar

from tamsk_pi.web.source import Answer

Action = TypeVar("Action")

INBOX_SIZE: Final = 64
"""More than hands can do between two rounds of the owner; what is beyond is refused, not stored."""


class Inbox(Generic[Action]):
    """Takes actions from any thread and gives them to the owner, in order.

    `woken`, if given, is called after each post, so that an owner that waits can be woken; it must return at once.
    """

    def __init__(self, woken: Callable[[], None] | None = None) -> None:
        self._waiting: deque[tuple[Action, Answer]] = deque()
        self._lock = Lock()
        self._woken = woken

    def do(self, action: Action, answer: Answer) -> None:
        """Post an action; refused at once when `INBOX_SIZE` of them wait already."""
        with self._lock:
            full = len(self._waiting) >= INBOX_SIZE
            if not full:
                self._waiting.append((action, answer))
        if full:
            answer("too much is waiting to be done; try again in a moment")
        elif self._woken is not None:
            self._woken()

    def take(self) -> list[tuple[Action, Answer]]:
        """All that waits, the oldest first. The owner calls each answer once."""
        with self._lock:
            taken = list(self._waiting)
            self._waiting.clear()
        return taken
