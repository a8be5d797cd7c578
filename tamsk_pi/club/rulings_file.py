"""Keeps the rulings that the board gave beside the trace of the game, so that a hub can hold its own against them.

A ruling is a line `{"n": N, "ruling": {…}}`, N counted from 0. One with a number that was there before takes the place
of that ruling and of all behind it: a game that is gone on with after a cut may have lost its last edges.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Final

from tamsk_pi.club.kept import rulings_path
from tamsk_pi.devices.base import Tone
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.runner.loop import View

_log = logging.getLogger(__name__)


def ruling_line(number: int, ruling: Ruling) -> str:
    """One line of the file, with its newline."""
    return json.dumps({"n": number, "ruling": ruling.as_json()}, ensure_ascii=False) + "\n"


class RulingsFile:
    """A watcher of the loop. `show` returns at once; a thread of its own writes."""

    def __init__(self) -> None:
        self._inbox: Final[SimpleQueue[tuple[Path, bytes] | None]] = SimpleQueue()
        self._path: Path | None = None
        self._game: int | None = None
        self._told = 0
        self._thread: Final = Thread(target=self._write_all, name="rulings", daemon=True)
        self._thread.start()

    def kept_at(self, trace: Path) -> None:
        """The game that begins, or is gone on with, is kept there."""
        self._path = rulings_path(trace)
        self._game = None

    def show(self, view: View) -> None:
        """Keep what is new among the rulings."""
        if self._path is None:
            return
        if view.game != self._game:
            self._game, self._told = view.game, 0
        fresh = view.rulings[self._told :]
        if fresh:
            text = "".join(ruling_line(self._told + i, ruling) for i, ruling in enumerate(fresh))
            self._told += len(fresh)
            self._inbox.put((self._path, text.encode()))

    def sound(self, tones: Sequence[Tone]) -> None:
        """Tones are not kept."""

    def close(self, timeout_s: float = 2.0) -> None:
        """Write what is left."""
        self._inbox.put(None)
        self._thread.join(timeout_s)

    def _write_all(self) -> None:
        while (item := self._inbox.get()) is not None:
            path, text = item
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                # A torn line is never left: the rest of it would be read as part of the next.
                with open(path, "ab", buffering=0) as stream:
                    size = os.fstat(stream.fileno()).st_size
                    if stream.write(text) != len(text):
                        os.ftruncate(stream.fileno(), size)
            except OSError as error:
                # The game itself is kept elsewhere; without these the hub judges alone.
                _log.warning("%s: rulings are not kept: %s", path, error.strerror or error)
