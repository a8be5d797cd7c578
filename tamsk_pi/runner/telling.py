"""Tells a live game on a terminal: what was ruled, and what is to be done now."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal

from tamsk_pi.devices.base import Tone
from tamsk_pi.explain.explanation import explanation_of
from tamsk_pi.runner.loop import View
from tamsk_pi.runner.speech import clock_text
from tamsk_pi.signals.advice import advice_lines
from tamsk_pi.signals.explaining import Explainer
from tamsk_pi.signals.language import Language
from tamsk_pi.signals.status import NOT_WATCHING, countdown, status
from tamsk_pi.signals.words import Words

_MOST_VIEWS: Final = 1_000


class Telling:
    """Turns views into lines: every ruling once, and in mode `play` what has newly become worth knowing.

    In mode `referee` only what keeps the game from beginning, or from going on, is told besides rulings.
    """

    def __init__(self, language: Language, mode: Literal["play", "referee"], *, by_place: bool) -> None:
        self._language: Final = language
        self._mode: Final = mode
        self._by_place: Final = by_place
        self._words = Words({}, language, by_place)
        self._game = 0
        self._told = 0
        self._status: tuple[str, ...] = ()
        self._problem: str | None = None
        self._counted: frozenset[str] = frozenset()
        self._advised: tuple[str, ...] = ()

    def lines(self, view: View) -> Iterator[str]:
        """What is new in a view."""
        if view.game != self._game:
            self._game, self._told, self._status, self._counted = view.game, 0, (), frozenset()
            self._words = Words(dict(view.snapshot.names), self._language, self._by_place)
        for ruling in view.rulings[self._told :]:
            yield f"{clock_text(ruling.t_ms)}  {self._words.say(ruling)}"
            if ruling.get("code") == "recheck" and view.rechecked is not None:
                explainer = Explainer(self._words)
                yield from (f"         {line}" for line in explainer.lines(explanation_of(view.rechecked, explainer)))
        self._told = len(view.rulings)
        snapshot = view.snapshot
        if view.problem != self._problem and view.problem is not None and snapshot.phase != "paused":
            yield f"         {self._words.fill(NOT_WATCHING, {'problem': view.problem})}"
        self._problem = view.problem
        waits = snapshot.waits or snapshot.upcoming is not None
        if self._mode == "play" or snapshot.phase == "setting_up" or waits or snapshot.suspects:
            now = status(view.snapshot, self._words)
            yield from (f"         {line}" for line in now if line not in self._status)
            self._status = now
        advised = () if view.advice is None else advice_lines(view.advice, self._words)
        yield from (f"         {line}" for line in advised if line not in self._advised)
        self._advised = advised
        if self._mode == "play":
            soon = countdown(view.snapshot, self._words)
            yield from (f"         {line}" for glass, line in soon.items() if glass not in self._counted)
            self._counted = frozenset(soon)


class TerminalTeller:
    """A watcher of the loop that says lines in a thread of its own, so that a terminal that blocks stalls no game."""

    def __init__(
        self,
        telling: Telling,
        say: Callable[[str], None],
        kept: Callable[[], Callable[[], object]] = lambda: lambda: None,
    ) -> None:
        """`kept` gives, in the loop's thread, what waits until all that has been ruled is on record."""
        self._telling: Final = telling
        self._say: Final = say
        self._kept: Final = kept
        self._views: queue.Queue[tuple[View, Callable[[], object]] | None] = queue.Queue(_MOST_VIEWS)
        self._thread: Final = threading.Thread(target=self._run, name="terminal", daemon=True)
        self._thread.start()

    def show(self, view: View) -> None:
        """Have what is new told. A view that finds no room is left out; the next one has its rulings too."""
        if not self._views.full():
            self._views.put_nowait((view, self._kept()))

    def sound(self, tones: Sequence[Tone]) -> None:
        """A terminal tells no tones."""

    def close(self, wait_s: float = 1.0) -> None:
        """Say what is still to be said, but wait for no terminal that blocks."""
        with contextlib.suppress(queue.Full):
            self._views.put(None, timeout=wait_s)
        self._thread.join(wait_s)

    def _run(self) -> None:
        while (item := self._views.get()) is not None:
            view, wait_until_kept = item
            wait_until_kept()
            for line in self._telling.lines(view):
                self._say(line)
