"""Whatever a board sends, there is a report of it, and its sums are right."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_pi.referee.words import Word
from tamsk_pi.report.facts import Report
from tamsk_pi.report.gather import gather
from tamsk_pi.report.write import FORMATS, write_report
from tamsk_pi.rules.board import GLASSES, PLAYERS, RINGS_PER_SIDE
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.signals.language import LANGUAGES
from tamsk_pi.trace import End, LinkDown, LinkUp, Record, TraceReader, header_line, record_line
from tests.core.edges_strategy import BUSY_SOCKETS, games

SIDES = st.sampled_from(PLAYERS)
WORDS = st.one_of(
    st.sampled_from(("pause", "resume", "annul", "recheck", "accept")).map(lambda what: (what, {})),
    st.tuples(
        st.just("rings"),
        st.fixed_dictionaries({"socket": st.sampled_from(BUSY_SOCKETS), "count": st.integers(0, 2), "side": SIDES}),
    ),
    st.tuples(
        st.just("glass"),
        st.fixed_dictionaries(
            {"glass": st.sampled_from(GLASSES), "state": st.just("running"), "left_ms": st.integers(1, 60_000)}
        ),
    ),
    st.tuples(
        st.just("glass"), st.fixed_dictionaries({"glass": st.sampled_from(GLASSES), "state": st.just("stopped")})
    ),
    st.tuples(st.just("penalty"), st.fixed_dictionaries({"side": SIDES, "given": st.booleans()})),
    st.tuples(st.just("turn"), st.fixed_dictionaries({"side": SIDES})),
    st.tuples(st.just("end"), st.fixed_dictionaries({"winner": st.sampled_from((None, *PLAYERS))})),
)


@st.composite
def traces(draw: st.DrawFn) -> tuple[Settings, list[Record]]:
    """Edges with the arbiter's words among them, and with silences."""
    of, edges = draw(games(most=80))
    records: list[Record] = []
    heard = True
    for edge in edges:
        records.append(edge)
        if draw(st.integers(0, 9)) == 0:
            what, details = draw(WORDS)
            records.append(Word(edge.t_ms, what, details))
        if draw(st.integers(0, 29)) == 0:
            records.append(LinkUp(edge.t_ms) if not heard else LinkDown(edge.t_ms))
            heard = not heard
    return of, records


def report_of(of: Settings, records: list[Record]) -> Report:
    """By way of a trace, as it would be kept."""
    text = header_line(of) + "".join(record_line(record, of) for record in records)
    return gather(TraceReader(io.BytesIO(text.encode())))


def holds(report: Report) -> None:
    """What is true of any report."""
    assert sum(t.took_ms + t.paused_ms for t in report.turns) + report.rest_ms == report.length_ms
    assert all(turn.took_ms >= 0 for turn in report.turns)
    if report.began:
        last = report.rings[-1]
        assert {"red": last.red, "black": last.black} == dict(report.final.rings_left)
        assert (report.rings[0].red, report.rings[0].black) == (RINGS_PER_SIDE, RINGS_PER_SIDE)
    for glass in report.glasses:
        times = [point.t_ms for point in glass.points]
        assert times == sorted(times)
        assert all(0 <= point.left_ms <= glass.full_ms for point in glass.points)
    for violation in report.violations:
        assert (violation.ended_ms is None) == (violation.mending == "open")
        assert violation.ended_ms is None or violation.ended_ms >= violation.ruling.t_ms


@settings(max_examples=150, deadline=None)
@given(traces(), st.sampled_from(LANGUAGES), st.sampled_from(FORMATS))
def test_any_trace_has_a_report(trace: tuple[Settings, list[Record]], language: str, form: str) -> None:
    report = report_of(*trace)
    holds(report)
    text = write_report(report, language, form)  # type: ignore[arg-type]
    ElementTree.fromstring(text.removeprefix("<!doctype html>\n").encode())


@pytest.mark.parametrize("end_ms", [0, 60_000])
def test_a_trace_without_anything(end_ms: int) -> None:
    report = report_of(Settings(level=3), [End(end_ms)])
    holds(report)
    assert report.length_ms == end_ms
    assert write_report(report, "en", "svg")


def test_what_the_strategy_makes_can_be_judged() -> None:
    """Else the property above would say little: a hand-made one of its kind has turns, violations and pauses."""
    of = Settings(level=1)
    records: list[Record] = [
        Edge(1_000, "socket", "D1", False),
        Edge(2_000, "socket", "D2", True),
        Word(3_000, "pause", {}),
        Word(5_000, "resume", {}),
        Edge(6_000, "ring", "D4", 1),
        LinkDown(9_000),
    ]
    report = report_of(of, records)
    holds(report)
    assert (len(report.turns), len(report.violations), len(report.pauses)) == (1, 1, 1)
