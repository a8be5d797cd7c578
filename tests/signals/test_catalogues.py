"""Every text is translated into every language, the same blanks are in it, and what is shipped is what is in git."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from babel.messages import mofile, pofile
from babel.messages.catalog import Catalog

import tamsk_pi.signals
from tamsk_pi.signals.language import DOMAIN, LANGUAGES, catalogue
from tests.signals.texts import texts_in_the_code

SIGNALS = Path(tamsk_pi.signals.__file__).parent
TRANSLATED = [language for language in LANGUAGES if language != "en"]
REMEDY = "run: make catalogues, and translate what is new"
BLANK = re.compile(r"\{(\w+)(?:![rsa])?\}")
WRITTEN = re.compile(r"--[a-z][a-z-]+|`[^`]+`|https?://[\w.:/]+|[a-z_]+\.[a-z_]+(?=\W|$)|\[[a-z_]+\]|\d+")
"""What is written so and no other way: options, commands, addresses, settings, sections of a file, numbers."""


def path_of(language: str, ending: str) -> Path:
    return SIGNALS / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.{ending}"


def read(language: str) -> Catalog:
    with path_of(language, "po").open("rb") as file:
        return pofile.read_po(file, locale=language)


def forms(text: object) -> tuple[str, ...]:
    return tuple(map(str, text)) if isinstance(text, tuple | list) else (str(text),)


def test_there_are_texts() -> None:
    assert len(texts_in_the_code()) > 100


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_just_the_texts_of_the_code(language: str) -> None:
    known = {tuple(m.id) if isinstance(m.id, tuple | list) else m.id for m in read(language) if m.id}
    assert known == texts_in_the_code(), REMEDY
    assert not read(language).obsolete, REMEDY


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated_in_all_its_forms(language: str) -> None:
    of = read(language)
    for message in of:
        if message.id:
            wanted = of.num_plurals if message.pluralizable else 1
            assert len(forms(message.string)) == wanted, message.id
            assert all(form.strip() for form in forms(message.string)), f"not translated: {message.id!r}"
            assert not message.fuzzy, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_fills_the_same_blanks(language: str) -> None:
    for message in read(language):
        # A name may stand elsewhere in the sentence, and so with another first letter.
        wanted = [{blank.lower() for blank in BLANK.findall(form)} for form in forms(message.id)]
        for number, form in enumerate(forms(message.string) if message.id else ()):
            assert {blank.lower() for blank in BLANK.findall(form)} == wanted[min(number, len(wanted) - 1)], message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_names_the_same_options_settings_and_numbers(language: str) -> None:
    for message in read(language):
        if message.id:
            wanted = {written for form in forms(message.id) for written in WRITTEN.findall(form)}
            told = {written for form in forms(message.string) for written in WRITTEN.findall(form)}
            assert told >= wanted, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_begins_and_ends_as_its_text_does(language: str) -> None:
    for message in read(language):
        if message.id:
            for form in forms(message.string):
                assert form == form.strip()
                assert (form[-1] in ".:”“»") == (forms(message.id)[0][-1] in ".:”"), message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_shipped_is_compiled_from_what_is_written(language: str) -> None:
    compiled = io.BytesIO()
    mofile.write_mo(compiled, read(language))
    # Told as a verdict: the difference of two binary files says nothing, and takes minutes to be made.
    is_current = path_of(language, "mo").read_bytes() == compiled.getvalue()
    assert is_current, REMEDY


@pytest.mark.parametrize("language", TRANSLATED)
def test_plural_forms_are_chosen_by_the_number(language: str) -> None:
    of = catalogue(language)
    one, many = "{count} ring lies there now.", "{count} rings lie there now."
    assert of.ngettext(one, many, 1) != of.ngettext(one, many, 2) == of.ngettext(one, many, 0)
    assert of.ngettext(one, many, 1) != one
