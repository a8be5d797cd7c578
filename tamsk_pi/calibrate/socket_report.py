"""From what answered at every socket to findings, each with its names, and to what can be put right in a profile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

import attrs

from tamsk_pi.calibrate.saying import Finding, Weight
from tamsk_pi.calibrate.sockets import Placement, Result
from tamsk_pi.calibrate.wiring import Explained, Lines, explain_matrix, explain_pins, pins_to_exchange
from tamsk_pi.rules.board import COLUMNS, NEIGHBOURS, SOCKETS

_MOST: Final = 0.9
"""Fields exchanged in this part of a hall board's sockets are the magnets' doing, not the sensors'."""


@attrs.frozen
class Report:
    """What a whole calibration found. `lines` and `pins`: what a corrected profile exchanges (see `wiring.py`)."""

    findings: tuple[Finding, ...]
    lines: Lines = attrs.field(factory=Lines)
    pins: Mapping[str, str] = attrs.field(factory=dict)

    @property
    def stops_play(self) -> bool:
        return any(finding.weight == "stops" for finding in self.findings)


def report_on(
    results: Mapping[str, Result], sockets: Iterable[str], wiring: Literal["matrix", "pins", "mux"]
) -> Report:
    """Everything that is wrong. `wiring`: rows and columns, a pin for every reed, or multiplexers."""
    fitted = tuple(sockets)
    answers = {name: _answer_of(name, result) for name, result in results.items() if _was_tried(result)}
    explained = explain_matrix(answers, fitted) if wiring == "matrix" else explain_pins(answers)
    pins = pins_to_exchange(explained) if wiring == "pins" else {}
    findings = [
        *_line_findings(explained, wiring),
        *_exchanged(explained, pins, in_profile=wiring == "pins"),
        *_dead(explained.dead, results, wiring),
    ]
    tried = [(name, results[name]) for name in SOCKETS if name in results]
    findings += [finding for name, result in tried for finding in _of_one(name, result)]
    findings += _fields(tried)
    return Report(tuple(findings), explained.lines, pins)


def _was_tried(result: Result) -> bool:
    """Whether anything can be learnt of the wiring from it."""
    return result.a is not None and not (result.stuck or result.noisy)


def _placements(result: Result) -> list[Placement]:
    return [placement for placement in (result.a, result.b) if placement is not None]


def _answer_of(socket: str, result: Result) -> str | None:
    """The socket that answered: the one asked for, if it did."""
    answered = [name for placement in _placements(result) for name in placement.answered]
    return socket if socket in answered else next(iter(answered), None)


def _stops(code: str, *names: str, **blanks: object) -> Finding:
    return Finding(code, "stops", names, blanks)


def _line_findings(explained: Explained, wiring: str) -> Iterator[Finding]:
    for kind, seen_as in (("columns", explained.lines.columns), ("rows", explained.lines.rows)):
        if seen_as:
            lines = tuple(f"matrix.{kind}.{name}" for name in sorted(seen_as))
            code = "columns_exchanged" if kind == "columns" else "rows_exchanged"
            yield _stops(code, *sorted(seen_as), lines=lines)


def _exchanged(explained: Explained, pins: Mapping[str, str], *, in_profile: bool) -> Iterator[Finding]:
    done: set[str] = set()
    for socket, answer in explained.exchanged.items():
        if socket in done:
            continue
        if answer != socket and explained.exchanged.get(answer) == socket:
            done |= {socket, answer}
            code = "pins_exchanged" if in_profile and socket in pins else "sockets_exchanged"
            yield _stops(code, socket, answer, lines=(f"socket.{socket}", f"socket.{answer}"))
        else:
            yield _stops("answers_elsewhere", socket, answer, socket=socket, answer=answer)


def _dead(dead: Iterable[str], results: Mapping[str, Result], wiring: str) -> Iterator[Finding]:
    """Dead sockets, put together where all of a row or a column are: then it is its wire."""
    left = list(dead)
    if wiring == "matrix":
        for kind, names, of in (("column", COLUMNS, 0), ("row", "1234567", 1)):
            for name in names:
                tried = [socket for socket in results if socket[of] == name]
                if len(tried) > 1 and set(tried) <= set(left):
                    left = [socket for socket in left if socket not in tried]
                    yield _stops(f"dead_{kind}", *tried, line=name)
    for socket in left:
        yield _stops("dead", socket, socket=socket)


def _of_one(name: str, result: Result) -> Iterator[Finding]:
    if result.stuck:
        yield _stops("stuck_closed", name, socket=name)
    if result.never_opens:
        yield _stops("never_opens", name, socket=name)
    if result.noisy:
        yield _stops("noisy", name, socket=name)
    placements = _placements(result)
    if len(placements) == 2 and len([p for p in placements if p.answered]) == 1:
        end = "b" if placements[0].answered else "a"
        yield _stops("one_way_up", name, socket=name, end=end)
    others = {other for p in placements for other in p.answered[1:]}
    if others:
        near = others <= set(NEIGHBOURS[placements[0].answered[0] if placements[0].answered else name])
        listed = tuple(sorted(others, key=SOCKETS.index))
        yield _stops("crosstalk" if near else "joined", name, *listed, socket=name, sockets=listed)
    flickers = sum(p.flickers for p in placements)
    if flickers:
        yield Finding("weak", "note", (name,), {"socket": name, "flickers": flickers})


def _fields(tried: Iterable[tuple[str, Result]]) -> Iterator[Finding]:
    """What the poles say, on a hall board."""
    both: dict[str, tuple[str, str]] = {}
    for name, result in tried:
        if result.a is not None and result.b is not None and result.a.field and result.b.field:
            both[name] = (result.a.field, result.b.field)
    reversed_ones = tuple(name for name, fields in both.items() if fields == ("S", "N"))
    if reversed_ones and len(reversed_ones) >= _MOST * len(both):
        weight: Weight = "note"
        yield Finding("reversed_everywhere", weight, reversed_ones, {"sockets": reversed_ones})
    else:
        yield from (_stops("reversed", name, socket=name) for name in reversed_ones)
    for name, (first, second) in both.items():
        if first == second:
            yield _stops("same_pole", name, socket=name, field=first)
