"""What the hub keeps. Times are whole ms since 1970, of the hub's own clock; they label, and order nothing.

The migrations in `migrations/` bring a database here; a test holds the two against each other.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(40), nullable=False, unique=True),
    Column("title", String(120), nullable=False),
    Column("system", String(16), nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("boards", Integer, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
)

PLAYERS: Final = Table(
    "players",
    METADATA,
    Column("event", Integer, ForeignKey("events.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("name", String(60), nullable=False),
    Column("club", String(60), nullable=False),
    Column("rating", Integer, nullable=False),
    Column("withdrawn_from", Integer),
    UniqueConstraint("event", "name"),
)
"""`number` is the starting number, from 1; `withdrawn_from`: the first round in which a player takes no part."""

PAIRINGS: Final = Table(
    "pairings",
    METADATA,
    Column("event", Integer, ForeignKey("events.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("board", Integer, primary_key=True),
    Column("red", Integer, nullable=False),
    Column("black", Integer),
    Column("result", String(16)),
    Column("reason", String(32)),
    Column("by", String(60)),
    Column("paired_ms", BigInteger, nullable=False),
    Column("game", Integer, ForeignKey("games.id")),
)
"""`black` null: red has a bye. `result`: see `tamsk_pi.hub.event.results`; `by`: the arbiter whose word it is."""

GAMES: Final = Table(
    "games",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("event", Integer, ForeignKey("events.id"), nullable=False),
    Column("board", Integer, nullable=False),
    Column("name", String(210), nullable=False),
    Column("red", String(60), nullable=False),
    Column("black", String(60), nullable=False),
    Column("level", Integer, nullable=False),
    Column("started_at", String(40), nullable=False),
    Column("lines_count", Integer, nullable=False),
    Column("lines_bytes", Integer, nullable=False),
    Column("lines_chain", String(64), nullable=False),
    Column("rulings_count", Integer, nullable=False),
    Column("rulings_bytes", Integer, nullable=False),
    Column("rulings_chain", String(64), nullable=False),
    Column("over", Boolean, nullable=False),
    Column("over_ms", BigInteger),
    Column("result", String(16)),
    Column("reason", String(32)),
    Column("length_ms", BigInteger, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("judged_lines", Integer, nullable=False, server_default="0"),
    Column("judged_rulings", Integer, nullable=False, server_default="0"),
    Column("first_ms", BigInteger, nullable=False),
    Column("last_ms", BigInteger, nullable=False),
    UniqueConstraint("event", "board", "name"),
    Index(None, "event", "last_ms"),
)
"""`judged_…`: of how many of the kept lines `over`, `result`, `moves` and `length_ms` tell; a hub that is killed may
have kept more than it had judged."""

LINES: Final = Table(
    "lines",
    METADATA,
    Column("game", Integer, ForeignKey("games.id"), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("first", Integer, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("taken_ms", BigInteger, nullable=False),
    Column("data", LargeBinary, nullable=False),
)
"""Whole lines as they came, byte for byte: `count` of them from number `first` on."""

BOARDS: Final = Table(
    "boards",
    METADATA,
    Column("event", Integer, ForeignKey("events.id"), primary_key=True),
    Column("board", Integer, primary_key=True),
    Column("heard", Boolean, nullable=False),
    Column("instance", String(32), nullable=False),
    Column("game", String(210), nullable=False),
    Column("skew_ms", BigInteger, nullable=False),
    Column("told_ms", BigInteger, nullable=False),
)

ALARMS: Final = Table(
    "alarms",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("event", Integer, ForeignKey("events.id"), nullable=False),
    Column("board", Integer, nullable=False),
    Column("game", String(210), nullable=False),
    Column("kind", String(24), nullable=False),
    Column("detail", Text, nullable=False),
    Column("first_ms", BigInteger, nullable=False),
    Column("seen_by", String(60)),
    UniqueConstraint("event", "board", "game", "kind"),
)

ARBITERS: Final = Table(
    "arbiters",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("name", String(60), nullable=False, unique=True),
    Column("code_hash", String(64)),
    Column("code_until_ms", BigInteger),
    Column("token_hash", String(64)),
    Column("revoked", Boolean, nullable=False),
)

WORDS: Final = Table(
    "words",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("event", Integer, ForeignKey("events.id"), nullable=False),
    Column("board", Integer, nullable=False),
    Column("game", String(210), nullable=False),
    Column("arbiter", String(60), nullable=False),
    Column("verb", String(16), nullable=False),
    Column("details", JSON, nullable=False),
    Column("said_ms", BigInteger, nullable=False),
    Column("answered_ms", BigInteger),
    Column("ok", Boolean),
    Column("reason", Text),
)

__all__ = ["ALARMS", "ARBITERS", "BOARDS", "EVENTS", "GAMES", "LINES", "METADATA", "PAIRINGS", "PLAYERS", "WORDS"]
