"""What each ruling looks and sounds like: the one table. `docs/signals.md` is made from it.

Light comes first; a sound that has `after_ms` comes that much later, and only if what it tells of still holds. Every
pattern has an end: a tone by its length, a blink by `for_ms` (0: as long as what it tells of holds). Nothing is told
by colour alone: each meaning has a rhythm of its own, and its words on the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import attrs

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.signals.frames import Tone

Rhythm = Literal["steady", "slow", "fast", "flash"]

RHYTHM_MS: Final[Mapping[Rhythm, tuple[int, int]]] = {
    "steady": (1, 0),
    "slow": (600, 600),
    "fast": (150, 150),
    "flash": (80, 920),
}
"""On and off times of each rhythm in ms."""

ALARM_AFTER_MS: Final = 700
"""A sound waits this long after its light, so that a hand that is still adjusting is not beeped at."""

_REST: Final = Tone(0, 90)
_OOPS: Final = (Tone(330, 180), _REST, Tone(220, 320))
_OOPS_RING: Final = (Tone(440, 120), _REST, Tone(330, 200))
_NOTED: Final = (Tone(294, 150),)
_TIME: Final = (Tone(880, 120), _REST, Tone(880, 120), _REST, Tone(880, 360))
_STOPPED: Final = (Tone(523, 90),)
_WON: Final = (Tone(523, 140), Tone(659, 140), Tone(784, 280))
_LOST_SIGHT: Final = (Tone(196, 500),)
_READY: Final = (Tone(659, 90), Tone(784, 120))
_PASS: Final = (Tone(392, 100), _REST, Tone(392, 100))


@attrs.frozen
class Signal:
    """How a ruling is shown and sounded."""

    meaning: str
    tones: tuple[Tone, ...] = ()
    after_ms: int = 0
    alarm: Rhythm | None = None
    """The alarm lamp's rhythm."""
    alarm_for_ms: int = 0
    """How long; 0: until what it tells of is mended."""
    at: Literal["", "socket", "put_back"] = ""
    """Socket lamps: `socket` blinks where the trouble is, `put_back` shows besides where the glass belongs."""
    in_referee_mode: bool = True
    """Whether the silent referee box tells it too."""


SIGNALS: Final[Mapping[str, Signal]] = {
    "violation": Signal("a glass is wrong", _OOPS, ALARM_AFTER_MS, "fast", at="put_back"),
    "violation:full_socket": Signal(
        "the game is lost on a full socket", _OOPS, ALARM_AFTER_MS, "fast", 5_000, at="socket"
    ),
    "violation:ring_not_due": Signal("a ring is to be taken off", _OOPS_RING, ALARM_AFTER_MS, "fast", at="socket"),
    "violation:ring_removed": Signal("a ring is to be put back", _OOPS_RING, ALARM_AFTER_MS, "slow", at="socket"),
    "violation:timer_running": Signal("the timer was turned while it ran", _NOTED, 0, "fast", 1_500),
    "violation:must_move": Signal("a side that can move asked to pass", _NOTED, 0, "fast", 1_500),
    "timeout": Signal("the timer has run out", _TIME, 0, "slow", 3_000),
    "forfeit": Signal("a turn is forfeited", (), 0, "slow", 3_000),
    "skip": Signal("a turn is skipped", _PASS, 0, "slow", 2_000),
    "pass": Signal("a side cannot move and passes", _PASS, in_referee_mode=False),
    "glass_stopped": Signal("a glass has run out", _STOPPED, at="", in_referee_mode=False),
    "ready": Signal("the board is set up", _READY, in_referee_mode=False),
    "game_over": Signal("the game is over", _WON),
    "fault": Signal("a sensor cannot be trusted", _NOTED, ALARM_AFTER_MS, "flash", 5_000),
    "fault:ambiguous_placing": Signal("a glass is to be set down again", _NOTED, ALARM_AFTER_MS, "flash", 5_000),
    "notice:turning_not_seen": Signal("a turning is to be confirmed by a press", _NOTED, 0, "flash", 5_000),
    "notice:watch_glasses": Signal("the last glasses are to be watched", _NOTED, 0, "slow", 3_000),
    "notice:unobserved": Signal("the board changed unseen", _NOTED, 0, "flash", 3_000),
    "paused": Signal("nothing is judged", _LOST_SIGHT, 0, "flash"),
}
"""Ruling, or ruling and code, to its signal. A ruling that is not here is told in words only."""


def signal_for(ruling: Ruling) -> Signal | None:
    """The signal of a ruling; None where it is told in words only."""
    return SIGNALS.get(f"{ruling.kind}:{ruling.get('code')}") or SIGNALS.get(ruling.kind)


def is_lit(rhythm: Rhythm, since_ms: int, now_ms: int) -> bool:
    """Whether a lamp with this rhythm, begun at `since_ms`, is lit at `now_ms`."""
    on_ms, off_ms = RHYTHM_MS[rhythm]
    return (now_ms - since_ms) % (on_ms + off_ms) < on_ms


def next_flip_ms(rhythm: Rhythm, since_ms: int, now_ms: int) -> int | None:
    """When such a lamp next changes after `now_ms`; None where it never does."""
    on_ms, off_ms = RHYTHM_MS[rhythm]
    if not off_ms:
        return None
    into_ms = (now_ms - since_ms) % (on_ms + off_ms)
    return now_ms + (on_ms - into_ms if into_ms < on_ms else on_ms + off_ms - into_ms)


def page() -> str:
    """`docs/signals.md`, whole."""
    lines = [
        "# What each ruling looks and sounds like",
        "",
        "Made from `tamsk_pi/signals/table.py`. Light comes first; a sound comes after the given wait, and only if",
        "what it tells of still holds. Rhythms: "
        + "; ".join(f"*{name}* {on} ms on, {off} ms off" for name, (on, off) in RHYTHM_MS.items() if off)
        + ".",
        "",
        "| ruling | it means | alarm lamp | tones (Hz for ms; – is a rest) | wait ms | socket lamps | referee box |",
        "|---|---|---|---|---|---|---|",
    ]
    for key, signal in SIGNALS.items():
        tones = ", ".join(
            f"{t.pitch_hz} for {t.length_ms}" if t.pitch_hz else f"– for {t.length_ms}" for t in signal.tones
        )
        alarm = str(signal.alarm or "")
        if signal.alarm is not None:
            alarm += f" for {signal.alarm_for_ms} ms" if signal.alarm_for_ms else " until mended"
        told = "yes" if signal.in_referee_mode else "silent"
        lines.append(
            f"| `{key}` | {signal.meaning} | {alarm} | {tones} | {signal.after_ms or ''} "
            f"| {signal.at.replace('_', ' ')} | {told} |"
        )
    lines += [
        "",
        "Besides, as long as they hold:",
        "",
        "| what | lamps |",
        "|---|---|",
        "| the referee watches | `ready` steady; out within a second when board, scan, core or journal fail |",
        "| whose turn it is (play) | `turn_red` or `turn_black` steady; slow while its glass is in hand |",
        "| where a lifted glass may go (play) | green socket lamps, steady |",
        "| a ring is due (play) | the green lamp of its socket, slow |",
        "| the penalty lamp | the green lamp of the chosen socket, fast |",
        "| a glass that will run out within 10 s (play) | the red lamp of its socket, fast |",
        "| a glass stands wrongly | the red lamp of its socket, fast; the green lamp of its home, slow |",
        "| set-up: take away, put here | red lamp fast; green lamp slow |",
        "",
    ]
    return "\n".join(lines)
