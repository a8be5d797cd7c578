"""`tamsk-pi hub event`: players, rounds, results and standings."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from tamsk_pi.commands.hub_folder import FAILED, UNCLEAR, folder_option, opened_folder, quit_with, told_errors
from tamsk_pi.commands.speaking import language_option
from tamsk_pi.signals.language import Language

NEWEST = "newest"

_F = TypeVar("_F", bound=Callable[..., Any])


def _read(path: str) -> str:
    try:
        if path == "-":
            return sys.stdin.read()
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        quit_with(f"{path}: no UTF-8 text", UNCLEAR)
    except OSError as error:
        quit_with(f"{path}: {error.strerror or error}", UNCLEAR)


def _write(path: str, text: str) -> None:
    if path == "-":
        click.echo(text, nl=False)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        quit_with(f"{path}: {error.strerror or error}", FAILED)


def _event_option() -> Callable[[_F], _F]:
    return click.option(
        "--event",
        "name",
        metavar="NAME",
        default=NEWEST,
        show_default=True,
        help="Which event; newest: the one made last.",
    )


def _book(engine: Any, name: str) -> Any:
    from tamsk_pi.hub.event.book import Book, EventError, event_names

    if name == NEWEST:
        names = event_names(engine)
        if not names:
            raise EventError("there is no event yet; tamsk-pi hub event new makes one")
        name = names[0]
    return Book(engine, name)


@click.group(name="event")
def event() -> None:
    """Players, rounds, results and standings of an event."""


@event.command()
@folder_option()
@click.option("--title", metavar="TEXT", default="", help="What it is called on pages and prints.")
@click.option(
    "--system",
    type=click.Choice(["swiss", "round_robin", "double_round_robin"]),
    default="swiss",
    show_default=True,
    help="How rounds are paired.",
)
@click.option("--rounds", type=click.IntRange(1, 99), default=5, show_default=True, help="How many, in a Swiss.")
@click.option("--boards", type=click.IntRange(1, 9999), default=10, show_default=True, help="How many boards it has.")
@click.argument("name", metavar="NAME")
def new(folder: Path, title: str, system: Any, rounds: int, boards: int, name: str) -> None:
    """Begin an event. NAME is its short name: small letters, digits and hyphens."""
    from tamsk_pi.hub.event.book import make_event

    with told_errors(), opened_folder(folder) as (_, engine):
        rounds = rounds if system == "swiss" else 0
        make_event(engine, name=name, title=title, system=system, rounds=rounds, boards=boards)


@event.command()
@folder_option()
@_event_option()
@click.option("--rating", type=click.IntRange(0, 9999), default=0, show_default=True, help="For the seeding; 0: none.")
@click.option("--club", metavar="NAME", default="", help="The player's club.")
@click.argument("player", metavar="NAME")
def player(folder: Path, name: str, rating: int, club: str, player: str) -> None:
    """Enter one player."""
    from tamsk_pi.hub.event.history import Player

    with told_errors(), opened_folder(folder) as (_, engine):
        _book(engine, name).add_players([Player(0, player, club, rating)])


@event.command()
@folder_option()
@_event_option()
@click.argument("file", metavar="FILE")
def players(folder: Path, name: str, file: str) -> None:
    """Enter the players of a CSV FILE (- for standard input) with the columns name, club and rating."""
    text = _read(file)
    with told_errors(), opened_folder(folder) as (_, engine):
        from tamsk_pi.hub.event.book import EventError
        from tamsk_pi.hub.event.exchange import players_from_csv

        try:
            entered = players_from_csv(text)
        except EventError as error:
            raise EventError(f"{file}: {error}") from None
        _book(engine, name).add_players(entered)
        click.echo(len(entered))


@event.command()
@folder_option()
@_event_option()
@click.argument("player", metavar="NAME")
def withdraw(folder: Path, name: str, player: str) -> None:
    """Let a player take no part from the next round on. NAME may be the starting number."""
    with told_errors(), opened_folder(folder) as (_, engine):
        _book(engine, name).withdraw(player)


@event.command()
@folder_option()
@_event_option()
@click.option("--half-bye", metavar="NAME", multiple=True, help="Who asked for a bye of half a point, in a Swiss.")
@click.option("--zero-bye", metavar="NAME", multiple=True, help="Who is not there this time, in a Swiss: no point.")
def pair(folder: Path, name: str, half_bye: tuple[str, ...], zero_bye: tuple[str, ...]) -> None:
    """Pair the next round, and print it."""
    from tamsk_pi.hub.event.book import EventError

    with told_errors(), opened_folder(folder) as (_, engine):
        book = _book(engine, name)
        if both := set(half_bye) & set(zero_bye):
            raise EventError(f"{min(both)} is named twice")
        paired = book.pair({**dict.fromkeys(half_bye, "half_bye"), **dict.fromkeys(zero_bye, "zero_bye")})
        names = {one.number: one.name for one in book.history().players}
        for pairing in paired:
            black = "-" if pairing.black is None else names[pairing.black]
            click.echo(f"{pairing.board:>4}  {names[pairing.red]}  {black}")


@event.command()
@folder_option()
@_event_option()
def unpair(folder: Path, name: str) -> None:
    """Take the newest round back, as long as it has no results."""
    with told_errors(), opened_folder(folder) as (_, engine):
        click.echo(_book(engine, name).unpair())


@event.command()
@folder_option()
@_event_option()
@click.option("--by", metavar="NAME", required=True, help="The arbiter whose word it is.")
@click.option("--round", "round_number", type=click.IntRange(1), help="Which round; by default the newest.")
@click.argument("board", type=click.IntRange(1))
@click.argument(
    "result",
    type=click.Choice(
        ["red", "black", "draw", "red_forfeit", "black_forfeit", "both_forfeit", "bye", "half_bye", "zero_bye", "board"]
    ),
)
def result(folder: Path, name: str, by: str, round_number: int | None, board: int, result: str) -> None:
    """Set the result at a board: the arbiter's word, which the board's own does not change any more.

    The result board takes that word back: the board's game tells again.
    """
    with told_errors(), opened_folder(folder) as (_, engine):
        book = _book(engine, name)
        number = round_number or book.history().newest_round()
        book.set_result(number, board, None if result == "board" else result, by)


@event.command()
@folder_option()
@_event_option()
@language_option()
@click.option(
    "--as",
    "form",
    type=click.Choice(["csv", "json", "html"]),
    default="csv",
    show_default=True,
    help="csv, json, or html: a page to print.",
)
@click.option("--out", metavar="FILE", default="-", help="Where to; - is standard output.")
@click.argument("what", type=click.Choice(["players", "pairings", "standings", "all"]))
def export(folder: Path, name: str, language: Language, form: str, out: str, what: str) -> None:
    """Write players, pairings or standings, or all of an event (json), to be read elsewhere or printed."""
    with told_errors(), opened_folder(folder) as (_, engine):
        from tamsk_pi.hub.event.book import EventError
        from tamsk_pi.hub.event.exchange import event_as_json, pairings_as_csv, players_as_csv, standings_as_csv
        from tamsk_pi.hub.event.printing import pairings_page, standings_page

        book = _book(engine, name)
        if form == "json":
            whole = event_as_json(book)
            part = whole if what == "all" else whole[what]
            text = json.dumps(part, ensure_ascii=False, indent=1) + "\n"
        elif what == "all":
            raise EventError("all of an event is written with --as json")
        elif form == "html":
            if what == "players":
                raise EventError("players are written with --as csv or --as json")
            text = pairings_page(book, language) if what == "pairings" else standings_page(book, language)
        elif what == "players":
            text = players_as_csv(book.history().players)
        else:
            text = pairings_as_csv(book) if what == "pairings" else standings_as_csv(book.table())
        _write(out, text)


@event.command(name="import")
@folder_option()
@click.argument("file", metavar="FILE")
def import_(folder: Path, file: str) -> None:
    """Make an event of a FILE that export all --as json wrote (- for standard input)."""
    text = _read(file)
    with told_errors(), opened_folder(folder) as (_, engine):
        from tamsk_pi.hub.event.book import EventError
        from tamsk_pi.hub.event.exchange import load_event

        try:
            click.echo(load_event(engine, text).info.name)
        except EventError as error:
            raise EventError(f"{file}: {error}") from None
