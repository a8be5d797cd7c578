"""From "this socket was asked for, that one answered" to the wires that are exchanged.

On a matrix whole rows or columns can be exchanged, which the profile can put right, or two sockets, which only a
soldering iron can. On a bridge each reed has its own pin, so that any exchange can be put right in its table of pins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from types import MappingProxyType
from typing import Final

import attrs

from tamsk_pi.rules.board import COLUMNS

Answers = Mapping[str, str | None]
"""Each socket that was tried to the one that answered in its place, itself mostly; None: none did."""

_ROWS: Final = "1234567"


@attrs.frozen
class Lines:
    """Which column and which row the program reads in place of which: those that are as they should be are left out."""

    columns: Mapping[str, str] = attrs.field(factory=dict)
    rows: Mapping[str, str] = attrs.field(factory=dict)

    def seen_at(self, socket: str) -> str:
        """Under which name the program sees this socket."""
        return self.columns.get(socket[0], socket[0]) + self.rows.get(socket[1:], socket[1:])

    def __bool__(self) -> bool:
        return bool(self.columns or self.rows)


@attrs.frozen
class Explained:
    """What the answers mean. `lines`: exchanged as a whole; `exchanged`: sockets, each to the one that answered for it
    beyond that; `dead`: those that nothing answered for."""

    lines: Lines
    exchanged: Mapping[str, str]
    dead: tuple[str, ...]


def explain_matrix(answers: Answers, fitted: Iterable[str]) -> Explained:
    """The exchange of rows and columns that explains most answers, one pair after the other, and what it leaves."""
    known = frozenset(fitted)
    lines = Lines()
    while True:
        candidates = (lines, *_one_pair_more(lines, answers))
        best = max(candidates, key=lambda candidate: _explains(candidate, answers, known))
        if best is lines:
            break
        lines = best
    return _with_rest(lines, answers, lambda socket: _expected(lines, socket, known))


def explain_pins(answers: Answers) -> Explained:
    """Where every socket has a pin of its own: each answer stands for itself."""
    return _with_rest(Lines(), answers, lambda socket: socket)


def pins_to_exchange(explained: Explained) -> Mapping[str, str]:
    """Socket to the socket whose pin it is to have; empty where the exchange is not whole (one end is dead, say)."""
    exchanged = explained.exchanged
    return MappingProxyType(dict(exchanged) if set(exchanged) == set(exchanged.values()) else {})


def _expected(lines: Lines, socket: str, fitted: frozenset[str]) -> str | None:
    """What answers for a socket, with these lines exchanged; None where no socket is fitted."""
    seen = lines.seen_at(socket)
    return seen if seen in fitted else None


def _explains(lines: Lines, answers: Answers, fitted: frozenset[str]) -> tuple[int, int]:
    """How many answers are explained, and then how many sockets that nothing answers for: those are dead mostly, and
    no reason by themselves to believe in an exchange."""
    right = [answer for socket, answer in answers.items() if _expected(lines, socket, fitted) == answer]
    return len([answer for answer in right if answer is not None]), right.count(None)


def _one_pair_more(lines: Lines, answers: Answers) -> Iterator[Lines]:
    for first, second in combinations([c for c in COLUMNS if any(socket[0] == c for socket in answers)], 2):
        yield attrs.evolve(lines, columns=_exchange(lines.columns, first, second))
    for first, second in combinations([r for r in _ROWS if any(socket[1:] == r for socket in answers)], 2):
        yield attrs.evolve(lines, rows=_exchange(lines.rows, first, second))


def _exchange(seen_as: Mapping[str, str], first: str, second: str) -> Mapping[str, str]:
    both = {**seen_as, first: seen_as.get(second, second), second: seen_as.get(first, first)}
    return {name: other for name, other in both.items() if name != other}


def _with_rest(lines: Lines, answers: Answers, expected: Callable[[str], str | None]) -> Explained:
    wrong = {socket: answer for socket, answer in answers.items() if answer != expected(socket)}
    return Explained(
        lines,
        {socket: answer for socket, answer in wrong.items() if answer is not None},
        tuple(socket for socket, answer in wrong.items() if answer is None),
    )
