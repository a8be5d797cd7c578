"""Whatever the arbiter says and however often the link is cut, in whatever order: the referee goes on."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_pi.referee.rulings import Ruling
from tamsk_pi.referee.words import Word
from tamsk_pi.rules.board import CAPACITY, GLASSES, PLAYERS, START, TIMER
from tamsk_pi.rules.record import build_record, format_record, parse_record
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings
from tamsk_pi.session import Session
from tamsk_pi.signals.conductor import Conductor
from tamsk_pi.trace import LinkDown, LinkUp, Record
from tamsk_pi.trace_header import write_header
from tests.core.edges_strategy import BUSY_SOCKETS, STEPS_MS
from tests.core.edges_strategy import settings as some_settings

_BARE_WORDS = ("pause", "resume", "recheck", "annul", "annul", "accept")


@st.composite
def games_with_words(draw: st.DrawFn) -> tuple[Settings, list[Record]]:
    """Settings with what hands do, what the arbiter says and what becomes of the link, in order of time."""
    of = draw(some_settings())
    records: list[Record] = []
    stands = dict(START)
    t_ms = 0
    for _ in range(draw(st.integers(0, 40))):
        t_ms += draw(st.sampled_from(STEPS_MS))
        match draw(st.sampled_from(("carry", "carry", "word", "word", "link", "timer"))):
            case "carry":
                glass, to = draw(st.sampled_from(GLASSES)), draw(st.sampled_from(BUSY_SOCKETS))
                records += _carried(draw, of, t_ms, glass, stands[glass], to)
                stands[glass] = to
            case "word":
                records.append(draw(_word(t_ms)))
            case "link":
                records.append(LinkDown(t_ms))
                records.append(draw(_link_up(of, t_ms + draw(st.sampled_from(STEPS_MS)))))
            case _:
                records.append(Edge(t_ms, "tilt", TIMER, draw(st.sampled_from("ab"))))
        t_ms = records[-1].t_ms
    return of, records


def _carried(draw: st.DrawFn, of: Settings, t_ms: int, glass: str, start: str, to: str) -> list[Record]:
    hall = of.sockets == "hall"
    found: list[Record] = [
        Edge(t_ms, "socket", start, None if hall else False),
        Edge(t_ms + 200, "tilt", glass, draw(st.sampled_from("ab"))),
        Edge(t_ms + 400, "socket", to, draw(st.sampled_from("NS")) if hall else True),
    ]
    t_ms += 400 + draw(st.sampled_from(STEPS_MS))
    match draw(st.sampled_from((of.rings, ""))):
        case "stack":
            found.append(Edge(t_ms, "ring", to, draw(st.integers(0, CAPACITY[to]))))
        case "holder":
            found.append(Edge(t_ms, "holder", draw(st.sampled_from(PLAYERS)), draw(st.integers(28, 32))))
        case "buttons":
            who = draw(st.sampled_from((*PLAYERS, "arbiter")))
            found += [
                Edge(t_ms, "button", who, True),
                Edge(t_ms + draw(st.sampled_from(STEPS_MS)), "button", who, False),
            ]
    return found


@st.composite
def _word(draw: st.DrawFn, t_ms: int) -> Word:
    socket, glass = draw(st.sampled_from(BUSY_SOCKETS)), draw(st.sampled_from(GLASSES))
    side, yes = draw(st.sampled_from(PLAYERS)), draw(st.booleans())
    match draw(st.sampled_from(("bare", "rings", "glass", "place", "place", "dead", "penalty", "turn", "end"))):
        case "rings":
            count = draw(st.integers(0, CAPACITY[socket]))
            return Word(t_ms, "rings", {"socket": socket, "count": count, "side": side})
        case "glass":
            sand = {"state": "running", "left_ms": 5_000} if yes else {"state": "stopped"}
            return Word(t_ms, "glass", {"glass": glass, **sand})
        case "place":
            return Word(t_ms, "place", {"glass": glass, "socket": socket, "turned": yes})
        case "dead":
            return Word(t_ms, "dead", {"socket": socket, "dead": yes})
        case "penalty":
            return Word(t_ms, "penalty", {"side": side, "given": yes})
        case "turn":
            return Word(t_ms, "turn", {"side": side})
        case "end":
            return Word(t_ms, "end", {"winner": side if yes else None})
        case _:
            return Word(t_ms, draw(st.sampled_from(_BARE_WORDS)))


@st.composite
def _link_up(draw: st.DrawFn, of: Settings, t_ms: int) -> LinkUp:
    occupied = draw(st.lists(st.sampled_from(BUSY_SOCKETS), unique=True, max_size=7))
    up = draw(st.dictionaries(st.sampled_from((*GLASSES, TIMER)), st.sampled_from("ab")))
    fields = {socket: draw(st.sampled_from("NS")) for socket in occupied} if of.sockets == "hall" else {}
    return LinkUp(t_ms, tuple(occupied), up, gap_known=draw(st.booleans()), fields=fields)


@settings(max_examples=300, deadline=None)
@given(games_with_words())
def test_nothing_that_is_said_or_cut_stops_the_referee(game: tuple[Settings, list[Record]]) -> None:
    """No error, a picture and lamps at any time, no glass in two places, and a record that can be read again."""
    of, records = game
    session = Session(of)
    conductors = (Conductor("play"), Conductor("referee"))
    said: list[Ruling] = list(session.advance(0))
    for record in records:
        new = session.take(record)
        said += new
        snapshot = session.snapshot()
        stood_on = [view.socket for view in snapshot.glasses.values() if view.socket is not None]
        assert len(stood_on) == len(set(stood_on))
        for conductor in conductors:
            conductor.tell(new)
            conductor.look(snapshot)
            conductor.frame(session.now_ms, ready=True)
            conductor.tones(session.now_ms)
    said += session.finish((records[-1].t_ms if records else 0) + 40_000)
    text = format_record(build_record(write_header(of), said))
    assert format_record(parse_record(text)) == text
