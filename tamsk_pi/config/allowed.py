"""What a value may be: one object checks it, and words it for error lines, `config explain` and the docs page."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from datetime import date
from typing import Final, Protocol

import attrs

from tamsk_pi.signals.language import N_, Say, in_english

_SHORT_NAME: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)?")


class Allowed(Protocol):
    """A kind of value. Must: `problem_with(value)` say in English what is wrong, or None; `words(say)` what is allowed,
    in the language of `say`."""

    def problem_with(self, value: object) -> str | None: ...

    def words(self, say: Say = in_english) -> str: ...


def shown(value: object) -> str:
    """A value as TOML has it, shortened for an error line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= 40 else f'"{value[:37]}..."'
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list | tuple):
        text = f"[{', '.join(shown(item) for item in value)}]"
        return text if len(text) <= 60 else f"{text[:57]}..."
    return str(value)


def one_of(names: Iterable[str], say: Say = in_english) -> str:
    """One name or more, of which any may be chosen."""
    *first, last = names
    return say(N_("{first} or {last}")).format(first=", ".join(first), last=last) if first else last


def _expected(allowed: Allowed, value: object) -> str:
    return f"must be {allowed.words()}, not {shown(value)}"


@attrs.frozen
class Whole:
    """A whole number from `low` to `high`."""

    low: int
    high: int

    def problem_with(self, value: object) -> str | None:
        whole = isinstance(value, int) and not isinstance(value, bool)
        return None if whole and self.low <= value <= self.high else _expected(self, value)  # type: ignore[operator]

    def words(self, say: Say = in_english) -> str:
        return say(N_("a whole number from {low} to {high}")).format(low=self.low, high=self.high)


@attrs.frozen
class Flag:
    """True or false."""

    def problem_with(self, value: object) -> str | None:
        return None if isinstance(value, bool) else _expected(self, value)

    def words(self, say: Say = in_english) -> str:
        return say(N_("true or false"))


@attrs.frozen
class Choice:
    """One of several values; `1` is not `true`."""

    values: tuple[object, ...]

    def problem_with(self, value: object) -> str | None:
        found = any(type(value) is type(choice) and value == choice for choice in self.values)
        return None if found else _expected(self, value)

    def words(self, say: Say = in_english) -> str:
        return one_of(map(shown, self.values), say)


@attrs.frozen
class Text:
    """A text of one line, from `shortest` to `longest` characters; `about` says what it holds."""

    about: str
    longest: int = 200
    shortest: int = 0

    def problem_with(self, value: object) -> str | None:
        fits = isinstance(value, str) and self.shortest <= len(value) <= self.longest and value.isprintable()
        return None if fits else _expected(self, value)

    def words(self, say: Say = in_english) -> str:
        text = say(N_("{about} (one line, {shortest} to {longest} characters)"))
        return text.format(about=say(self.about), shortest=self.shortest, longest=self.longest)


@attrs.frozen
class ShortName:
    """A name that may stand in an address: small letters, digits and hyphens, or an empty text."""

    longest: int = 40

    def problem_with(self, value: object) -> str | None:
        fits = isinstance(value, str) and len(value) <= self.longest and _SHORT_NAME.fullmatch(value) is not None
        return None if fits else _expected(self, value)

    def words(self, say: Say = in_english) -> str:
        return say(N_("up to {longest} small letters, digits and hyphens between them")).format(longest=self.longest)


@attrs.frozen
class Day:
    """A date as a text, or an empty text."""

    def problem_with(self, value: object) -> str | None:
        if value == "":
            return None
        try:
            date.fromisoformat(value)  # type: ignore[arg-type]  # what is no text is refused just below
        except (TypeError, ValueError):
            return _expected(self, value)
        return None

    def words(self, say: Say = in_english) -> str:
        return say(N_('a date in quotes such as "2026-11-01", or ""'))


_HOST_NAME: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*(:\d{1,5})?")


@attrs.frozen
class HostName:
    """A host's name in small letters, by itself or with a port."""

    def problem_with(self, value: object) -> str | None:
        fits = isinstance(value, str) and len(value) <= 253 and _HOST_NAME.fullmatch(value) is not None
        return None if fits and int(str(value).partition(":")[2] or 0) <= 65535 else _expected(self, value)

    def words(self, say: Say = in_english) -> str:
        return say(N_('a host name in small letters such as "tamsk.example" or "tamsk.example:8443"'))


@attrs.frozen
class ListOf:
    """A list whose items are all of one kind and differ, at least `shortest` of them (`exactly`: that many)."""

    item: Allowed
    shortest: int = 0
    exactly: int | None = None

    def problem_with(self, value: object) -> str | None:
        if not isinstance(value, list | tuple):
            return _expected(self, value)
        if self.exactly is not None and len(value) != self.exactly:
            return f"must hold {self.exactly} items, not {len(value)}"
        if len(value) < self.shortest:
            return f"must hold {self.shortest} or more items, not {len(value)}"
        wrong = next((problem for problem in map(self.item.problem_with, value) if problem), None)
        if wrong:
            return f"every item {wrong}"
        twice = [item for index, item in enumerate(value) if item in value[:index]]
        return f"holds {shown(twice[0])} twice" if twice else None

    def words(self, say: Say = in_english) -> str:
        return say(N_("a list, each item {item}")).format(item=self.item.words(say))


@attrs.frozen
class TableOf:
    """A table with keys out of `keys` (None: any), each value of one kind."""

    keys: tuple[str, ...] | None
    item: Allowed

    def problem_with(self, value: object) -> str | None:
        if not isinstance(value, dict):
            return _expected(self, value)
        unknown = [key for key in value if self.keys is not None and key not in self.keys]
        if unknown:
            return unknown_key(unknown[0], self.keys or ())
        return next((f"{key} {p}" for key, item in value.items() if (p := self.item.problem_with(item))), None)

    def words(self, say: Say = in_english) -> str:
        if self.keys is None:
            return say(N_("a table, each value {item}")).format(item=self.item.words(say))
        text = say(N_("a table with keys {keys}, each value {item}"))
        return text.format(keys=", ".join(self.keys), item=self.item.words(say))


def unknown_key(key: str, known: Iterable[str]) -> str:
    """The line for a key that nothing reads, with the nearest known one or all of them."""
    names = sorted(known)
    near = difflib.get_close_matches(key, names, n=1)
    return f"unknown key {key}; did you mean {near[0]}?" if near else f"unknown key {key}; known: {', '.join(names)}"
