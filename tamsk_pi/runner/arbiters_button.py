"""The arbiter's button while nothing is judged: the session does not listen then, yet a question may be answered by it.

Source: sensing.md, "Buttons": a press is short under 800 ms, else long, and is told when it ends.
"""

from __future__ import annotations

from typing import Final, Literal

from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.presses import LONG_MS
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.sensing.settle import Input

_NAME: Final = "arbiter"


class ArbitersButton:
    """Tells presses from raw edges, settled as everywhere else. Times are the host's, in ms."""

    def __init__(self, settings: Settings) -> None:
        self._input: Final = Input("button", _NAME, False, settings.gap_ms["button"], settings.settle_ms["button"])
        self._down_ms: int | None = None
        self._presses: list[Literal["short", "long"]] = []

    def take(self, edge: Edge) -> None:
        """Take an edge of any input; all but the arbiter's button are passed over."""
        if (edge.kind, edge.name) == ("button", _NAME):
            self._settle(edge.t_ms)
            self._input.edge(edge.t_ms, edge.value)

    def press(self, now_ms: int) -> Literal["short", "long"] | None:
        """The next press that has ended by `now_ms`, if there is one."""
        self._settle(now_ms)
        return self._presses.pop(0) if self._presses else None

    def _settle(self, now_ms: int) -> None:
        if self._input.due_ms is None or self._input.due_ms > now_ms:
            return
        change = self._input.settle()
        if change is None:
            return
        if change.value:
            self._down_ms = change.t_ms
        elif self._down_ms is not None:
            self._presses.append("short" if change.t_ms - self._down_ms < LONG_MS else "long")
            self._down_ms = None
