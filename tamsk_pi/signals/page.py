"""`docs/signals.md`, made from the tables: `python -m tamsk_pi.signals.page > docs/signals.md`."""

from __future__ import annotations

import sys

from tamsk_pi.signals.frames import Tone
from tamsk_pi.signals.rhythm import RHYTHMS_MS
from tamsk_pi.signals.sentences import SENTENCES
from tamsk_pi.signals.standing import STATES
from tamsk_pi.signals.table import BLINK_MS, NOTED, SAME_FAULT_MS, SIGNALS, UNTIL_MENDED, Signal

_INTRODUCTION = f"""\
# What each ruling looks and sounds like

Made from `tamsk_pi/signals/` by `python -m tamsk_pi.signals.page > docs/signals.md`; the tables there are what the
program goes by.

- Light comes first. A sound comes after the wait given, and only if what it tells of still holds; so a hand that is
  still adjusting is not beeped at.
- A fault sounds once. The same one of the same input within {SAME_FAULT_MS // 1000} s is lit again, not sounded again.
- Every pattern has an end. Tones end by themselves, lamps after the time given; what is still to be put right after
  {BLINK_MS // 1000} s is shown by steady light until it is.
- Nothing is told by colour alone: each meaning has its rhythm and its words. A socket shows one meaning at a time, so
  that a board with a single lamp at each socket shows as much as one with two.
- Of several alarms at once the weightiest is lit and sounds first: the one further up in the table.
- In mode `referee` the box is dark and silent until something is illegal, a penalty falls due, or it needs the
  players' help to know what is on the board.

## Rulings

Braces are filled in; the words are given in English and spoken in German and Spanish too (`--language`, or the
locale). A ruling of which there are several kinds (`ring`, `timeout`, …) has one sentence for each.
"""


def page() -> str:
    """The page, whole."""
    lines = [
        _INTRODUCTION,
        "| ruling | lamp | tones | sound after | in mode `referee` | words |",
        "|---|---|---|---|---|---|",
        *(_row(key, signal) for key, signal in SIGNALS.items()),
        "",
        "## States",
        "",
        "As long as they hold, the weightiest first: of several meanings one socket or one lamp shows the first.",
        "",
        "| state | lamp | rhythm | in mode `referee` |",
        "|---|---|---|---|",
        *(
            f"| {state.meaning} | {'turn lamp' if state.plane == 'panel' else f'{state.plane} socket lamp'} "
            f"| {state.rhythm} | {'yes' if state.in_referee_mode else 'no'} |"
            for state in STATES.values()
        ),
        "| the referee watches: board, scan, core and journal are alive | `ready` lamp | steady | yes |",
        "",
        "## Rhythms",
        "",
        "| rhythm | on and off, in ms |",
        "|---|---|",
        *(f"| {name} | {', '.join(map(str, parts)) or 'always on'} |" for name, parts in RHYTHMS_MS.items()),
        "",
        "## Every sentence",
        "",
        "| ruling | words |",
        "|---|---|",
        *(f"| `{key}` | {text} |" for key, text in SENTENCES.items()),
    ]
    return "\n".join(lines) + "\n"


def _row(key: str, signal: Signal) -> str:
    told = {"all": "the same", "lamp": "the lamp only", "nothing": "nothing"}[signal.in_referee_mode]
    after = f"{signal.after_ms} ms" if signal.after_ms else "at once" if signal.tones else ""
    name = "a violation with nothing to mend" if key == NOTED else f"`{key}`"
    return f"| {name} | {_lamp(signal)} | {_tones(signal.tones)} | {after} | {told} | {_words(key)} |"


def _lamp(signal: Signal) -> str:
    if not signal.lamp:
        return ""
    lamp = {"alarm": "`alarm`", "player": "turn lamp of the side", "winner": "turn lamp of the winner"}[signal.lamp]
    socket = ", red lamp of the socket" if signal.red_socket else ""
    ends = "until mended" if signal.lamp_for_ms == UNTIL_MENDED else f"for {signal.lamp_for_ms / 1000:g} s"
    return f"{lamp}{socket}, {signal.rhythm}, {ends}"


def _tones(tones: tuple[Tone, ...]) -> str:
    return ", ".join(f"{tone.pitch_hz or 'rest'} {'Hz ' if tone.pitch_hz else ''}{tone.length_ms} ms" for tone in tones)


def _words(key: str) -> str:
    """The sentences of a row where they are few, or where to find them."""
    found = [text for name, text in SENTENCES.items() if name == key or name.startswith(f"{key}.")]
    return " / ".join(found) if 0 < len(found) <= 3 else "below"


if __name__ == "__main__":
    sys.stdout.write(page())
