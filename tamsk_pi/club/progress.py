"""Remembers which games need not be told any more, so that an evening's start does not ask for a year of games."""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from pathlib import Path
from typing import Final

from tamsk_pi.club.kept import KeptGame
from tamsk_pi.club.topics import Place


class Progress:
    """The names of games that the hub has whole, or that were over before this board first took part in the event."""

    def __init__(self, folder: Path, place: Place) -> None:
        self._path: Final = folder / f".club-{place.event}-{place.board}.json"
        self._done: set[str] | None = None

    def begin(self, games: Collection[KeptGame]) -> None:
        """Take up what was remembered; at the very first start, leave out what was over before."""
        if self._done is not None:
            return
        try:
            told = json.loads(self._path.read_text(encoding="utf-8"))["done"]
            self._done = {name for name in told if isinstance(name, str)}
        except FileNotFoundError:
            self._done = {game.name for game in games if game.over}
            self._write()
        except (OSError, ValueError, KeyError, TypeError):
            # Asking for a game again does no harm; forgetting one would.
            self._done = set()

    def is_done(self, game: KeptGame) -> bool:
        return self._done is not None and game.name in self._done

    def finish(self, game: KeptGame, present: Collection[KeptGame]) -> None:
        """The hub has all of this game. `OSError` where that cannot be remembered."""
        names = {one.name for one in present}
        self._done = ({game.name} | (self._done or set())) & names
        self._write()

    def _write(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps({"done": sorted(self._done or ())}), encoding="utf-8")
        os.replace(part, self._path)
