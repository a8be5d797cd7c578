"""The last frames before a fault, kept as a file for whoever looks for its cause."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

KEPT: Final = 20
"""Files; the oldest go."""
APART_S: Final = 10.0
"""A fault that comes again and again is written down once in so long."""
_PATTERN: Final = "bridge-*.txt"

_log = logging.getLogger(__name__)


class FrameDump:
    """Writes frames into a folder, which is made when it is needed. A disk that refuses stops nothing."""

    def __init__(
        self, folder: Path, now_s: Callable[[], float] = time.time, monotonic_s: Callable[[], float] = time.monotonic
    ) -> None:
        """`now_s` is the wall's time, which names the file; `monotonic_s` keeps files apart."""
        self._folder = folder
        self._now_s = now_s
        self._monotonic_s = monotonic_s
        self._last_s: float | None = None

    def __call__(self, reason: str, frames: Sequence[str]) -> Path | None:
        """Write `frames` under their reason; the file, or None where it was not written."""
        now_s = self._monotonic_s()
        if self._last_s is not None and now_s - self._last_s < APART_S:
            return None
        wall_s = self._now_s()
        stamp = time.strftime("%Y-%m-%dT%H-%M-%S", time.localtime(wall_s)) + f".{int(wall_s % 1 * 1000):03d}"
        path = self._folder / f"bridge-{stamp}.txt"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join([reason, "", *frames, ""]), encoding="utf-8")
            for old in sorted(self._folder.glob(_PATTERN))[:-KEPT]:
                old.unlink(missing_ok=True)
        except OSError as error:
            _log.warning("The last frames cannot be written to %s: %s", self._folder, error.strerror)
            return None
        self._last_s = now_s
        return path
