"""Which language is spoken, and its catalogue.

The catalogues are gettext's, in `locale/`; `make catalogues` brings them up to date with the texts in the code.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, get_args

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

Language = Literal["en", "de", "es"]

LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
"""English is what the texts in the code are written in, and what is spoken where nothing else was asked for."""

DOMAIN: Final = "tamsk-pi"

# In the order in which gettext itself looks at them.
_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


Say = Callable[[str], str]
"""Gives an English text in the language that is spoken."""


def in_english(text: str) -> str:
    """Says what stands in the code."""
    return text


def N_(text: str) -> str:
    """Mark a text for the catalogues; it is translated where it is said."""
    return text


def language_of(environment: Mapping[str, str]) -> Language:
    """The language that the locale in these environment variables asks for; English where it is none of ours."""
    for variable in _VARIABLES:
        if value := environment.get(variable):
            for locale in value.split(":"):
                spoken = re.split(r"[-_.@]", locale)[0].lower()
                for language in LANGUAGES:
                    if spoken == language:
                        return language
            return "en"
    return "en"


def chosen_language(wanted: str | None, environment: Mapping[str, str]) -> Language:
    """The language of that name; where it is None or `auto`, that of the locale. `ValueError` for any other name."""
    if wanted is None or wanted == "auto":
        return language_of(environment)
    for language in LANGUAGES:
        if wanted == language:
            return language
    raise ValueError(f"{wanted!r} is not spoken here; allowed: auto, {', '.join(LANGUAGES)}")


def locale_folder() -> Traversable:
    """Where the catalogues are, each in `LANGUAGE/LC_MESSAGES/`."""
    # Imported only here: where English is spoken, a quarter of the time to show a help text would go into it.
    from importlib import resources

    return resources.files(__package__) / "locale"


@cache
def catalogue(language: Language) -> gettext.NullTranslations:
    """The catalogue of a language. `FileNotFoundError` where the installation lacks it."""
    if language == "en":
        return gettext.NullTranslations()
    file = locale_folder() / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
    with file.open("rb") as compiled:
        return gettext.GNUTranslations(compiled)


def say_for(environment: Mapping[str, str]) -> Say:
    """Says texts in the language that the locale in these environment variables asks for."""
    return catalogue(language_of(environment)).gettext
