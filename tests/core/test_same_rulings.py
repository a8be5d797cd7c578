"""The same edges give the same rulings, times included, however they are fed."""

from __future__ import annotations

from collections.abc import Sequence

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tests.core.edges_strategy import games


def _one_by_one(of: Settings, edges: Sequence[Edge], end_ms: int) -> list[Ruling]:
    session = Session(of)
    said = [r for edge in edges for r in session.feed(edge)]
    return said + list(session.finish(end_ms))


@settings(max_examples=400, deadline=None)
@given(games(), st.randoms(use_true_random=False))
def test_advances_in_between_change_nothing(game: tuple[Settings, list[Edge]], random: object) -> None:
    of, edges = game
    end_ms = (edges[-1].t_ms if edges else 0) + 40_000
    session = Session(of)
    said = list(session.advance(0))
    for edge in edges:
        while session.now_ms < edge.t_ms and random.random() < 0.7:  # type: ignore[attr-defined]
            said += session.advance(random.randint(session.now_ms, edge.t_ms))  # type: ignore[attr-defined]
        said += session.feed(edge)
    said += session.finish(end_ms)
    assert said == _one_by_one(of, edges, end_ms)


@settings(max_examples=200, deadline=None)
@given(games(), st.integers(1, 50))
def test_batches_change_nothing(game: tuple[Settings, list[Edge]], size: int) -> None:
    of, edges = game
    end_ms = (edges[-1].t_ms if edges else 0) + 40_000
    session = Session(of)
    said: list[Ruling] = []
    for first in range(0, len(edges), size):
        said += session.feed_all(edges[first : first + size])
    said += session.finish(end_ms)
    assert said == _one_by_one(of, edges, end_ms)


@settings(max_examples=200, deadline=None)
@given(games())
def test_waking_at_every_deadline_changes_nothing(game: tuple[Settings, list[Edge]]) -> None:
    """`next_deadline` names a time at which to come back, never one that has passed, and never for ever the same."""
    of, edges = game
    end_ms = (edges[-1].t_ms if edges else 0) + 40_000
    session = Session(of)
    said: list[Ruling] = list(session.advance(0))
    for edge in [*edges, Edge(end_ms, "button", "arbiter", False)]:
        while (wake_ms := session.next_deadline()) is not None and wake_ms < edge.t_ms:
            assert wake_ms > session.now_ms or session.now_ms == 0
            said += session.advance(max(wake_ms, session.now_ms))
            later_ms = session.next_deadline()
            assert later_ms is None or later_ms > session.now_ms
        if edge.t_ms < end_ms:
            said += session.feed(edge)
    said += session.finish(end_ms)
    assert said == _one_by_one(of, edges, end_ms)


@settings(max_examples=100, deadline=None)
@given(games())
def test_rulings_are_json(game: tuple[Settings, list[Edge]]) -> None:
    of, edges = game
    for ruling in _one_by_one(of, edges, 10**7):
        assert ruling.json_line().startswith('{"t": ')
        assert attrs.asdict(ruling, recurse=False)["kind"] == ruling.kind
