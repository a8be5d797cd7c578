"""The report of a finished game, made from its trace as it was being kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Final

from tamsk_pi.report.gather import gather
from tamsk_pi.report.write import write_report
from tamsk_pi.signals.language import Language
from tamsk_pi.trace import TraceError, TraceReader
from tamsk_pi.web.source import GamePicture

NOT_OVER: Final = "the game is not over: its report can be had when it is"
NOT_KEPT: Final = "no trace of this game is being kept"
NOT_WRITTEN: Final = "the trace of this game is not written to its end yet; try again in a moment"


class NoReport(Exception):
    """There is no report to show; the text is one line that says why."""


class Reports:
    """Makes reports from the trace at the newest path of `kept_at`. Safe from any thread; one is made at a time."""

    def __init__(self) -> None:
        self._path: Path | None = None
        self._lock: Final = Lock()
        self._made: dict[Language, str] = {}
        self._made_of: tuple[Path, int] | None = None

    def forget(self) -> None:
        """A game begins, and it is not known yet where its trace is kept, if at all."""
        self._path = None

    def kept_at(self, path: Path) -> None:
        """The trace of the game that begins, or goes on, is kept at this path."""
        self._path = path

    def name(self) -> str:
        """The file of the game that is going on; empty where there is none."""
        return "" if self._path is None else self._path.name

    def html(self, newest: Callable[[], GamePicture | None], language: Language) -> str:
        """The page of the game that `newest` shows, if it is over; `NoReport` else.

        It is made once for each language, and again when the arbiter has said something since.
        """
        with self._lock:
            picture, path = newest(), self._path
            if picture is None or picture.snapshot.result is None:
                raise NoReport(NOT_OVER)
            if path is None:
                raise NoReport(NOT_KEPT)
            if self._made_of != (path, len(picture.rulings)):
                self._made.clear()
            if language not in self._made:
                self._made[language] = _html(path, picture.snapshot.now_ms, language)
                self._made_of = (path, len(picture.rulings))
            return self._made[language]


def _html(path: Path, now_ms: int, language: Language) -> str:
    try:
        with open(path, "rb") as stream:
            report = gather(TraceReader(stream, last_line="whole"), until_ms=now_ms)
    except (TraceError, OSError) as error:
        raise NoReport(f"{NOT_KEPT}: {error}") from None
    if report.result is None:
        raise NoReport(NOT_WRITTEN)
    return write_report(report, language, "html")
