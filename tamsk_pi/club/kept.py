"""The games that a board keeps, as the publisher sees them: files in a folder that only ever grow by whole lines.

This is the only part that knows how those files are named; all that is told to a hub is read through it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
from pathlib import Path
from typing import Final

import attrs

from tamsk_pi.club.topics import Kind
from tamsk_pi.journal import SUFFIX
from tamsk_pi.kept_games import DISCARDED_SUFFIX, number_of
from tamsk_pi.trace import MAX_LINE_BYTES

RULINGS: Final = ".rulings.jsonl"
"""The rulings that the board gave in a game, beside its trace."""

_ODD: Final = re.compile(r"[^A-Za-z0-9._+-]")


def rulings_path(trace: Path) -> Path:
    """Where the rulings of the game are kept whose trace this is."""
    return trace.with_name(_stem(trace.name) + RULINGS)


def _stem(name: str) -> str:
    return name.removesuffix(SUFFIX).removesuffix(DISCARDED_SUFFIX)


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
    """Nothing more comes: its end is written and nobody writes to it any more, or it was set aside."""

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
                names = [e.name for e in entries if e.name.endswith((SUFFIX, DISCARDED_SUFFIX)) and e.is_file()]
        except OSError:
            # The folder comes to be with the first game.
            return []
        found = [game for name in names if (game := self._game(name)) is not None]
        self._known = {name: known for name, known in self._known.items() if name in names}
        # As `kept_games` orders them: those without a number are from before there were any.
        return sorted(found, key=lambda game: (number_of(game.trace.name), _stem(game.trace.name)))

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
            name.endswith(DISCARDED_SUFFIX) or (_ends(tail) and not _is_written_to(path)),
        )
        if game.over or not _ends(tail):
            self._known[name] = (key, game)
        return game


def _name(file: str, header: bytes) -> str:
    stem = _ODD.sub("_", _stem(file))[:120].lstrip("._+-") or "game"
    return f"{stem}-{hashlib.blake2b(header, digest_size=4).hexdigest()}"


def _ends(lines: bytes) -> bool:
    """Whether the last of these whole lines is the end of a trace."""
    last = lines.rstrip(b"\n").rpartition(b"\n")[2]
    return lines.endswith(b"\n") and b'"end": true' in last and b'"format"' not in last


def _is_written_to(path: Path) -> bool:
    """Whether a journal is still open: it locks its file, and may yet take the end back when that is annulled.

    Asked only of files that end, so that no journal finds its new file locked by whoever asks.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        # A file system without locks: then nothing tells, and an end that is taken back is told as another copy.
        return False
    finally:
        os.close(file)
    return False


class ShrunkError(OSError):
    """A file has lost lines that were read before."""


def read_lines(path: Path, offset: int, most: int) -> bytes:
    """Whole lines from `offset` on, at most `most` bytes of them, or one line alone where that is longer.

    They are on the disk itself before they are told: what a power cut could take back must not be known elsewhere.
    The end of a trace waits until its journal is closed, as an end that is annulled is taken back. Empty where there
    is nothing yet. `OSError` where the file cannot be read, `ShrunkError` where it is shorter than `offset`.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return b""
    try:
        if os.fstat(file).st_size < offset:
            raise ShrunkError(f"{path} is shorter than it was")
        data = os.pread(file, most, offset)
        if b"\n" not in data and len(data) == most:
            data = os.pread(file, MAX_LINE_BYTES + 1, offset)
            end = data.find(b"\n") + 1
        else:
            end = data.rfind(b"\n") + 1
        lines = data[:end]
        if _ends(lines) and _is_written_to(path):
            lines = lines[: lines.rfind(b"\n", 0, -1) + 1]
        if lines:
            os.fdatasync(file)
        return lines
    finally:
        os.close(file)


def read_end(path: Path, offset: int) -> bytes:
    """The end of a trace that stands at `offset`, whether its journal is closed or not; empty where there is none."""
    with open(path, "rb") as stream:
        stream.seek(offset)
        data = stream.read(MAX_LINE_BYTES)
    return data if data.count(b"\n") == 1 and _ends(data) else b""
