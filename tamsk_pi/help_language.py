"""The command line's help in the language of the environment.

The texts stand in the code, in English, where the commands and options are made. A command that is called, or whose
help is shown, is replaced by a copy of itself whose texts went through the catalogue. What click says by itself, in its
help and in its errors of usage, goes through gettext's own domain, which is set to ours.
"""

from __future__ import annotations

import copy
import gettext
import inspect
import re
from collections.abc import Sequence
from typing import Any, Final, TypeVar

import click

from tamsk_pi.signals.language import DOMAIN, N_, Language, Say, locale_folder

HELP: Final = N_("Show this message and exit.")

_CLICKS_DOMAIN: Final = "messages"
_Command = TypeVar("_Command", bound=click.Command)


def let_click_speak(language: Language) -> None:
    """Click looks its own texts up in gettext's current domain, in the language of the environment: here, in ours.

    English has no catalogue: the domain is then the one that gettext begins with, so that what the environment names
    as its second choice is not spoken either.
    """
    if language == "en":
        gettext.textdomain(_CLICKS_DOMAIN)
    else:
        gettext.bindtextdomain(DOMAIN, str(locale_folder()))
        gettext.textdomain(DOMAIN)


def said(text: str, say: Say) -> str:
    """A help text. Each paragraph is one text of the catalogues, on one line however the code wraps it."""
    paragraphs = re.split(r"\n\s*\n", inspect.cleandoc(text))
    return "\n\n".join(say(" ".join(paragraph.split())) for paragraph in paragraphs)


def spoken(command: _Command, say: Say, help_option_names: Sequence[str]) -> _Command:
    """A copy of a command, and of those below it, with every text that its help shows said by `say`.

    A group that imports its commands when they are called translates them itself.
    """
    told = copy.copy(command)
    told.help = None if command.help is None else said(command.help, say)
    told.params = [_spoken_parameter(parameter, say) for parameter in command.params]
    if told.options_metavar is not None:
        told.options_metavar = say(told.options_metavar)
    if isinstance(told, click.Group) and isinstance(command, click.Group):
        told.subcommand_metavar = say(told.subcommand_metavar)
        told.commands = {name: spoken(below, say, help_option_names) for name, below in command.commands.items()}
    if command.add_help_option:
        # Click would keep the option with the words of the first language that was spoken.
        told.add_help_option = False
        click.help_option(*help_option_names, help=say(HELP))(told)
    return told


def _spoken_parameter(parameter: click.Parameter, say: Say) -> click.Parameter:
    told = copy.copy(parameter)
    if isinstance(parameter.type, click.Path | click.types.IntParamType | click.types.FloatParamType):
        told.type = copy.copy(parameter.type)
        told.type.name = say(_kind(parameter.type))
    elif parameter.type is click.STRING and isinstance(parameter, click.Option) and not parameter.is_flag:
        told.metavar = say(parameter.metavar or "TEXT")
    if parameter.metavar is not None:
        told.metavar = say(parameter.metavar)
    if isinstance(told, click.Option) and told.help is not None:
        told.help = said(told.help, say)
    return told


def _kind(kind: click.ParamType[Any]) -> str:
    """A type's name in English. Click names paths in the language of the moment at which the type was made."""
    if isinstance(kind, click.Path) and kind.file_okay != kind.dir_okay:
        return "file" if kind.file_okay else "directory"
    return "path" if isinstance(kind, click.Path) else kind.name
