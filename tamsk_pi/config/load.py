"""Where settings come from: the machine's file, then the user's, then the command line; the later wins."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from firmware_bridge.inputs import Build
from tamsk_pi.config.allowed import shown
from tamsk_pi.config.problems import ConfigError, Problem
from tamsk_pi.config.profile import BoardProfile
from tamsk_pi.config.settings import Settings
from tamsk_pi.config.structure import read_toml, structure
from tamsk_pi.config.table import entries, flatten, nest, spread

SYSTEM_FILE: Final = Path("/etc/tamsk-pi/config.toml")
COMMAND_LINE: Final = "command line"
DEFAULT: Final = "default"
BRIDGE: Final = "bridge"
"""The `board` that is a Mega with the bridge's firmware. Its wiring is the firmware's: it has no profile of lines."""


@attrs.frozen
class Configuration:
    """The settings in force, and where each was set: a file, `command line` or `default`, by dotted key."""

    settings: Settings
    origins: Mapping[str, str]


def user_file(environment: Mapping[str, str]) -> Path | None:
    """The user's file: `$XDG_CONFIG_HOME/tamsk-pi/config.toml`, by default under `~/.config`; None without a home."""
    folder = environment.get("XDG_CONFIG_HOME") or ""
    home = environment.get("HOME") or ""
    if Path(folder).is_absolute():
        return Path(folder) / "tamsk-pi" / "config.toml"
    return Path(home) / ".config" / "tamsk-pi" / "config.toml" if home else None


def default_files(environment: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """The files that are read where none is named, lowest first; those that are not there are passed over."""
    user = user_file(os.environ if environment is None else environment)
    return tuple(path for path in (SYSTEM_FILE, user) if path is not None and path.exists())


def parse_overrides(pairs: Iterable[str]) -> dict[str, object]:
    """`KEY=VALUE` as given on the command line. A value is TOML (`3`, `true`), or else a text without quotes."""
    overrides: dict[str, object] = {}
    problems = []
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key.strip():
            problems.append(Problem(COMMAND_LINE, "", f"{pair!r} must be KEY=VALUE"))
            continue
        try:
            value: object = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            value = text
        overrides[key.strip()] = value
    if problems:
        raise ConfigError(problems)
    return overrides


def _check_layer(raw: Mapping[str, Any], name: str) -> list[Problem]:
    return structure(raw, Settings, name)[1]


def _cross_problems(settings: Settings, origins: Mapping[str, str]) -> Iterator[Problem]:
    for field in attrs.fields(type(settings.settle_ms)):
        gap, settle = getattr(settings.gap_ms, field.name), getattr(settings.settle_ms, field.name)
        if settle < gap:
            key = f"settle_ms.{field.name}"
            yield Problem(origins[key], key, f"must be {gap} or more, the gap_ms of the same kind, not {settle}")


def load_settings(
    overrides: Mapping[str, object] | None = None, *, files: Iterable[Path] | None = None
) -> Configuration:
    """Read `files` (None: the machine's and the user's), then lay `overrides` (by dotted key) over them.

    Everything wrong in any of them is told at once: `ConfigError`.
    """
    layers: list[tuple[str, dict[str, Any]]] = []
    problems: list[Problem] = []
    for path in default_files() if files is None else files:
        try:
            layers.append((str(path), spread(read_toml(path))))
        except ConfigError as error:
            problems += error.problems
    try:
        layers.append((COMMAND_LINE, spread(nest(overrides or {}))))
    except ValueError as error:
        problems.append(Problem(COMMAND_LINE, "", str(error)))
    for name, raw in layers:
        problems += _check_layer(raw, name)
    if problems:
        raise ConfigError(problems)
    merged: dict[str, object] = {}
    origins = {entry.key: DEFAULT for entry in entries()}
    for name, raw in layers:
        flat = flatten(raw)
        merged |= flat
        origins |= dict.fromkeys(flat, name)
    settings, problems = structure(nest(merged), Settings, COMMAND_LINE)
    if settings is not None:
        problems += _cross_problems(settings, origins)
    if settings is None or problems:
        raise ConfigError(problems)
    return Configuration(settings, origins)


def fit_to_board(configuration: Configuration, profile: BoardProfile) -> Settings:
    """The settings with `rings`, `sockets` and `tilt` as this board has them; `ConfigError` where it has not."""
    settings, sensors = configuration.settings, profile.sensors
    problems = []

    def refuse(key: str, allowed: str) -> None:
        text = f'board "{profile.name}" allows {allowed}, not {shown(getattr(settings, key))}'
        problems.append(Problem(configuration.origins[key], key, text))

    rings = sensors.rings[0] if settings.rings == "board" else settings.rings
    if rings not in sensors.rings:
        refuse("rings", " or ".join(sensors.rings))
    sockets = sensors.sockets if settings.sockets == "board" else settings.sockets
    if sockets != sensors.sockets:
        refuse("sockets", sensors.sockets)
    if settings.caps == "bridge":
        refuse("caps", '"none" or "pi"')
    tilt = sensors.tilt if settings.tilt == "board" else settings.tilt
    if tilt and not sensors.tilt:
        refuse("tilt", "false")
    if problems:
        raise ConfigError(problems)
    return attrs.evolve(settings, rings=rings, sockets=sockets, tilt=tilt)


def fit_to_bridge(configuration: Configuration) -> Settings:
    """The settings with `rings`, `sockets` and `tilt` for a bridge: what its firmware is built for is known only once
    it is there, so what is left to the board is what a bridge usually has. `ConfigError` for what it cannot have."""
    settings = configuration.settings
    cells = attrs.asdict(settings.bridge.load_cell)
    keys = [f"bridge.load_cell.{player}.ring" for player, cell in cells.items() if cell["ring"] == 0]
    if settings.rings == "holder" and keys:
        text = 'must not be 0 where rings = "holder": measure it with tamsk-pi calibrate holders'
        raise ConfigError([Problem(configuration.origins[key], key, text) for key in keys])
    if settings.caps == "pi":
        text = 'must be "none" or "bridge" on a bridge, whose Mega hears the caps, not "pi"'
        raise ConfigError([Problem(configuration.origins["caps"], "caps", text)])
    return attrs.evolve(
        settings,
        rings="buttons" if settings.rings == "board" else settings.rings,
        sockets="reed" if settings.sockets == "board" else settings.sockets,
        tilt=True if settings.tilt == "board" else settings.tilt,
    )


def build_of(fitted: Settings) -> Build:
    """What a bridge's firmware must be built for under settings that `fit_to_bridge` gave."""
    if fitted.sockets == "board" or fitted.rings == "board":
        raise ValueError("settings that were not fitted to a board")
    return Build(fitted.sockets, fitted.rings, "caps" if fitted.caps == "bridge" else "wired")


def trace_header(settings: Settings) -> dict[str, object]:
    """The header of a trace played under these settings, without the board's state (`occupied`, `up`).

    `trace_header.read_header` takes it. The settings are those that `fit_to_board` gives.
    """
    header: dict[str, object] = {"format": "tamsk-trace", "version": 1}
    for key in ("level", "rules", "setup", "rings", "sockets", "tilt"):
        header[key] = getattr(settings, key)
    for key in ("tolerance_ms", "glass_ms", "gap_ms", "settle_ms"):
        header[key] = attrs.asdict(getattr(settings, key))
    windows = ("release_ms", "flip_grace_ms", "ring_window_ms", "penalty_window_ms")
    for key in (*windows, "confirm_missed_turning"):
        header[key] = getattr(settings, key)
    header["weak_flickers"] = settings.faults.weak_flickers_per_min
    texts = {"red": settings.names.red, "black": settings.names.black, "event": settings.event}
    return header | {key: text for key, text in texts.items() if text}


def games_folder(settings: Settings, environment: Mapping[str, str]) -> Path | None:
    """Where games are kept; None where nothing is set and the environment names neither a state folder nor a home."""
    if settings.journal.folder:
        return Path(settings.journal.folder).expanduser()
    state = environment.get("STATE_DIRECTORY", "").split(":")[0]
    if state:
        return Path(state) / "games"
    data, home = environment.get("XDG_DATA_HOME") or "", environment.get("HOME") or ""
    if Path(data).is_absolute():
        return Path(data) / "tamsk-pi" / "games"
    return Path(home) / ".local" / "share" / "tamsk-pi" / "games" if home else None
