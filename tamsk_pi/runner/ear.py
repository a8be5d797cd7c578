"""Hears words that other programs on this machine say to a live game (`tamsk-pi tell`), through a socket in the folder
of its games: whoever may write there may speak.

One connection is one line, answered by `+` or `-` (whether it was obeyed) and lines of text, and closed.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

NAME: Final = ".tamsk-pi.socket"
LONGEST: Final = 200
PATIENCE_S: Final = 10.0

Obey = Callable[[str], tuple[bool, list[str]]]
"""Obeys a line, in any thread; whether that could be done, and what is said to it."""

_log = logging.getLogger(__name__)


@contextlib.contextmanager
def _short(folder: Path) -> Iterator[str]:
    """A folder by a path that is short enough for a socket's address, whose 107 bytes a deep home may exceed."""
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)


class Ear:
    """Listens in a thread of its own, from `open` to `close`. A folder that allows no socket is told in the log."""

    def __init__(self, folder: Path, obey: Obey) -> None:
        self._path: Final = folder / NAME
        self._obey: Final = obey
        self._listening: socket.socket | None = None
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Begin to listen."""
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # One that a program left behind that was killed.
            self._path.unlink(missing_ok=True)
            with _short(self._path.parent) as reached:
                listening.bind(f"{reached}/{NAME}")
            self._path.chmod(0o660)
            listening.listen(4)
        except OSError as error:
            listening.close()
            _log.warning("words of other programs are not heard: %s: %s", self._path, error.strerror or error)
            return
        self._listening = listening
        self._thread = threading.Thread(target=self._hear_all, args=(listening,), name="ear", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Listen no more. Safe to call twice, and before `open`."""
        if self._listening is not None:
            with contextlib.suppress(OSError):
                # Wakes the thread that waits for somebody.
                self._listening.shutdown(socket.SHUT_RDWR)
            self._listening.close()
            self._listening = None
            self._path.unlink(missing_ok=True)

    def _hear_all(self, listening: socket.socket) -> None:
        while True:
            try:
                speaker, _ = listening.accept()
            except OSError:
                return
            with speaker:
                try:
                    speaker.settimeout(PATIENCE_S)
                    self._hear(speaker)
                except (OSError, UnicodeDecodeError) as error:
                    _log.warning("somebody who spoke to the game was not understood: %s", error)

    def _hear(self, speaker: socket.socket) -> None:
        with speaker.makefile("rb") as stream:
            line = stream.readline(LONGEST + 1)
        if len(line) > LONGEST:
            done, said = False, [f"a line has at most {LONGEST} bytes"]
        else:
            done, said = self._obey(line.decode())
        speaker.sendall("\n".join(["+" if done else "-", *said, ""]).encode())


def speak(folder: Path, line: str) -> tuple[bool, list[str]]:
    """Say a line to the game whose folder this is; whether it was obeyed, and the answer. `OSError`: nobody listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as channel:
        channel.settimeout(PATIENCE_S)
        with _short(folder) as reached:
            channel.connect(f"{reached}/{NAME}")
        channel.sendall(f"{line}\n".encode())
        with channel.makefile("r", encoding="utf-8") as stream:
            told = stream.read().splitlines()
    return told[:1] == ["+"], told[1:]
