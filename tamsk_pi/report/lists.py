"""Lists of lines that have to fit a box: rulings with their times, and the record in columns. Sizes are in mm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final
from xml.etree.ElementTree import Element

import attrs

from tamsk_pi.report.charts import clock
from tamsk_pi.report.svg import width_of, words, wrapped
from tamsk_pi.rules.notation import format_turn
from tamsk_pi.rules.record import Record, numbered_pairs

_LINE: Final = 1.28
"""The distance of lines, by the size of their letters."""
_LAYOUTS: Final = ((2, 2.4), (2, 2.2), (3, 2.0), (3, 1.8), (4, 1.6), (4, 1.45))
"""Columns and letters of a record, from a short one to a long one."""

More = Callable[[int], str]
"""What to write in place of so many entries that found no room."""


@attrs.frozen
class Entry:
    """Something that happened: when, in words, and what became of it."""

    time: str
    text: str
    after: str


def list_of(
    entries: Sequence[Entry], size: float, width: float, height: float, more: More
) -> tuple[list[Element], float, bool]:
    """Entries one below the other in a box; what was drawn, how high it is, and whether all of it found room."""
    line, left = size * _LINE, size * 4.2
    drawn: list[Element] = []
    y = line
    for number, entry in enumerate(entries):
        parts = [(part, "") for part in wrapped(entry.text, size, width - left)]
        parts += [(part, "soft") for part in wrapped(entry.after, size, width - left)]
        needs = line * len(parts) + 0.35 * size
        # Unless it is the last, a line is kept free for saying that there is more.
        spare = line if number < len(entries) - 1 else 0.0
        if y - line + needs + spare > height + 1e-6:
            drawn.append(words(left, y, size, more(len(entries) - number), "soft"))
            return drawn, y + 0.35 * size, False
        drawn.append(words(0, y, size, entry.time, "soft"))
        for part, kind in parts:
            drawn.append(words(left, y, size, part, kind))
            y += line
        y += 0.35 * size
    return drawn, y - line, True


def record_columns(record: Record, width: float, height: float, more: More) -> tuple[list[Element], float]:
    """The record's turns in as many columns as it takes, each pair with the times of its turns; how high it is."""
    pairs = list(_pairs(record))
    columns, size = _LAYOUTS[-1]
    for columns, size in _LAYOUTS:
        rows = int(height / (size * _LINE))
        widest = max((width_of(" ".join(pair), size) for pair in pairs), default=0.0)
        if len(pairs) <= rows * columns and widest <= width / columns - size:
            break
    rows = max(int(height / (size * _LINE)), 1)
    # Full columns, but no fewer than two: a short record stands side by side.
    per_column = max(min(rows, -(-len(pairs) // columns)), min(rows, 12), 1)
    room = rows * columns
    drawn: list[Element] = []
    for index, pair in enumerate(pairs):
        column, row = divmod(index, per_column)
        x, y = column * width / columns, (row + 1) * size * _LINE
        left_out = len(pairs) - index if index == room - 1 and len(pairs) > room else 0
        text = more(left_out) if left_out else " ".join(pair)
        fits = width_of(text, size) <= width / columns - size
        squeeze = {} if fits else {"textLength": width / columns - size, "lengthAdjust": "spacingAndGlyphs"}
        if left_out:
            drawn.append(words(x, y, size, text, "soft", **squeeze))
            break
        line = words(x, y, size, "", "", **squeeze)
        line.extend(_spans(pair))
        drawn.append(line)
    return drawn, min(per_column, len(pairs)) * size * _LINE


def _pairs(record: Record) -> Iterator[list[str]]:
    """Each line of a record: its number, then turn and time in turn."""
    for number, pair in numbered_pairs(record.turns):
        line = [number]
        for turn in pair:
            line += [format_turn(turn), "" if turn.t_ms is None else clock(turn.t_ms)]
        yield line


def _spans(pair: Sequence[str]) -> Iterator[Element]:
    for place, part in enumerate(pair):
        span = Element("tspan", {"class": "soft"} if place % 2 == 0 else {})
        span.text = part if place == len(pair) - 1 else f"{part} "
        yield span
