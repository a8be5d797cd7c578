"""What was measured, written into files that people write too: comments and everything else there stay as they are."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Table

from tamsk_pi.calibrate.files import replace_file
from tamsk_pi.calibrate.spread import Runs, timed, tolerance_ms
from tamsk_pi.calibrate.wiring import Lines
from tamsk_pi.config.load import load_settings
from tamsk_pi.config.problems import ConfigError, Problem
from tamsk_pi.config.profile import check_profile
from tamsk_pi.config.settings import Tolerance
from tamsk_pi.rules.board import GLASSES

_NEW_FILE = "# Settings of tamsk-pi; `tamsk-pi config explain KEY` explains each.\n"


def measured_settings(runs: Runs, day: str, in_force: Tolerance) -> dict[str, Any]:
    """`glass_ms`, `tolerance_ms` and `calibrated_on` as the configuration has them, for the glasses that were timed.

    Where not all travelling glasses were timed, the tolerance of those in force can only become wider.
    """
    tolerances = tolerance_ms(runs)
    if "glass" in tolerances and not set(GLASSES) <= set(runs):
        tolerances["glass"] = max(tolerances["glass"], in_force.glass)
    glass_ms = {
        glass: {end: timed(runs_ms).time_ms for end, runs_ms in ends.items() if runs_ms}
        for glass, ends in runs.items()
        if any(ends.values())
    }
    return {"glass_ms": glass_ms, "tolerance_ms": tolerances, "calibrated_on": day}


def with_settings(text: str, measured: Mapping[str, Any]) -> str:
    """A configuration's text with what was measured in it. `ConfigError` where it is no TOML."""
    try:
        document = tomlkit.parse(text or _NEW_FILE)
    except TOMLKitError as error:
        raise ConfigError([Problem("", "", f"no TOML: {error}")]) from None
    document["calibrated_on"] = str(measured["calibrated_on"])
    tolerance = measured["tolerance_ms"]
    if tolerance:
        _set_inline(document, "tolerance_ms", _for_both(document.get("tolerance_ms"), ("glass", "timer")) | tolerance)
    times = measured["glass_ms"]
    if times:
        known = document.get("glass_ms")
        for glass, ends in times.items():
            if not isinstance(document.get("glass_ms"), dict):
                _append_table(document, "glass_ms")
            old = known.get(glass) if isinstance(known, dict) else None
            _set_inline(document["glass_ms"], glass, _for_both(old, ("a", "b")) | ends)
    return tomlkit.dumps(document)


def _for_both(old: object, keys: tuple[str, str]) -> dict[str, int]:
    """The short form, one number for both keys, written out."""
    return dict.fromkeys(keys, int(old)) if isinstance(old, int) else {}


def _append_table(document: tomlkit.TOMLDocument, key: str) -> None:
    if document.as_string().strip():
        document.add(tomlkit.nl())
    document[key] = tomlkit.table()


def _set_inline(parent: Any, key: str, values: Mapping[str, int]) -> None:
    """`key = { ... }` in a table; one that is there, in whatever form, keeps its form, and its other keys."""
    old = parent.get(key)
    if isinstance(old, Table | InlineTable) or (isinstance(old, dict) and old):
        for name, value in values.items():
            old[name] = value
        return
    table = tomlkit.inline_table()
    table.update(values)
    parent[key] = table


def write_settings(path: Path, measured: Mapping[str, Any], files: Iterable[Path]) -> None:
    """Write what was measured into `path`, checked as `config check` does it, together with the other `files`.

    `ConfigError` where the result would not be a configuration, `OSError` where it cannot be written; nothing has
    changed then.
    """
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    new = with_settings(text, measured)
    _check_same(path, text, new, measured)
    trial = path.resolve().with_name(f"{path.name}.trial")
    trial.parent.mkdir(parents=True, exist_ok=True)
    try:
        trial.write_text(new, encoding="utf-8")
        load_settings(files=[trial if file == path else file for file in _with(files, path)])
    finally:
        trial.unlink(missing_ok=True)
    replace_file(path, new)


def _with(files: Iterable[Path], path: Path) -> list[Path]:
    listed = list(files)
    return listed if path in listed else [*listed, path]


def _check_same(path: Path, before: str, after: str, measured: Mapping[str, Any]) -> None:
    """Nothing may differ but what was measured; a library's slip must not cost anyone a setting."""
    old, new = tomllib.loads(before), tomllib.loads(after)
    for raw in (old, new):
        for key in measured:
            raw.pop(key, None)
    if old != new:
        raise ConfigError(
            [Problem(str(path), "", "cannot be changed without changing other settings; set them by hand")]
        )


def settings_lines(measured: Mapping[str, Any]) -> str:
    """What was measured, as lines for a configuration."""
    return with_settings("", measured).removeprefix(_NEW_FILE).strip()


def with_lines_exchanged(text: str, lines: Lines, name: str) -> str:
    """A matrix board's profile in which every row and column has the line on which the program saw it.

    `name`: the new profile's. `ConfigError` where the result would be no profile.
    """
    document = tomlkit.parse(text)
    document["name"] = name
    matrix: Any = document["matrix"]
    for table, seen_as in (("columns", lines.columns), ("rows", lines.rows)):
        old = {key: matrix[table][key].unwrap() for key in matrix[table]}
        for key, seen in seen_as.items():
            _set_kept(matrix[table], key, old[seen])
    new = tomlkit.dumps(document)
    check_profile(tomllib.loads(new), name)
    return new


def with_pins_exchanged(text: str, pins: Mapping[str, str]) -> str:
    """The bridge's table of pins in which every socket has the pin on which the firmware saw it."""
    document = tomlkit.parse(text)
    sockets: Any = document["socket"]
    old = {key: sockets[key].unwrap() for key in pins}
    for socket, seen in pins.items():
        _set_kept(sockets, socket, old[seen])
    return tomlkit.dumps(document)


def _set_kept(table: Any, key: str, value: object) -> None:
    """Set a value and keep the comment behind it."""
    item = tomlkit.item(value)
    item.trivia.comment_ws, item.trivia.comment = table[key].trivia.comment_ws, table[key].trivia.comment
    item.trivia.indent, item.trivia.trail = table[key].trivia.indent, table[key].trivia.trail
    table[key] = item
