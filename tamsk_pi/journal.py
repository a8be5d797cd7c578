"""The journal: the trace of a live game, written while it is played.

It never blocks the game and never leaves a file that cannot be read: a thread of its own writes whole lines, syncs
them at every ruling and at least every 250 ms, and takes a line that could only be written in part back again. While
the store fails, lines are kept and tried again; `problem` says what is wrong. Source: architecture.md, "Manners of
failure": a store that fails puts `ready` out, and play goes on.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import queue
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

import attrs

SUFFIX: Final = ".trace.jsonl"
SYNC_EVERY_S: Final = 0.25
RETRY_EVERY_S: Final = 1.0


class Store(Protocol):
    """Where a journal's bytes go. Every call may raise `OSError`."""

    def append(self, data: bytes) -> None:
        """Write `data` behind what is there, whole or not at all."""
        ...

    def sync(self) -> None:
        """Have everything appended so far on the disk itself."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class ShrinkingStore(Protocol):
    """A store whose end can be taken off again."""

    def take_back(self, size: int) -> None:
        """Take so many bytes off the end. May raise `OSError`."""
        ...


class FileStore:
    """A file that only grows by whole appends. It is created with its first, never without a header.

    A file that is there already is never replaced (`FileExistsError`), and while it is written to it is locked, so
    that nobody takes its game for one that was cut off.
    """

    def __init__(self, path: Path, *, size: int | None = None, lacks_newline: bool = False) -> None:
        """`size`: go on with the file that is there after its first `size` bytes; None: it is a new one.

        `lacks_newline`: the last of those lines has none; it is added first.
        """
        self._path = path
        self._file: int | None = None
        self._size = 0
        if size is not None:
            self._open(size)
            if lacks_newline:
                self.append(b"\n")

    def _open(self, size: int) -> None:
        file = os.open(self._path, os.O_WRONLY | os.O_CLOEXEC)
        self._take(file, size)
        os.ftruncate(file, size)

    def _take(self, file: int, size: int) -> None:
        self._file, self._size = file, size
        with contextlib.suppress(OSError):
            # A file system without locks keeps the game all the same.
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _create(self, beginning: bytes) -> int:
        return create(self._path, beginning)

    def append(self, data: bytes) -> None:
        if self._file is None:
            self._take(self._create(data), len(data))
            return
        written = 0
        try:
            while written < len(data):
                written += os.pwrite(self._file, data[written:], self._size + written)
        except OSError:
            # A line must never stand half written with another one behind it.
            os.ftruncate(self._file, self._size)
            raise
        self._size += len(data)

    def take_back(self, size: int) -> None:
        if self._file is not None:
            os.ftruncate(self._file, self._size - size)
            self._size -= size

    def sync(self) -> None:
        if self._file is not None:
            os.fsync(self._file)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def create(path: Path, beginning: bytes) -> int:
    """Create a file with these bytes in it, on the disk itself; the file, open to be written.

    `FileExistsError`: there is one, and it is left alone. A new one
    appears whole or not at all, wherever the file system knows hard links.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = _create(path, beginning)
    sync_folder(path.parent)
    return file


def _create(path: Path, beginning: bytes) -> int:
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        file = _write_new(part, beginning)
        try:
            os.link(part, path)
        except OSError as error:
            os.close(file)
            if isinstance(error, FileExistsError):
                raise
            # No hard links here (a stick with FAT): a reader passes over a header that was cut short.
            file = _write_new(path, beginning)
    finally:
        part.unlink(missing_ok=True)
    return file


def _write_new(path: Path, data: bytes) -> int:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        written = 0
        while written < len(data):
            written += os.write(file, data[written:])
        os.fsync(file)
    except OSError:
        os.close(file)
        path.unlink(missing_ok=True)
        raise
    return file


def sync_folder(folder: Path) -> None:
    """Have the folder's own entries on the disk."""
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


@attrs.frozen
class _Batch:
    lines: bytes
    urgent: bool
    """Holds a ruling's edges: synced at once."""
    last: bool = False
    take_back: int = 0
    """So many bytes are to be taken off the end first."""


class Journal:
    """Writes lines in a thread of its own. `write` and `problem` may be used from any thread and return at once.

    Keep first, tell then: `mark` and `wait` tell whether what was written is on the disk.
    """

    def __init__(self, open_store: Callable[[], Store]) -> None:
        """`open_store` makes the store; it is called by the writing thread, again after each failure to open."""
        self._open_store: Final = open_store
        self._inbox: queue.SimpleQueue[_Batch] = queue.SimpleQueue()
        self._problem: str | None = None
        self._written = 0
        self._kept = 0
        self._news: Final = threading.Condition()
        self._thread: Final = threading.Thread(target=self._write_all, name="journal", daemon=True)
        self._thread.start()

    @property
    def problem(self) -> str | None:
        """What is wrong with the store now, in one line; None while everything is kept."""
        return self._problem

    def write(self, lines: str, *, urgent: bool = False) -> None:
        """Add whole lines, each with its newline; `urgent` ones are synced without waiting."""
        self._written += 1
        self._inbox.put(_Batch(lines.encode(), urgent))

    def take_back(self, line: str) -> None:
        """Take back the last line, which was this one."""
        self._written += 1
        self._inbox.put(_Batch(b"", True, take_back=len(line.encode())))

    def mark(self) -> int:
        """How much has been written by now, for `wait`; from the thread that writes."""
        return self._written

    def has_kept(self, mark: int) -> bool:
        """Whether everything up to a mark is on the disk itself."""
        return self._kept >= mark

    def wait(self, mark: int, timeout_s: float) -> bool:
        """Wait until everything up to a mark is on the disk; false where that takes too long or the store fails."""
        with self._news:
            self._news.wait_for(lambda: self._kept >= mark or self._problem is not None, timeout_s)
        return self.has_kept(mark)

    def close(self, timeout_s: float = 2.0) -> None:
        """Write and sync what is left, as far as the store allows within `timeout_s`."""
        self._inbox.put(_Batch(b"", True, last=True))
        self._thread.join(timeout_s)

    def _write_all(self) -> None:
        store: Store | None = None
        pending = b""
        unsynced_since_s: float | None = None
        urgent = last = False
        taken = cut = 0
        while not (last and not pending and unsynced_since_s is None):
            batches = self._wait()
            for batch in batches:
                if batch.take_back:
                    kept = max(0, batch.take_back - len(pending))
                    pending = pending[: max(0, len(pending) - batch.take_back)]
                    cut += kept
                pending += batch.lines
            urgent = urgent or any(batch.urgent for batch in batches)
            last = last or any(batch.last for batch in batches)
            taken += sum(not batch.last for batch in batches)
            now_s = time.monotonic()
            if (pending or cut) and unsynced_since_s is None:
                unsynced_since_s = now_s
            try:
                store = store or self._open_store()
                if cut and isinstance(store, ShrinkingStore):
                    store.take_back(cut)
                cut = 0
                if pending:
                    store.append(pending)
                    pending = b""
                overdue = unsynced_since_s is not None and now_s - unsynced_since_s >= SYNC_EVERY_S
                if unsynced_since_s is not None and (urgent or last or overdue):
                    store.sync()
                    unsynced_since_s, urgent = None, False
                self._tell(None, taken if unsynced_since_s is None else self._kept)
            except OSError as error:
                self._tell(f"the game is not being kept: {error.strerror or error}", self._kept)
                if last:
                    break
        if store is not None:
            store.close()

    def _tell(self, problem: str | None, kept: int) -> None:
        with self._news:
            self._problem, self._kept = problem, kept
            self._news.notify_all()

    def _wait(self) -> list[_Batch]:
        """What has come in; nothing after a while, so that what was written gets synced or tried again."""
        batches: list[_Batch] = []
        try:
            batches.append(self._inbox.get(timeout=SYNC_EVERY_S / 2 if self._problem is None else RETRY_EVERY_S))
            while True:
                batches.append(self._inbox.get_nowait())
        except queue.Empty:
            return batches
