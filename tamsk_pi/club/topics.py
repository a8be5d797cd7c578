"""Where boards and hub meet: the topics of the broker, and what may stand in them.

All begin with `tamsk/1/EVENT/BOARD/`. A board writes `header` and `state` (retained), `lines/GAME/FIRST`,
`rulings/GAME/FIRST` and `answer/ID`; the hub writes `kept/KIND/GAME` and `word/ID`. So an access list can keep every
board to its own topics, and nobody but the hub can say what was kept.
"""

from __future__ import annotations

import re
from typing import Final, Literal

import attrs

ROOT: Final = "tamsk/1"
HIGHEST_BOARD: Final = 9_999

Kind = Literal["lines", "rulings"]
"""What a board tells of a game: the lines of its trace, and the rulings that it gave."""

KINDS: Final[tuple[Kind, ...]] = ("lines", "rulings")

_EVENT: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
_GAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~+-]{0,199}")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")


def is_event(name: object) -> bool:
    """Whether this may be an event's short name: small letters, digits and hyphens, 1 to 40."""
    return isinstance(name, str) and _EVENT.fullmatch(name) is not None


def is_game(name: object) -> bool:
    """Whether this may name a game in a topic."""
    return isinstance(name, str) and _GAME.fullmatch(name) is not None


@attrs.frozen
class Place:
    """One board of an event."""

    event: str
    board: int

    def topic(self, *levels: str | int) -> str:
        """A topic of this board."""
        return "/".join((ROOT, self.event, str(self.board), *map(str, levels)))


@attrs.frozen
class Topic:
    """A topic taken apart: whose it is, what it is for, and what else it names."""

    place: Place
    what: str
    rest: tuple[str, ...]


def read_topic(topic: str) -> Topic | None:
    """The parts of a topic; None where it is none of ours."""
    parts = topic.split("/")
    if len(parts) < 5 or "/".join(parts[:2]) != ROOT:
        return None
    event, board, what, *rest = parts[2:]
    number = whole(board)
    if not is_event(event) or number is None or not 1 <= number <= HIGHEST_BOARD:
        return None
    return Topic(Place(event, number), what, tuple(rest))


def whole(text: str) -> int | None:
    """A whole number from 0 as it stands in a topic; None for anything else."""
    return int(text) if _NUMBER.fullmatch(text) else None


def own_topics(place: Place) -> tuple[tuple[str, str], ...]:
    """What a board's user may do at the broker: `write` or `read`, and the topic."""
    writes = ("header", "state", "lines/#", "rulings/#", "answer/#")
    reads = ("kept/#", "word/#")
    return (*(("write", place.topic(t)) for t in writes), *(("read", place.topic(t)) for t in reads))
