"""Results of pairings: from the games themselves, with the arbiter's last word over them.

| result | red | black |
|---|---|---|
| `red` | 1 | 0 |
| `black` | 0 | 1 |
| `draw` | ½ | ½ |
| `red_forfeit` | 1, not played | 0 |
| `black_forfeit` | 0 | 1, not played |
| `both_forfeit` | 0 | 0 |
| `bye` | 1, not played | |
| `half_bye` | ½, not played | |
| `zero_bye` | 0, not played | |
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sqlalchemy import Connection, func, select, update

from tamsk_pi.hub.alarms import Alarm
from tamsk_pi.hub.tables import GAMES, PAIRINGS, PLAYERS

POINTS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
    {
        "red": (1.0, 0.0),
        "black": (0.0, 1.0),
        "draw": (0.5, 0.5),
        "red_forfeit": (1.0, 0.0),
        "black_forfeit": (0.0, 1.0),
        "both_forfeit": (0.0, 0.0),
        "bye": (1.0, 0.0),
        "half_bye": (0.5, 0.0),
        "zero_bye": (0.0, 0.0),
    }
)
"""What each result is worth to red and to black."""

PLAYED: Final = ("red", "black", "draw")
BYES: Final = ("bye", "half_bye", "zero_bye")


def take_result(connection: Connection, game: int) -> list[Alarm]:
    """Take the result of a game over into the pairing of the newest round at its board; what an arbiter said stays.

    Where the names at the board are others than the pairing's nothing is taken, and an alarm is returned.
    """
    row = connection.execute(select(GAMES).where(GAMES.c.id == game)).one()
    newest = select(func.max(PAIRINGS.c.round)).where(PAIRINGS.c.event == row.event).scalar_subquery()
    mine = (PAIRINGS.c.event == row.event) & (PAIRINGS.c.board == row.board)
    pairing = connection.execute(select(PAIRINGS).where(mine, PAIRINGS.c.game == game)).first()
    if pairing is None:
        pairing = connection.execute(
            # A game that was over before the round was paired is not one of it.
            select(PAIRINGS).where(
                mine, PAIRINGS.c.round == newest, PAIRINGS.c.game.is_(None), PAIRINGS.c.paired_ms <= (row.over_ms or 0)
            )
        ).first()
        if pairing is None or row.result is None:
            return []
    if pairing.by is not None or pairing.black is None:
        return []
    names = {
        player.number: player.name
        for player in connection.execute(
            select(PLAYERS.c.number, PLAYERS.c.name).where(
                PLAYERS.c.event == row.event, PLAYERS.c.number.in_((pairing.red, pairing.black))
            )
        )
    }
    wanted = (names.get(pairing.red, ""), names.get(pairing.black, ""))
    told = (row.red, row.black)
    if any(told) and any(have and have.casefold() != want.casefold() for have, want in zip(told, wanted, strict=True)):
        detail = f"the board says {row.red or '?'} and {row.black or '?'}, the pairing {wanted[0]} and {wanted[1]}"
        return [Alarm(row.event, row.board, row.name, "no_player", detail)]
    connection.execute(
        update(PAIRINGS)
        .where(mine, PAIRINGS.c.round == pairing.round)
        .values(result=row.result, reason=row.reason, game=None if row.result is None else game)
    )
    return []
