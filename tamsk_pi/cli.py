"""The `tamsk-pi` command. Each command lives in `tamsk_pi.commands` and is imported only when it is used."""

from __future__ import annotations

import importlib
from typing import Final

import click

from tamsk_pi import __version__

COMMANDS: Final = {
    "config": "Check, show and explain the settings.",
    "perft": "Count level-1 move sequences, to check the move rules.",
    "replay": "Judge traces by the rules and print the rulings.",
}
"""Name to one line of help, so that `tamsk-pi --help` imports none of them."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called: start-up stays short."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"tamsk_pi.commands.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tamsk-pi")
def main() -> None:
    """Referee and simulator for a TAMSK board with sensors."""
