"""The journal: the trace of a live game, written while it is played.

It never blocks the game and never leaves a file that cannot be read: a thread of its own writes whole lines, syncs
them at every ruling and at least every 250 ms, and takes a line that could only be written in part back again. While
the store fails, lines are kept and tried again; `problem` says what is wrong. Source: architecture.md, "Manners of
failure": a store that fails puts `ready` out, and play goes on.
"""

from __future__ import annotations

import os
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import attrs

SYNC_EVERY_S: Final = 0.25
RETRY_EVERY_S: Final = 1.0
SUFFIX: Final = ".trace.jsonl"


class Store(Protocol):
    """Where a journal's bytes go. Every call may raise `OSError`."""

    def append(self, data: bytes) -> None:
        """Write `data` behind what is there, whole or not at all."""
        ...

    def sync(self) -> None:
        """Have everything appended so far on the disk itself."""
        ...

    def close(self) -> None: ...


class FileStore:
    """A file that only grows by whole appends. It is created, by rename, with its first: never without a header."""

    def __init__(self, path: Path, *, size: int | None = None) -> None:
        """`size`: go on with the file that is there after its first `size` bytes; None: it is a new one."""
        self._path: Final = path
        self._file: int | None = None
        self._size = 0
        if size is not None:
            self._open(size)

    def _open(self, size: int) -> int:
        file = os.open(self._path, os.O_WRONLY | os.O_CLOEXEC)
        self._file, self._size = file, size
        os.ftruncate(file, size)
        return file

    def append(self, data: bytes) -> None:
        if self._file is None:
            _create(self._path, data)
            self._open(len(data))
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

    def sync(self) -> None:
        if self._file is not None:
            os.fsync(self._file)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _create(path: Path, beginning: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    with open(part, "wb") as stream:
        stream.write(beginning)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(part, path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@attrs.frozen
class _Batch:
    lines: bytes
    urgent: bool
    """Holds a ruling's edges: synced at once."""
    last: bool = False


class Journal:
    """Writes lines in a thread of its own. `write` and `problem` may be used from any thread and return at once."""

    def __init__(self, open_store: Callable[[], Store]) -> None:
        """`open_store` makes the store; it is called by the writing thread, again after each failure to open."""
        self._open_store: Final = open_store
        self._inbox: queue.SimpleQueue[_Batch] = queue.SimpleQueue()
        self._problem: str | None = None
        self._thread: Final = threading.Thread(target=self._write_all, name="journal", daemon=True)
        self._thread.start()

    @property
    def problem(self) -> str | None:
        """What is wrong with the store now, in one line; None while everything is kept."""
        return self._problem

    def write(self, lines: str, *, urgent: bool = False) -> None:
        """Add whole lines, each with its newline; `urgent` ones are synced without waiting."""
        self._inbox.put(_Batch(lines.encode(), urgent))

    def close(self, timeout_s: float = 2.0) -> None:
        """Write and sync what is left, as far as the store allows within `timeout_s`."""
        self._inbox.put(_Batch(b"", True, last=True))
        self._thread.join(timeout_s)

    def _write_all(self) -> None:
        store: Store | None = None
        pending = b""
        unsynced_since_s: float | None = None
        urgent = last = False
        while not (last and not pending and unsynced_since_s is None):
            batches = self._wait()
            pending += b"".join(batch.lines for batch in batches)
            urgent = urgent or any(batch.urgent for batch in batches)
            last = last or any(batch.last for batch in batches)
            now_s = time.monotonic()
            if pending and unsynced_since_s is None:
                unsynced_since_s = now_s
            try:
                store = store or self._open_store()
                if pending:
                    store.append(pending)
                    pending = b""
                overdue = unsynced_since_s is not None and now_s - unsynced_since_s >= SYNC_EVERY_S
                if unsynced_since_s is not None and (urgent or last or overdue):
                    store.sync()
                    unsynced_since_s, urgent = None, False
                self._problem = None
            except OSError as error:
                self._problem = f"the game is not being kept: {error.strerror or error}"
                if last:
                    break
        if store is not None:
            store.close()

    def _wait(self) -> list[_Batch]:
        """What has come in; nothing after a while, so that what was written gets synced or tried again."""
        batches: list[_Batch] = []
        try:
            batches.append(self._inbox.get(timeout=SYNC_EVERY_S / 2 if self._problem is None else RETRY_EVERY_S))
            while True:
                batches.append(self._inbox.get_nowait())
        except queue.Empty:
            return batches
