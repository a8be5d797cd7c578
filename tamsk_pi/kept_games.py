"""The folder of kept games: which file came after which, and new ones that never replace another.

A Pi has no clock chip, so the time in a file's name is a label and decides nothing. The order is that of a number with
which each name begins, one higher than the highest that the folder holds. Files from before there were numbers come
first, by their names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tamsk_pi.journal import SUFFIX, FileStore, create, sync_folder

DISCARDED_SUFFIX: Final = ".discarded.jsonl"

_NUMBER: Final = re.compile(r"(\d{6,9})[-.]")
_SECOND_CHARS: Final = len("2026-01-31T20-15-00")
"""How much of a name without a number tells when its game was begun."""
_TRIES: Final = 1_000


def number_of(name: str) -> int:
    """The number with which a file's name begins; 0 where it has none."""
    found = _NUMBER.match(name)
    return int(found[1]) if found else 0


def in_order(folder: Path) -> list[Path]:
    """The traces in a folder, the oldest first. `OSError` where it cannot be read; none where there is no folder."""
    return sorted((path for path in folder.glob(f"*{SUFFIX}") if not path.name.startswith(".")), key=_age)


def _age(path: Path) -> tuple[int, str, int, str]:
    number = number_of(path.name)
    if number:
        return number, "", 0, path.name
    try:
        # Of two without a number that were begun in one second, the one that was written to last.
        changed_ns = path.stat().st_mtime_ns
    except OSError:
        changed_ns = 0
    return 0, path.name[:_SECOND_CHARS], changed_ns, path.name


def create_next(folder: Path, label: str, beginning: bytes) -> tuple[Path, int]:
    """Create the file of the next game, with these bytes in it; its path, and the file, open to be written.

    `label`: what its name tells besides its number, such as when the game was begun.
    """
    folder.mkdir(parents=True, exist_ok=True)
    number = max((number_of(name) for name in os.listdir(folder)), default=0)
    name = re.sub(r"[^A-Za-z0-9._+-]", "-", label)
    for following in range(number + 1, number + 1 + _TRIES):
        path = folder / f"{following:06d}{f'-{name}' if name else ''}{SUFFIX}"
        try:
            return path, create(path, beginning)
        except FileExistsError:
            continue
    raise FileExistsError(f"no free name in {folder}")


def create_beside(path: Path, beginning: bytes) -> tuple[Path, int]:
    """Create `path` with these bytes in it, or, where there is such a file, one beside it with a number added."""
    stem = path.name.removesuffix(SUFFIX)
    for number in range(1, _TRIES):
        free = path if number == 1 else path.with_name(f"{stem}-{number}{SUFFIX}")
        try:
            return free, create(free, beginning)
        except FileExistsError:
            continue
    raise FileExistsError(f"no free name beside {path}")


def set_aside(path: Path) -> Path:
    """Give a game another name, by which it is not found again as one that was cut off; where it is kept now."""
    stem = path.name.removesuffix(SUFFIX)
    for number in range(1, _TRIES):
        aside = path.with_name(f"{stem}{'' if number == 1 else f'-{number}'}{DISCARDED_SUFFIX}")
        if not aside.exists():
            path.rename(aside)
            sync_folder(path.parent)
            return aside
    raise FileExistsError(f"no free name beside {path}")


class NextGame(FileStore):
    """The file of a new game in a folder of kept games; `created` is told its path, in the writing thread."""

    def __init__(self, folder: Path, label: str, created: Callable[[Path], None] = lambda path: None) -> None:
        super().__init__(folder)
        self._folder: Final = folder
        self._label: Final = label
        self._created: Final = created

    def _create(self, beginning: bytes) -> int:
        path, file = create_next(self._folder, self._label, beginning)
        self._created(path)
        return file


class GameBeside(FileStore):
    """A file of a wished name; where there is one already, the new one stands beside it."""

    def __init__(self, path: Path, created: Callable[[Path], None] = lambda path: None) -> None:
        super().__init__(path)
        self._created: Final = created

    def _create(self, beginning: bytes) -> int:
        path, file = create_beside(self._path, beginning)
        self._created(path)
        return file
