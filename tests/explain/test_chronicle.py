"""Looking on changes nothing, takes bounded memory, and tells the same live as in a replay."""

from __future__ import annotations

import io
from itertools import pairwise

from hypothesis import given, settings

from tamsk_pi.explain.chronicle import KEPT, Chronicle, moments_of
from tamsk_pi.explain.edge_log import KEPT_PER_INPUT, EdgeLog
from tamsk_pi.explain.explanation import Json, explanation_of
from tamsk_pi.explain.moment import Moment
from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.runner.speech import words_for
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import SETTLE_MS, Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.explaining import Explainer
from tamsk_pi.trace import TraceReader, header_line, record_line
from tests.core.edges_strategy import games
from tests.explain.scenes import Scene


def explained(found: list[Moment], of: Settings) -> list[Json]:
    explainer = Explainer(words_for(of, "en"))
    return [explanation_of(moment, explainer) for moment in found]


@settings(max_examples=150, deadline=None)
@given(games())
def test_looking_on_changes_nothing(game: tuple[Settings, list[Edge]]) -> None:
    of, edges = game
    end_ms = (edges[-1].t_ms if edges else 0) + 40_000
    told: list[list[Ruling]] = []
    found: list[Moment] = []
    for session in (Session(of), Session(of, Chronicle(of, found.append))):
        told.append([*session.feed_all(edges), *session.finish(end_ms)])
    assert told[0] == told[1] == [moment.ruling for moment in found]


@settings(max_examples=150, deadline=None)
@given(games())
def test_a_live_game_is_explained_as_its_replay_is(game: tuple[Settings, list[Edge]]) -> None:
    """Live, time goes on between edges; in a replay it jumps from one to the next."""
    of, edges = game
    live: list[Moment] = []
    session = Session(of, Chronicle(of, live.append))
    for edge in edges:
        while (wake_ms := session.next_deadline()) is not None and wake_ms <= edge.t_ms:
            session.advance(wake_ms)
        session.feed(edge)
    end_ms = (edges[-1].t_ms if edges else 0) + 40_000
    session.finish(end_ms)
    text = header_line(of) + "".join(record_line(edge, of) for edge in edges) + f'{{"t": {end_ms}, "end": true}}\n'
    replayed = list(moments_of(TraceReader(io.BytesIO(text.encode()))))
    assert explained(live, of) == explained(replayed, of)


def test_the_memory_of_a_game_is_bounded() -> None:
    """Hours of bouncing and thousands of rulings leave no more behind than minutes do."""
    of = Settings(level=1)
    chronicle = Chronicle(of)
    session = Session(of, chronicle)
    for n in range(2_000):
        session.feed(Edge(n * 1_000, "ring", "D4", (n + 1) % 2))
        session.feed(Edge(n * 1_000 + 500, "socket", "D2", n % 2 == 0))
    assert len(chronicle.moments) == KEPT
    log = EdgeLog(SETTLE_MS)
    for n in range(10_000):
        log.add(Edge(n, "socket", "D4", n % 2 == 0))
    (burst,) = log.between("socket", "D4", 0, 10_000)
    assert len(burst.edges) == KEPT_PER_INPUT


def test_bursts_are_told_apart_by_the_settle_time() -> None:
    log = EdgeLog(SETTLE_MS)
    for n, t_ms in enumerate((100, 105, 224, 344, 350)):
        log.add(Edge(t_ms, "socket", "D4", n % 2 == 0))
    bursts = log.between("socket", "D4", 0, 1_000)
    assert [(b.first_ms, b.last_ms) for b in bursts] == [(100, 224), (344, 350)]
    assert all(later.first_ms - before.last_ms >= SETTLE_MS["socket"] for before, later in pairwise(bursts))
    (burst,) = log.change("socket", "D4", 105)
    assert burst.first_ms == 105


def test_recheck_means_the_last_ruling_that_is_no_looking() -> None:
    """A pause to look at it, and the look itself, are not what is looked at."""
    scene = Scene()
    scene.carry(1_000, "R2", "D1", "D3").word(2_000, "pause").word(3_000, "recheck").word(4_000, "recheck").says(5_000)
    found = rechecked(scene)
    assert found is not None
    assert found.ruling.get("code") == "not_adjacent"


def test_once_the_next_move_is_completed_nothing_is_looked_at_any_more() -> None:
    """As long as the verdict could be annulled, and no longer."""
    scene = Scene()
    scene.press(1_000, "red").word(2_000, "recheck").carry(3_000, "R2", "D1", "D2").says(4_000)
    assert rechecked(scene) is None


def rechecked(scene: Scene) -> Moment | None:
    chronicle = Chronicle(scene.settings)
    chronicle.moments.extend(scene.moments)
    return chronicle.rechecked()
