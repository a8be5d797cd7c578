"""What a calibration says: a code and what fills its blanks. The words are `tamsk_pi.signals.calibration`'s."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

import attrs

from tamsk_pi.signals.frames import LampFrame, Tone

Mood = Literal["ask", "good", "bad", "note"]
"""Something is to be done; it was done; it is to be done again; something worth knowing."""

TONES: Final[Mapping[Mood, tuple[Tone, ...]]] = MappingProxyType(
    {
        "ask": (),
        "good": (Tone(880, 80),),
        "bad": (Tone(330, 150), Tone(220, 250)),
        "note": (),
    }
)
"""What each mood sounds like, for whoever looks at the board and not at the terminal."""

DARK: Final = LampFrame(dict.fromkeys(("turn_red", "turn_black", "alarm", "ready"), False))


@attrs.frozen
class Say:
    """One thing said. `blanks` are texts, numbers and lists of socket names, by the names of the text's blanks."""

    mood: Mood
    code: str
    blanks: Mapping[str, Any] = attrs.field(factory=dict)


Weight = Literal["note", "stops"]
"""Worth knowing; keeps a game from being played."""


@attrs.frozen
class Finding:
    """Something wrong with the board or a glass. `names`: the sockets or glasses it is about."""

    code: str
    weight: Weight
    names: tuple[str, ...]
    blanks: Mapping[str, Any] = attrs.field(factory=dict)


def ask(code: str, **blanks: object) -> Say:
    """Something is to be done."""
    return Say("ask", code, blanks)


def good(code: str, **blanks: object) -> Say:
    """Something was done as asked."""
    return Say("good", code, blanks)


def bad(code: str, **blanks: object) -> Say:
    """Something is to be done again, or looked at."""
    return Say("bad", code, blanks)


def note(code: str, **blanks: object) -> Say:
    """Something worth knowing."""
    return Say("note", code, blanks)
