"""`tamsk-pi config`: check, show and explain the settings."""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from tamsk_pi.commands.speaking import usage_error
from tamsk_pi.config.allowed import one_of, shown
from tamsk_pi.config.load import (
    BRIDGE,
    COMMAND_LINE,
    DEFAULT,
    Configuration,
    default_files,
    fit_to_board,
    fit_to_bridge,
    load_settings,
    parse_overrides,
)
from tamsk_pi.config.page import configuration_page, explain
from tamsk_pi.config.problems import ConfigError, Problem
from tamsk_pi.config.profile import check_profile, load_profile
from tamsk_pi.config.structure import read_toml
from tamsk_pi.config.table import entries, values
from tamsk_pi.signals.language import N_, say_for

BAD_CONFIG = 2
_F = TypeVar("_F", bound=Callable[..., Any])


def _refuse(error: ConfigError) -> None:
    click.echo(str(error), err=True)
    sys.exit(BAD_CONFIG)


def _set_option(command: _F) -> _F:
    return click.option(
        "--set",
        "pairs",
        metavar="KEY=VALUE",
        multiple=True,
        help="Set a value over those of the files; may be given more than once.",
    )(command)


def _load(pairs: Iterable[str]) -> Configuration:
    return load_settings(parse_overrides(pairs))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Check, show and explain the settings.

    They are read from /etc/tamsk-pi/config.toml, then from the user's file, then from the command line.
    """


def _check_files(files: Iterable[Path]) -> None:
    problems: list[Problem] = []
    for path in files:
        try:
            raw = read_toml(path)
            if raw.get("format") == "tamsk-board":
                check_profile(raw, str(path))
            else:
                load_settings(files=[path])
        except ConfigError as error:
            problems += error.problems
    if problems:
        raise ConfigError(problems)


def _check_installed(pairs: Iterable[str]) -> list[str]:
    configuration = _load(pairs)
    if configuration.settings.board == BRIDGE:
        fit_to_bridge(configuration)
        return [*map(str, default_files()), say_for(os.environ)(N_("the bridge"))]
    profile = load_profile(configuration.settings.board)
    fit_to_board(configuration, profile)
    told = say_for(os.environ)(N_("board profile {name}")).format(name=profile.name)
    return [*map(str, default_files()), told]


@command.command()
@click.argument("files", nargs=-1, metavar="[FILES]...", type=click.Path(path_type=Path))
@_set_option
def check(files: tuple[Path, ...], pairs: tuple[str, ...]) -> None:
    """Check FILES, configurations or board profiles; without any, those in force and the board profile they name.

    Everything wrong is told at once, and the exit status is 2.
    """
    if files and pairs:
        raise usage_error(N_("--set goes with the files in force, not with FILES"))
    try:
        if files:
            _check_files(files)
        checked = [str(path) for path in files] if files else _check_installed(pairs)
    except ConfigError as error:
        _refuse(error)
    else:
        click.echo(say_for(os.environ)(N_("all right: {names}")).format(names=", ".join(checked)))


@command.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, key to value and origin.")
@_set_option
def show(as_json: bool, pairs: tuple[str, ...]) -> None:
    """Show every setting in force and where it was set."""
    try:
        configuration = _load(pairs)
    except ConfigError as error:
        _refuse(error)
        return
    in_force = values(configuration.settings)
    if as_json:
        both = {key: {"value": value, "from": configuration.origins[key]} for key, value in in_force.items()}
        click.echo(json.dumps(both, ensure_ascii=False, indent=2))
        return
    say = say_for(os.environ)
    told = {DEFAULT: say(N_("default")), COMMAND_LINE: say(N_("command line"))}
    for key, value in in_force.items():
        origin = configuration.origins[key]
        click.echo(f"{f'{key} = {shown(value)}':<44} # {told.get(origin, origin)}")


@command.command(name="explain")
@click.argument("key", metavar="KEY")
def explain_key(key: str) -> None:
    """Explain the setting KEY, or every setting under it: what it is for, its unit, range, default and reason."""
    say = say_for(os.environ)
    found = [entry for entry in entries() if entry.key == key or entry.key.startswith(f"{key}.")]
    if not found:
        keys = [entry.key for entry in entries()]
        near = difflib.get_close_matches(key, keys, n=1) or [name for name in keys if key in name][:3]
        if near:
            text = say(N_("no setting {key}; did you mean {names}?")).format(key=key, names=one_of(near, say))
        else:
            text = say(N_("no setting {key}; `tamsk-pi config show` lists them all")).format(key=key)
        click.echo(text, err=True)
        sys.exit(BAD_CONFIG)
    click.echo("\n\n".join(explain(entry, say) for entry in found))


@command.command()
def page() -> None:
    """Print docs/configuration.md, which is made from the table of settings."""
    click.echo(configuration_page(), nl=False)
