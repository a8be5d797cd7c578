"""The options that every command that begins a game has in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import attrs
import click

from tamsk_pi.rules.editions import EDITIONS
from tamsk_pi.sensing.settings import Settings

_F = TypeVar("_F", bound=Callable[..., Any])


def game_options(default_level: int) -> Callable[[_F], _F]:
    """Level, edition, set-up and names."""

    def decorate(command: _F) -> _F:
        for option in reversed(
            (
                click.option(
                    "--level",
                    type=click.IntRange(1, 3),
                    default=default_level,
                    show_default=True,
                    help="1: glasses are not turned; 2: they are; 3: with the 15-second timer.",
                ),
                click.option(
                    "--rules",
                    type=click.Choice(list(EDITIONS)),
                    default="rulebook",
                    show_default=True,
                    help="The edition: what an expired timer costs.",
                ),
                click.option(
                    "--setup",
                    type=click.Choice(["corners", "free"]),
                    default="corners",
                    show_default=True,
                    help="Start from the corners, or with free placement.",
                ),
                click.option("--red", default="", metavar="NAME", help="Red's name, for the record and the page."),
                click.option("--black", default="", metavar="NAME", help="Black's name."),
            )
        ):
            command = option(command)
        return command

    return decorate


def settings_from(options: Mapping[str, object], base: Settings | None = None) -> Settings:
    """A game's settings with these options laid over `base`; those that are None stay as they are there."""
    chosen = {key: value for key, value in options.items() if value is not None}
    return attrs.evolve(base or Settings(level=1), **chosen)  # type: ignore[arg-type]
