"""Whole games between clumsy players: what must hold of every one of them."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tamsk_pi.rules.board import GLASSES, SOCKETS, TIMER
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.sim.match import LONGEST_MS, Match
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
        clumsy=draw(st.sampled_from((0.0, 0.1, 0.5))),
        fitted=Fitted(
            draw(st.sampled_from(("reed", "reed", "hall"))),
            draw(st.sampled_from((True, True, False))),
            draw(st.sampled_from(("stack", "stack", "holder", "buttons"))),
        ),
        glass_ms=glass_ms,
        tolerance_ms=draw(st.sampled_from((0, 0, 700))),
    )


def play_and_hold(match: Match) -> None:
    """Play a game to its end, and hold every ruling and every picture of it against the ledger."""
    of = match.session.settings
    ledger = Ledger(free=of.setup == "free", ring_mode=of.rings)
    for ruling in match.rulings:
        ledger.check(ruling)
    while not match.is_over and match.board.now_ms < LONGEST_MS:
        rulings = match.step()
        for ruling in rulings:
            ledger.check(ruling)
        now_ms = match.session.now_ms
        for sand in match.session.referee.game.sand.values():
            assert 0 <= sand.left_ms(now_ms) <= sand.full_ms[sand.up]
        if rulings:
            ledger.hold(match.session.snapshot())
    assert ledger.over, "the players play to the end"


# A game follows from a seed, so that cutting one down shows nothing and takes long.
_NO_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)


@settings(max_examples=80, deadline=None, phases=_NO_SHRINKING)
@given(matches())
def test_every_game_keeps_the_rules(match: Match) -> None:
    """Rings are conserved, no socket is overfull, turns alternate, violations end, sand is none or all of it.

    A violation is resolved or still told as open in the last picture; while one of a glass is open nobody moves,
    passes or loses a turn.
    """
    play_and_hold(match)


@settings(max_examples=20, deadline=None, phases=_NO_SHRINKING)
@given(st.integers(0, 10**6), st.sampled_from((2, 3)))
def test_every_game_with_free_placement_keeps_the_rules(seed: int, level: int) -> None:
    """In its first three turns each side places its glasses; which one it was, only its tilt sensor tells."""
    play_and_hold(Match(seed, level=level, setup="free"))


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
