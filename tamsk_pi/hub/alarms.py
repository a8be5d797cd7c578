"""What an arbiter is told of a board beside its game: each kind once for a game, until it has been seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs
from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from tamsk_pi.hub.tables import ALARMS
from tamsk_pi.signals.language import N_

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "rulings_differ": N_("The hub judges this game otherwise than the board"),
        "no_trace": N_("What this board sends is no game"),
        "garbage": N_("This board sends what cannot be lines of a game"),
        "copy_differs": N_("The board sent a line again, and it was another one"),
        "two_boards": N_("Two boards have this number"),
        "clock": N_("The clocks of board and hub disagree"),
        "no_player": N_("The names at this board are not those of the pairing"),
    }
)
"""Each kind with its words."""


@attrs.frozen
class Alarm:
    """One alarm; `event` is the event's id, `game` empty where it is about the board itself."""

    event: int
    board: int
    game: str
    kind: str
    detail: str


def raise_alarms(connection: Connection, alarms: Iterable[Alarm], now_ms: int) -> None:
    """Keep these alarms; one that is there already stays as it was first told."""
    rows: list[dict[str, Any]] = [{**attrs.asdict(alarm), "first_ms": now_ms} for alarm in alarms]
    if not rows:
        return
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    keys = ["event", "board", "game", "kind"]
    connection.execute(dialect.insert(ALARMS).on_conflict_do_nothing(index_elements=keys), rows)


def open_alarms(connection: Connection, event: int) -> list[dict[str, Any]]:
    """The alarms of an event that nobody has seen yet, the oldest first."""
    rows = connection.execute(
        select(ALARMS).where(ALARMS.c.event == event, ALARMS.c.seen_by.is_(None)).order_by(ALARMS.c.first_ms)
    )
    return [dict(row._mapping) for row in rows]


def mark_seen(connection: Connection, event: int, board: int, alarm: int, arbiter: str) -> bool:
    """An arbiter has seen an alarm; False where there is no such one."""
    done = connection.execute(
        ALARMS.update()
        .where(ALARMS.c.event == event, ALARMS.c.board == board, ALARMS.c.id == alarm, ALARMS.c.seen_by.is_(None))
        .values(seen_by=arbiter)
    )
    return done.rowcount > 0
