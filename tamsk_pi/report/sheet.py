"""The sheet: everything a report tells, laid out once, to be printed on one page of A4 or Letter.

The sheet is an SVG of fixed size, in mm. It fits the width of A4 and the height of Letter with a margin of 10 mm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final
from xml.etree.ElementTree import Element

from tamsk_pi.report.board_picture import HEIGHT as BOARD_HEIGHT
from tamsk_pi.report.board_picture import WIDTH as BOARD_WIDTH
from tamsk_pi.report.board_picture import board_picture
from tamsk_pi.report.charts import LABEL, mark, rings_chart, sand_chart, times_chart
from tamsk_pi.report.facts import GlassHistory, Report
from tamsk_pi.report.lists import Entry, list_of, record_columns
from tamsk_pi.report.svg import BOLD, NAMESPACE, draw, fitted, picture, width_of, words, wrapped
from tamsk_pi.report.telling import Telling
from tamsk_pi.rules.board import GLASSES, PLAYERS, TIMER

WIDTH: Final = 190.0
HEIGHT: Final = 255.0
_HALF: Final = 92.0
_RIGHT: Final = WIDTH - _HALF
_HEADING: Final = 3.2
_SMALL: Final = 2.3
_LETTERS: Final = (2.3, 2.1, 1.9)
"""The sizes of a list's letters, from one with room to one without."""
_BELOW: Final = 6.5
"""From the end of one list to the heading of the next."""

STYLE: Final = """
.sheet { font-family: system-ui, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif; fill: #25272c; }
.sheet .soft { fill: #55524c; }
.sheet .strong { font-weight: 650; }
.sheet .rule { stroke: #b9b2a5; stroke-width: .25; fill: none; }
.sheet .axis { fill: #55524c; }
.sheet .grid { stroke: #d9d3c7; stroke-width: .15; fill: none; }
.sheet .base { stroke: #55524c; stroke-width: .25; fill: none; }
.sheet .pause { fill: #ece7dc; }
.sheet .line { fill: none; stroke-linejoin: round; }
.sheet .line.red { stroke: #b93a2b; stroke-width: .5; }
.sheet .line.black { stroke: #15171b; stroke-width: .7; stroke-dasharray: 1.6 .8; }
.sheet .mark.red { fill: #fff; stroke: #b93a2b; stroke-width: .5; }
.sheet .mark.black { fill: #15171b; }
.sheet .label.red { fill: #a52f21; }
.sheet .bar.red { fill: #e9a99f; stroke: #a52f21; }
.sheet .bar.black { fill: #2b2e35; stroke: #15171b; }
.sheet .bar.lost { fill: #fff; stroke-dasharray: .5 .4; }
.sheet .frame { fill: none; stroke: #b9b2a5; stroke-width: .15; }
.sheet .sand-area { fill: #f1dcb4; }
.sheet .sand-line { fill: none; stroke: #8a5f12; stroke-width: .3; }
.sheet .stop { fill: #15171b; stroke: #fff; stroke-width: .12; }
.sheet .out { fill: #fff; fill-opacity: .6; stroke: #55524c; stroke-width: .15; }
.sheet .hatch { fill: none; stroke: #55524c; stroke-width: .2; }
.board .plate-top { fill: #e6dfd1; stroke: #e6dfd1; stroke-width: 26; stroke-linejoin: round; }
.board .plate-side { fill: #cdc3b1; stroke: #cdc3b1; stroke-width: 26; stroke-linejoin: round; }
.board .floor { fill: #d8cfbe; }
.board .hollow { fill: #c4b9a6; }
.board .tube-wall { fill: #c6baa5; }
.board .tube-line { fill: none; stroke: #9c8f77; stroke-width: 1.5; }
.board .tube-top { fill: #fdfbf6; stroke: #9c8f77; stroke-width: .8; }
.board .tube-hole { fill: #5d564b; }
.board .socket-name { font-size: 14px; text-anchor: middle; fill: #55524c; }
.board .ring-wall { fill: #8f2a1e; }
.board .ring-top { fill: #d2604f; stroke: #8f2a1e; stroke-width: .7; }
.board .ring.black .ring-wall { fill: #15171b; stroke: #777c88; stroke-width: .6; }
.board .ring.black .ring-top { fill: #4a4e58; stroke: #777c88; stroke-width: .9; }
.board .ring.unknown .ring-wall { fill: #5f5338; }
.board .ring.unknown .ring-top { fill: #8b7a55; stroke: #5f5338; stroke-dasharray: 5 4; }
.board .ring-notch { stroke: #777c88; stroke-width: 2.4; }
.board .holder .ring-wall { stroke: #fffdf9; stroke-width: .5; }
.board .holder-count { font-size: 19px; font-weight: 650; text-anchor: middle; }
.board .post { stroke: #8f2a1e; stroke-width: 3; fill: none; }
.board .foot, .board .cap { fill: #b93a2b; stroke: #8f2a1e; stroke-width: 1; }
.board .black .post { stroke: #2b2e35; }
.board .black .foot, .board .black .cap { fill: #2b2e35; stroke: #777c88; stroke-width: 1.4; }
.board .timer .post { stroke: #5f5338; }
.board .timer .foot, .board .timer .cap { fill: #5f5338; stroke: #8b7a55; }
.board .bulb { fill: #ffffffc0; stroke: #8c877e; stroke-width: 1; }
.board .sand { fill: #dca548; }
.board .glass-name { font-size: 16px; font-weight: 700; text-anchor: middle; fill: #fff; }
.board .out-mark { stroke: #15171b; stroke-width: 3; fill: none; }
"""
"""What the sheet looks like; constant, so that a page can allow it by its hash."""


def sheet(report: Report, telling: Telling) -> Element:
    """The whole sheet, without a style of its own."""
    root = draw(
        "svg",
        {
            "xmlns": NAMESPACE,
            "class": "sheet",
            "viewBox": f"0 0 {WIDTH:g} {HEIGHT:g}",
            "width": f"{WIDTH:g}mm",
            "height": f"{HEIGHT:g}mm",
            "lang": telling.language,
            "role": "group",
            "aria-label": telling.text("title"),
        },
        draw("title", text=f"{telling.text('title')}: {telling.players()}"),
    )
    y = _head(root, report, telling)
    y = _upper(root, report, telling, y)
    if report.glasses:
        y = _sand(root, report, telling, y)
    _lower(root, report, telling, y)
    return root


def _group(x: float, y: float, *children: Element) -> Element:
    return draw("g", {"transform": f"translate({x:.2f} {y:.2f})"}, *children)


def _heading(x: float, y: float, text: str) -> Element:
    return words(x, y, _HEADING, text, "strong", role="heading", aria_level=2)


# -- who, what, when


def _head(root: Element, report: Report, telling: Telling) -> float:
    size = 6.0
    lines = list(wrapped(telling.players(), size * BOLD, WIDTH))
    if len(lines) > 1:
        size = 4.4
        lines = list(wrapped(telling.players(), size * BOLD, WIDTH))
    y = size
    title = draw("g", {"role": "heading", "aria-level": 1})
    for line in lines:
        title.append(words(0, y, size, line, "strong"))
        y += size * 1.15
    root.append(title)
    y += 0.4
    for line in telling.outcome():
        for part in wrapped(line, 3.4, WIDTH):
            root.append(words(0, y, 3.4, part))
            y += 4.4
    for line in telling.flaws():
        for part in wrapped(line, 2.6 * BOLD, WIDTH):
            root.append(words(0, y, 2.6, part, "strong"))
            y += 3.4
    y += 0.2
    return _facts(root, telling, y)


def _facts(root: Element, telling: Telling, y: float) -> float:
    x = 0.0
    for label, value in telling.facts():
        shown = fitted(value, 2.6, 60.0)
        width = max(width_of(label, 2.0), width_of(shown, 2.6)) + 4
        if x and x + width > WIDTH:
            x, y = 0.0, y + 7.6
        root.append(words(x, y, 2.0, label, "soft"))
        root.append(words(x, y + 3.3, 2.6, shown))
        x += width
    y += 5.4
    root.append(draw("path", {"class": "rule", "d": f"M0 {y:.2f}H{WIDTH:g}"}))
    return y + 5


# -- the position, the rings, the times


def _upper(root: Element, report: Report, telling: Telling, y: float) -> float:
    high = 92.0 if report.glasses else 108.0
    root.append(_heading(0, y, telling.text("position" if report.outcome else "position.unfinished")))
    beside = any(report.final.glasses[name].socket is None for name in GLASSES)
    top, bottom = 24 if beside else 48, BOARD_HEIGHT - (0 if report.settings.level == 3 else 12)
    scale = min(_HALF / BOARD_WIDTH, (high - 3) / (bottom - top))
    board = board_picture(report.final, report.owners, report.end_ms)
    left = (_HALF - BOARD_WIDTH * scale) / 2
    board.set("transform", f"translate({left:.2f} {y + 2 - top * scale:.2f}) scale({scale:.4f})")
    root.append(picture(telling.text("position"), telling.position(), {}, board))

    names = {player: telling.side(player, 15.0, LABEL) for player in PLAYERS}
    notes = [
        (player, line)
        for player, text in telling.times()
        for line in wrapped(text, _SMALL, _HALF - (2.6 if player else 0))
    ]
    rings_high = high * 0.42
    y_times = y + rings_high + 7
    chart_high = high - rings_high - 10 - 3.1 * len(notes)
    root.append(_heading(_RIGHT, y, telling.text("rings")))
    root.append(
        picture(
            telling.text("rings"),
            telling.rings(),
            {"transform": f"translate({_RIGHT:.2f} {y + 1.5:.2f})"},
            *rings_chart(report, names, _HALF, rings_high),
        )
    )
    root.append(_heading(_RIGHT, y_times, telling.text("times")))
    root.append(
        picture(
            telling.text("times"),
            ". ".join(text.removesuffix(".") for _, text in telling.times()) + ".",
            {"transform": f"translate({_RIGHT:.2f} {y_times + 1.5:.2f})"},
            *times_chart(report, _HALF, chart_high),
        )
    )
    y_note = y_times + 1.5 + chart_high + 3
    for player, text in notes:
        if player:
            root.append(mark(player, _RIGHT + 0.9, y_note - 0.8, 0.8))
        root.append(words(_RIGHT + (2.6 if player else 0), y_note, _SMALL, text))
        y_note += 3.1
    return y + high + (4 if report.glasses else 6)


# -- the sand


def _sand(root: Element, report: Report, telling: Telling, y: float) -> float:
    """Small charts in two rows: red's glasses above black's, the timer at the end of the first."""
    root.append(_heading(0, y, telling.text("sand")))
    room = WIDTH - width_of(telling.text("sand"), _HEADING * BOLD) - 4
    key = fitted(telling.text("sand.key"), 2.1, room)
    root.append(words(WIDTH, y, 2.1, key, "soft", text_anchor="end"))
    rows: list[list[GlassHistory]] = [
        [g for g in report.glasses if g.name[0] == "R" or g.name == TIMER],
        [g for g in report.glasses if g.name[0] == "B"],
    ]
    across = max(map(len, rows))
    gap, high = 4.0, 10.0
    width = (WIDTH - gap * (across - 1)) / across
    y += 4
    for row in rows:
        for column, glass in enumerate(row):
            x = column * (width + gap)
            root.append(words(x, y, _SMALL, glass.name, "strong"))
            name = telling.glass(glass.name).removesuffix(f" ({glass.name})")
            root.append(words(x + 4.4, y, _SMALL, fitted(name, _SMALL, width - 4.4)))
            root.append(
                picture(
                    telling.glass(glass.name),
                    telling.sand(glass),
                    {"transform": f"translate({x:.2f} {y + 0.6:.2f})"},
                    *sand_chart(report, glass, width, high),
                )
            )
        y += high + 6.4
    return y + 3


# -- what went wrong, and the record


def _lower(root: Element, report: Report, telling: Telling, y: float) -> None:
    """Violations on the left, the record on the right; time penalties below the record if there is room, else left."""
    bottom = HEIGHT - 0.6
    root.append(draw("path", {"class": "rule", "d": f"M0 {y - 4.8:.2f}H{WIDTH:g}"}))
    root.append(_heading(_RIGHT, y, telling.text("record")))
    turns, turns_high = record_columns(report.record, _HALF, bottom - y - 1, telling.more)
    if not turns:
        turns, turns_high = [words(0, 3, _SMALL, telling.text("none"))], 3.0
    root.append(_group(_RIGHT, y + 1, *turns))

    none = [Entry("", telling.text("none"), "")]
    violations, penalties = list(telling.violations()) or none, list(telling.penalties()) or none
    root.append(_heading(0, y, telling.text("violations")))
    y_right = y + turns_high + _BELOW
    drawn, _, whole = list_of(penalties, _SMALL, _HALF, bottom - y_right - 1, telling.more)
    if whole:
        room = bottom - y - 1
        lists = (list_of(violations, size, _HALF, room, telling.more) for size in _LETTERS)
        tried = list(lists)
        root.append(_group(0, y + 1, *next((one for one, _, fits in tried if fits), tried[-1][0])))
        root.append(_heading(_RIGHT, y_right, telling.text("penalties")))
        root.append(_group(_RIGHT, y_right + 1, *drawn))
        return
    first, second, high = _both(violations, penalties, bottom - y - 1 - _BELOW, telling)
    root.append(_group(0, y + 1, *first))
    root.append(_heading(0, y + high + _BELOW, telling.text("penalties")))
    root.append(_group(0, y + high + _BELOW + 1, *second))


def _both(
    above: list[Entry], below: list[Entry], room: float, telling: Telling
) -> tuple[list[Element], list[Element], float]:
    """Two lists drawn one above the other, and how high the first is."""
    for size in _LETTERS:
        first, first_high, first_whole = list_of(above, size, _HALF, room, telling.more)
        second, _, second_whole = list_of(below, size, _HALF, max(room - first_high, 0.0), telling.more)
        if first_whole and second_whole:
            return first, second, first_high
    # Both have their share of what there is.
    _, wants, _ = list_of(below, size, _HALF, float("inf"), telling.more)
    first, first_high, _ = list_of(above, size, _HALF, max(room - wants, room / 2), telling.more)
    second, _, _ = list_of(below, size, _HALF, room - first_high, telling.more)
    return first, second, first_high


def whole_lists(report: Report, telling: Telling) -> Iterable[Entry]:
    """Every violation and penalty in order of time, for those who read on a screen."""

    def entries() -> Iterator[tuple[int, Entry]]:
        yield from zip((v.ruling.t_ms for v in report.violations), telling.violations(), strict=True)
        yield from zip((p.t_ms for p in report.penalties), telling.penalties(), strict=True)

    return [entry for _, entry in sorted(entries(), key=lambda pair: pair[0])]
