"""The hub's database: SQLite, or PostgreSQL where several hubs share one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from importlib import resources
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

BUSY_MS: Final = 10_000
_MIGRATION_LOCK: Final = 20_051_997
"""Two hubs that are started together must not both migrate one PostgreSQL database."""


class DatabaseError(Exception):
    """The database cannot be used; one line that says why."""


WallMs = Callable[[], int]


def wall_ms() -> int:
    """The hub's clock: ms since 1970."""
    return time.time_ns() // 1_000_000


def open_database(url: str, *, migrate: bool = True) -> Engine:
    """The engine of this address, brought up to date. `DatabaseError` where it cannot be had.

    `sqlite:///hub.sqlite` is a file; `postgresql+psycopg://user@host/name` needs the extra `postgresql`.
    """
    try:
        engine = create_engine(url, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError, ValueError) as error:
        raise DatabaseError(f"{url!r} is no database address: {error}") from None
    except ImportError as error:
        raise DatabaseError(f"{url!r} needs another package ({error}): pip install 'tamsk-pi[postgresql]'") from None
    if engine.dialect.name not in ("sqlite", "postgresql"):
        raise DatabaseError(f"{url!r}: allowed are sqlite and postgresql+psycopg")
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
    if migrate:
        try:
            _migrate(engine)
        except (SQLAlchemyError, OSError) as error:
            engine.dispose()
            raise DatabaseError(f"{_shown(url)}: {first_line(error)}") from None
        except CommandError as error:
            engine.dispose()
            raise DatabaseError(f"{_shown(url)}: {error}; it was made by a newer version of this program") from None
    return engine


def _shown(url: str) -> str:
    return make_url(url).render_as_string(hide_password=True)


def first_line(error: BaseException) -> str:
    """What a database says is wrong, in one line."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return (str(cause).strip().splitlines() or [type(cause).__name__])[0]


def _prepare_sqlite(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    # WAL: pages read while lines are taken in. FULL: what was acknowledged to a board outlives a power cut.
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
    cursor.close()


def alembic_config(connection: Connection | None = None) -> Config:
    """Alembic's configuration for this database; the scripts are part of the package."""
    config = Config()
    config.set_main_option("script_location", str(resources.files("tamsk_pi.hub") / "migrations"))
    config.attributes["connection"] = connection
    return config


def _migrate(engine: Engine) -> None:
    logging.getLogger("alembic").setLevel(logging.WARNING)
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
        config = alembic_config(connection)
        newest = ScriptDirectory.from_config(config).get_current_head()
        if MigrationContext.configure(connection).get_current_revision() != newest:
            command.upgrade(config, "head")
