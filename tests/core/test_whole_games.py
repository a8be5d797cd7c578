"""Whole games between clumsy players: what must hold of every one of them."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_pi.rules.board import GLASSES, SOCKETS, TIMER
from tamsk_pi.rules.sand import Sand
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.sim.match import Match
from tamsk_pi.sim.truth import Fitted
from tests.core.edges_strategy import games
from tests.core.ledger import Ledger


@st.composite
def matches(draw: st.DrawFn) -> Match:
    """A game of any level, edition and board, with glasses that stop within a minute."""
    full = st.integers(6_000, 60_000)
    glass_ms: Mapping[str, Mapping[str, int]] = {g: {"a": draw(full), "b": draw(full)} for g in GLASSES} | {
        TIMER: {"a": draw(st.integers(2_000, 15_000)), "b": draw(st.integers(2_000, 15_000))}
    }
    return Match(
        draw(st.integers(0, 10**6)),
        level=draw(st.sampled_from((1, 2, 3, 3))),
        rules=draw(st.sampled_from(("rulebook", "wikipedia", "schmidt1998"))),
        setup=draw(st.sampled_from(("corners", "corners", "corners", "free"))),
        clumsy=draw(st.sampled_from((0.0, 0.1, 0.5))),
        fitted=Fitted(
            draw(st.sampled_from(("reed", "reed", "hall"))),
            draw(st.sampled_from((True, True, False))),
            draw(st.sampled_from(("stack", "stack", "holder", "buttons"))),
        ),
        glass_ms=glass_ms,
        tolerance_ms=draw(st.sampled_from((0, 0, 700))),
    )


@settings(max_examples=120, deadline=None)
@given(matches())
def test_every_game_keeps_the_rules(match: Match) -> None:
    """Rings are conserved, no socket is overfull, turns alternate, violations end, sand is none or all of it."""
    game = match.session.referee.game
    ledger = Ledger(free=game.settings.setup == "free", ring_mode=game.settings.rings)
    for ruling in match.rulings:
        ledger.check(ruling)
    while not match.is_over and match.board.now_ms < 3_600_000:
        rulings = match.step()
        for ruling in rulings:
            ledger.check(ruling)
        now_ms = match.session.now_ms
        for name, sand in game_sand(match).items():
            assert 0 <= sand.left_ms(now_ms) <= sand.full_ms[sand.up], name
        if rulings:
            ledger.hold(match.session.snapshot())
    assert ledger.over, "the players play to the end"
    assert len(ledger.wrong_glasses) == len(match.session.snapshot().violations) - len(
        [v for v in match.session.snapshot().violations if v.glass is None]
    )


def game_sand(match: Match) -> Mapping[str, Sand]:
    return match.session.referee.game.sand


@settings(max_examples=150, deadline=None)
@given(games())
def test_edges_that_no_hand_made_keep_rings_turns_and_sand(game: tuple[Settings, list[Edge]]) -> None:
    """However the sensors rave, rings are conserved, turns alternate and sand is between none and all of it."""
    of, edges = game
    session = Session(of)
    ledger = Ledger(ring_mode=of.rings)
    edges = [edge for edge in edges if edge.name != "arbiter"]
    end_ms = (edges[-1].t_ms if edges else 0) + 40_000
    rulings = [ruling for edge in edges for ruling in session.feed(edge)]
    for ruling in [*rulings, *session.finish(end_ms)]:
        ledger.check(ruling)
    picture = session.snapshot()
    assert dict(picture.rings) == ledger.rings
    assert sum(picture.rings_left.values()) + sum(picture.rings.values()) == 64
    assert set(ledger.rings) == set(SOCKETS)
    for sand in session.referee.game.sand.values():
        assert 0 <= sand.left_ms(end_ms) <= sand.full_ms[sand.up]
