"""Board profiles: which line is which, as `hardware/boards/*.toml` say it. The one truth about a board's wiring."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import attrs

from tamsk_pi.config import header
from tamsk_pi.config.allowed import Choice, Flag, ListOf, TableOf, Text, Whole
from tamsk_pi.config.problems import ConfigError, Problem
from tamsk_pi.config.structure import option, read_toml, structure
from tamsk_pi.rules.board import COLUMNS, GLASSES, PLAYERS, SOCKETS, TIMER

ROWS: Final = tuple("12345678")
CROSSINGS: Final = tuple(f"{column}{row}" for row in ROWS for column in COLUMNS)
"""Every crossing of the 8 × 7 matrix, named like a socket; row 8 lies beyond the board."""

HOLDER_CONTACTS: Final = 4

_PACKAGE: Final = Path(__file__).resolve().parent.parent
_LINE = header.LineNumber()
_CROSSING = Choice(CROSSINGS)


@attrs.frozen
class Sensors:
    """What the board senses."""

    sockets: Literal["reed", "hall"] = option(Choice(("reed",)), "the sensor in each socket; a matrix reads reeds only")
    tilt: bool = option(Flag(), "whether the seven glasses have tilt switches")
    rings: tuple[Literal["buttons", "holder"], ...] = option(
        ListOf(Choice(("buttons", "holder")), shortest=1), "ways in which rings are noticed; the first is the default"
    )


@attrs.frozen
class Buttons:
    """At which crossing each button is."""

    red: str = option(_CROSSING, "red's button")
    black: str = option(_CROSSING, "black's button")
    arbiter: str = option(_CROSSING, "the arbiter's button")


@attrs.frozen
class Holders:
    """At which crossings the contacts of each ring holder are, bit 0 first."""

    red: tuple[str, ...] = option(ListOf(_CROSSING, exactly=HOLDER_CONTACTS), "red's holder")
    black: tuple[str, ...] = option(ListOf(_CROSSING, exactly=HOLDER_CONTACTS), "black's holder")


@attrs.frozen
class Matrix:
    """The switch matrix. Lines are BCM numbers."""

    buttons: Buttons
    rows: Mapping[str, int] = option(TableOf(ROWS, _LINE), "line that drives each row low")
    columns: Mapping[str, int] = option(TableOf(tuple(COLUMNS), _LINE), "line that reads each column")
    scan_hz: int = option(Whole(250, 2000), "whole matrices read a second", default=250, unit="Hz")
    row_settle_us: int = option(Whole(0, 200), "from driving a row to reading it", default=10, unit="µs")
    tilt_closed: str = option(Choice(("a", "b")), "the end that is up while a ball switch is closed", default="b")
    sockets: tuple[str, ...] = option(ListOf(Choice(SOCKETS), shortest=1), "the sockets fitted", default=SOCKETS)
    tilt: Mapping[str, str] = option(
        TableOf((*GLASSES, TIMER), _CROSSING), "crossing of each glass's tilt switch", default={}
    )
    holders: Holders | None = None


@attrs.frozen
class Lamps:
    """The lamps of the panel, active high."""

    turn_red: int = option(_LINE, "line of the lamp: red's turn")
    turn_black: int = option(_LINE, "line of the lamp: black's turn")
    alarm: int = option(_LINE, "line of the lamp: something is wrong")
    ready: int = option(_LINE, "line of the lamp: the referee watches")


@attrs.frozen
class BuzzerProfile:
    """A passive buzzer."""

    line: int = option(_LINE, "line of the buzzer")
    lowest_hz: int = option(Whole(20, 10_000), "lowest pitch; lower tones are raised to it", default=220, unit="Hz")
    highest_hz: int = option(
        Whole(20, 10_000), "highest pitch; higher tones are lowered to it", default=3520, unit="Hz"
    )
    longest_ms: int = option(Whole(100, 30_000), "no sequence of tones sounds longer", default=5000, unit="ms")


@attrs.frozen
class SocketLamps:
    """37 lamps on a MAX7219."""

    clock: int = option(Choice((header.SPI0_CLOCK,)), "SPI clock line")
    data: int = option(Choice((header.SPI0_DATA,)), "SPI data line, Pi to chip")
    select: int = option(Choice(header.SPI0_SELECTS), "SPI chip select line")
    intensity: int = option(Whole(0, 15), "brightness", default=4)


@attrs.frozen
class BoardProfile:
    """One matrix board."""

    sensors: Sensors
    matrix: Matrix
    lamps: Lamps
    format: str = option(Choice(("tamsk-board",)), "says that the file is a board profile")
    version: int = option(Choice((1,)), "version of the format")
    kind: str = option(Choice(("matrix",)), "the Pi's own pins")
    name: str = option(Text("the name that `board` in the configuration calls it by", 40, 1), "name")
    title: str = option(Text("a title for people", 120, 1), "title")
    buzzer: BuzzerProfile | None = None
    socket_lamps: SocketLamps | None = None
    reserved: Mapping[str, Sequence[int]] = option(
        TableOf(None, ListOf(_LINE)), "lines that something else needs, by what needs them", default={}
    )


def profile_folder(package: Path = _PACKAGE) -> Path:
    """Where the profiles are: inside the installed package, else in the checkout around it."""
    installed = package / "boards"
    return installed if installed.is_dir() else package.parent / "hardware" / "boards"


def profile_path(board: str) -> Path:
    """The file of a board, which is the name of a profile or a path to one (with a `/` or ending in `.toml`)."""
    if "/" in board or board.endswith(".toml"):
        return Path(board).expanduser()
    folder = profile_folder()
    path = folder / f"{board}.toml"
    if not path.is_file():
        known = sorted(found.stem for found in folder.glob("*.toml"))
        raise ConfigError(
            [Problem("", "board", f'no profile "{board}"; known: {", ".join(known) or "none"}, or a path')]
        )
    return path


def load_profile(board: str) -> BoardProfile:
    """Load and check a profile by name or path; `ConfigError` with everything that is wrong in it."""
    path = profile_path(board)
    return check_profile(read_toml(path), str(path))


def check_profile(raw: Mapping[str, Any], file: str) -> BoardProfile:
    """Build a profile from parsed TOML; `ConfigError` with everything that is wrong in it."""
    profile, problems = structure(raw, BoardProfile, file)
    problems += [Problem(file, key, text) for key, text in (*_line_problems(raw), *_crossing_problems(raw))]
    if profile is not None:
        problems += [Problem(file, key, text) for key, text in _sense_problems(profile)]
    if profile is None or problems:
        raise ConfigError(problems)
    return profile


# The checks below look at the raw table, so that they also speak when something else keeps the profile from being
# built; what has the wrong type there is told by `structure` and passed over here.


def _table(raw: object, *keys: str) -> Mapping[str, Any]:
    for key in keys:
        raw = raw.get(key) if isinstance(raw, Mapping) else None
    return raw if isinstance(raw, Mapping) else {}


def _items(value: object, key: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, list):
        yield from ((f"{key}[{index}]", item) for index, item in enumerate(value))
    else:
        yield key, value


def _claimed_lines(raw: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    tables = [("matrix", "rows"), ("matrix", "columns"), ("lamps",), ("reserved",)]
    claims = [(".".join((*path, key)), value) for path in tables for key, value in _table(raw, *path).items()]
    claims += [("buzzer.line", _table(raw, "buzzer").get("line"))]
    claims += [(f"socket_lamps.{key}", _table(raw, "socket_lamps").get(key)) for key in ("clock", "data", "select")]
    for key, value in claims:
        for item_key, item in _items(value, key):
            if isinstance(item, int) and not isinstance(item, bool):
                yield item_key, item


def _line_problems(raw: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    by_line: dict[int, list[str]] = defaultdict(list)
    for key, line in _claimed_lines(raw):
        if text := header.problem_with_line(line):
            yield key, text
        elif line in header.PULLED_UP_AT_BOOT and key.startswith(("lamps.", "buzzer.")):
            yield key, f"GPIO{line} is pulled up at power-up, before any program runs; allowed are 9 to 27"
        by_line[line].append(key)
    free = [str(line) for line in header.LINES if line not in by_line]
    for line, keys in by_line.items():
        if len(keys) > 1:
            yield keys[-1], f"GPIO{line} is used twice, by {' and '.join(keys)}; free: {', '.join(free) or 'none'}"


def _claimed_crossings(raw: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    matrix = _table(raw, "matrix")
    sockets = matrix.get("sockets", list(SOCKETS))
    if isinstance(sockets, list):
        yield from ((f"matrix.sockets ({name})", name) for name in sockets if name in SOCKETS)
    for table in ("tilt", "buttons", "holders"):
        for key, value in _table(matrix, table).items():
            for item_key, item in _items(value, f"matrix.{table}.{key}"):
                if isinstance(item, str) and item in CROSSINGS:
                    yield item_key, item


def _crossing_problems(raw: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    by_crossing: dict[str, list[str]] = defaultdict(list)
    for key, crossing in _claimed_crossings(raw):
        by_crossing[crossing].append(key)
    rows, columns = _table(raw, "matrix", "rows"), _table(raw, "matrix", "columns")
    for crossing, keys in by_crossing.items():
        column, row = crossing[0], crossing[1]
        lacking = [f"matrix.columns.{column}"] * (column not in columns) + [f"matrix.rows.{row}"] * (row not in rows)
        if lacking:
            yield keys[0], f"crossing {crossing} has no line: {' and '.join(lacking)} missing"
        if len(keys) > 1:
            free = ", ".join(c for c in CROSSINGS if c not in by_crossing and c not in SOCKETS)
            yield keys[-1], f"crossing {crossing} is used twice, by {' and '.join(keys)}; free: {free or 'none'}"


def _sense_problems(profile: BoardProfile) -> Iterator[tuple[str, str]]:
    matrix, sensors = profile.matrix, profile.sensors
    missing = [glass for glass in (*GLASSES, TIMER) if glass not in matrix.tilt]
    if sensors.tilt and missing:
        yield "matrix.tilt", f"lacks {', '.join(missing)}, though sensors.tilt is true"
    if not sensors.tilt and matrix.tilt:
        yield "matrix.tilt", "names tilt switches, though sensors.tilt is false"
    if ("holder" in sensors.rings) != (matrix.holders is not None):
        yield "matrix.holders", 'must be there if and only if sensors.rings names "holder"'
    for side in PLAYERS if matrix.holders is not None else ():
        crossings: tuple[str, ...] = getattr(matrix.holders, side)
        if len({crossing[1] for crossing in crossings}) > 1:
            yield f"matrix.holders.{side}", "its contacts must share one row, so that they are read at one moment"
    if profile.buzzer is not None and profile.buzzer.lowest_hz >= profile.buzzer.highest_hz:
        yield "buzzer.highest_hz", "must be above buzzer.lowest_hz"
