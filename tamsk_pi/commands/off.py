"""`tamsk-pi off`: every output of the board off, whoever left it on."""

from __future__ import annotations

import os
import sys

import click

from tamsk_pi.config.load import BRIDGE, load_settings, parse_overrides
from tamsk_pi.config.problems import ConfigError
from tamsk_pi.config.profile import load_profile
from tamsk_pi.devices.base import DeviceError
from tamsk_pi.devices.gpio.factories import close_factory, make_factory
from tamsk_pi.devices.gpio.outputs import switch_off
from tamsk_pi.signals.language import N_, say_for


@click.command()
@click.option("--board", metavar="NAME", help="A board profile's name or a path to one; else as configured.")
@click.option("--set", "pairs", metavar="KEY=VALUE", multiple=True, help="Set a value over those of the files.")
def command(board: str | None, pairs: tuple[str, ...]) -> None:
    """Switch lamps, buzzer and socket lamps of the matrix board off.

    The service runs this whenever the referee has ended, however it ended. While a referee is running its lines are
    its own: then nothing is switched off, and the exit status is 1.
    """
    try:
        settings = load_settings(parse_overrides(pairs)).settings
        name = settings.board if board is None else board
        if name == BRIDGE:
            text = N_("The bridge switches everything off by itself, two seconds after it was last spoken to.")
            click.echo(say_for(os.environ)(text))
            return
        profile = load_profile(name)
    except ConfigError as error:
        click.echo(f"tamsk-pi: {error}", err=True)
        sys.exit(2)
    try:
        factory = make_factory(settings.gpio.pin_factory)
    except DeviceError as error:
        click.echo(f"tamsk-pi: {error}", err=True)
        sys.exit(1)
    try:
        problems = switch_off(profile, factory)
    finally:
        close_factory(factory)
    for problem in problems:
        click.echo(f"tamsk-pi: {problem}", err=True)
    sys.exit(1 if problems else 0)
