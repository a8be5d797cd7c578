"""The journal on a store that fails: whole lines or none, tried again, and a word about it meanwhile."""

from __future__ import annotations

import errno
import io
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tamsk_pi.journal import FileStore, Journal
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.trace import TraceReader, header_line, record_line

PATIENCE_S = 20
"""How long to wait for the writing thread at most."""


class FakeStore:
    """Fails with `error` while it is set; tells of each attempt."""

    def __init__(self) -> None:
        self.kept = b""
        self.error: OSError | None = None
        self.synced = 0
        self.closed = False
        self.attempted = threading.Event()
        self.stored = threading.Event()

    def append(self, data: bytes) -> None:
        self.attempted.set()
        if self.error is not None:
            raise self.error
        self.kept += data
        self.stored.set()

    def sync(self) -> None:
        if self.error is not None:
            raise self.error
        self.synced += 1

    def close(self) -> None:
        self.closed = True


def test_what_was_written_is_synced_and_closed() -> None:
    store = FakeStore()
    journal = Journal(lambda: store)
    journal.write("one\n")
    journal.write("two\n", urgent=True)
    journal.close(PATIENCE_S)
    assert store.kept == b"one\ntwo\n"
    assert store.synced >= 1
    assert store.closed
    assert journal.problem is None


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EIO])
def test_a_store_that_fails_keeps_the_lines_for_later(code: int) -> None:
    """While the store fails, lines are kept and tried again; `problem` says what is wrong; play goes on."""
    store = FakeStore()
    store.error = OSError(code, os.strerror(code))
    journal = Journal(lambda: store)
    journal.write("one\n", urgent=True)
    assert store.attempted.wait(PATIENCE_S)
    journal.write("two\n", urgent=True)
    store.error = None
    assert store.stored.wait(PATIENCE_S)
    journal.close(PATIENCE_S)
    assert store.kept == b"one\ntwo\n"
    assert journal.problem is None


def test_a_full_disk_at_the_end_is_told_and_does_not_hang() -> None:
    store = FakeStore()
    store.error = OSError(errno.ENOSPC, "No space left on device")
    journal = Journal(lambda: store)
    journal.write("one\n", urgent=True)
    journal.close(PATIENCE_S)
    assert journal.problem == "the game is not being kept: No space left on device"
    assert store.closed


def test_a_store_that_cannot_be_opened_is_opened_later() -> None:
    store, opened = FakeStore(), threading.Event()
    failures = [OSError(errno.EROFS, "Read-only file system")]

    def open_store() -> FakeStore:
        opened.set()
        if failures:
            raise failures.pop()
        return store

    journal = Journal(open_store)
    journal.write("one\n", urgent=True)
    assert opened.wait(PATIENCE_S)
    assert store.stored.wait(PATIENCE_S)
    journal.close(PATIENCE_S)
    assert store.kept == b"one\n"


def test_a_file_is_never_without_its_header(tmp_path: Path) -> None:
    """It is created, by rename, with its first append."""
    path = tmp_path / "games" / "one.trace.jsonl"
    store = FileStore(path)
    store.sync()
    assert not path.exists()
    store.append(b"header\n")
    store.append(b"line\n")
    store.close()
    store.close()
    assert path.read_bytes() == b"header\nline\n"
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_going_on_with_a_file_cuts_its_torn_end_off(tmp_path: Path) -> None:
    path = tmp_path / "one.trace.jsonl"
    path.write_bytes(b"header\nline\nto")
    store = FileStore(path, size=len(b"header\nline\n"))
    store.append(b"next\n")
    store.close()
    assert path.read_bytes() == b"header\nline\nnext\n"


def _fails_half_way(real: Callable[[int, bytes, int], int]) -> Callable[[int, bytes, int], int]:
    state = {"calls": 0}

    def pwrite(file: int, data: bytes, offset: int) -> int:
        state["calls"] += 1
        if state["calls"] == 1:
            return real(file, data[:3], offset)
        raise OSError(errno.ENOSPC, "No space left on device")

    return pwrite


def test_a_line_that_could_only_be_written_in_part_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line must never stand half written with another one behind it."""
    path = tmp_path / "one.trace.jsonl"
    store = FileStore(path)
    store.append(b"header\n")
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", _fails_half_way(os.pwrite))
        with pytest.raises(OSError, match="No space"):
            store.append(b"a long line\n")
    assert path.read_bytes() == b"header\n"
    store.append(b"a long line\n")
    store.close()
    assert path.read_bytes() == b"header\na long line\n"


def test_what_a_kill_in_mid_write_leaves_can_be_read(tmp_path: Path) -> None:
    """Whatever was cut off, the whole lines before it are there."""
    settings = Settings(level=2)
    header = header_line(settings).encode()
    lines = [record_line(Edge(n, "socket", "D1", bool(n % 2)), settings).encode() for n in range(4)]
    path = tmp_path / "one.trace.jsonl"
    store = FileStore(path)
    for line in (header, *lines):
        store.append(line)
    store.close()
    whole = path.read_bytes()
    for size in range(len(header), len(whole) + 1):
        records = list(TraceReader(io.BytesIO(whole[:size]), drop_torn_end=True))
        assert len(records) >= whole[len(header) : size].count(b"\n")
