"""The option that chooses the language of what is said, and errors of usage in the language of the environment."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from tamsk_pi.signals.language import LANGUAGES, chosen_language, say_for

_F = TypeVar("_F", bound=Callable[..., Any])


def language_option() -> Callable[[_F], _F]:
    """`--language`, which gives the command a `language` that is spoken here."""
    return click.option(
        "--language",
        type=click.Choice(["auto", *LANGUAGES]),
        default="auto",
        show_default=True,
        callback=lambda context, option, value: chosen_language(value, os.environ),
        help="What rulings are told in; auto: as the locale says.",
    )


def usage_error(text: str, **blanks: object) -> click.UsageError:
    """The error that ends a command with exit status 2 and this line; `text` is one of the catalogues, in English."""
    return click.UsageError(say_for(os.environ)(text).format_map(blanks))
