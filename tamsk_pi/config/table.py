"""The settings as a flat table: dotted key, what is allowed, default, unit, purpose, reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_type_hints

import attrs

from tamsk_pi.config.settings import Ends, GlassTimes, Settings, TimerEnds, Tolerance
from tamsk_pi.config.structure import About, about


@attrs.frozen
class Entry:
    """One setting."""

    key: str
    default: object
    about: About


def _entries(cls: type[Any], prefix: str) -> Iterator[Entry]:
    hints = get_type_hints(cls)
    for field in attrs.fields(cls):
        key = f"{prefix}{field.name}"
        found = about(field)
        if found is not None:
            yield Entry(key, field.default, found)
        else:
            yield from _entries(hints[field.name], f"{key}.")


def entries() -> tuple[Entry, ...]:
    """Every setting, in the order of the classes."""
    return tuple(_entries(Settings, ""))


def values(settings: Settings) -> dict[str, object]:
    """The value of every setting, by dotted key."""

    def leaf(key: str) -> object:
        found: object = settings
        for part in key.split("."):
            found = getattr(found, part)
        return found

    return {entry.key: leaf(entry.key) for entry in entries()}


def flatten(raw: Mapping[str, Any], prefix: str = "") -> dict[str, object]:
    """A nested table's values by dotted key."""
    flat: dict[str, object] = {}
    for key, value in raw.items():
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def nest(flat: Mapping[str, object]) -> dict[str, Any]:
    """The nested table of values by dotted key; `ValueError` where one key is both a value and a table."""
    nested: dict[str, Any] = {}
    for key, value in flat.items():
        *path, name = key.split(".")
        table = nested
        for part in path:
            table = table.setdefault(part, {})
            if not isinstance(table, dict):
                raise ValueError(f"{key}: {part} is a value, not a table")
        table[name] = value
    return nested


def spread(raw: Mapping[str, Any]) -> dict[str, Any]:
    """`raw` with the short forms written out: one number for a glass means both ends, one `tolerance_ms` both."""

    def both(value: object, cls: type[Any]) -> object:
        plain = isinstance(value, int) and not isinstance(value, bool)
        return {field.name: value for field in attrs.fields(cls)} if plain else value

    wide = dict(raw)
    if "tolerance_ms" in wide:
        wide["tolerance_ms"] = both(wide["tolerance_ms"], Tolerance)
    times = wide.get("glass_ms")
    if isinstance(times, Mapping):
        hints = get_type_hints(GlassTimes)
        wide["glass_ms"] = {
            glass: both(value, hints[glass]) if hints.get(glass) in (Ends, TimerEnds) else value
            for glass, value in times.items()
        }
    return wide
