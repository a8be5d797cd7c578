"""The book of an event: everything an arbiter does with players, rounds and results, kept in the hub's database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import attrs
from sqlalchemy import Connection, Engine, Row, delete, func, insert, select, update

from tamsk_pi.club.topics import HIGHEST_BOARD, is_event
from tamsk_pi.hub.alarms import raise_alarms
from tamsk_pi.hub.database import wall_ms
from tamsk_pi.hub.event.berger import berger_rounds
from tamsk_pi.hub.event.history import History, Pairing, Player
from tamsk_pi.hub.event.results import BYES, POINTS, take_result
from tamsk_pi.hub.event.standings import Standing, standings
from tamsk_pi.hub.event.swiss import SwissError, next_round
from tamsk_pi.hub.tables import EVENTS, GAMES, PAIRINGS, PLAYERS

System = Literal["swiss", "round_robin", "double_round_robin"]
SYSTEMS: Final[tuple[System, ...]] = ("swiss", "round_robin", "double_round_robin")
MOST_ROUNDS: Final = 99
MOST_PLAYERS: Final = 2_000
NAME_CHARS: Final = 60


class EventError(Exception):
    """What was asked of an event cannot be; one line that says why."""


@attrs.frozen(kw_only=True)
class EventInfo:
    """An event. `rounds` 0 for a round robin: as many as its players need."""

    id: int
    name: str
    title: str
    system: System
    rounds: int
    boards: int


def make_event(engine: Engine, *, name: str, title: str, system: System, rounds: int, boards: int) -> EventInfo:
    """Begin an event. `EventError` for a name that cannot be one, or is taken."""
    if not is_event(name):
        raise EventError(f"{name!r} is no name for an event: small letters, digits and hyphens, 1 to 40")
    if system not in SYSTEMS:
        raise EventError(f"{system!r} is no system; allowed: {', '.join(SYSTEMS)}")
    if not 1 <= boards <= HIGHEST_BOARD:
        raise EventError(f"boards is {boards}; allowed: 1 to {HIGHEST_BOARD}")
    if not (1 if system == "swiss" else 0) <= rounds <= MOST_ROUNDS:
        raise EventError(f"rounds is {rounds}; allowed: 1 to {MOST_ROUNDS}")
    with engine.begin() as connection:
        if connection.execute(select(EVENTS.c.id).where(EVENTS.c.name == name)).first() is not None:
            raise EventError(f"there is an event {name} already")
        values = {"name": name, "title": title[:120], "system": system, "rounds": rounds, "boards": boards}
        connection.execute(insert(EVENTS).values(**values, made_ms=wall_ms()))
    return Book(engine, name).info


def event_names(engine: Engine) -> list[str]:
    """The events there are, the newest first."""
    with engine.connect() as connection:
        return list(connection.execute(select(EVENTS.c.name).order_by(EVENTS.c.id.desc())).scalars())


class Book:
    """One event's book. Every method may raise `EventError`."""

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine: Final = engine
        with engine.connect() as connection:
            row = connection.execute(select(EVENTS).where(EVENTS.c.name == name)).first()
        if row is None:
            known = ", ".join(event_names(engine)) or "none yet; tamsk-pi hub event new makes one"
            raise EventError(f"there is no event {name}; there are: {known}")
        self.info: Final = EventInfo(
            id=row.id, name=row.name, title=row.title, system=row.system, rounds=row.rounds, boards=row.boards
        )

    # -- what there is

    def history(self, connection: Connection | None = None) -> History:
        """Players and pairings."""
        if connection is None:
            with self._engine.connect() as own:
                return self.history(own)
        people = select(PLAYERS).where(PLAYERS.c.event == self.info.id).order_by(PLAYERS.c.number)
        players = [_player(row) for row in connection.execute(people)]
        rows = connection.execute(
            select(PAIRINGS).where(PAIRINGS.c.event == self.info.id).order_by(PAIRINGS.c.round, PAIRINGS.c.board)
        )
        pairings = [_pairing(row) for row in rows]
        rounds = self.info.rounds
        if not rounds and len(players) > 1:
            rounds = len(berger_rounds(len(players), twice=self.info.system == "double_round_robin"))
        return History(players, pairings, rounds)

    def table(self) -> list[Standing]:
        """The standings."""
        return standings(self.history(), self.info.system)

    # -- what is done

    def add_players(self, players: Sequence[Player]) -> None:
        """Enter players; their numbers follow those there are. Before the first round they are seeded by rating."""
        with self._engine.begin() as connection:
            self._add(connection, players)

    def _add(self, connection: Connection, players: Sequence[Player]) -> None:
        history = self.history(connection)
        if self.info.system != "swiss" and history.newest_round():
            raise EventError("in a round robin nobody can be entered once it has begun")
        if len(history.players) + len(players) > MOST_PLAYERS:
            raise EventError(f"an event has at most {MOST_PLAYERS} players")
        taken = {player.name.casefold() for player in history.players}
        for player in players:
            name = player.name.strip()
            if not name or len(name) > NAME_CHARS or not name.isprintable():
                raise EventError(f"{player.name!r} is no name: one line, 1 to {NAME_CHARS} characters")
            if name.casefold() in taken:
                raise EventError(f"{name} is entered already")
            if not 0 <= player.rating <= 9_999:
                raise EventError(f"the rating of {name} is {player.rating}; allowed: 0 (none) to 9999")
            if len(player.club) > NAME_CHARS or not (player.club == "" or player.club.isprintable()):
                raise EventError(f"the club of {name} is no name: one line, up to {NAME_CHARS} characters")
            taken.add(name.casefold())
        entered = [*history.players, *(attrs.evolve(p, name=p.name.strip(), club=p.club.strip()) for p in players)]
        if not history.newest_round():
            entered.sort(key=lambda player: -player.rating)
            connection.execute(delete(PLAYERS).where(PLAYERS.c.event == self.info.id))
            fresh = entered
            first = 1
        else:
            fresh, first = entered[len(history.players) :], len(history.players) + 1
        rows = [
            {
                "event": self.info.id,
                "number": number,
                "name": player.name,
                "club": player.club,
                "rating": player.rating,
                "withdrawn_from": player.withdrawn_from,
            }
            for number, player in enumerate(fresh, start=first)
        ]
        if rows:
            connection.execute(insert(PLAYERS), rows)

    def restore(self, players: Sequence[Player], pairings: Sequence[Pairing]) -> None:
        """Enter what an event had elsewhere: its players with their numbers, and its pairings with their results."""
        with self._engine.begin() as connection:
            self._add(connection, [attrs.evolve(player, rating=0) for player in players])
            for player in players:
                here = (PLAYERS.c.event == self.info.id) & (PLAYERS.c.number == player.number)
                connection.execute(update(PLAYERS).where(here).values(rating=player.rating))
            if len({(pairing.round, pairing.board) for pairing in pairings}) < len(pairings):
                raise EventError("two pairings are of one round and board")
            kept = [{k: v for k, v in attrs.asdict(pairing).items() if k != "game"} for pairing in pairings]
            rows = [{**values, "event": self.info.id, "paired_ms": wall_ms()} for values in kept]
            if rows:
                connection.execute(insert(PAIRINGS), rows)

    def remove(self) -> None:
        """Take an event out that has no games."""
        with self._engine.begin() as connection:
            for table in (PAIRINGS, PLAYERS):
                connection.execute(delete(table).where(table.c.event == self.info.id))
            connection.execute(delete(EVENTS).where(EVENTS.c.id == self.info.id))

    def withdraw(self, name: str) -> None:
        """A player takes no part from the next round on."""
        with self._engine.begin() as connection:
            history = self.history(connection)
            player = _named(history, name)
            connection.execute(
                update(PLAYERS)
                .where(PLAYERS.c.event == self.info.id, PLAYERS.c.number == player.number)
                .values(withdrawn_from=history.newest_round() + 1)
            )

    def pair(self, byes: Mapping[str, str] | None = None) -> list[Pairing]:
        """Pair the next round. All results of the last one must be known.

        `byes`: players of a Swiss who asked not to be paired this time, by name or number, with `half_bye` or
        `zero_bye`, as the event grants it.
        """
        with self._engine.begin() as connection:
            history = self.history(connection)
            number = history.newest_round() + 1
            if len(history.players) < 2:
                raise EventError("an event needs 2 players or more")
            if number > history.rounds:
                raise EventError(f"all {history.rounds} rounds are paired")
            if missing := history.missing():
                boards = ", ".join(str(p.board) for p in missing)
                raise EventError(f"round {number - 1} is not over: no result at board {boards}")
            pairings = self._next(history, number, self._asked(history, number, byes or {}))
            at_boards = [pairing for pairing in pairings if pairing.black is not None]
            if len(at_boards) > self.info.boards:
                raise EventError(f"{len(at_boards)} boards are needed, the event has {self.info.boards}")
            rows = [
                {
                    "event": self.info.id,
                    "round": number,
                    "board": pairing.board,
                    "red": pairing.red,
                    "black": pairing.black,
                    "result": pairing.result,
                    "paired_ms": wall_ms(),
                }
                for pairing in pairings
            ]
            connection.execute(insert(PAIRINGS), rows)
        return pairings

    def _asked(self, history: History, number: int, byes: Mapping[str, str]) -> dict[int, str]:
        """The byes that are asked for, by starting number."""
        if byes and self.info.system != "swiss":
            raise EventError("byes are asked for in a Swiss only")
        asked: dict[int, str] = {}
        for name, result in byes.items():
            player = _named(history, name)
            if result not in ("half_bye", "zero_bye"):
                raise EventError(f"{result!r} is no bye to ask for; allowed: half_bye, zero_bye")
            if player.number in asked or not player.takes_part(number):
                raise EventError(f"{player.name} has withdrawn, or is named twice")
            asked[player.number] = result
        return asked

    def _next(self, history: History, number: int, asked: Mapping[int, str]) -> list[Pairing]:
        if self.info.system == "swiss":
            try:
                pairs = next_round(history, asked)
            except SwissError as error:
                raise EventError(str(error)) from None
        else:
            twice = self.info.system == "double_round_robin"
            there = berger_rounds(len(history.players), twice=twice)[number - 1]
            pairs = [(red or black, black if red and black else None) for red, black in there]
            pairs.sort(key=lambda pair: pair[1] is None)
        present = {player.number for player in history.players if player.takes_part(number)}
        bye = "bye" if self.info.system == "swiss" else "zero_bye"
        paired = [_at(number, board, pair, present, bye) for board, pair in enumerate(pairs, start=1)]
        byes = enumerate(sorted(asked.items()), start=len(paired) + 1)
        return paired + [Pairing(number, board, player, None, result) for board, (player, result) in byes]

    def unpair(self) -> int:
        """Take the newest round back, as long as no result of a game is in it; its number."""
        with self._engine.begin() as connection:
            history = self.history(connection)
            number = history.newest_round()
            if not number:
                raise EventError("no round has been paired yet")
            if any(p.result is not None and p.black is not None for p in history.pairings if p.round == number):
                raise EventError(f"round {number} has results already")
            connection.execute(delete(PAIRINGS).where(PAIRINGS.c.event == self.info.id, PAIRINGS.c.round == number))
        return number

    def set_result(self, round_number: int, board: int, result: str | None, by: str, reason: str = "arbiter") -> None:
        """The arbiter's word on a pairing; it stays, whatever the board says. None: let the board's game tell."""
        with self._engine.begin() as connection:
            here = (PAIRINGS.c.event == self.info.id) & (PAIRINGS.c.round == round_number) & (PAIRINGS.c.board == board)
            row = connection.execute(select(PAIRINGS).where(here)).first()
            if row is None:
                raise EventError(f"round {round_number} has no board {board}")
            allowed = BYES if row.black is None else tuple(name for name in POINTS if name not in BYES)
            if result is not None and result not in allowed:
                raise EventError(f"{result!r} is no result here; allowed: {', '.join(allowed)}")
            values: dict[str, object] = {"result": result, "by": by[:NAME_CHARS], "reason": reason}
            if result is None:
                values = {"result": None, "by": None, "reason": None}
            elif row.game is None:
                # The game that is going on there is this one's: its end must not be taken for the next round's.
                values["game"] = self._game_at(connection, board)
            connection.execute(update(PAIRINGS).where(here).values(**values))
            if result is None and row.game is not None:
                # Of a game that is over nothing more comes that could tell it.
                raise_alarms(connection, take_result(connection, row.game), wall_ms())

    def _game_at(self, connection: Connection, board: int) -> int | None:
        linked = select(PAIRINGS.c.game).where(PAIRINGS.c.event == self.info.id, PAIRINGS.c.game.is_not(None))
        found: int | None = connection.execute(
            select(func.max(GAMES.c.id)).where(
                GAMES.c.event == self.info.id, GAMES.c.board == board, GAMES.c.id.not_in(linked), ~GAMES.c.over
            )
        ).scalar()
        return found


def _named(history: History, name: str) -> Player:
    player = next((p for p in history.players if name in (p.name, str(p.number))), None)
    if player is None:
        raise EventError(f"{name!r} is no player of this event")
    return player


def _at(number: int, board: int, pair: tuple[int, int | None], present: set[int], bye: str) -> Pairing:
    """A pairing of a round; whoever has withdrawn from a round robin loses without play.

    `bye`: what it is worth to be the one who is left over; in a round robin, where all are once, nothing.
    """
    red, black = pair
    result = None
    if black is None:
        result = bye if red in present else "zero_bye"
    elif red not in present or black not in present:
        result = "red_forfeit" if red in present else "black_forfeit" if black in present else "both_forfeit"
    return Pairing(number, board, red, black, result)


def _player(row: Row[tuple[object, ...]]) -> Player:
    return Player(row.number, row.name, row.club, row.rating, row.withdrawn_from)


def _pairing(row: Row[tuple[object, ...]]) -> Pairing:
    return Pairing(row.round, row.board, row.red, row.black, row.result, row.reason, row.by, row.game)
