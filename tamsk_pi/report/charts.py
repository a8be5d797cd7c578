"""The charts of a report. Sizes are in mm of the printed sheet; each chart fills a box from (0, 0) on.

Red and black are told apart without colour: by place, by line and by a label at each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final
from xml.etree.ElementTree import Element

from tamsk_pi.report.facts import GlassHistory, Report, TurnTime
from tamsk_pi.report.svg import draw, width_of, words
from tamsk_pi.rules.board import PLAYERS, RINGS_PER_SIDE, TIMER, Player

LABEL: Final = 2.1
"""The size of the letters at axes."""

_MARK_OF_TURN: Final[Mapping[str, str]] = {"pass": "P", "forfeit": "F", "skip": "S"}
_NICE_S: Final = (1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200)
_AXIS: Final = 6.0
"""Room for the numbers to the left of a chart."""


def clock(ms: int) -> str:
    """A time or a length as `m:ss`, to the second begun last; hours where there are any."""
    seconds = ms // 1000
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"


def nice_step_ms(length_ms: int, at_most: int) -> int:
    """A round step by which a length has no more than `at_most` parts."""
    for step_s in _NICE_S:
        if length_ms <= step_s * 1000 * at_most:
            return step_s * 1000
    hour_ms = 3_600_000
    return hour_ms * -(-length_ms // (hour_ms * at_most))


class _TimeAxis:
    """Maps the game's time to the width of a chart."""

    def __init__(self, report: Report, left: float, width: float) -> None:
        self.start_ms, self.length_ms = report.start_ms, max(report.length_ms, 1)
        self._left, self._width = left, width

    def x(self, t_ms: int) -> float:
        return self._left + self._width * min(max(0, t_ms - self.start_ms) / self.length_ms, 1.0)

    def ticks(self, y: float, top: float, *, label: bool = True, at_most: int = 6) -> Iterator[Element]:
        step_ms = nice_step_ms(self.length_ms, at_most)
        for t_ms in range(0, self.length_ms + 1, step_ms):
            x = self.x(self.start_ms + t_ms)
            yield draw("path", {"class": "grid", "d": f"M{x:.2f} {top:.2f}V{y:.2f}"})
            if label:
                yield words(x, y + 2.7, LABEL, clock(t_ms), "axis", text_anchor="middle")


def _pauses(report: Report, axis: _TimeAxis, top: float, height: float) -> Iterator[Element]:
    for pause in report.pauses:
        x = axis.x(pause.since_ms)
        yield draw("rect", {"class": "pause", "x": x, "y": top, "width": axis.x(pause.until_ms) - x, "height": height})


def rings_chart(report: Report, names: Mapping[Player, str], width: float, height: float) -> list[Element]:
    """Both sides' rings left over the game: red a thin line with round corners marked, black a thick dashed one."""
    label_width = max(width_of(f"{name} 32", LABEL) for name in names.values())
    plot = width - _AXIS - min(label_width, 20.0) - 2
    low = height - 3.5
    axis = _TimeAxis(report, _AXIS, plot)

    def y(count: int) -> float:
        return low - (low - 1.5) * count / RINGS_PER_SIDE

    drawn = [*_pauses(report, axis, 1.5, low - 1.5), *axis.ticks(low, 1.5)]
    for count in range(0, RINGS_PER_SIDE + 1, 8):
        drawn.append(draw("path", {"class": "grid", "d": f"M{_AXIS} {y(count):.2f}h{plot:.2f}"}))
        drawn.append(words(_AXIS - 1, y(count) + 0.75, LABEL, str(count), "axis", text_anchor="end"))
    for player in PLAYERS:
        counts = [(axis.x(step.t_ms), y(step.red if player == "red" else step.black)) for step in report.rings]
        if counts:
            steps = "".join(f"H{x:.2f}V{at:.2f}" for x, at in counts[1:])
            line = f"M{counts[0][0]:.2f} {counts[0][1]:.2f}{steps}"
            drawn.append(draw("path", {"class": f"line {player}", "d": line}))
    if report.rings:
        drawn += _line_ends(report, names, axis.x(report.end_ms) + 1.6, y)
    return drawn


def _line_ends(report: Report, names: Mapping[Player, str], x: float, y: Callable[[int], float]) -> Iterator[Element]:
    last = report.rings[-1]
    counts: dict[Player, int] = {"red": last.red, "black": last.black}
    higher: Player = "red" if counts["red"] > counts["black"] else "black"
    apart = abs(y(counts["red"]) - y(counts["black"]))
    for player in PLAYERS:
        at = y(counts[player])
        # Labels of lines that end close together move apart.
        nudge = max(0.0, (2.6 - apart) / 2) * (-1 if player == higher else 1)
        yield mark(player, x - 1.6, at, 0.85)
        yield words(x, at + 0.75 + nudge, LABEL, f"{names[player]} {counts[player]}", f"label {player}")


def mark(player: str, x: float, y: float, size: float) -> Element:
    """The sign of a side: round and red, square and black."""
    if player == "red":
        return draw("circle", {"class": "mark red", "cx": x, "cy": y, "r": size})
    return draw("rect", {"class": "mark black", "x": x - size, "y": y - size, "width": 2 * size, "height": 2 * size})


def times_chart(report: Report, width: float, height: float) -> list[Element]:
    """A bar for each turn in its order: red's upwards and light, black's downwards and dark."""
    longest_ms = max((turn.took_ms for turn in report.turns), default=0)
    step_ms = nice_step_ms(max(longest_ms, 1000), 3)
    top_ms = max(step_ms * -(-longest_ms // step_ms), step_ms)
    middle, half = height / 2, height / 2 - 1.5
    plot = width - _AXIS
    drawn = []
    for t_ms in range(0, top_ms + 1, step_ms):
        for sign in (1, -1) if t_ms else (1,):
            y = middle - sign * half * t_ms / top_ms
            drawn.append(draw("path", {"class": "grid" if t_ms else "base", "d": f"M{_AXIS} {y:.2f}h{plot:.2f}"}))
            drawn.append(words(_AXIS - 1, y + 0.75, LABEL, clock(t_ms), "axis", text_anchor="end"))
    slot = plot / max(len(report.turns), 12)
    for number, turn in enumerate(report.turns):
        drawn += _bar(turn, _AXIS + slot * number, middle, half / top_ms, slot)
    return drawn


def _bar(turn: TurnTime, x: float, middle: float, per_ms: float, slot: float) -> Iterator[Element]:
    high = max(turn.took_ms * per_ms, 0.1)
    up = turn.player == "red"
    box = {"x": x + slot * 0.12, "width": slot * 0.76, "y": middle - high if up else middle, "height": high}
    box["stroke-width"] = min(0.15, slot / 12)
    title = draw("title", text=f"{turn.notation}: {clock(turn.took_ms)}")
    yield draw("rect", {"class": f"bar {turn.player}{'' if turn.kind == 'move' else ' lost'}", **box}, title)
    if turn.kind in _MARK_OF_TURN:
        y = middle - high - 0.5 if up else middle + high + 1.7
        yield words(x + slot / 2, y, 1.8, _MARK_OF_TURN[turn.kind], "label", text_anchor="middle")


def sand_chart(report: Report, glass: GlassHistory, width: float, height: float) -> list[Element]:
    """How full one glass's upper chamber is over the game, with its stops and while it is out."""
    axis = _TimeAxis(report, 0.0, width)
    low = height

    def y(left_ms: int) -> float:
        return low - (low - 0.6) * min(left_ms / glass.full_ms, 1.0)

    side = "timer" if glass.name == TIMER else "red" if glass.name[0] == "R" else "black"
    drawn = [draw("rect", {"class": "frame", "x": 0, "y": 0.6, "width": width, "height": low - 0.6})]
    drawn += axis.ticks(low, 0.6, label=False, at_most=4)
    if glass.points:
        line = _polyline((axis.x(p.t_ms), y(p.left_ms)) for p in glass.points)
        first, last = axis.x(glass.points[0].t_ms), axis.x(glass.points[-1].t_ms)
        drawn.append(draw("path", {"class": f"sand-area {side}", "d": f"{line}L{last:.2f} {low}L{first:.2f} {low}Z"}))
        drawn.append(draw("path", {"class": f"sand-line {side}", "d": line}))
    for out in glass.outs:
        drawn += _hatched(axis.x(out.since_ms), axis.x(out.until_ms), low, low - 0.6)
    for t_ms in glass.stops_ms:
        x = axis.x(t_ms)
        drawn.append(draw("path", {"class": "stop", "d": f"M{x:.2f} {low - 0.1:.2f}l-1.1 -1.9h2.2Z"}))
    drawn.append(words(0, low + 2.3, 1.9, clock(0), "axis"))
    drawn.append(words(width, low + 2.3, 1.9, clock(report.length_ms), "axis", text_anchor="end"))
    return drawn


def _hatched(left: float, right: float, low: float, height: float) -> Iterator[Element]:
    """A box with slanted lines, drawn one by one: patterns print as grey blurs in some viewers."""
    yield draw(
        "rect", {"class": "out", "x": left, "y": low - height, "width": max(right - left, 0.0), "height": height}
    )
    slant = height * 0.6
    lines = []
    x = left - slant + 0.8
    while x < right:
        # From the lower edge up to the right, cut off at the sides.
        begin, end = max(x, left), min(x + slant, right)
        if end > begin:
            rise = height / slant
            lines.append(f"M{begin:.2f} {low - (begin - x) * rise:.2f}L{end:.2f} {low - (end - x) * rise:.2f}")
        x += 1.5
    yield draw("path", {"class": "hatch", "d": "".join(lines)})


def _polyline(points: Iterable[tuple[float, float]]) -> str:
    corners: Sequence[str] = [f"{x:.2f} {y:.2f}" for x, y in points]
    return "M" + "L".join(corners)
