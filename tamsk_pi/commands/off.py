"""`tamsk-pi off`: every output of the board off, whoever left it on."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from tamsk_pi.devices.gpio.left_on import put_out, runtime_folder
from tamsk_pi.terminal import complain

if TYPE_CHECKING:
    from tamsk_pi.config.settings import Settings

BRIDGE_S: Final = 5.0
"""Time for a bridge to answer, its boot loader's included: whoever stops the service waits for this."""


@click.command()
@click.option("--board", metavar="NAME", help="A board profile's name or a path to one; else as configured.")
@click.option("--set", "pairs", metavar="KEY=VALUE", multiple=True, help="Set a value over those of the files.")
def command(board: str | None, pairs: tuple[str, ...]) -> None:
    """Switch lamps, buzzer and socket lamps of the board off.

    The service runs this whenever the referee has ended, however it ended. While a referee is running its lines are
    its own: then nothing is switched off, and the exit status is 1.
    """
    put_out(runtime_folder(os.environ))
    # Only now: on a small Pi these take seconds.
    from tamsk_pi.config.load import BRIDGE, load_settings, parse_overrides
    from tamsk_pi.config.problems import ConfigError
    from tamsk_pi.config.profile import load_profile

    try:
        settings = load_settings(parse_overrides(pairs)).settings
        name = settings.board if board is None else board
        profile = None if name == BRIDGE else load_profile(name)
    except ConfigError as error:
        complain(error)
        sys.exit(2)
    if profile is None:
        _switch_off_bridge(settings)
        return
    from tamsk_pi.devices.base import DeviceError
    from tamsk_pi.devices.gpio.factories import close_factory
    from tamsk_pi.devices.gpio.outputs import switch_off
    from tamsk_pi.devices.gpio.this_machine import factory_here

    try:
        factory = factory_here(settings.gpio.pin_factory)
    except DeviceError as error:
        complain(error)
        sys.exit(1)
    try:
        problems = switch_off(profile, factory)
    finally:
        close_factory(factory)
    for problem in problems:
        complain(problem)
    sys.exit(1 if problems else 0)


def _switch_off_bridge(settings: Settings) -> None:
    from tamsk_pi.commands.bridge_link import bridge_board
    from tamsk_pi.devices.base import DeviceError

    # Its firmware does so by itself, two seconds after it was last spoken to; this is sooner, and shows no amber lamp.
    board = bridge_board(settings.bridge, open_s=BRIDGE_S)
    try:
        board.open()
    except DeviceError as error:
        complain(error)
        sys.exit(1)
    # A board that is given back is left dark.
    board.close()
