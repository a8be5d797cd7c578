"""The board's clock and the host's: from the Mega's µs (32 bits) to the host's monotonic µs.

A Mega runs from a ceramic resonator, up to half a per cent off and moving with its temperature. So the host asks the
board's time a few times a second; of the answers in each second the quickest tells most, since its stamp can be off by
no more than half its round trip; and a line through the quickest of the last minute gives offset and rate.

A stamp is mapped by what was known when the board made it, not by what is known when it arrives. So an edge that comes
late gets the very time it would have got at once, and the times of successive edges never go back.
"""

from __future__ import annotations

import bisect
from collections import deque
from typing import Final

import attrs

WRAP_US: Final = 1 << 32
WINDOW_US: Final = 1_000_000
"""One answer, the quickest, is kept of each such span."""
WINDOWS: Final = 60
SLEW_US: Final = 250_000
"""A correction is spread over this span."""
RATE_SPAN_US: Final = 900_000
"""Answers must lie this far apart before they say anything about the rate."""
RATE_LIMIT: Final = 0.02
SLEW_LIMIT: Final = 0.5
QUICK_FACTOR: Final = 1.5
QUICK_MARGIN_US: Final = 200
HISTORY: Final = 1200


@attrs.frozen
class _Answer:
    board_us: int
    host_us: float
    round_trip_us: int


@attrs.frozen
class _Piece:
    """The mapping from `board_us` on, until the next piece."""

    board_us: int
    host_us: float
    rate: float

    def at(self, board_us: int) -> float:
        return self.host_us + (board_us - self.board_us) * self.rate


class BoardClock:
    """Maps one life of the board's clock; a board that restarted needs a new one."""

    def __init__(self) -> None:
        self._last_board_us: int | None = None
        self._answers: deque[_Answer] = deque(maxlen=WINDOWS)
        self._pieces: list[_Piece] = []
        self._rate = 1.0
        self._is_begun = False

    @property
    def is_set(self) -> bool:
        """Whether there has been an answer; without one nothing can be mapped."""
        return bool(self._pieces)

    @property
    def rate(self) -> float:
        """Host µs per board µs, as far as known."""
        return self._rate

    @property
    def quickest_us(self) -> int | None:
        """The shortest round trip of the last minute: the stamps are that good, or better."""
        return min((answer.round_trip_us for answer in self._answers), default=None)

    def begin(self) -> None:
        """The first answers are in: from now on the mapping is kept to, and corrected only gently."""
        self._is_begun = True

    def extend(self, board_us: int) -> int:
        """A 32-bit stamp as one that does not wrap: the one nearest to the newest answer's."""
        if self._last_board_us is None:
            return board_us
        half = WRAP_US // 2
        return self._last_board_us + (board_us - self._last_board_us + half) % WRAP_US - half

    def answer(self, sent_us: int, received_us: int, board_us: int) -> None:
        """An answer: when it was asked for and received (host), and the 32-bit stamp in it.

        Answers to questions asked earlier than the last one that counted are dropped.
        """
        at_us = self.extend(board_us)
        if received_us < sent_us or (self._last_board_us is not None and at_us <= self._last_board_us):
            return
        self._last_board_us = at_us
        answer = _Answer(at_us, (sent_us + received_us) / 2, received_us - sent_us)
        last = self._answers[-1] if self._answers else None
        if last is None or at_us // WINDOW_US != last.board_us // WINDOW_US:
            self._answers.append(answer)
        elif answer.round_trip_us <= last.round_trip_us:
            self._answers[-1] = answer
        self._go_on_from(at_us)

    def to_host_us(self, board_us: int) -> int:
        """The host's time of a 32-bit board stamp. Needs an answer first (`RuntimeError`)."""
        if not self._pieces:
            raise RuntimeError("the board's clock has not been asked yet")
        return round(self._map(self.extend(board_us)))

    def _map(self, board_us: int) -> float:
        place = bisect.bisect_right(self._pieces, board_us, key=lambda piece: piece.board_us)
        return self._pieces[max(place - 1, 0)].at(board_us)

    def _go_on_from(self, board_us: int) -> None:
        """From here on follow the line through the quickest answers, from where the mapping is now."""
        line = self._line()
        if not self._is_begun:
            self._pieces = [line]
            return
        here = self._map(board_us)
        there_us = board_us + SLEW_US
        rate = (line.at(there_us) - here) / SLEW_US
        rate = min(max(rate, 1 - SLEW_LIMIT), 1 + SLEW_LIMIT)
        while self._pieces and self._pieces[-1].board_us >= board_us:
            self._pieces.pop()
        self._pieces += [
            _Piece(board_us, here, rate),
            _Piece(there_us, here + rate * SLEW_US, line.rate),
        ]
        del self._pieces[:-HISTORY]

    def _line(self) -> _Piece:
        quickest = min(answer.round_trip_us for answer in self._answers)
        limit = quickest * QUICK_FACTOR + QUICK_MARGIN_US
        good = [answer for answer in self._answers if answer.round_trip_us <= limit]
        board_mean = sum(answer.board_us for answer in good) / len(good)
        host_mean = sum(answer.host_us for answer in good) / len(good)
        if good[-1].board_us - good[0].board_us >= RATE_SPAN_US:
            spread = sum((answer.board_us - board_mean) ** 2 for answer in good)
            slope = sum((a.board_us - board_mean) * (a.host_us - host_mean) for a in good) / spread
            self._rate = min(max(slope, 1 - RATE_LIMIT), 1 + RATE_LIMIT)
            return _Piece(round(board_mean), host_mean + (round(board_mean) - board_mean) * self._rate, self._rate)
        # Too short a time to tell the rate: hold on to the newest good answer, which is off by its own trip alone.
        newest = min(good, key=lambda answer: (answer.round_trip_us - quickest) - answer.board_us / 200)
        return _Piece(newest.board_us, newest.host_us, self._rate)
