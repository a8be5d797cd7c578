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

import attrs

from tamsk_pi.club.kept import rulings_path
from tamsk_pi.devices.base import Tone
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.runner.loop import View

_log = logging.getLogger(__name__)


def ruling_line(number: int, ruling: Ruling) -> str:
    """One line of the file, with its newline."""
    return json.dumps({"n": number, "ruling": ruling.as_json()}, ensure_ascii=False) + "\n"


@attrs.frozen
class _Item:
    """What the writing thread is told of a game of this run: where it is kept, or further lines; neither: the end."""

    game: int
    path: Path | None = None
    lines: bytes = b""


class RulingsFile:
    """A watcher of the loop. `show` returns at once; a thread of its own writes."""

    def __init__(self) -> None:
        self._inbox: Final[SimpleQueue[_Item]] = SimpleQueue()
        self._game = 0
        self._told = 0
        self._thread: Final = Thread(target=self._write_all, name="rulings", daemon=True)
        self._thread.start()

    def kept_at(self, game: int, trace: Path) -> None:
        """Game number `game` of this run (`View.game`) is kept there; from any thread, before or after its rulings."""
        self._inbox.put(_Item(game, rulings_path(trace)))

    def show(self, view: View) -> None:
        """Keep what is new among the rulings."""
        if view.game != self._game:
            self._game, self._told = view.game, 0
        fresh = view.rulings[self._told :]
        if fresh:
            text = "".join(ruling_line(self._told + i, ruling) for i, ruling in enumerate(fresh))
            self._told += len(fresh)
            self._inbox.put(_Item(view.game, lines=text.encode()))

    def sound(self, tones: Sequence[Tone]) -> None:
        """Tones are not kept."""

    def close(self, timeout_s: float = 2.0) -> None:
        """Write what is left."""
        self._inbox.put(_Item(0))
        self._thread.join(timeout_s)

    def _write_all(self) -> None:
        paths: dict[int, Path] = {}
        waiting: dict[int, bytes] = {}
        while True:
            item = self._inbox.get()
            if item.path is None and not item.lines:
                return
            if item.path is not None:
                paths = {item.game: item.path, **{game: p for game, p in paths.items() if game == item.game - 1}}
            # Rulings may come before the journal has chosen its file's name.
            waiting[item.game] = waiting.get(item.game, b"") + item.lines
            waiting = {game: lines for game, lines in waiting.items() if game >= item.game - 1}
            if item.game in paths and waiting[item.game]:
                _append(paths[item.game], waiting.pop(item.game))


def _append(path: Path, lines: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A torn line is never left: the rest of it would be read as part of the next.
        with open(path, "ab", buffering=0) as stream:
            size = os.fstat(stream.fileno()).st_size
            if stream.write(lines) != len(lines):
                os.ftruncate(stream.fileno(), size)
    except OSError as error:
        # The game itself is kept elsewhere; without these the hub judges alone.
        _log.warning("%s: rulings are not kept: %s", path, error.strerror or error)
