"""The words for a game, and its clock."""

from __future__ import annotations

from tamsk_pi.sensing.settings import Settings
from tamsk_pi.signals.language import Language
from tamsk_pi.signals.words import Words


def words_for(settings: Settings, language: Language) -> Words:
    """The words for a game with these settings."""
    by_place = settings.setup == "corners" and not settings.position
    return Words({"red": settings.red, "black": settings.black}, language, by_place=by_place)


def clock_text(t_ms: int) -> str:
    """A time since the game's start as `mm:ss.s`."""
    tenths = t_ms // 100
    return f"{tenths // 600:02}:{tenths // 10 % 60:02}.{tenths % 10}"
