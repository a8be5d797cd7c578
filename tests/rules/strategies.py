"""Hypothesis strategies for positions, moves and records."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st

from tamsk_pi.rules.board import CAPACITY, GLASSES, PLAYERS, RINGS_PER_SIDE, SOCKETS
from tamsk_pi.rules.notation import STANDSTILLS, Move, MoveRing, PenaltyRing, Turn
from tamsk_pi.rules.position import Position
from tamsk_pi.rules.record import RESULT_TAG, UNFINISHED, Record, Result, ResultReason

sockets = st.sampled_from(SOCKETS)
players = st.sampled_from(PLAYERS)
times_ms = st.integers(min_value=0, max_value=10**8)


@st.composite
def positions(draw: st.DrawFn, *, free: bool | None = None, crowded: bool = False) -> Position:
    """Legal positions, any glasses anywhere; `crowded` ones have little room left, so that sides must pass."""
    is_free = draw(st.booleans()) if free is None else free
    places = draw(st.permutations(SOCKETS))
    glasses = dict(zip(GLASSES, places, strict=False))
    if is_free:
        missing = draw(st.sets(st.sampled_from(GLASSES)))
        glasses = {glass: socket for glass, socket in glasses.items() if glass not in missing}
    rings = {socket: draw(st.integers(0, CAPACITY[socket])) for socket in SOCKETS}
    if crowded:
        spared = draw(st.sets(sockets, min_size=3, max_size=8))
        rings = {socket: rings[socket] if socket in spared else CAPACITY[socket] for socket in SOCKETS}
    left = 2 * RINGS_PER_SIDE - sum(rings.values())
    least, most = max(0, left - RINGS_PER_SIDE), min(left, RINGS_PER_SIDE)
    if crowded and left > 1:  # leave both sides a ring, or the game has ended before it is looked at
        least, most = max(least, 1), min(most, left - 1)
    red = draw(st.integers(least, most))
    return Position(
        glasses=glasses,
        rings=rings,
        to_move=draw(players),
        rings_left={"red": red, "black": left - red},
        setup="free" if is_free else "corners",
    )


moves = st.builds(
    Move,
    origin=st.none() | sockets,
    to=sockets,
    ring=st.sampled_from(get_args(MoveRing)),
    penalty=st.none() | st.builds(PenaltyRing, socket=sockets, filled=st.booleans()),
)

turns = st.builds(
    Turn,
    player=players,
    action=moves | st.sampled_from(STANDSTILLS),
    claim=st.none() | sockets,
    t_ms=st.none() | times_ms,
)

lone_claims = st.builds(Turn, player=players, action=st.none(), claim=sockets, t_ms=st.none() | times_ms)

results = st.builds(
    Result,
    winner=st.none() | players,
    red=st.integers(0, RINGS_PER_SIDE),
    black=st.integers(0, RINGS_PER_SIDE),
    reason=st.sampled_from(get_args(ResultReason)),
)

tag_names = st.from_regex("[A-Za-z][A-Za-z0-9_]{0,11}", fullmatch=True).filter(lambda name: name != RESULT_TAG)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Records of any turns, whoever's they are, and tags of any text."""
    tags = draw(st.dictionaries(tag_names, st.text(), max_size=5))
    if draw(st.booleans()):
        tags[RESULT_TAG] = draw(results.map(Result.text) | st.just(UNFINISHED))
    played = draw(st.lists(turns, max_size=12))
    last = draw(st.lists(lone_claims, max_size=1))
    return Record(tags, tuple(played + last))
