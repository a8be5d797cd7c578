"""What `play` and `referee` have in common: options, settings from the configuration, and the run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import attrs
import click

from tamsk_pi.app.live import UNCLEAR, Run, Stop, quit_with, run
from tamsk_pi.club.configured import club_settings
from tamsk_pi.commands.caps import paired_rates, with_caps
from tamsk_pi.commands.opponent_option import opponent_option
from tamsk_pi.commands.speaking import usage_error
from tamsk_pi.config.load import (
    BRIDGE,
    Configuration,
    build_of,
    fit_to_board,
    fit_to_bridge,
    games_folder,
    load_settings,
    trace_header,
)
from tamsk_pi.config.problems import ConfigError, Problem
from tamsk_pi.config.profile import load_profile
from tamsk_pi.config.settings import Settings
from tamsk_pi.devices.base import Device
from tamsk_pi.devices.gpio.left_on import runtime_folder
from tamsk_pi.rules.editions import EDITIONS
from tamsk_pi.signals.language import LANGUAGES, N_, chosen_language
from tamsk_pi.terminal import complain, lasting_echo
from tamsk_pi.trace_header import read_header
from tamsk_pi.web.access import WebSettings

if TYPE_CHECKING:
    from tamsk_pi.opponent.seat import Choice

_KEYS = {"level": "level", "rules": "rules", "setup": "setup", "red": "names.red", "black": "names.black",
         "language": "language", "board": "board",
         "pin_factory": "gpio.pin_factory"}  # fmt: skip


def board_command(mode: Literal["play", "referee"], about: str) -> click.Command:
    """The command that runs a real board in this mode."""

    @click.command(name=mode, help=f"{about}\n\nSettings come from the configuration; options go over them.")
    @click.option("--board", metavar="NAME", help="matrix, bridge, or a path to a board's profile.")
    @click.option("--level", type=click.IntRange(1, 3), help="1: glasses are not turned; 2: they are; 3: with timer.")
    @click.option("--rules", type=click.Choice(list(EDITIONS)), help="The edition: what an expired timer costs.")
    @click.option("--setup", type=click.Choice(["corners", "free"]), help="Corners, or free placement.")
    @click.option("--red", metavar="NAME", help="Red's name, for the record and the page.")
    @click.option("--black", metavar="NAME", help="Black's name.")
    @click.option("--language", type=click.Choice(["auto", *LANGUAGES]), help="What rulings are told in.")
    @click.option("--pin-factory", type=click.Choice(["lgpio", "rpigpio", "mock"]), help="How the pins are reached.")
    @click.option("--web", is_flag=True, help="Serve the page too (by default on 127.0.0.1:8037).")
    @click.option("--wait", is_flag=True, help="Look for a missing board for ever instead of giving up.")
    @click.option("--resume", is_flag=True, help="Go on with a game that was cut off, if any.")
    @click.option("--discard", is_flag=True, help="Set a game that was cut off aside.")
    def command(
        web: bool, wait: bool, resume: bool, discard: bool, opponent: Choice | None = None, **options: object
    ) -> None:
        if resume and discard:
            raise usage_error(N_("{options}: choose one"), options="--resume, --discard")
        cut_off: Literal["ask", "resume", "discard"] = "resume" if resume else "discard" if discard else "ask"
        try:
            what, device = _prepare(mode, options, web=web, wait=wait, cut_off=cut_off)
            what = attrs.evolve(what, opponent=opponent)
        except ConfigError as error:
            complain(error)
            raise SystemExit(UNCLEAR) from None
        try:
            run(what, device, lasting_echo())
        except Stop as error:
            quit_with(error)

    # A referee box is silent: it has nothing to say for a side.
    return opponent_option()(command) if mode == "play" else command


def _prepare(
    mode: Literal["play", "referee"],
    options: Mapping[str, object],
    *,
    web: bool,
    wait: bool,
    cut_off: Literal["ask", "resume", "discard"],
) -> tuple[Run, Device]:
    overrides = {_KEYS[name]: value for name, value in options.items() if value is not None}
    configuration: Configuration = load_settings(overrides)
    fitted, device = _bridge(configuration) if configuration.settings.board == BRIDGE else _matrix(configuration)
    settings = read_header(trace_header(fitted))
    folder = games_folder(fitted, os.environ)
    if folder is None:
        raise ConfigError([Problem("", "journal.folder", "must be set, as there is no home to keep games in")])
    language = chosen_language(fitted.language, os.environ)
    page = None
    if web:
        names = fitted.web.names
        page = WebSettings(host=fitted.web.host, port=fitted.web.port, host_names=names, language=language)
    what = Run(
        mode=mode,
        settings=settings,
        folder=folder,
        wait=wait,
        cut_off=cut_off,
        web=page,
        club=club_settings(fitted, folder),
        language=language,
    )
    return what, device


def _matrix(configuration: Configuration) -> tuple[Settings, Device]:
    from tamsk_pi.devices.gpio.board import MatrixBoard

    profile = load_profile(configuration.settings.board)
    fitted = fit_to_board(configuration, profile)
    board = MatrixBoard(profile, pin_factory=fitted.gpio.pin_factory, note_in=runtime_folder(os.environ))
    return fitted, with_caps(board, fitted) if fitted.caps == "pi" else board


def _bridge(configuration: Configuration) -> tuple[Settings, Device]:
    from tamsk_pi.commands.bridge_link import bridge_board

    fitted = fit_to_bridge(configuration)
    games = games_folder(fitted, os.environ)
    return fitted, bridge_board(fitted.bridge, build_of(fitted), games, rates=paired_rates(fitted))
