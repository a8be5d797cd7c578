"""The words for a game, and its clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.signals.language import Language
from tamsk_pi.signals.words import Words

if TYPE_CHECKING:
    from tamsk_pi.runner.loop import Loop


def words_for(settings: Settings, language: Language) -> Words:
    """The words for a game with these settings."""
    by_place = settings.setup == "corners" and not settings.position
    return Words({"red": settings.red, "black": settings.black}, language, by_place=by_place)


class Spoken:
    """Puts rulings into words with the names of the game that is going on; from any thread."""

    def __init__(self, loop: Loop) -> None:
        self._loop: Final = loop
        self._words: dict[Language, tuple[Settings, Words]] = {}

    def say(self, ruling: Ruling, language: Language) -> str:
        """One line of text."""
        settings = self._loop.desk.session.settings
        kept = self._words.get(language)
        if kept is None or kept[0] is not settings:
            kept = self._words[language] = (settings, words_for(settings, language))
        return kept[1].say(ruling)


def clock_text(t_ms: int) -> str:
    """A time since the game's start as `mm:ss.s`."""
    tenths = t_ms // 100
    return f"{tenths // 600:02}:{tenths // 10 % 60:02}.{tenths % 10}"
