"""A trace's header: read with every problem told at once, and written.

Source: sensing.md, "The trace format". Unknown keys are refused, so that a misspelt setting is not silently ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tamsk_pi.rules.board import GLASSES, TIMER, is_socket
from tamsk_pi.rules.editions import EDITIONS
from tamsk_pi.rules.position import Position, PositionError
from tamsk_pi.sensing.edges import INPUT_KINDS, UPS
from tamsk_pi.sensing.settings import GAP_MS, SETTLE_MS, Settings, Tolerance, default_glass_ms, default_up

FORMAT: Final = "tamsk-trace"
VERSION: Final = 1
MAX_MS: Final = 1_000_000_000_000
ALL_GLASSES: Final = (*GLASSES, TIMER)

_CHOICES: Final[Mapping[str, tuple[object, ...]]] = {
    "format": (FORMAT,),
    "version": (VERSION,),
    "level": (1, 2, 3),
    "rules": tuple(EDITIONS),
    "rings": ("stack", "holder", "buttons"),
    "sockets": ("reed", "hall"),
    "tilt": (True, False),
    "setup": ("corners", "free"),
    "confirm_missed_turning": (True, False),
}
_REQUIRED: Final = ("format", "version", "level")
_TEXTS: Final = ("red", "black", "event", "started_at", "boot")
_WINDOWS: Final = ("release_ms", "flip_grace_ms", "ring_window_ms", "penalty_window_ms")


class HeaderError(ValueError):
    """A header that is none; the text names every problem."""


def is_whole(value: object, least: int = 0) -> bool:
    """Whether a JSON value is a whole number of a size that a time or count may have (true and false are none)."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= MAX_MS


class _Reader:
    """Reads one header, gathering problems."""

    def __init__(self, raw: Mapping[str, object]) -> None:
        self.raw = raw
        self.problems: list[str] = []

    def read(self) -> Settings:
        known: dict[str, Callable[[str], object]] = {key: self._choice for key in _CHOICES}
        known |= {key: self._text for key in _TEXTS} | {key: self._window for key in _WINDOWS}
        known |= {"tolerance_ms": self._tolerance, "glass_ms": self._glass_ms, "occupied": self._occupied}
        known |= {"position": self._position, "weak_flickers": self._number, "origin_ms": self._number}
        known |= {"up": self._up, "gap_ms": self._by_kind, "settle_ms": self._by_kind}
        values: dict[str, object] = {}
        for key in self.raw:
            if key in known:
                values[key] = known[key](key)
            else:
                self.problems.append(f"unknown key {shown(key)}")
        self.problems += [f"{key} is missing" for key in _REQUIRED if key not in self.raw]
        if self.problems:
            raise HeaderError("; ".join(self.problems))
        if values.get("setup") == "free":
            values.setdefault("occupied", ())
        if values.get("position"):
            if values.get("setup") == "free":
                raise HeaderError("position is for setup corners only")
            values.setdefault("occupied", occupied_by(str(values["position"])))
        values["tolerance"] = values.pop("tolerance_ms", Tolerance())
        del values["format"], values["version"]
        return Settings(**values)  # type: ignore[arg-type]  # each value was checked by its key's reader

    def _problem(self, key: str, allowed: str) -> None:
        self.problems.append(f"{key} is {shown(self.raw[key])}; allowed: {allowed}")

    def _choice(self, key: str) -> object:
        value, allowed = self.raw[key], _CHOICES[key]
        if not any(value == a and type(value) is type(a) for a in allowed):
            self._problem(key, ", ".join(shown(a) for a in allowed))
        return value

    def _text(self, key: str) -> object:
        if not isinstance(self.raw[key], str):
            self._problem(key, "a text")
        return self.raw[key]

    def _window(self, key: str) -> object:
        if not is_whole(self.raw[key]):
            self._problem(key, "whole ms")
        return self.raw[key]

    def _number(self, key: str) -> object:
        if not is_whole(self.raw[key]):
            self._problem(key, "a whole number from 0")
        return self.raw[key]

    def _tolerance(self, key: str) -> object:
        value = self.raw[key]
        if is_whole(value):
            return Tolerance(glass_ms=value, timer_ms=value)  # type: ignore[arg-type]
        if isinstance(value, dict) and value.keys() <= {"glass", "timer"} and all(map(is_whole, value.values())):
            return Tolerance(glass_ms=value.get("glass", 0), timer_ms=value.get("timer", 0))
        self._problem(key, 'whole ms, or {"glass": ms, "timer": ms}')
        return None

    def _glass_ms(self, key: str) -> object:
        value, found = self.raw[key], default_glass_ms()
        if not isinstance(value, dict):
            self._problem(key, "an object from glass to ms")
            return None
        for glass, ms in value.items():
            if glass not in ALL_GLASSES:
                self.problems.append(f"{key} names {shown(glass)}; allowed: {', '.join(ALL_GLASSES)}")
            elif is_whole(ms, 1):
                found[glass] = {"a": ms, "b": ms}
            elif isinstance(ms, dict) and ms.keys() == {"a", "b"} and all(is_whole(m, 1) for m in ms.values()):
                found[glass] = dict(ms)
            else:
                self.problems.append(f'{key} of {glass} is {shown(ms)}; allowed: ms above 0, or {{"a": ms, "b": ms}}')
        return found

    def _occupied(self, key: str) -> object:
        value = self.raw[key]
        if not is_socket_list(value):
            self._problem(key, "a list of different sockets")
            return None
        return tuple(sorted(value))  # type: ignore[call-overload]

    def _position(self, key: str) -> object:
        value = self.raw[key]
        if not isinstance(value, str):
            self._problem(key, "a text")
            return ""
        try:
            return settled_position(value)
        except PositionError as error:
            self.problems.append(f"{key}: {error}")
            return ""

    def _up(self, key: str) -> object:
        value = self.raw[key]
        if not is_up_map(value):
            self._problem(key, 'an object from glass to "a" or "b"')
            return None
        return default_up() | value  # type: ignore[operator]

    def _by_kind(self, key: str) -> object:
        value = self.raw[key]
        if not (isinstance(value, dict) and all(k in INPUT_KINDS and is_whole(ms, 1) for k, ms in value.items())):
            self._problem(key, f"an object from {', '.join(INPUT_KINDS)} to whole ms above 0")
            return None
        return dict(GAP_MS if key == "gap_ms" else SETTLE_MS) | value


def settled_position(text: str) -> str:
    """The text of a position that a game may begin from, in its one form; `PositionError` names what is wrong."""
    position = Position.parse(text)
    if position.setup != "corners":
        raise PositionError(["all six glasses must stand on the board"])
    return position.text()


def occupied_by(text: str) -> tuple[str, ...]:
    """The sockets in which glasses stand in a position."""
    return tuple(sorted(Position.parse(text).glasses.values()))


def is_socket_list(value: object) -> bool:
    """Whether a JSON value is a list of different sockets."""
    return isinstance(value, list) and all(map(is_socket, value)) and len(set(value)) == len(value)


def is_up_map(value: object) -> bool:
    """Whether a JSON value maps glasses to the end that is up."""
    return isinstance(value, dict) and all(g in ALL_GLASSES and up in UPS for g, up in value.items())


def shown(value: object) -> str:
    """A JSON value as it is shown in an error: in one line, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def read_header(raw: Mapping[str, object]) -> Settings:
    """The settings that a header's JSON object carries; `HeaderError` names everything that is wrong with it."""
    return _Reader(raw).read()


def write_header(settings: Settings) -> dict[str, object]:
    """The header's JSON object for these settings, whole, so that a later default changes nothing."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "level": settings.level,
        "rules": settings.rules,
        "rings": settings.rings,
        "sockets": settings.sockets,
        "tilt": settings.tilt,
        "setup": settings.setup,
        "tolerance_ms": {"glass": settings.tolerance.glass_ms, "timer": settings.tolerance.timer_ms},
        "glass_ms": {g: dict(ends) for g, ends in settings.glass_ms.items()},
        "occupied": list(settings.occupied),
        "up": dict(settings.up),
        "gap_ms": dict(settings.gap_ms),
        "settle_ms": dict(settings.settle_ms),
        "release_ms": settings.release_ms,
        "flip_grace_ms": settings.flip_grace_ms,
        "ring_window_ms": settings.ring_window_ms,
        "penalty_window_ms": settings.penalty_window_ms,
        "confirm_missed_turning": settings.confirm_missed_turning,
        "weak_flickers": settings.weak_flickers,
        **({"position": settings.position} if settings.position else {}),
        **({"origin_ms": settings.origin_ms} if settings.boot else {}),
        **{key: text for key in _TEXTS if (text := getattr(settings, key))},
    }
