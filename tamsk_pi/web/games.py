"""The games that can be played again: those kept in a folder, or one alone; one of a folder can be deleted."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

import attrs

from tamsk_pi.journal import SUFFIX
from tamsk_pi.kept_games import number_of
from tamsk_pi.trace import MAX_LINE_BYTES
from tamsk_pi.trace_header import HeaderError, read_header

MOST_LISTED: Final = 200
MAX_TRACE_BYTES: Final = 8_000_000
"""Some thirty times a long game with contacts that bounce."""

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,199}")


class NoSuchGame(LookupError):
    """No game of that name is kept, or its file is none that can be shown."""


@attrs.frozen
class KeptGame:
    """One game of a list. Texts are empty where the trace does not tell."""

    name: str
    bytes: int
    changed_s: int
    """When its file last changed, in seconds since 1970."""
    level: int
    red: str
    black: str
    started_at: str


class Games(Protocol):
    """Where a page finds games."""

    @property
    def alone(self) -> bool:
        """Whether this is one game and no other may be brought."""
        ...

    def listed(self) -> list[KeptGame]:
        """The games, the newest first."""
        ...

    def path(self, name: str) -> Path:
        """The file of a game. `NoSuchGame`."""
        ...

    def delete(self, name: str) -> None:
        """Delete a game for good. `NoSuchGame`; `OSError` where the system does not let it go."""
        ...


class FolderGames:
    """The traces in a folder; those below it are not looked at."""

    alone: Final = False

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder

    def listed(self) -> list[KeptGame]:
        """The newest `MOST_LISTED`; a file that does not begin as a trace does is left out."""
        try:
            with os.scandir(self._folder) as entries:
                found = [(*_age(e.name, e.stat(follow_symlinks=False)), e.name) for e in entries if _is_ours(e.name)]
        except OSError:
            # The folder comes to be with the first game.
            return []
        return list(_described(self._folder / name for *_, name in sorted(found, reverse=True)[:MOST_LISTED]))

    def path(self, name: str) -> Path:
        if not _is_ours(name):
            raise NoSuchGame(name)
        path = self._folder / name
        if _size(path) is None:
            raise NoSuchGame(name)
        return path

    def delete(self, name: str) -> None:
        try:
            self.path(name).unlink()
        except FileNotFoundError:
            raise NoSuchGame(name) from None


def _age(name: str, found: os.stat_result) -> tuple[int, float]:
    """In which order games are listed: by their numbers, and those without by when their files last changed."""
    number = number_of(name)
    return number, 0.0 if number else found.st_mtime


class OneGame:
    """One trace, wherever it lies."""

    alone: Final = True

    def __init__(self, path: Path) -> None:
        self._path: Final = path

    def listed(self) -> list[KeptGame]:
        return list(_described([self._path]))

    def path(self, name: str) -> Path:
        if name != self._path.name:
            raise NoSuchGame(name)
        return self._path

    def delete(self, name: str) -> None:
        """One game alone was named by whoever asked for it, and is nobody's to delete from a page."""
        raise NoSuchGame(name)


def _is_ours(name: str) -> bool:
    return name.endswith(SUFFIX) and _NAME.fullmatch(name) is not None


def _size(path: Path) -> int | None:
    """The size of a regular file (not of what a link points to) that is small enough to be shown."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_size if stat.S_ISREG(found.st_mode) and found.st_size <= MAX_TRACE_BYTES else None


def _described(paths: Iterator[Path] | list[Path]) -> Iterator[KeptGame]:
    for path in paths:
        try:
            with path.open("rb") as stream:
                found, line = os.fstat(stream.fileno()), stream.readline(MAX_LINE_BYTES)
            settings = read_header(json.loads(line.decode("utf-8-sig")))
        except (OSError, ValueError, HeaderError, AttributeError, TypeError, RecursionError):
            continue
        yield KeptGame(
            name=path.name,
            bytes=found.st_size,
            changed_s=int(found.st_mtime),
            level=settings.level,
            red=settings.red,
            black=settings.black,
            started_at=settings.started_at,
        )
