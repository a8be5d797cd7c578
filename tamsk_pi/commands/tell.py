"""`tamsk-pi tell`: say a word to the game that is being played on this machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import click

from tamsk_pi.config.load import games_folder, load_settings
from tamsk_pi.config.problems import ConfigError
from tamsk_pi.runner.ear import speak
from tamsk_pi.signals.language import N_, say_for

NOBODY: Final = 1
NOT_DONE: Final = 1
UNCLEAR: Final = 2


@click.command(name="tell")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder in which the game is being kept; else as configured.",
)
@click.argument("words", nargs=-1, required=True, metavar="WORD...")
def command(folder: Path | None, words: tuple[str, ...]) -> None:
    """Say an arbiter's word to the game that is being played on this machine, or choose for the next one.

    The words are those that may be typed while a game is told on a terminal; help lists them. For the service: sudo -u
    tamsk-pi tamsk-pi tell new. The exit status is 1 where nothing is played or the word changed nothing.
    """
    try:
        folder = folder or games_folder(load_settings({}).settings, os.environ)
    except ConfigError as error:
        click.echo(f"tamsk-pi: {error}", err=True)
        sys.exit(UNCLEAR)
    try:
        done, said = speak(folder or Path(), " ".join(words))
    except OSError:
        told = say_for(os.environ)(N_("nobody is playing whose games are kept in {folder}"))
        click.echo(f"tamsk-pi: {told.format(folder=folder)}", err=True)
        sys.exit(NOBODY)
    for line in said:
        click.echo(line, err=not done)
    sys.exit(0 if done else NOT_DONE)
