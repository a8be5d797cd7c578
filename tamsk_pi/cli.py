"""The `tamsk-pi` command. Each command lives in `tamsk_pi.commands` and is imported only when it is used."""

from __future__ import annotations

import errno
import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import click

from tamsk_pi import __version__
from tamsk_pi.help_language import let_click_speak, spoken
from tamsk_pi.signals.language import language_of, say_for

COMMANDS: Final = {
    "analyse": "Judge each move of a kept game by the engine.",
    "calibrate": "Find out which sensor answers where, how long each glass runs, what a ring weighs.",
    "config": "Check, show and explain the settings.",
    "doctor": "Find what keeps a game from being played on this machine.",
    "engine": "Find the best turn of positions told line by line, for other programs.",
    "explain": "Say why a ruling on a trace was given: edges, rule, sand.",
    "firmware": "Build the bridge's firmware, flash it, ask a board for its version.",
    "match": "Let two engines play each other under the referee.",
    "off": "Switch every output of the board off.",
    "perft": "Count level-1 move sequences, to check the move rules.",
    "simulate": "Play on a virtual board, by hand on a page or by itself.",
    "play": "Play on a board with sensors, helped by its lamps.",
    "referee": "Watch a game in silence until something is illegal.",
    "report": "Put a game on one sheet to print: result, rings, times, sand, violations.",
    "replay": "Judge traces by the rules and print the rulings.",
    "soak": "Play simulated games with faults and hold each ruling against what the hands did.",
    "tell": "Say a word to the game that is being played: end it, begin the next, choose its level.",
    "watch": "Show every raw input of the board, live.",
}
"""Name to one line of help, so that `tamsk-pi --help` imports none of them."""


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn click's errors of usage, which repeat the usage first, into one line each; the exit status stays 2.

    So with what the system refused and no command has told of, a full disk under the output above all: status 1.
    """
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        raise click.UsageError(" ".join(error.format_message().split())) from None
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise  # whoever read along has seen enough: click ends without a word
        where = "" if error.filename is None else f"{error.filename}: "
        click.echo(f"tamsk-pi: {where}{error.strerror or error}", err=True)
        raise SystemExit(1) from None


def imported_command(name: str) -> click.Command:
    """One of `COMMANDS`, as its module has it: in English."""
    module = importlib.import_module(f"tamsk_pi.commands.{name.replace('-', '_')}")
    command: click.Command = module.command
    return command


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called: start-up stays short.

    It and they speak the language of the environment at that moment.
    """

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        let_click_speak(language_of(os.environ))
        with one_line_errors():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        with one_line_errors():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return spoken(imported_command(cmd_name), say_for(os.environ), ctx.help_option_names)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super(LazyGroup, spoken(self, say_for(os.environ), ctx.help_option_names)).format_help(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        say = say_for(os.environ)
        with formatter.section(say("Commands")):
            formatter.write_dl([(name, say(summary)) for name, summary in sorted(COMMANDS.items())])


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tamsk-pi")
def main() -> None:
    """Referee and simulator for a TAMSK board with sensors."""
