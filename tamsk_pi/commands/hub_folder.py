"""What the commands of the hub share: its folder, its database, and how they end."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

from tamsk_pi.signals.language import N_, say_for

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from tamsk_pi.hub.setup import HubConfig

FAILED: Final = 1
UNCLEAR: Final = 2
NEEDED: Final = ("sqlalchemy", "alembic", "paho")

_F = TypeVar("_F", bound=Callable[..., Any])


def folder_option() -> Callable[[_F], _F]:
    """`--folder`: the hub's."""
    return click.option(
        "--folder",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path("hub"),
        show_default=True,
        help="The hub's folder, made by hub init.",
    )


def quit_with(text: object, status: int) -> NoReturn:
    """Tell the user in one line, and exit."""
    click.echo(f"tamsk-pi: {text}", err=True)
    raise SystemExit(status)


def needs_extra() -> None:
    """End with one line where the extra is not installed."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        text = say_for(os.environ)(N_("the hub needs the extra club: pip install 'tamsk-pi[club]'"))
        quit_with(text, FAILED)


@contextmanager
def told_errors() -> Iterator[None]:
    """What a user can cause ends in one line and status 2, what the system refused in status 1."""
    needs_extra()
    from sqlalchemy.exc import SQLAlchemyError

    from tamsk_pi.hub.arbiters import ArbiterError
    from tamsk_pi.hub.broker import BrokerError
    from tamsk_pi.hub.database import DatabaseError, first_line
    from tamsk_pi.hub.event.book import EventError
    from tamsk_pi.hub.publish import PublishError
    from tamsk_pi.hub.setup import SetupError

    try:
        yield
    except (SetupError, EventError, ArbiterError, DatabaseError, BrokerError) as error:
        quit_with(error, UNCLEAR)
    except PublishError as error:
        quit_with(error, FAILED)
    except SQLAlchemyError as error:
        quit_with(first_line(error), FAILED)


@contextmanager
def opened_folder(folder: Path) -> Iterator[tuple[HubConfig, Engine]]:
    """The configuration and the database of a hub's folder."""
    from tamsk_pi.hub.database import open_database
    from tamsk_pi.hub.setup import read_config

    config = read_config(folder)
    engine = open_database(config.database)
    try:
        yield config, engine
    finally:
        engine.dispose()
