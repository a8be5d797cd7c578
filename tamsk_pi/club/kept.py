"""The games that a board keeps, as the publisher sees them: files in a folder that only ever grow by whole lines.

This is the only part that knows how those files are named; all that is told to a hub is read through it.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Final

import attrs

from tamsk_pi.club.topics import Kind
from tamsk_pi.journal import SUFFIX
from tamsk_pi.trace import MAX_LINE_BYTES

DISCARDED: Final = ".discarded.jsonl"
"""How a game ends that was set aside."""
RULINGS: Final = ".rulings.jsonl"
"""The rulings that the board gave in a game, beside its trace."""

_ODD: Final = re.compile(r"[^A-Za-z0-9._+-]")


def rulings_path(trace: Path) -> Path:
    """Where the rulings of the game are kept whose trace this is."""
    return trace.with_name(_stem(trace.name) + RULINGS)


def _stem(name: str) -> str:
    return name.removesuffix(SUFFIX).removesuffix(DISCARDED)


@attrs.frozen
class KeptGame:
    """One game of the folder."""

    name: str
    """Names it for the hub: the file's, and a sum of the header, as two machines may choose one name."""
    header: str
    """The first line, without its newline."""
    trace: Path
    rulings: Path
    over: bool
    """Nothing more comes: it was ended, or set aside."""

    def path(self, kind: Kind) -> Path:
        return self.trace if kind == "lines" else self.rulings


class KeptGames:
    """The games in a folder, the oldest first. Nothing here changes a file."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._known: dict[str, tuple[tuple[int, int], KeptGame]] = {}

    def listed(self) -> list[KeptGame]:
        """All that can be told. A file that cannot be read now is looked at again the next time."""
        try:
            with os.scandir(self._folder) as entries:
                names = [e.name for e in entries if e.name.endswith((SUFFIX, DISCARDED)) and e.is_file()]
        except OSError:
            # The folder comes to be with the first game.
            return []
        found = [game for name in names if (game := self._game(name)) is not None]
        self._known = {name: known for name, known in self._known.items() if name in names}
        return sorted(found, key=lambda game: _stem(game.trace.name))

    def _game(self, name: str) -> KeptGame | None:
        path = self._folder / name
        try:
            status = path.stat()
            key = (status.st_size, status.st_mtime_ns)
            known = self._known.get(name)
            if known is not None and known[0] == key:
                return known[1]
            with path.open("rb") as stream:
                header = stream.readline(MAX_LINE_BYTES + 1)
                stream.seek(max(0, status.st_size - MAX_LINE_BYTES))
                tail = stream.read(MAX_LINE_BYTES)
        except OSError:
            return None
        if not header.endswith(b"\n"):
            return None
        game = KeptGame(
            _name(name, header),
            header[:-1].decode("utf-8", "replace"),
            path,
            rulings_path(path),
            name.endswith(DISCARDED) or _has_ended(tail),
        )
        self._known[name] = (key, game)
        return game


def _name(file: str, header: bytes) -> str:
    stem = _ODD.sub("_", _stem(file))[:120].lstrip("._+-") or "game"
    return f"{stem}-{hashlib.blake2b(header, digest_size=4).hexdigest()}"


def _has_ended(tail: bytes) -> bool:
    last = tail.rstrip(b"\n").rpartition(b"\n")[2]
    return tail.endswith(b"\n") and b'"end"' in last and b'"event"' not in last


def read_lines(path: Path, offset: int, most: int) -> bytes:
    """Whole lines from `offset` on, at most `most` bytes of them, or one line alone where that is longer.

    They are on the disk itself before they are told: what a power cut could take back must not be known elsewhere.
    Empty where there are none yet. `OSError` where the file cannot be read.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return b""
    try:
        data = os.pread(file, most, offset)
        if b"\n" not in data and len(data) == most:
            data = os.pread(file, MAX_LINE_BYTES + 1, offset)
            end = data.find(b"\n") + 1
        else:
            end = data.rfind(b"\n") + 1
        if end:
            os.fdatasync(file)
        return data[:end]
    finally:
        os.close(file)
