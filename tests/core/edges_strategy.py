"""Random traces for property tests: edges that hands could cause, and edges that nothing could."""

from __future__ import annotations

from hypothesis import strategies as st

from tamsk_pi.rules.board import CAPACITY, GLASSES, SOCKETS, TIMER
from tamsk_pi.sensing.edges import Edge
from tamsk_pi.sensing.settings import Settings, Tolerance

# Few sockets, so that edges of one input meet often; all corners are among them.
BUSY_SOCKETS = ("A1", "A4", "D1", "D7", "G1", "G4", "D2", "E1", "B4", "D6", "F1", "D4")

# Steps around every window the core knows: gaps, settle times, the flip grace, ring windows, presses.
STEPS_MS = (0, 1, 5, 19, 20, 21, 60, 119, 120, 121, 149, 150, 151, 300, 499, 500, 501, 799, 800, 2999, 3000, 3001, 9000)


@st.composite
def settings(draw: st.DrawFn) -> Settings:
    """Settings of every level, edition and way of sensing, with glasses that stop soon."""
    short = st.integers(1_000, 20_000)
    return Settings(
        level=draw(st.sampled_from((1, 2, 3))),
        rules=draw(st.sampled_from(("rulebook", "wikipedia", "schmidt1998"))),
        rings=draw(st.sampled_from(("stack", "holder", "buttons"))),
        sockets=draw(st.sampled_from(("reed", "reed", "hall"))),
        tilt=draw(st.sampled_from((True, True, False))),
        tolerance=draw(st.sampled_from((Tolerance(), Tolerance(glass_ms=2_000, timer_ms=700)))),
        glass_ms={g: {"a": draw(short), "b": draw(short)} for g in (*GLASSES, TIMER)},
        confirm_missed_turning=draw(st.booleans()),
    )


@st.composite
def edges(draw: st.DrawFn, of: Settings, most: int = 120) -> list[Edge]:
    """Edges in order of time that such a board could send, plausible or not."""
    found: list[Edge] = []
    t_ms = 0
    for _ in range(draw(st.integers(0, most))):
        t_ms += draw(st.sampled_from(STEPS_MS))
        found.append(draw(_edge(of, t_ms)))
    return found


@st.composite
def _edge(draw: st.DrawFn, of: Settings, t_ms: int) -> Edge:
    kind = draw(st.sampled_from(("socket", "socket", "socket", "tilt", "tilt", "ring", "button")))
    if kind == "socket":
        value = st.sampled_from(("N", "S", None, None)) if of.sockets == "hall" else st.booleans()
        return Edge(t_ms, "socket", draw(st.sampled_from(BUSY_SOCKETS)), draw(value))
    if kind == "tilt":
        return Edge(t_ms, "tilt", draw(st.sampled_from((*GLASSES, TIMER))), draw(st.sampled_from("ab")))
    if kind == "ring" and of.rings == "stack":
        socket = draw(st.sampled_from(BUSY_SOCKETS))
        return Edge(t_ms, "ring", socket, draw(st.integers(0, CAPACITY[socket])))
    if kind == "ring" and of.rings == "holder":
        return Edge(t_ms, "holder", draw(st.sampled_from(("red", "black"))), draw(st.integers(29, 32)))
    return Edge(t_ms, "button", draw(st.sampled_from(("red", "black", "arbiter"))), draw(st.booleans()))


@st.composite
def games(draw: st.DrawFn, most: int = 120) -> tuple[Settings, list[Edge]]:
    """Settings with edges that fit them."""
    chosen = draw(settings())
    return chosen, draw(edges(chosen, most))


def carry(t_ms: int, frm: str, to: str, glass: str = "", up: str = "", took_ms: int = 600) -> list[Edge]:
    """The edges of carrying a glass from one socket to another, turned over on the way where `glass` is given."""
    assert frm in SOCKETS
    turned = [Edge(t_ms + took_ms // 2, "tilt", glass, up)] if glass else []
    return [Edge(t_ms, "socket", frm, False), *turned, Edge(t_ms + took_ms, "socket", to, True)]
