"""From a parsed TOML table to an attrs object, strictly: nothing is converted, nothing is overlooked.

A field made by `option()` carries what is allowed, its unit, what it is for and why its default is what it is.
cattrs walks the classes and collects every failure; here they become `Problem`s with the key they are about.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, override

from tamsk_pi.config.allowed import Allowed, shown, unknown_key
from tamsk_pi.config.problems import ConfigError, Problem

T = TypeVar("T")

_ABOUT: Final = "tamsk_pi.about"

LARGEST_FILE_BYTES: Final = 1_000_000


@attrs.frozen
class About:
    """What a field's metadata says of it."""

    allowed: Allowed
    doc: str
    unit: str
    reason: str


def option(allowed: Allowed, doc: str, *, default: Any = attrs.NOTHING, unit: str = "", reason: str = "") -> Any:
    """An attrs field with what is allowed in it. `doc`: what it is for; `reason`: why the default is what it is.

    The default itself must be allowed: `ValueError` else.
    """
    if default is not attrs.NOTHING and (problem := allowed.problem_with(default)):
        raise ValueError(f"default of {doc!r}: {problem}")
    return attrs.field(default=default, metadata={_ABOUT: About(allowed, doc, unit, reason)})


def about(field: attrs.Attribute[Any]) -> About | None:
    """What `option()` said of a field; None for a field that is a table of its own."""
    found = field.metadata.get(_ABOUT)
    return found if isinstance(found, About) else None


def _checker(allowed: Allowed) -> Callable[[Any, Any], Any]:
    def check(value: Any, _: Any) -> Any:
        if problem := allowed.problem_with(value):
            raise ValueError(problem)
        return tuple(value) if isinstance(value, list) else value

    return check


def _structure_class(cls: type[T], converter: cattrs.Converter) -> Callable[[Any, Any], T]:
    overrides = {
        field.name: override(struct_hook=_checker(found.allowed))
        for field in attrs.fields(cls)  # type: ignore[arg-type]
        if (found := about(field)) is not None
    }
    structure = make_dict_structure_fn(
        cls,
        converter,
        _cattrs_forbid_extra_keys=True,
        **overrides,  # type: ignore[arg-type]
    )

    def checked(value: Any, target: Any) -> T:
        if not isinstance(value, Mapping):
            raise ValueError(f"must be a table, not {shown(value)}")
        return structure(value, target)

    return checked


def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(detailed_validation=True)
    converter.register_structure_hook_factory(attrs.has, lambda cls: _structure_class(cls, converter))
    return converter


def _walk(error: BaseException, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(error, cattrs.ClassValidationError):
        with_key, without_key = error.group_exceptions()
        for inner, note in with_key:
            yield from _walk(inner, (*path, note.name))
        for other in without_key:
            yield from _walk(other, path)
    elif isinstance(error, cattrs.ForbiddenExtraKeysError):
        known = [field.name for field in attrs.fields(error.cl)]
        for key in sorted(error.extra_fields):
            yield path, unknown_key(key, known)
    elif isinstance(error, KeyError):
        yield path, "missing"
    else:
        yield path, str(error)


def structure(raw: Mapping[str, Any], cls: type[T], file: str) -> tuple[T | None, list[Problem]]:
    """Build `cls` from `raw`, or tell everything in `file` that keeps it from being built."""
    try:
        return _converter().structure(raw, cls), []
    except cattrs.BaseValidationError as error:
        return None, [Problem(file, ".".join(path), text) for path, text in _walk(error, ())]


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file; `ConfigError` with one line where it cannot be read or is none."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE_BYTES + 1)
    except OSError as error:
        raise ConfigError([Problem(str(path), "", error.strerror or str(error))]) from error
    if len(data) > LARGEST_FILE_BYTES:
        raise ConfigError([Problem(str(path), "", f"larger than {LARGEST_FILE_BYTES} bytes")])
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError([Problem(str(path), "", f"no UTF-8 text (byte {error.start})")]) from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([Problem(str(path), "", f"no TOML: {error}")]) from error
