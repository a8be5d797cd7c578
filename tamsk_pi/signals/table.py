"""What each ruling looks and sounds like: the one table. `docs/signals.md` is made from it (`make docs`).

Light comes first; a sound that has `after_ms` comes that much later, and only if what it tells of still holds. Every
pattern has an end: a tone by its length, a blink by `lamp_for_ms` or, where it tells of something to be put right,
after `BLINK_MS`, when it goes over into steady light until that is done. Nothing is told by colour alone: each
meaning has a rhythm of its own, and its words.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.signals.frames import Tone
from tamsk_pi.signals.rhythm import Rhythm

LampName = Literal["", "alarm", "player", "winner"]
"""A panel lamp: the alarm, the turn lamp of the ruling's `player`, or the winner's (both for a draw)."""

Telling = Literal["all", "lamp", "nothing"]

ALARM_AFTER_MS: Final = 700
"""A sound waits this long after its light, so that a hand that is still adjusting is not beeped at."""

BLINK_MS: Final = 30_000
"""What is still to be put right after this long is shown by steady light instead of blinking."""

SAME_FAULT_MS: Final = 60_000
"""A fault of the same input within this time is the same fault: it is lit again and not sounded again."""

UNTIL_MENDED: Final = 0

NOTED: Final = "violation:noted"
"""A violation with nothing to mend, such as a button pressed for a ring that is not due."""

LEVEL_TONE: Final = Tone(587, 110)
"""Sounded as often as the level's number, as it is chosen for the next game."""
RULES_TONE: Final = Tone(988, 110)
"""The same for the edition: once for the rulebook, twice for Wikipedia's rules, three times for the first edition."""
CHOICE_REST: Final = Tone(0, 110)

_REST: Final = Tone(0, 90)
_OOPS: Final = (Tone(330, 180), _REST, Tone(220, 320))
_OOPS_RING: Final = (Tone(440, 120), _REST, Tone(330, 200))
_NOTED: Final = (Tone(294, 150),)
_ASKED: Final = (Tone(440, 120), _REST, Tone(587, 200))
_TIME: Final = (Tone(880, 120), _REST, Tone(880, 120), _REST, Tone(880, 360))
_STOPPED: Final = (Tone(523, 90),)
_WON: Final = (Tone(523, 140), Tone(659, 140), Tone(784, 280))
_LOST_SIGHT: Final = (Tone(196, 500),)
_READY: Final = (Tone(659, 90), Tone(784, 120))
_PASS: Final = (Tone(392, 100), _REST, Tone(392, 100))


@attrs.frozen
class Signal:
    """How a ruling is shown and sounded."""

    tones: tuple[Tone, ...] = ()
    after_ms: int = 0
    lamp: LampName = ""
    rhythm: Rhythm = "steady"
    lamp_for_ms: int = UNTIL_MENDED
    """How long the lamp tells it; `UNTIL_MENDED`: until it no longer holds, blinking for `BLINK_MS` at most."""
    in_referee_mode: Telling = "nothing"
    """What the referee box, dark and silent otherwise, tells of it."""
    red_socket: str = ""
    """The detail of the ruling that names a socket whose red lamp goes along."""

    @property
    def length_ms(self) -> int:
        """How long its tones take."""
        return sum(tone.length_ms for tone in self.tones)


_SILENT: Final = Signal()

SIGNALS: Final[Mapping[str, Signal]] = MappingProxyType(
    {
        # What is illegal: in every mode.
        "violation": Signal(_OOPS, ALARM_AFTER_MS, "alarm", "fast", in_referee_mode="all"),
        "violation:full_socket": Signal(_OOPS, ALARM_AFTER_MS, "alarm", "fast", 10_000, "all", red_socket="to"),
        "violation:ring_not_due": Signal(_OOPS_RING, ALARM_AFTER_MS, "alarm", "fast", in_referee_mode="all"),
        "violation:ring_removed": Signal(_OOPS_RING, ALARM_AFTER_MS, "alarm", "slow", in_referee_mode="all"),
        NOTED: Signal(_NOTED, 0, "alarm", "fast", 1_500, "all"),
        "violation:timer_running": Signal(_NOTED, 0, "alarm", "fast", 1_500, "all"),
        "violation:must_move": Signal(_NOTED, 0, "alarm", "fast", 1_500, "all"),
        # Penalties that fall due: in every mode.
        "timeout": Signal(_TIME, 0, "alarm", "slow", 3_000, "all"),
        "forfeit": Signal((), 0, "alarm", "slow", 3_000, "all"),
        "skip": Signal(_PASS, 0, "alarm", "slow", 3_000, "all"),
        # What the box can't know by itself, or can't see: the players have to do something.
        "notice:turning_not_seen": Signal(_ASKED, 0, "alarm", "flash", 5_000, "all"),
        "notice:watch_glasses": Signal(_ASKED, 0, "alarm", "flash", 5_000, "all"),
        "notice:taken_back": Signal(_ASKED, in_referee_mode="all"),
        "notice:ask_for_sand": Signal(_ASKED, 0, "alarm", "flash", 5_000, "all"),
        "fault:ambiguous_placing": Signal(_NOTED, ALARM_AFTER_MS, "alarm", "flash", 5_000, "all"),
        "paused": Signal(_LOST_SIGHT, 0, "alarm", "flash", in_referee_mode="all"),
        "notice:unobserved": Signal(_NOTED, 0, "alarm", "flash", 5_000, "lamp"),
        "fault": Signal(_NOTED, ALARM_AFTER_MS, "alarm", "flash", 5_000, "lamp"),
        "notice:weak": Signal((), 0, "alarm", "flash", 5_000, "lamp"),
        # What helps the players: in mode `play` only.
        "ready": Signal(_READY),
        "pass": Signal(_PASS, 0, "player", "double", 3_000),
        "glass_stopped": Signal(_STOPPED),
        "game_over": Signal(_WON, 0, "winner", "double", 10_000),
        "notice:glass_off_board": Signal(_NOTED, 0, "alarm", "flash", 3_000),
        # What is told in words, and by the lamps that follow from it.
        "started": _SILENT,
        "move": _SILENT,
        "ring": _SILENT,
        "resolved": _SILENT,
        "timer_started": _SILENT,
        "resumed": _SILENT,
        "notice": _SILENT,
        "fault_cleared": _SILENT,
    }
)
"""Ruling, or ruling and code, to its signal."""


WEIGHTS: Final[Mapping[str, int]] = MappingProxyType({key: -place for place, key in enumerate(SIGNALS)})
"""The earlier in the table, the weightier: of several alarms the weightiest is lit, and its tones go first."""


def signal_key(ruling: Ruling) -> str:
    """The key of a ruling's signal: that of its code, else that of its kind."""
    key = f"{ruling.kind}:{ruling.get('code')}"
    return key if key in SIGNALS else ruling.kind
