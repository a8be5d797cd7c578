"""Which process has something open, out of /proc. Other users' processes show what they have open to root only."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def _open_files(proc: Path) -> Iterator[tuple[Path, Path, str]]:
    """Every open file that may be seen: the process's folder, the link in its `fd`, and what it points to."""
    for process in sorted(proc.glob("[0-9]*")):
        try:
            links = list((process / "fd").iterdir())
        except OSError:
            continue  # gone meanwhile, or somebody else's
        for link in links:
            try:
                yield process, link, os.readlink(link)
            except OSError:
                continue  # closed meanwhile


def _named(process: Path) -> str:
    try:
        name = (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        name = ""
    return f"{name or 'process'} {process.name}"


def holder_of(device: Path, proc: Path) -> str | None:
    """Name and number of a process that has `device` open; None where none is seen."""
    for process, _, target in _open_files(proc):
        if target == str(device):
            return _named(process)
    return None


def line_holders(proc: Path) -> dict[int, str]:
    """Name and number of the process behind each requested GPIO line, where the kernel tells it."""
    holders = {}
    for process, link, target in _open_files(proc):
        if not target.startswith("anon_inode:gpio-line"):
            continue
        try:
            info = (process / "fdinfo" / link.name).read_text(encoding="ascii", errors="replace")
        except OSError:
            continue
        for entry in info.splitlines():
            key, _, value = entry.partition(":")
            if key == "gpio-line" and value.strip().isdigit():
                holders[int(value)] = _named(process)
    return holders


def running(name: str, proc: Path) -> bool:
    """Whether a process of this name runs."""
    return any(_named(process).rpartition(" ")[0] == name for process in proc.glob("[0-9]*"))
