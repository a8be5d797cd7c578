"""In which language a page is spoken to, and the texts that it shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tamsk_pi.signals.language import LANGUAGES, Language
from tamsk_pi.signals.screen import screen_texts

_CHOICE: Final = re.compile(r"\s*([A-Za-z]{1,8})[A-Za-z0-9-]*\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?))?\s*")
MOST_CHOICES: Final = 32
"""A browser names a few languages; what stands behind so many is not looked at."""

OWN_NAMES: Final = {"en": "English", "de": "Deutsch", "es": "Español"}


def language_for(asked: str, headers: Headers, otherwise: Language) -> Language:
    """The language that was asked for by name; else the best of ours that the browser prefers; else `otherwise`."""
    for language in LANGUAGES:
        if asked == language:
            return language
    liked = sorted(_preferences(headers.get("accept-language", "")), key=lambda choice: -choice[1])
    return next((language for language, quality in liked if quality > 0), otherwise)


def _preferences(header: str) -> Iterator[tuple[Language, float]]:
    for choice in header.split(",")[:MOST_CHOICES]:
        found = _CHOICE.fullmatch(choice)
        for language in LANGUAGES if found else ():
            if found and found[1].lower() == language:
                yield language, float(found[2] or 1)


@cache
def texts_as_json(language: Language) -> bytes:
    """All texts of the page in one language, with the languages that it may choose from."""
    texts = {"language": language, "languages": OWN_NAMES, "texts": screen_texts(language)}
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()


def serve_texts(request: Request, otherwise: Language) -> Response:
    """`/texts/auto`, or a language by its name."""
    asked = request.path_params["language"]
    if asked not in ("auto", *LANGUAGES):
        return PlainTextResponse("there are no texts in this language\n", 404)
    language = language_for(asked, request.headers, otherwise)
    return Response(texts_as_json(language), media_type="application/json", headers={"vary": "accept-language"})
