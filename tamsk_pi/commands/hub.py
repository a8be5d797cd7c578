"""`tamsk-pi hub`: the hub of a club night or a tournament."""

from __future__ import annotations

import os
import signal
import webbrowser
from collections.abc import Callable
from pathlib import Path
from threading import Event

import click

from tamsk_pi.commands.hub_event import event
from tamsk_pi.commands.hub_folder import FAILED, folder_option, needs_extra, opened_folder, quit_with, told_errors
from tamsk_pi.commands.speaking import language_option
from tamsk_pi.signals.language import N_, Language, catalogue, say_for


@click.group(name="hub")
def command() -> None:
    """Many boards at once: take their games in, show them to the arbiter and to spectators, keep the event.

    docs/club.md tells how a club night is set up.
    """


command.add_command(event)


def _until_stopped() -> Event:
    stopped = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    return stopped


def _say(language: Language) -> Callable[..., None]:
    def say(text: str, **blanks: object) -> None:
        click.echo(catalogue(language).gettext(text).format_map(blanks))

    return say


@command.command()
@click.option("--event", "name", metavar="NAME", required=True, help="The event's short name.")
@click.option("--title", metavar="TEXT", default="", help="What it is called on pages and prints.")
@click.option("--boards", type=click.IntRange(1, 9999), default=10, show_default=True, help="How many boards it has.")
@click.option(
    "--system",
    type=click.Choice(["swiss", "round_robin", "double_round_robin"]),
    default="swiss",
    show_default=True,
    help="How rounds are paired.",
)
@click.option("--rounds", type=click.IntRange(1, 99), default=5, show_default=True, help="How many, in a Swiss.")
@click.option("--host", metavar="NAME", default="127.0.0.1", show_default=True, help="How boards reach the broker.")
@click.option(
    "--listen", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="The address the broker listens on."
)
@click.option("--port", type=click.IntRange(1, 65535), help="The broker's port; by default 1883, with --tls 8883.")
@click.option("--tls", is_flag=True, help="Make a certificate authority of one's own, and let the broker use it.")
@click.option("--database", metavar="URL", default="", help="Another database than a file in the folder: PostgreSQL.")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=Path("hub"))
def init(
    name: str,
    title: str,
    boards: int,
    system: str,
    rounds: int,
    host: str,
    listen: str,
    port: int | None,
    tls: bool,
    database: str,
    folder: Path,
) -> None:
    """Make the hub's folder, FOLDER: configuration and access list of the broker, a password for every board, the
    database with the event.
    """
    with told_errors():
        from tamsk_pi.hub.event.book import make_event
        from tamsk_pi.hub.setup import SetupPlan, set_up

        number = port or (8883 if tls else 1883)
        plan = SetupPlan(
            folder=folder, event=name, boards=boards, host=host, listen=listen, port=number, tls=tls, database=database
        )
        set_up(plan)
        with opened_folder(folder) as (_, engine):
            count = rounds if system == "swiss" else 0
            make_event(engine, name=name, title=title, system=system, rounds=count, boards=boards)  # type: ignore[arg-type]
    say = say_for(os.environ)
    click.echo(say(N_("The broker: mosquitto -c {path}")).format(path=folder / "mosquitto.conf"))
    click.echo(say(N_("The hub: tamsk-pi hub run --folder {folder}")).format(folder=folder))
    click.echo(say(N_("The boards: {folder}, one for each, to be carried there")).format(folder=folder / "boards"))


@command.command()
@folder_option()
@click.option("--host", metavar="ADDRESS", help="Where the page is served; by default as hub.toml says.")
@click.option("--port", type=click.IntRange(0, 65535), help="Its port; 0 takes any free one.")
@language_option()
def run(folder: Path, host: str | None, port: int | None, language: Language) -> None:
    """Take the boards' games in, judge them, and serve the arbiter's page."""
    stopped = _until_stopped()
    with told_errors(), opened_folder(folder) as (config, engine):
        from tamsk_pi.clock import MonotonicClock
        from tamsk_pi.hub.app import build_hub_app
        from tamsk_pi.hub.arbiters import Arbiters
        from tamsk_pi.hub.service import Hub, take_short_turns
        from tamsk_pi.web.access import WebSettings
        from tamsk_pi.web.server import PageServer, ServerError

        clock = MonotonicClock()
        settings = WebSettings(
            host=host or config.page_host, port=config.page_port if port is None else port, language=language
        )
        hub = Hub(engine, config.broker)
        page = PageServer(build_hub_app(hub, Arbiters(engine, clock), settings, clock), settings)
        try:
            page.reserve()
            take_short_turns()
            hub.open()
            page.open()
        except ServerError as error:
            quit_with(error, FAILED)
        try:
            _say(language)(N_("The boards are at {url} (Ctrl-C ends)."), url=page.url)
            stopped.wait()
        finally:
            page.close()
            hub.close()


@command.command()
@folder_option()
@click.option(
    "--delay",
    type=click.FloatRange(0, 86_400),
    default=60,
    show_default=True,
    help="How many seconds late all is shown.",
)
@click.option(
    "--every", type=click.FloatRange(0.2, 3600), default=2, show_default=True, help="Seconds between two looks."
)
@click.option("--once", is_flag=True, help="Bring the folder up to date once, and end.")
@click.argument("site", type=click.Path(file_okay=False, path_type=Path))
def publish(folder: Path, delay: float, every: float, once: bool, site: Path) -> None:
    """Keep a folder SITE of static pages for spectators, which any web server can serve."""
    stopped = _until_stopped()
    with told_errors(), opened_folder(folder) as (_, engine):
        from sqlalchemy.exc import SQLAlchemyError

        from tamsk_pi.hub.database import first_line
        from tamsk_pi.hub.publish import Publisher

        publisher = Publisher(engine, site, delay_s=delay)
        publisher.prepare()
        told = None
        while True:
            try:
                publisher.publish()
                told = None
            except SQLAlchemyError as error:
                if once:
                    raise
                # A database that is away comes back; the folder stays as it is until then.
                if told != (told := first_line(error)):
                    click.echo(f"tamsk-pi: {told}", err=True)
            if once or stopped.wait(every):
                return


@command.group()
def arbiter() -> None:
    """Who may say an arbiter's word to a board from the hub's page."""


@arbiter.command()
@folder_option()
@click.argument("name", metavar="NAME")
def add(folder: Path, name: str) -> None:
    """Make a code by which the arbiter NAME is paired on the page, within an hour and once."""
    with told_errors(), opened_folder(folder) as (_, engine):
        from tamsk_pi.clock import MonotonicClock
        from tamsk_pi.hub.arbiters import Arbiters

        click.echo(Arbiters(engine, MonotonicClock()).add(name))


@arbiter.command()
@folder_option()
@click.argument("name", metavar="NAME")
def revoke(folder: Path, name: str) -> None:
    """Let the arbiter NAME say nothing any more."""
    with told_errors(), opened_folder(folder) as (_, engine):
        from tamsk_pi.clock import MonotonicClock
        from tamsk_pi.hub.arbiters import Arbiters

        Arbiters(engine, MonotonicClock()).revoke(name)


@arbiter.command(name="list")
@folder_option()
def list_(folder: Path) -> None:
    """List the arbiters, and whether they are paired."""
    with told_errors(), opened_folder(folder) as (_, engine):
        from tamsk_pi.clock import MonotonicClock
        from tamsk_pi.hub.arbiters import Arbiters

        for name, state in Arbiters(engine, MonotonicClock()).listed():
            click.echo(f"{state:<8} {name}")


@command.command()
@folder_option()
def words(folder: Path) -> None:
    """Print every word that arbiters said from the hub: when, who, to which board, and what became of it."""
    with told_errors(), opened_folder(folder) as (_, engine):
        import datetime
        import json

        from sqlalchemy import select

        from tamsk_pi.hub.tables import EVENTS, WORDS

        with engine.connect() as connection:
            rows = connection.execute(
                select(WORDS, EVENTS.c.name).join(EVENTS, EVENTS.c.id == WORDS.c.event).order_by(WORDS.c.said_ms)
            ).all()
        for row in rows:
            said = datetime.datetime.fromtimestamp(row.said_ms / 1000, datetime.UTC).isoformat(timespec="seconds")
            became = "no answer" if row.ok is None else "said" if row.ok else f"refused: {row.reason}"
            details = json.dumps(row.details, ensure_ascii=False) if row.details else ""
            click.echo(f"{said}  {row.name} {row.board}  {row.arbiter}: {row.verb} {details} ({became})")


@command.command()
@click.option("--boards", type=click.IntRange(1, 64), default=8, show_default=True, help="How many play.")
@click.option(
    "--speed", type=click.FloatRange(0.1, 1000), default=8, show_default=True, help="How many times faster than life."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8038, show_default=True, help="Where the page is served."
)
@click.option("--no-browser", is_flag=True, help="Serve the page without opening a browser.")
@language_option()
def demo(boards: int, speed: float, port: int, no_browser: bool, language: Language) -> None:
    """Try it on this machine: a broker, boards that play a round by themselves, and the page."""
    needs_extra()
    from tamsk_pi.hub.demo import DemoError, run_demo
    from tamsk_pi.web.server import ServerError

    def opened(url: str) -> None:
        if not no_browser:
            webbrowser.open(url)

    try:
        run_demo(
            boards=boards, speed=speed, page_port=port, say=_say(language), stopped=_until_stopped(), opened=opened
        )
    except (DemoError, ServerError) as error:
        quit_with(error, FAILED)


@command.command()
@click.option("--seed", type=int, default=1, show_default=True, help="What is played, and when faults come.")
@click.option(
    "--kills", type=click.IntRange(1, 10_000), default=100, show_default=True, help="Times the hub is killed."
)
@click.option(
    "--cut", type=click.FloatRange(0.1, 3600), default=10, show_default=True, help="Seconds for which the broker hangs."
)
@click.option(
    "--speed", type=click.FloatRange(1, 1000), default=60, show_default=True, help="How many times faster than life."
)
def soak(seed: int, kills: int, cut: float, speed: float) -> None:
    """Do everything to a broker, a hub and simulated boards that goes wrong on a club night, and print a table.

    Exit status 1 if a line was lost or is there twice, or a fault went unnamed.
    """
    needs_extra()
    from tempfile import TemporaryDirectory

    from tamsk_pi.hub.demo import DemoError
    from tamsk_pi.hub.soak import HEAD, SoakPlan, table_line
    from tamsk_pi.hub.soak import soak as rows

    good = True
    try:
        with TemporaryDirectory(prefix="tamsk-soak-") as name:
            click.echo(HEAD)
            for row in rows(SoakPlan(folder=Path(name), seed=seed, kills=kills, cut_s=cut, speed=speed)):
                click.echo(table_line(row))
                good = good and row.is_good
    except DemoError as error:
        quit_with(error, FAILED)
    if not good:
        raise SystemExit(FAILED)
