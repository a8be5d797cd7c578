"""Every text that the catalogues hold; `make catalogues` finds those of the command line's help here.

Most texts are marked with `N_` where they stand. The help is gathered from the commands themselves, by the pass that
translates it, and what is told of the settings from their table. What click says by itself is listed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

import click
from babel.messages import extract

import tamsk_pi
from tamsk_pi.cli import COMMANDS, imported_command, main
from tamsk_pi.config.page import explain
from tamsk_pi.config.table import entries
from tamsk_pi.help_language import spoken

PACKAGE: Final = Path(tamsk_pi.__file__).parent

MessageId = str | tuple[str, ...]

OF_CLICK: Final[tuple[MessageId, ...]] = (
    # -- around a help text
    "Usage:",
    "Options",
    "Commands",
    "default: {default}",
    "required",
    # -- errors of usage
    "Error: {message}",
    "Aborted!",
    "Missing argument",
    "Missing option",
    "Missing command.",
    "No such option {name!r}.",
    "No such command {name!r}.",
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    "Option {name!r} does not take a value.",
    "Invalid value: {message}",
    "Invalid value for {param_hint}: {message}",
    "Choose from:\n\t{choices}",
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    "{value!r} is not a valid {number_type}.",
    "{value} is not in the range {range}.",
    "{name} {filename!r} does not exist.",
    "{name} {filename!r} is a file.",
    "{name} {filename!r} is a directory.",
    "{name} {filename!r} is not readable.",
    "{name} {filename!r} is not writable.",
)


def help_texts() -> Collection[str]:
    """Every text of the help of every command."""
    found: dict[str, None] = {}

    def note(text: str) -> str:
        found[text] = None
        return text

    spoken(main, note, main.context_settings["help_option_names"])
    for name, summary in COMMANDS.items():
        note(summary)
        spoken(imported_command(name), note, main.context_settings["help_option_names"])
    return found


def setting_texts() -> Collection[str]:
    """Every text that `config explain` says of any setting."""
    found: dict[str, None] = {}

    def note(text: str) -> str:
        found[text] = None
        return text

    for entry in entries():
        explain(entry, note)
    return found


def extract_gathered(
    source: IO[bytes], keywords: Mapping[str, object], comment_tags: Sequence[str], options: Mapping[str, object]
) -> Iterator[tuple[int, str | None, MessageId, list[str]]]:
    """A method of extraction, as Babel wants one: whatever the file says, what is gathered and what is listed."""
    for text in [*help_texts(), *setting_texts(), *OF_CLICK]:
        yield 1, "ngettext" if isinstance(text, tuple) else None, text, []


def texts_in_the_code() -> set[MessageId]:
    """Everything that is to be translated."""
    marked = extract.extract_from_dir(PACKAGE, keywords=extract.DEFAULT_KEYWORDS)
    found: set[Any] = {
        tuple(message) if isinstance(message, tuple | list) else message for _, _, message, _, _ in marked
    }
    return found | set(help_texts()) | set(setting_texts()) | set(OF_CLICK)


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command below `tamsk-pi`, by the words that call it."""

    def below(words: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
        yield words, command
        if isinstance(command, click.Group):
            for name, one in command.commands.items():
                yield from below((*words, name), one)

    for name in COMMANDS:
        yield from below((name,), imported_command(name))
