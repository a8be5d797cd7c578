"""SVG as an element tree, so that names and texts are escaped by the writer, and how wide a text is at most."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

NAMESPACE: Final = "http://www.w3.org/2000/svg"

_THIN: Final = frozenset("iljI.,:;'!| ")
_NARROW: Final = frozenset("ftr()[]-’")
_WIDE: Final = frozenset("mwMW@%…")
_THIN_EM, _NARROW_EM, _LOWER_EM, _OTHER_EM, _WIDE_EM = 0.34, 0.42, 0.64, 0.75, 1.03
"""Those of wide letters (DejaVu Sans, Verdana); in most fonts a text is narrower."""


def draw(name: str, attributes: dict[str, object] | None = None, *children: Element | None, text: str = "") -> Element:
    """An element; numbers are rounded to 2 decimals, children that are None left out."""
    element = Element(name, {key: _attribute(value) for key, value in (attributes or {}).items() if value is not None})
    element.text = plain(text) or None
    element.extend(child for child in children if child is not None)
    return element


def _attribute(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return plain(str(value))


def plain(text: str) -> str:
    """A text on one line without what XML cannot hold: other characters than printable ones become spaces."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split(" "))


def picture(title: str, description: str, attributes: dict[str, object], *children: Element | None) -> Element:
    """A group that is one picture to a screen reader: a name, and what it shows in words."""
    named = {"role": "img", "aria-label": f"{title}. {description}" if description else title, **attributes}
    return draw("g", named, draw("title", text=title), draw("desc", text=description), *children)


def write(element: Element) -> str:
    """The element as XML text."""
    return ElementTree.tostring(element, encoding="unicode")


# -- text


BOLD: Final = 1.14
"""How much wider bold letters are."""


def width_of(text: str, size: float) -> float:
    """How wide a text is at most in the fonts asked for, in the unit of `size`, the font's."""
    return size * sum(map(_em, text))


def _em(character: str) -> float:
    if unicodedata.combining(character):
        return 0.0
    if character in _THIN:
        return _THIN_EM
    if character in _NARROW:
        return _NARROW_EM
    if character in _WIDE or unicodedata.east_asian_width(character) in "WF":
        return _WIDE_EM
    return _LOWER_EM if character.islower() or character.isdigit() else _OTHER_EM


def wrapped(text: str, size: float, width: float) -> Iterator[str]:
    """The text in lines no wider than `width`; a word that is wider is broken."""
    line = ""
    for word in re.findall(r"\S+", text):
        if line and width_of(f"{line} {word}", size) <= width:
            line = f"{line} {word}"
            continue
        if line:
            yield line
        while width_of(word, size) > width and len(word) > 1:
            fits = 1
            while fits < len(word) - 1 and width_of(word[: fits + 1], size) <= width:
                fits += 1
            yield word[:fits]
            word = word[fits:]
        line = word
    if line:
        yield line


def fitted(text: str, size: float, width: float) -> str:
    """The text, cut with an ellipsis where it would be wider than `width`."""
    if width_of(text, size) <= width:
        return text
    while text and width_of(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def words(x: float, y: float, size: float, text: str, kind: str = "", **more: object) -> Element:
    """One line of text; `kind` is its class in the sheet's style."""
    attributes = {key.replace("_", "-"): value for key, value in more.items()}
    return draw("text", {"x": x, "y": y, "font-size": size, "class": kind or None, **attributes}, text=text)
