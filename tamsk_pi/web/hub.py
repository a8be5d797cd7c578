"""Between the thread that owns the game and the many that watch it.

The owner's side (`show`, `sound`) stores a reference and wakes the event loop: it costs the same with no viewer and
with two hundred. Everything else happens in the event loop. Each change is encoded once, for all viewers: those who
have seen the version before get the changed sections, whoever fell behind gets the whole state. What is said in words
is encoded once more for each language that somebody reads.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import anyio

from tamsk_pi.devices.base import Tone
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.signals.language import Language
from tamsk_pi.web.messages import PROTOCOL_VERSION
from tamsk_pi.web.source import GamePicture
from tamsk_pi.web.state import Sections, Words, layout, rulings_as_json, said_of, sections_in, sections_of

PACE_S: Final = 0.025
"""The first change after a quiet moment goes out at once, those that follow at most this often."""
PERSONAL_LIMIT: Final = 100
"""Answers that wait for one viewer; who has not read that many is cut off."""


def encode(message: Mapping[str, Any]) -> str:
    """A message as it goes over the wire."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


class Viewer:
    """One open page: what it has seen, and what waits for it alone. Used in the event loop only."""

    def __init__(self, hub: Hub, language: Language) -> None:
        self._hub = hub
        self.language = language
        self._personal: deque[str] = deque()
        self._seen = 0
        self._tones: str | None = None
        self._wake = asyncio.Event()
        self.reads = False
        """Whether it may see the game at all (a page that must be paired first may not)."""
        self.overrun = False

    def wake(self) -> None:
        self._wake.set()

    def tell(self, message: Mapping[str, Any]) -> None:
        """Queue a message for this viewer alone."""
        if len(self._personal) >= PERSONAL_LIMIT:
            self.overrun = True
        else:
            self._personal.append(encode(message))
        self._wake.set()

    def speak(self, language: Language) -> None:
        """From now on this viewer is told everything in this language, from the beginning."""
        if language != self.language:
            self.language = language
            self._seen = 0
            self._wake.set()

    def hear(self, tones: str) -> None:
        self._tones = tones
        self._wake.set()

    async def next_texts(self, timeout_s: float) -> list[str]:
        """What is to be sent next, in order; empty when nothing happened for `timeout_s`."""
        texts = self._take()
        if not texts:
            with anyio.move_on_after(timeout_s):
                await self._wake.wait()
            texts = self._take()
        return texts

    def _take(self) -> list[str]:
        self._wake.clear()
        texts = list(self._personal)
        self._personal.clear()
        if self.reads:
            update = self._hub.update_since(self._seen, self.language)
            if update is not None:
                self._seen = self._hub.version
                texts.append(update)
            if self._tones is not None:
                texts.append(self._tones)
        self._tones = None
        return texts


class Hub:
    """Keeps the newest picture, its encoded forms, and the viewers. `words` puts a ruling into words."""

    def __init__(self, words: Words, *, mode: str, helps: bool) -> None:
        self._words = words
        self._mode = mode
        self._helps = helps
        self._loop: asyncio.AbstractEventLoop | None = None
        self._picture: GamePicture | None = None
        self._newest: GamePicture | None = None
        self._sections: Sections = {}
        self._changed: Sections = {}
        self._known: int | None = None
        """Of how many rulings those knew who had the version before; None where that was another game."""
        self._full: dict[Language, str] = {}
        self._delta: dict[Language, str] = {}
        self._said: dict[Language, list[dict[str, object]]] = {}
        self._lines: dict[Language, Sections] = {}
        """The finished lines of this version, by language, as far as somebody reads it."""
        self._lines_before: dict[Language, Sections] = {}
        self._due: asyncio.TimerHandle | None = None
        self._last_refresh_s = float("-inf")
        self.version = 0
        self.viewers: set[Viewer] = set()

    # The owner's side: any thread.

    def show(self, picture: GamePicture) -> None:
        """Show this picture from now on. Returns at once."""
        self._newest = picture
        self.in_loop(self._refresh_soon)

    @property
    def newest(self) -> GamePicture | None:
        """The picture that was shown last, from any thread."""
        return self._newest

    def sound(self, tones: Sequence[Tone]) -> None:
        """Let the pages sound these tones instead of what they sound now. Returns at once."""
        text = encode({"type": "tones", "tones": [[tone.pitch_hz, tone.length_ms] for tone in tones]})
        self.in_loop(self._sound, text)

    def in_loop(self, function: Callable[..., object], *arguments: object) -> None:
        """Call a function in the event loop, if one is still served; returns at once."""
        loop = self._loop
        if loop is None:
            return
        try:
            loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            # The loop was closed between the look and the call: nobody watches any more.
            self._loop = None

    # The event loop's side.

    def open(self) -> None:
        """Begin to serve the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._refresh()

    def close(self) -> None:
        """Stop serving; what is shown from now on goes nowhere."""
        self._loop = None
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def join(self, language: Language = "en") -> Viewer:
        """A new viewer; what it will see first is the newest picture, however lately it came."""
        self._refresh()
        viewer = Viewer(self, language)
        self.viewers.add(viewer)
        return viewer

    def leave(self, viewer: Viewer) -> None:
        self.viewers.discard(viewer)

    def update_since(self, version: int, language: Language) -> str | None:
        """What brings a viewer of `version` up to date, in its language; None when it is."""
        if self.version == version:
            return None
        if version == self.version - 1 and self._known is not None:
            if language not in self._delta:
                self._delta[language] = self._encode_change(self._known, language)
            return self._delta[language]
        if language not in self._full:
            self._full[language] = self._encode_state(language)
        return self._full[language]

    def _encode_change(self, known: int, language: Language) -> str:
        return encode(
            {
                "type": "change",
                "version": self.version,
                "sections": sections_in(self._changed, language),
                "said": self._changed_lines(language),
                "from": known,
                "rulings": self._rulings_in(language)[known:],
            }
        )

    def _encode_state(self, language: Language) -> str:
        return encode(
            {
                "type": "state",
                "protocol": PROTOCOL_VERSION,
                "version": self.version,
                "language": language,
                "mode": self._mode,
                "helps": self._helps,
                "layout": layout(),
                "sections": sections_in(self._sections, language),
                "said": self._lines_in(language),
                "rulings": self._rulings_in(language),
            }
        )

    def _rulings_in(self, language: Language) -> list[dict[str, object]]:
        """All rulings of this game in words of this language; each is put into them once."""
        said = self._said.setdefault(language, [])
        rulings: Sequence[Ruling] = () if self._picture is None else self._picture.rulings
        said += rulings_as_json(rulings[len(said) :], self._words, language)
        return said

    def _lines_in(self, language: Language) -> Sections:
        if language not in self._lines and self._picture is not None:
            self._lines[language] = said_of(self._picture, language, helps=self._helps)
        return self._lines.get(language, {})

    def _changed_lines(self, language: Language) -> Sections:
        """The lines that differ from those of the version before, which may not have been told in this language."""
        before = self._lines_before.get(language, {})
        return {name: value for name, value in self._lines_in(language).items() if before.get(name, ...) != value}

    def _sound(self, text: str) -> None:
        for viewer in self.viewers:
            viewer.hear(text)

    def _refresh_soon(self) -> None:
        if self._due is not None or self._loop is None:
            return
        wait_s = self._last_refresh_s + PACE_S - self._loop.time()
        if wait_s <= 0:
            self._refresh()
        else:
            self._due = self._loop.call_later(wait_s, self._refresh)

    def _refresh(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
        if self._loop is None or self._newest is self._picture or self._newest is None:
            return
        self._last_refresh_s = self._loop.time()
        picture, before = self._newest, self._picture
        sections = sections_of(picture, helps=self._helps)
        changed = {name: value for name, value in sections.items() if self._sections.get(name, ...) != value}
        known = 0 if before is None else len(before.rulings)
        same_game = (
            before is not None
            and before.game == picture.game
            and len(picture.rulings) >= known
            # With other names every ruling is told in other words.
            and before.snapshot.names == picture.snapshot.names
        )
        self._picture, self._sections = picture, sections
        if not same_game:
            self._said.clear()
        elif not changed and len(picture.rulings) == known:
            return
        self._lines_before, self._lines = self._lines, {}
        self._changed, self._known = changed, known if same_game else None
        self.version += 1
        self._full.clear()
        self._delta.clear()
        for viewer in self.viewers:
            viewer.wake()
