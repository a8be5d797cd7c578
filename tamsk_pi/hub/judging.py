"""Judges the games of all boards again, line by line as they come, and holds the boards' rulings against its own."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from typing import Final

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.session import OutOfOrderError, Session
from tamsk_pi.trace import End, TraceError, TraceReader

MOST_RULINGS: Final = 20_000


class _Lines:
    """A stream that ends where the lines that have come end, and goes on with the next."""

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()

    def add(self, lines: bytes) -> None:
        self._lines.extend(line + b"\n" for line in lines.split(b"\n")[:-1])

    def readline(self, size: int = -1, /) -> bytes:
        return self._lines.popleft() if self._lines else b""


class JudgedGame:
    """One game. Feed it every line once, in order."""

    def __init__(self) -> None:
        self.taken = 0
        """Lines taken."""
        self.rulings: list[Ruling] = []
        self.rulings_at_end: int | None = None
        """How many there were before the end; those of the end are not told by a board that has stopped."""
        self.session: Session | None = None
        self.problem: str | None = None
        """What is wrong with the trace, in one line; nothing is judged from there on."""
        self.moves = 0
        self.end_ms: int | None = None
        self.said_taken = 0
        """Lines of the board's rulings taken."""
        self._said: list[dict[str, object]] = []
        self._compared = 0
        self._difference: str | None = None
        self._lines: Final = _Lines()
        self._reader: TraceReader | None = None

    def feed(self, lines: bytes) -> Sequence[Ruling]:
        """Judge further lines of the trace; the rulings that they bring."""
        self.taken += lines.count(b"\n")
        if self.problem is not None:
            return ()
        self._lines.add(lines)
        before = len(self.rulings)
        try:
            if self._reader is None:
                self._reader = TraceReader(self._lines)  # type: ignore[arg-type]
                self.session = Session(self._reader.settings)
                self._take(self.session.advance(0))
            assert self.session is not None
            for record in self._reader:
                if self.session.ended:
                    raise OutOfOrderError("something follows the end")
                if isinstance(record, End):
                    self.rulings_at_end, self.end_ms = len(self.rulings), record.t_ms
                self._take(self.session.take(record))
        except (TraceError, OutOfOrderError) as error:
            self.problem = str(error)
        return self.rulings[before:]

    def _take(self, rulings: Sequence[Ruling]) -> None:
        self.rulings += rulings
        self.moves += sum(ruling.kind == "move" for ruling in rulings)
        if len(self.rulings) > MOST_RULINGS:
            raise OutOfOrderError(f"more than {MOST_RULINGS} rulings are no game")

    def feed_rulings(self, lines: bytes) -> None:
        """Take further lines of what the board itself ruled."""
        for line in lines.split(b"\n")[:-1]:
            self.said_taken += 1
            try:
                told = json.loads(line)
                number, ruling = told["n"], told["ruling"]
                if not (isinstance(number, int) and isinstance(ruling, dict) and 0 <= number <= len(self._said)):
                    raise ValueError
            except (ValueError, KeyError, TypeError, RecursionError):
                self._difference = self._difference or f"line {self.said_taken} of the board's rulings is none"
                continue
            del self._said[number:]
            self._compared = min(self._compared, number)
            self._said.append(ruling)

    def difference(self) -> str | None:
        """How the board's rulings differ from those given here; None while they do not, as far as both are known."""
        if self._difference is not None:
            return self._difference
        if self.problem is not None:
            return None
        while self._compared < min(len(self._said), len(self.rulings)):
            here, there = self.rulings[self._compared].as_json(), self._said[self._compared]
            if json.loads(json.dumps(here)) != there:
                return f"ruling {self._compared + 1}: the board says {_shown(there)}, the hub {_shown(here)}"
            self._compared += 1
        if self.session is not None and self.session.ended and len(self._said) > len(self.rulings):
            return (
                f"ruling {len(self.rulings) + 1}: the board says {_shown(self._said[len(self.rulings)])}, the hub none"
            )
        return None

    def missing(self) -> str | None:
        """Which ruling the board ought to have given by the end, and has not; for when it has told all it has."""
        before_end = self.rulings_at_end
        if before_end is None or not self._said or len(self._said) >= before_end:
            return None
        here = self.rulings[len(self._said)].as_json()
        return f"ruling {len(self._said) + 1}: the board says none, the hub {_shown(here)}"

    def result(self) -> tuple[str | None, str | None]:
        """`red`, `black` or `draw`, and the reason; two None while the game is not over."""
        if self.session is None:
            return None, None
        game = self.session.referee.game
        if game.result is None:
            return None, None
        return game.winner or "draw", game.result


def _shown(ruling: dict[str, object]) -> str:
    text = json.dumps(ruling, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:197]}..."
